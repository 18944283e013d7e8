/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_head.h"

#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_table.h"

/* Ends the line that was written into the next text, and into its tooltip, unless there is none. */
static void add_line(struct diff_head *head, bool is_warning)
{
	struct sink *text = &head->texts[head->count];
	struct sink *tooltip = &head->tooltips[head->count];

	if (!text->used)
		return;
	sink_char(text, '\0');
	sink_char(tooltip, '\0');
	head->lines[head->count++] = (struct svg_line){
		.text = sink_memory(text).at,
		.tooltip = tooltip->used > 1 ? sink_memory(tooltip).at : NULL,
		.is_warning = is_warning,
	};
}

/* The tooltip has all of it where the line is cut. */
static void add_side(struct diff_head *head, const struct diff *diff, enum diff_side side)
{
	struct sink *text = &head->texts[head->count];

	sink_puts(text, side == DIFF_BEFORE ? "before: " : "after: ");
	diff_captures_write_side(diff, side, sink_text, text);
	sink_text(&head->tooltips[head->count], sink_memory(text));
	add_line(head, false);
}

static void add_facts(struct diff_head *head, const struct diff *diff)
{
	struct sink *sink = &head->texts[head->count];

	sink_text(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, " · before ");
	diff_side_write(diff, DIFF_BEFORE, sink);
	sink_puts(sink, " · after ");
	diff_side_write(diff, DIFF_AFTER, sink);
	sink_puts(sink, " · ");
	diff_terms_write(diff, sink);
	sink_puts(sink, " · ");
	diff_noise_write(diff, sink);
	diff_missing_write(diff, " · ", sink);
	sink_text(&head->tooltips[head->count], sink_memory(sink));
	add_line(head, false);
}

/* One line of what was written to the tooltip as several; names have no line ends of their own here. */
static void add_list(struct diff_head *head, bool is_warning)
{
	struct sink *text = &head->texts[head->count];
	struct sink *tooltip = &head->tooltips[head->count];
	struct text left = sink_memory(tooltip);

	if (!left.length)
		return;
	left.length -= 1;
	tooltip->used -= 1;
	for (uint32_t i = 0; i < left.length; i++) {
		if (left.at[i] == '\n')
			sink_puts(text, " · ");
		else
			sink_char(text, left.at[i]);
	}
	add_line(head, is_warning);
}

/* Line ends within a name would part it. */
static void write_name(struct sink *sink, struct text name)
{
	for (uint32_t i = 0; i < name.length; i++)
		sink_char(sink, name.at[i] == '\n' ? ' ' : name.at[i]);
}

void diff_head_init(struct diff_head *head, const struct diff *diff)
{
	*head = (struct diff_head){ .count = 0 };
	for (size_t i = 0; i < DIFF_HEAD_LINES; i++) {
		sink_init_memory(&head->texts[i]);
		sink_init_memory(&head->tooltips[i]);
	}
	add_side(head, diff, DIFF_BEFORE);
	add_side(head, diff, DIFF_AFTER);
	add_facts(head, diff);
	diff_captures_write_differences(diff, "", write_name, &head->tooltips[head->count]);
	add_list(head, true);
	diff_notes_write(diff, "", write_name, &head->tooltips[head->count]);
	add_list(head, false);
}

void diff_head_deinit(struct diff_head *head)
{
	for (size_t i = 0; i < DIFF_HEAD_LINES; i++) {
		sink_deinit(&head->texts[i]);
		sink_deinit(&head->tooltips[i]);
	}
}
