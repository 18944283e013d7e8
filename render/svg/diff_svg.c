/* SPDX-License-Identifier: MIT */
#include "render/svg/diff_svg.h"

#include <math.h>

#include "base/arithmetic.h"
#include "diff/diff_functions.h"
#include "diff/diff_verdict.h"
#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_text.h"
#include "render/diff/headline_text.h"
#include "render/svg/diff_colour.h"
#include "render/svg/embed.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"

const char *const diff_width_names[] = {
	[DIFF_WIDTH_LARGER] = "larger",
	[DIFF_WIDTH_AFTER] = "after",
	[DIFF_WIDTH_BEFORE] = "before",
	[DIFF_WIDTH_COUNT] = NULL,
};

const char *const diff_palette_names[] = {
	[DIFF_PALETTE_KILN] = "kiln",
	[DIFF_PALETTE_SAFE] = "safe",
	[DIFF_PALETTE_COUNT] = NULL,
};

/* Weights are scaled up to this many bits, so that scaling down does not lose digits. */
#define WIDTH_BITS    60
#define HOTTEST_COUNT 10

struct diff_flame {
	const struct diff *diff;
	const struct diff_svg_options *options;
	uint64_t *self[DIFF_SIDES], *total[DIFF_SIDES]; /* by row, as captured */
	uint16_t *colour;                               /* by row: index in the palette */
	uint16_t *confidence;
};

static const struct diff_measure *measure_of(const struct diff_flame *flame, uint32_t row)
{
	const struct diff_row *rows = flame->diff->rows;

	return flame->options->is_exclusive ? &rows[row].self : &rows[row].total;
}

static struct colour colour_of(const void *context, uint32_t row)
{
	const struct diff_flame *flame = context;

	return diff_colour(flame->options->palette, (uint8_t)flame->colour[row]);
}

static const char *hatching(const void *context, uint32_t row)
{
	const struct diff_flame *flame = context;

	return diff_colour_hatching((uint8_t)flame->colour[row]);
}

static void write_share(const struct diff *diff, const struct diff_measure *measure,
			enum diff_side side, struct sink *sink)
{
	struct profile shown = diff_view_of(diff, side);
	struct svg_weights weights = svg_weights_of(&shown);

	diff_text_share(diff, measure, side, 0, sink);
	sink_puts(sink, " (");
	svg_weights_write(&weights, measure->weight[side], sink);
	sink_char(sink, ')');
}

static void write_change(const struct diff *diff, const struct diff_measure *measure,
			 const char *name, struct sink *sink)
{
	sink_printf(sink, "\n%sbefore ", name);
	write_share(diff, measure, DIFF_BEFORE, sink);
	sink_puts(sink, ", after ");
	write_share(diff, measure, DIFF_AFTER, sink);
	sink_printf(sink, ": %+.2f points, ", diff_points(diff, measure));
	diff_text_percent(diff, measure, sink);
}

static void write_verdict(const struct diff *diff, const struct diff_measure *measure,
			  struct sink *sink)
{
	sink_printf(sink, "\n%s", diff_verdict_name(measure->verdict));
	if (diff->is_graded)
		sink_printf(sink, " (p = %.2g)", measure->corrected_p_value);
}

/* Writes the tooltip of a frame. Its first line has the format of flamegraph.pl. */
static void write_words(const void *context, uint32_t row, struct sink *sink)
{
	const struct diff_flame *flame = context;
	const struct diff *diff = flame->diff;
	const struct diff_measure *total = &diff->rows[row].total;
	const struct diff_measure *self = &diff->rows[row].self;
	const struct diff_measure *measure = measure_of(flame, row);
	struct profile shown = diff_view_of(diff, DIFF_AFTER);
	struct svg_weights weights = svg_weights_of(&shown);

	sink_puts(sink, " (");
	svg_weights_write(&weights, total->weight[DIFF_AFTER], sink);
	sink_puts(sink, ", ");
	diff_text_share(diff, total, DIFF_AFTER, 0, sink);
	sink_printf(sink, "; %+.2f%%)", diff_points(diff, total));
	write_change(diff, total, "", sink);
	if (self->weight[DIFF_BEFORE] || self->weight[DIFF_AFTER])
		write_change(diff, self, "self ", sink);
	if (row)
		write_verdict(diff, measure, sink);
}

static void write_legend(const void *context, uint32_t y, struct sink *sink)
{
	const struct diff_flame *flame = context;

	diff_colour_write_legend(flame->diff, flame->options->palette, y, sink);
}

/* Writes the functions with the largest self weight, with their shares on both sides. */
static void write_hottest(const void *context, struct sink *sink)
{
	const struct diff_flame *flame = context;
	const struct diff *diff = flame->diff;
	const struct diff_function *rows[HOTTEST_COUNT];
	size_t count = diff_functions_hottest(diff, rows, HOTTEST_COUNT);

	for (size_t i = 0; i < count; i++) {
		sink_puts(sink, i ? "; " : " Hottest functions, before and after: ");
		sink_text(sink, profile_frame_name(&diff->profile, (frame_id){ rows[i]->frame }));
		sink_char(sink, ' ');
		diff_text_share(diff, &rows[i]->self, DIFF_BEFORE, 0, sink);
		sink_puts(sink, " and ");
		diff_text_share(diff, &rows[i]->self, DIFF_AFTER, 0, sink);
	}
	if (count)
		sink_char(sink, '.');
}

/* Returns the factor that keeps the weights of both sides below 2^WIDTH_BITS. */
static uint64_t width_factor(const struct diff *diff)
{
	uint64_t largest = diff_scaled(diff, diff->total[DIFF_BEFORE]);
	unsigned bits = 0;

	if (largest < diff->total[DIFF_AFTER])
		largest = diff->total[DIFF_AFTER];
	if (largest < diff->exposure[DIFF_AFTER])
		largest = diff->exposure[DIFF_AFTER];
	while (bits < WIDTH_BITS && largest >> bits)
		bits++;
	return (uint64_t)1 << (WIDTH_BITS - bits);
}

static uint64_t width_of(const struct diff_flame *flame, enum diff_width by, uint64_t factor,
			 uint32_t row)
{
	const struct diff *diff = flame->diff;
	uint64_t after = flame->self[DIFF_AFTER][row] * factor;
	uint64_t before = ratio_of(flame->self[DIFF_BEFORE][row],
				   diff->exposure[DIFF_AFTER] * factor, diff->exposure[DIFF_BEFORE])
				  .quotient;

	if (by == DIFF_WIDTH_LARGER)
		return before > after ? before : after;
	return by == DIFF_WIDTH_AFTER ? after : before;
}

/* Returns a copy of the union whose weights are widths; the caller frees its stacks. */
static struct profile with_widths(const struct diff_flame *flame, enum diff_width by)
{
	struct profile profile = flame->diff->profile;
	uint64_t factor = width_factor(flame->diff);
	size_t count = profile.stacks.count;

	profile.stacks.at = memory_alloc(count, sizeof(*profile.stacks.at));
	memcpy(profile.stacks.at, flame->diff->profile.stacks.at,
	       count * sizeof(*profile.stacks.at));
	for (size_t row = count; row-- > 0;) {
		struct stack *stack = &profile.stacks.at[row];
		struct stack *parent = &profile.stacks.at[stack->parent];

		stack->self = width_of(flame, by, factor, (uint32_t)row);
		stack->total = saturate_add(stack->total, stack->self);
		if (row)
			parent->total = saturate_add(parent->total, stack->total);
	}
	return profile;
}

static void flame_init(struct diff_flame *flame, const struct diff *diff,
		       const struct diff_svg_options *options)
{
	size_t count = diff->profile.stacks.count;

	*flame = (struct diff_flame){
		.diff = diff,
		.options = options,
		.colour = memory_alloc(count, sizeof(*flame->colour)),
		.confidence = memory_alloc(count, sizeof(*flame->confidence)),
	};
	for (int side = 0; side < DIFF_SIDES; side++) {
		flame->self[side] = memory_alloc(count, sizeof(uint64_t));
		flame->total[side] = memory_alloc(count, sizeof(uint64_t));
		for (size_t row = 0; row < count; row++) {
			flame->self[side][row] = diff->rows[row].self.weight[side];
			flame->total[side][row] = diff->rows[row].total.weight[side];
		}
	}
	for (uint32_t row = 0; row < count; row++) {
		const struct diff_measure *measure = measure_of(flame, row);

		flame->colour[row] = row ? diff_colour_index(diff, &diff->rows[row].total, measure)
					 : DIFF_COLOUR_SAME;
		flame->confidence[row] = (uint16_t)((1 - measure->corrected_p_value) * 1000);
	}
}

static void flame_deinit(struct diff_flame *flame)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		memory_free(flame->self[side]);
		memory_free(flame->total[side]);
	}
	memory_free(flame->colour);
	memory_free(flame->confidence);
}

/* Writes how the viewer colours and describes frames whose weights it sums up itself. */
static void write_viewer_words(const struct diff_flame *flame, struct sink *sink)
{
	const struct diff *diff = flame->diff;
	bool has_shares = diff->options.normalising.by == DIFF_BY_TOTAL;

	sink_printf(sink, "\"diff\":{\"width\":%d,\"exclusive\":%d,\"shares\":%d,\"self\":%llu",
		    (int)flame->options->width_by, flame->options->is_exclusive, has_shares,
		    (unsigned long long)flame->self[DIFF_BEFORE][0]);
	sink_printf(sink, ",\"scale\":%.17g,\"samples\":[%llu,%llu],",
		    (double)diff->exposure[DIFF_AFTER] / (double)diff->exposure[DIFF_BEFORE],
		    (unsigned long long)diff->sample_count[DIFF_BEFORE],
		    (unsigned long long)diff->sample_count[DIFF_AFTER]);
	diff_colour_write_judged(diff, sink);
	diff_colour_write_json(flame->options->palette, sink);
	sink_char(sink, '}');
	sink_char(sink, '\0');
}

/*
 * The lines below the title:
 *
 *     before: v1.data, recorded 2026-11-22 12:35:11 UTC, 10.0 s long: perf record -g ./app
 *     after: v2.data, recorded 2026-11-22 12:41:02 UTC, 10.0 s long: perf record -g ./app
 *     cycles · before 12,345 samples · after 12,300 samples · normalised by total: each side is 100%
 *     kernel differs: 6.1.0 before, 6.5.0 after
 *     threads of one role: svc_before is compared with svc_after
 */
#define HEAD_LINES 5

struct diff_head {
	struct svg_line lines[HEAD_LINES];
	size_t count;
	struct sink texts[HEAD_LINES], tooltips[HEAD_LINES];
};

/* Finishes the next line, unless its text is empty. */
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

/* If the line is too long, the tooltip contains the complete text. */
static void add_side(struct diff_head *head, const struct diff *diff, enum diff_side side)
{
	struct sink *text = &head->texts[head->count];

	sink_puts(text, diff_side_names[side]);
	sink_puts(text, ": ");
	captures_text_side(diff, side, sink_text, text);
	sink_text(&head->tooltips[head->count], sink_memory(text));
	add_line(head, false);
}

static void add_facts(struct diff_head *head, const struct diff *diff)
{
	struct sink *sink = &head->texts[head->count];

	sink_text(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, " · before ");
	diff_text_side(diff, DIFF_BEFORE, sink);
	sink_puts(sink, " · after ");
	diff_text_side(diff, DIFF_AFTER, sink);
	sink_puts(sink, " · ");
	diff_text_terms(diff, sink);
	sink_puts(sink, " · ");
	diff_text_noise(diff, sink);
	diff_text_missing(diff, " · ", sink);
	sink_text(&head->tooltips[head->count], sink_memory(sink));
	add_line(head, false);
}

/* Joins the lines of the tooltip into one line. */
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

/* Newlines within a name would split the line. */
static void write_name_in_line(struct sink *sink, struct text name)
{
	for (uint32_t i = 0; i < name.length; i++)
		sink_char(sink, name.at[i] == '\n' ? ' ' : name.at[i]);
}

static void head_init(struct diff_head *head, const struct diff *diff)
{
	*head = (struct diff_head){ .count = 0 };
	for (size_t i = 0; i < HEAD_LINES; i++) {
		sink_init_memory(&head->texts[i]);
		sink_init_memory(&head->tooltips[i]);
	}
	add_side(head, diff, DIFF_BEFORE);
	add_side(head, diff, DIFF_AFTER);
	add_facts(head, diff);
	captures_text_differences(diff, "", write_name_in_line, &head->tooltips[head->count]);
	add_list(head, true);
	diff_notes_write(diff, "", write_name_in_line, &head->tooltips[head->count]);
	add_list(head, false);
}

static void head_deinit(struct diff_head *head)
{
	for (size_t i = 0; i < HEAD_LINES; i++) {
		sink_deinit(&head->texts[i]);
		sink_deinit(&head->tooltips[i]);
	}
}

/* Texts around the frames, NUL-terminated. */
struct svg_texts {
	struct sink headline, words;
	struct diff_head head;
};

static void texts_init(struct svg_texts *texts, const struct diff_flame *flame)
{
	sink_init_memory(&texts->headline);
	sink_init_memory(&texts->words);
	headline_text_write(flame->diff, sink_text, &texts->headline);
	sink_char(&texts->headline, '\0');
	head_init(&texts->head, flame->diff);
	write_viewer_words(flame, &texts->words);
}

static void texts_deinit(struct svg_texts *texts)
{
	sink_deinit(&texts->headline);
	sink_deinit(&texts->words);
	head_deinit(&texts->head);
}

static void write_flame(const struct diff_flame *flame, const struct svg_texts *texts,
			struct sink *sink)
{
	struct profile larger = with_widths(flame, DIFF_WIDTH_LARGER);
	bool is_larger = flame->options->width_by == DIFF_WIDTH_LARGER;
	struct profile chosen = is_larger ? larger : with_widths(flame, flame->options->width_by);
	struct svg_options options = flame->options->svg;
	struct embed_sides sides = {
		.self = { flame->self[DIFF_BEFORE], flame->self[DIFF_AFTER] },
		.total = { flame->total[DIFF_BEFORE], flame->total[DIFF_AFTER] },
		.colour = flame->colour,
		.confidence = flame->confidence,
		.colour_left = DIFF_COLOUR_SAME,
		.words = sink_memory(&texts->words).at,
	};
	struct svg_overrides rows = {
		.context = flame,
		.colour = colour_of,
		.hatching = hatching,
		.write_words = write_words,
		.write_legend = write_legend,
		.write_hottest = write_hottest,
		.headline = sink_memory(&texts->headline).at,
		.lines = texts->head.lines,
		.line_count = texts->head.count,
		.embedded = &larger,
		.sides = &sides,
	};

	options.overrides = &rows;
	if (!options.title)
		options.title = "Differential Flame Graph";
	svg_write(&chosen, &options, sink);
	memory_free(larger.stacks.at);
	if (!is_larger)
		memory_free(chosen.stacks.at);
}

void diff_svg_write(const struct diff *diff, const struct diff_svg_options *options,
		    struct sink *sink)
{
	struct diff_flame flame;
	struct svg_texts texts;

	flame_init(&flame, diff, options);
	texts_init(&texts, &flame);
	write_flame(&flame, &texts, sink);
	texts_deinit(&texts);
	flame_deinit(&flame);
}
