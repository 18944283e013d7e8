/* SPDX-License-Identifier: MIT */
#include "render/svg_header.h"

#include <inttypes.h>

#include "profile/loss.h"
#include "render/escape.h"
#include "render/hottest.h"
#include "render/number.h"

#define TITLE_Y       32
#define FACTS_Y       52
#define LINE_HEIGHT   18
#define SPACE_BELOW   16
#define HOTTEST_COUNT 10
/* Mean width of a character, in hundredths of a pixel: of the title, and of the lines below it. */
#define TITLE_CHARACTER 1240
#define LINE_CHARACTER  700
#define BUTTON_WIDTH    72
#define BUTTON_HEIGHT   24
#define BUTTON_GAP      8
#define HELP_WIDTH      24

static bool is_noted(const struct profile *profile, size_t kind)
{
	return profile->losses[kind] && loss_text_of((enum loss_kind)kind)->is_warning;
}

static bool is_incomplete(const struct profile *profile)
{
	struct loss_of_names names = loss_of_names(profile);

	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		if (is_noted(profile, i))
			return true;
	return profile->partial_reason || names.has_any;
}

uint32_t svg_header_height(const struct svg_header *header)
{
	uint32_t lines = 1 + (header->subtitle != NULL) + is_incomplete(header->profile);

	return FACTS_Y + (lines - 1) * LINE_HEIGHT + SPACE_BELOW;
}

static struct text weight_name(const struct profile *profile)
{
	bool is_field = profile->weight_name.i != STR_EMPTY.i;

	return strings_get(profile->strings, is_field ? profile->weight_name : profile->event_name);
}

static struct text unit_name(const struct profile *profile, bool is_one)
{
	switch (profile->unit) {
	case UNIT_NANOSECONDS:
	case UNIT_EVENTS:
		break;
	case UNIT_BYTES:
		return text_of(is_one ? "byte" : "bytes");
	case UNIT_SAMPLES:
		return text_of(is_one ? "sample" : "samples");
	case UNIT_MILLIONTHS:
		return text_of(is_one ? "millionth" : "millionths");
	}
	return weight_name(profile);
}

struct text svg_header_unit(const struct profile *profile)
{
	return unit_name(profile, false);
}

void svg_header_weight(const struct profile *profile, uint64_t value, struct sink *sink)
{
	if (profile->unit == UNIT_NANOSECONDS) {
		number_duration(sink, value);
		return;
	}
	number_grouped(sink, value);
	sink_char(sink, ' ');
	sink_text(sink, unit_name(profile, value == 1));
}

static uint64_t total_of(const struct profile *profile)
{
	return profile->stacks.count ? profile->stacks.at[0].total : 0;
}

static void write_facts(const struct svg_header *header, struct sink *sink)
{
	const struct profile *profile = header->profile;

	if (header->facts) {
		sink_puts(sink, header->facts);
		return;
	}
	sink_text(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, " · ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, profile->view_sample_count == 1 ? " sample" : " samples");
	if (profile->unit != UNIT_SAMPLES) {
		sink_puts(sink, " · ");
		svg_header_weight(profile, total_of(profile), sink);
		if (profile->unit == UNIT_NANOSECONDS) {
			sink_puts(sink, " of ");
			sink_text(sink, profile->weight_name.i != STR_EMPTY.i
						? weight_name(profile)
						: text_of("processor time"));
		}
	}
	if (profile_has_time(profile)) {
		sink_puts(sink, " · recorded over ");
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
	}
}

static void note(struct sink *sink, const char **separator, uint64_t count, const char *text)
{
	if (!count)
		return;
	sink_puts(sink, *separator);
	number_grouped(sink, count);
	sink_char(sink, ' ');
	sink_puts(sink, text);
	*separator = ", ";
}

static void write_incompleteness(const struct profile *profile, struct sink *sink)
{
	struct loss_of_names names = loss_of_names(profile);
	const char *separator = "Incomplete: ";

	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		if (is_noted(profile, i))
			note(sink, &separator, profile->losses[i],
			     loss_text_of((enum loss_kind)i)->text);
	for (int i = 0; i < NAME_LOSS_COUNT; i++)
		note(sink, &separator, names.counts[i],
		     loss_of_names_text((enum name_loss)i, names.counts[i]));
	if (profile->partial_reason) {
		sink_puts(sink, separator);
		sink_puts(sink, profile->partial_reason);
	}
}

/* The functions that samples ended in most, for those who cannot see the picture. */
static void write_hottest(const struct profile *profile, struct sink *sink)
{
	struct hottest rows[HOTTEST_COUNT];
	size_t count = hottest_find(profile, rows, HOTTEST_COUNT);

	for (size_t i = 0; i < count; i++) {
		sink_puts(sink, i ? "; " : " Hottest functions: ");
		escape_xml(sink, rows[i].name);
		sink_char(sink, ' ');
		number_percent(sink, rows[i].self, total_of(profile));
	}
	if (count)
		sink_char(sink, '.');
}

static const char *title_of(const struct svg_header *header)
{
	return header->title ? header->title : "Flame Graph";
}

void svg_header_open(const struct svg_header *header, struct sink *sink)
{
	struct sink facts;

	sink_puts(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
	sink_printf(
		sink,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%" PRIu32
		"\" height=\"%" PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
		"\"%s role=\"graphics-document\" aria-labelledby=\"name\" "
		"aria-describedby=\"about\" font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans "
		"Mono',monospace\" font-size=\"12\">\n<title id=\"name\">",
		header->width, header->picture_height, header->width, header->picture_height,
		header->is_fluid ? " data-fluid=\"\"" : "");
	escape_xml(sink, text_of(title_of(header)));
	sink_puts(sink, "</title>\n<desc id=\"about\">");
	sink_init_memory(&facts);
	write_facts(header, &facts);
	escape_xml(sink, sink_memory(&facts));
	sink_deinit(&facts);
	sink_char(sink, '.');
	if (!header->facts)
		write_hottest(header->profile, sink);
	sink_puts(sink, "</desc>\n<metadata>made by kiln " VERSION);
	if (header->command) {
		sink_puts(sink, ": ");
		escape_xml(sink, text_of(header->command));
	}
	sink_puts(sink, "</metadata>\n");
}

/* Writes a line of text, cut to the room there is. */
static void write_line(const struct svg_header *header, struct sink *sink, const char *class,
		       uint32_t y, struct text text)
{
	bool is_title = strcmp(class, "heading") == 0;
	uint32_t room = header->width - 2 * header->margin;
	size_t fit = (is_title ? room - 2 * (BUTTON_WIDTH + BUTTON_GAP) - HELP_WIDTH - BUTTON_GAP
			       : room) *
		     (size_t)100 / (is_title ? TITLE_CHARACTER : LINE_CHARACTER);
	struct text cut = escape_first_characters(text, fit);

	sink_printf(sink, "<text class=\"%s\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">", class,
		    header->margin, y);
	escape_xml(sink, cut);
	if (cut.length < text.length)
		sink_puts(sink, "…");
	sink_puts(sink, "</text>\n");
}

/* Buttons do nothing without the script, which is what shows them. */
static void write_button(struct sink *sink, const char *id, const char *label, uint32_t x,
			 uint32_t width)
{
	sink_printf(
		sink,
		"<g id=\"%s\" class=\"button\" role=\"button\" tabindex=\"0\" "
		"aria-label=\"%s\"><rect x=\"%" PRIu32 "\" y=\"14\" width=\"%" PRIu32
		"\" height=\"%d\" "
		"rx=\"4\"/><text x=\"%" PRIu32 "\" y=\"30\" text-anchor=\"middle\">%s</text></g>\n",
		id, *label == '?' ? "Help" : label, x, width, BUTTON_HEIGHT, x + width / 2, label);
}

void svg_header_write(const struct svg_header *header, struct sink *sink)
{
	uint32_t right = header->width - header->margin;
	uint32_t y = FACTS_Y;
	struct sink line;

	sink_puts(sink, "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	write_line(header, sink, "heading", TITLE_Y, text_of(title_of(header)));
	if (header->subtitle) {
		write_line(header, sink, "facts", y, text_of(header->subtitle));
		y += LINE_HEIGHT;
	}
	sink_init_memory(&line);
	write_facts(header, &line);
	write_line(header, sink, "facts", y, sink_memory(&line));
	line.used = 0;
	if (is_incomplete(header->profile)) {
		write_incompleteness(header->profile, &line);
		write_line(header, sink, "incomplete", y + LINE_HEIGHT, sink_memory(&line));
	}
	sink_deinit(&line);
	sink_puts(sink, "<g id=\"bar\"><g>\n");
	write_button(sink, "keys", "?", right - HELP_WIDTH, HELP_WIDTH);
	right -= HELP_WIDTH + BUTTON_GAP;
	write_button(sink, "search", "Search", right - BUTTON_WIDTH, BUTTON_WIDTH);
	right -= BUTTON_WIDTH + BUTTON_GAP;
	write_button(sink, "reset", "Reset", right - BUTTON_WIDTH, BUTTON_WIDTH);
	sink_puts(sink, "</g></g>\n");
}
