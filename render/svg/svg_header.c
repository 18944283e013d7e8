/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_header.h"

#include <inttypes.h>
#include <time.h>

#include "process/loss.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/text/summary.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_lanes.h"

#define TITLE_Y       32
#define FACTS_Y       52
#define LINE_HEIGHT   18
#define NS_PER_SECOND 1000000000u
#define SPACE_BELOW   16
#define HOTTEST_COUNT 10
/*
 * The mean width of a character, in hundredths of a pixel, in the title and in the lines below it.
 * Of the fonts in the style sheet, DejaVu Sans is the widest: in it, facts have at most 6.8 pixels a
 * character, warnings, which are bold, 7.5, and headlines, which are larger and bold, 8.1.
 */
#define TITLE_CHARACTER    1240
#define LINE_CHARACTER     700
#define WARNING_CHARACTER  760
#define HEADLINE_CHARACTER 820
/* In a narrow SVG, the headline can have this many lines. */
#define HEADLINE_LINES_MAX 4u
#define BUTTON_WIDTH       72
#define BUTTON_HEIGHT      24
#define BUTTON_Y           14
#define BUTTON_BASELINE    16
#define BUTTON_GAP         8
#define HELP_WIDTH         24
/* flamegraph.pl's layout: the title is this many points larger than labels. */
#define CLASSIC_BUTTON_Y   6
#define CLASSIC_TITLE_MORE 5

static uint32_t classic_lines(const struct svg_options *options, uint32_t count)
{
	return (uint32_t)(options->theme.font_size * count);
}

static uint32_t classic_height(const struct svg_options *options)
{
	return classic_lines(options, 3) + (options->subtitle ? classic_lines(options, 2) : 0);
}

static bool is_incomplete(const struct svg_header *header)
{
	return header->profile->partial_reason || header->caveats.count > 0;
}

/* Whether there is a line about parts that the lanes of a flame chart do not show. */
static bool has_notes(const struct svg_header *header)
{
	struct sink notes;
	bool ret;

	sink_init_memory(&notes);
	svg_lanes_write_notes(header->profile, &notes);
	ret = notes.used > 0;
	sink_deinit(&notes);
	return ret;
}

static uint32_t text_width(const struct svg_header *header)
{
	return header->width - 2 * header->options->theme.margin;
}

/* Removes and returns the next line of the headline. The last line gets all the rest. */
static struct text next_line(const struct svg_header *header, struct text *left, uint32_t index)
{
	size_t fit = text_width(header) * (size_t)100 / HEADLINE_CHARACTER;
	struct text line = escape_first_characters(*left, fit);
	uint32_t end = line.length;

	if (line.length < left->length && index + 1 < HEADLINE_LINES_MAX) {
		while (end && left->at[end] != ' ')
			end--;
		/* A word that is longer than a line is broken. */
		line.length = end ? end : line.length;
	}
	left->at += line.length;
	left->length -= line.length;
	if (left->length && *left->at == ' ') {
		left->at++;
		left->length--;
	}
	return line;
}

static uint32_t headline_lines(const struct svg_header *header)
{
	struct text left = header->headline;
	uint32_t count = 0;

	while (left.length && count < HEADLINE_LINES_MAX)
		next_line(header, &left, count++);
	return count;
}

uint32_t svg_header_height(const struct svg_header *header)
{
	const struct svg_overrides *rows = header->options->overrides;
	uint32_t lines = rows && rows->line_count ? (uint32_t)rows->line_count : 1;

	if (header->options->is_part)
		return 0;
	lines += (header->options->subtitle != NULL) + is_incomplete(header) +
		 headline_lines(header) + (header->origin.length > 0) + has_notes(header);
	if (header->options->theme.is_classic)
		return classic_height(header->options);
	return FACTS_Y + (lines - 1) * LINE_HEIGHT + SPACE_BELOW;
}

void svg_header_write_facts(const struct svg_header *header, struct sink *sink)
{
	const struct profile *profile = header->profile;
	const struct svg_weights *weights = header->weights;

	sink_text(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, " · ");
	/* With fractional weights of folded lines, the number of samples is unknown. */
	if (weights->unit != UNIT_MILLIONTHS) {
		number_grouped(sink, profile->view_sample_count);
		sink_puts(sink, profile->view_sample_count == 1 ? " sample" : " samples");
	}
	if (weights->unit != UNIT_SAMPLES) {
		sink_puts(sink, weights->unit != UNIT_MILLIONTHS ? " · " : "");
		svg_weights_write(weights, weights->total, sink);
		if (weights->unit == UNIT_NANOSECONDS) {
			sink_puts(sink, " of ");
			sink_text(sink, weights->name.length ? weights->name : text_of("CPU time"));
		}
	}
	if (profile_has_time(profile)) {
		sink_puts(sink, " · recorded over ");
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
		if (profile->added_count)
			sink_printf(sink, " (%" PRIu64 " captures)", profile->added_count + 1);
	}
	if (profile->lanes.count)
		sink_puts(sink, " · axis in seconds of the capture's clock");
	if (header->options->shows_host && profile->facts[FACT_HOST].at) {
		sink_puts(sink, " · on ");
		sink_text(sink, profile->facts[FACT_HOST]);
	}
}

void svg_header_write_incompleteness(const struct svg_header *header, struct sink *sink)
{
	const struct profile *profile = header->profile;
	const char *separator = "Incomplete: ";

	if (profile->partial_reason) {
		sink_puts(sink, separator);
		sink_puts(sink, profile->partial_reason);
		separator = "; ";
	}
	for (size_t i = 0; i < header->caveats.count; i++) {
		sink_puts(sink, separator);
		caveats_write(profile, &header->caveats, i, sink);
		separator = "; ";
	}
}

static void separate(struct sink *sink)
{
	sink_puts(sink, sink->used ? " · " : "");
}

static void write_date(const struct profile *profile, struct sink *sink)
{
	time_t seconds =
		(time_t)(wall_clock_of(&profile->clock, profile->first_time_ns) / NS_PER_SECOND);
	char date[64];
	struct tm utc;

	if (!profile->clock.is_known || !profile_has_time(profile) || !gmtime_r(&seconds, &utc) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &utc))
		return;
	separate(sink);
	sink_puts(sink, date);
}

void svg_header_write_origin(const struct profile *profile, const struct svg_options *options,
			     struct sink *sink)
{
	struct text recorded = profile->facts[FACT_COMMAND_LINE];

	sink_text(sink, text_basename(strings_get(profile->strings, profile->input_name)));
	if (profile->added_count)
		sink_printf(sink, " and %" PRIu64 " more", profile->added_count);
	write_date(profile, sink);
	if (options->command) {
		separate(sink);
		sink_puts(sink, options->command);
	}
	if (recorded.at) {
		separate(sink);
		sink_puts(sink, "recorded by ");
		if (options->shows_host)
			sink_text(sink, recorded);
		else
			escape_command(sink, recorded);
	}
}

/* Writes the hottest functions, for screen readers. */
static void write_hottest(const struct svg_header *header, struct sink *sink)
{
	const struct profile *profile = header->profile;
	const struct svg_overrides *own = header->options->overrides;
	struct hottest rows[HOTTEST_COUNT];
	struct sink words;
	size_t count;

	if (own && own->write_hottest) {
		sink_init_memory(&words);
		own->write_hottest(own->context, &words);
		escape_xml(sink, sink_memory(&words));
		sink_deinit(&words);
		return;
	}
	count = summary_hottest(profile, rows, HOTTEST_COUNT);
	for (size_t i = 0; i < count; i++) {
		sink_puts(sink, i ? "; " : " Hottest functions: ");
		escape_xml(sink, rows[i].name);
		sink_char(sink, ' ');
		number_percent(sink, rows[i].self, header->weights->total);
	}
	if (count)
		sink_char(sink, '.');
}

const char *svg_header_title(const struct svg_options *options)
{
	if (options->title)
		return options->title;
	if (options->is_chart)
		return "Flame Chart";
	return options->is_inverted ? "Icicle Graph" : "Flame Graph";
}

/* Writes the unit of the weights, or the name of the counted field. */
static void write_unit(const struct svg_weights *weights, struct sink *sink)
{
	if (weights->name.length && weights->unit == UNIT_EVENTS)
		escape_xml(sink, weights->name);
	else
		sink_puts(sink, number_shown_unit(weights->unit));
}

/* Writes how the SVG was made; not displayed. */
static void write_metadata(const struct svg_header *header, struct sink *sink)
{
	const struct profile *profile = header->profile;
	const struct svg_options *options = header->options;

	sink_puts(sink, "<metadata>made by kiln " VERSION);
	if (options->command) {
		sink_puts(sink, ": ");
		escape_xml(sink, text_of(options->command));
	}
	sink_puts(sink, "\nevent: ");
	escape_xml(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, "\nunit: ");
	write_unit(header->weights, sink);
	sink_printf(sink, "\nsamples: %" PRIu64, profile->view_sample_count);
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		if (profile->losses[i])
			sink_printf(sink, "\nlost: %" PRIu64 " %s", profile->losses[i],
				    loss_words((enum loss_kind)i, profile->losses[i]));
	if (options->shows_host && profile->facts[FACT_HOST].at) {
		sink_puts(sink, "\nhost: ");
		escape_xml(sink, profile->facts[FACT_HOST]);
	}
	sink_puts(sink, "</metadata>\n");
	if (!options->notes)
		return;
	sink_puts(sink, "<!-- NOTES: ");
	escape_xml_comment(sink, text_of(options->notes));
	sink_puts(sink, " -->\n");
}

static void write_root(const struct svg_header *header, struct sink *sink)
{
	const struct svg_theme *theme = &header->options->theme;

	if (header->options->form == SVG_FORM_FILE && !header->options->is_part)
		sink_puts(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
	sink_printf(
		sink,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" class=\"kiln\" width=\"%" PRIu32
		"\" height=\"%" PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
		"\"%s role=\"graphics-document\" aria-labelledby=\"name\" "
		"aria-describedby=\"about\" font-family=\"",
		header->width, header->total_height, header->width, header->total_height,
		header->options->width ? "" : " data-fluid=\"\"");
	escape_xml(sink, text_of(theme->font_type ? theme->font_type
						  : "ui-monospace,Menlo,Consolas,'DejaVu Sans "
						    "Mono',monospace"));
	sink_printf(sink, "\" font-size=\"%g\">\n<title id=\"name\">", theme->font_size);
	escape_xml(sink, text_of(svg_header_title(header->options)));
	sink_puts(sink, "</title>\n");
}

/* Writes the lines below the title, as one text. */
static void write_about(const struct svg_header *header, struct sink *sink)
{
	const struct svg_overrides *rows = header->options->overrides;

	if (!rows || !rows->line_count) {
		svg_header_write_facts(header, sink);
		return;
	}
	for (size_t i = 0; i < rows->line_count; i++) {
		sink_puts(sink, i ? ". " : "");
		sink_puts(sink, rows->lines[i].text);
	}
}

void svg_header_open(const struct svg_header *header, struct sink *sink)
{
	struct sink facts;

	write_root(header, sink);
	sink_puts(sink, "<desc id=\"about\">");
	sink_init_memory(&facts);
	sink_text(&facts, header->headline);
	sink_puts(&facts, header->headline.length ? ". " : "");
	write_about(header, &facts);
	escape_xml(sink, sink_memory(&facts));
	sink_deinit(&facts);
	sink_char(sink, '.');
	write_hottest(header, sink);
	if (header->dropped_count) {
		sink_char(sink, ' ');
		number_grouped(sink, header->dropped_count);
		sink_puts(sink, header->dropped_count == 1 ? " frame is too narrow to be shown."
							   : " frames are too narrow to be shown.");
	}
	sink_puts(sink, "</desc>\n");
	if (!header->options->is_metadata_stripped)
		write_metadata(header, sink);
}

/* The number of characters for which a line of this class has room. */
static size_t characters_of(const struct svg_header *header, const char *class)
{
	size_t room = text_width(header) * (size_t)100;

	if (strcmp(class, "heading") == 0)
		return (room - (2 * (BUTTON_WIDTH + BUTTON_GAP) + HELP_WIDTH + BUTTON_GAP) * 100) /
		       TITLE_CHARACTER;
	return room / (strcmp(class, "incomplete") == 0 ? WARNING_CHARACTER : LINE_CHARACTER);
}

/*
 * Writes a line of text, truncated to the width. If tooltip is NULL, a truncated text has the whole
 * text as its tooltip.
 */
static void write_line(const struct svg_header *header, struct sink *sink, const char *class,
		       uint32_t y, struct text text, const char *tooltip)
{
	struct text cut = escape_first_characters(text, characters_of(header, class));

	sink_printf(sink, "<text class=\"%s\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">", class,
		    header->options->theme.margin, y);
	if (tooltip || cut.length < text.length) {
		sink_puts(sink, "<title>");
		escape_xml(sink, tooltip ? text_of(tooltip) : text);
		sink_puts(sink, "</title>");
	}
	escape_xml(sink, cut);
	if (cut.length < text.length)
		sink_puts(sink, "…");
	sink_puts(sink, "</text>\n");
}

/*
 * Writes the headline, with the whole headline as the tooltip. The viewer breaks lines again for
 * its own width. Returns the y of the next line.
 */
static uint32_t write_headline(const struct svg_header *header, uint32_t y, struct sink *sink)
{
	struct text left = header->headline;
	uint32_t lines = headline_lines(header);

	if (!lines)
		return y;
	sink_puts(sink, "<g class=\"headline\"><title>");
	escape_xml(sink, left);
	sink_puts(sink, "</title>\n");
	for (uint32_t i = 0; i < lines; i++) {
		struct text line = next_line(header, &left, i);

		sink_printf(sink, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
			    header->options->theme.margin, y);
		escape_xml(sink, line);
		sink_puts(sink, i + 1 == lines && left.length ? "…</text>\n" : "</text>\n");
		y += LINE_HEIGHT;
	}
	sink_puts(sink, "</g>\n");
	return y;
}

/* Writes the lines about the capture or captures from y on. Returns the y of the next line. */
static uint32_t write_fact_lines(const struct svg_header *header, uint32_t y, struct sink *sink)
{
	const struct svg_overrides *rows = header->options->overrides;
	struct sink line;

	for (size_t i = 0; rows && i < rows->line_count; i++) {
		const struct svg_line *own = &rows->lines[i];

		write_line(header, sink, own->is_warning ? "incomplete" : "facts", y,
			   text_of(own->text), own->tooltip);
		y += LINE_HEIGHT;
	}
	if (rows && rows->line_count)
		return y;
	sink_init_memory(&line);
	svg_header_write_facts(header, &line);
	write_line(header, sink, "facts", y, sink_memory(&line), NULL);
	sink_deinit(&line);
	return y + LINE_HEIGHT;
}

void svg_header_write_lines(const struct svg_header *header, struct sink *sink)
{
	const struct svg_options *options = header->options;
	uint32_t y = FACTS_Y;
	struct sink line;

	if (options->is_part)
		return;
	write_line(header, sink, "heading", TITLE_Y, text_of(svg_header_title(options)), NULL);
	y = write_headline(header, y, sink);
	if (options->subtitle) {
		write_line(header, sink, "facts", y, text_of(options->subtitle), NULL);
		y += LINE_HEIGHT;
	}
	y = write_fact_lines(header, y, sink);
	if (header->origin.length) {
		write_line(header, sink, "facts", y, header->origin, NULL);
		y += LINE_HEIGHT;
	}
	sink_init_memory(&line);
	if (has_notes(header)) {
		svg_lanes_write_notes(header->profile, &line);
		write_line(header, sink, "incomplete", y, sink_memory(&line), NULL);
		y += LINE_HEIGHT;
	}
	line.used = 0;
	svg_header_write_incompleteness(header, &line);
	if (is_incomplete(header))
		write_line(header, sink, "incomplete", y, sink_memory(&line), NULL);
	sink_deinit(&line);
}

static void write_centred(const char *attributes, uint32_t x, uint32_t y, const char *text,
			  struct sink *sink)
{
	sink_printf(sink, "<text %s x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" text-anchor=\"middle\">",
		    attributes, x, y);
	escape_xml(sink, text_of(text));
	sink_puts(sink, "</text>\n");
}

/* Buttons are hidden until the script shows them. */
static void write_button(struct sink *sink, const char *id, const char *label, uint32_t x,
			 uint32_t y, uint32_t width)
{
	sink_printf(sink,
		    "<g id=\"%s\" class=\"button\" role=\"button\" tabindex=\"0\" "
		    "aria-label=\"%s\"><rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%" PRIu32
		    "\" height=\"%d\" rx=\"4\"/><text x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" text-anchor=\"middle\">%s</text></g>\n",
		    id, *label == '?' ? "Help" : label, x, y, width, BUTTON_HEIGHT, x + width / 2,
		    y + BUTTON_BASELINE, label);
}

static void write_bar(const struct svg_header *header, uint32_t y, struct sink *sink)
{
	uint32_t help = header->width - header->options->theme.margin - HELP_WIDTH;
	uint32_t search = help - BUTTON_GAP - BUTTON_WIDTH;

	sink_puts(sink, "<g id=\"bar\"><g>\n");
	/* From left to right, as the Tab key moves the focus. */
	write_button(sink, "reset", "Reset", search - BUTTON_GAP - BUTTON_WIDTH, y, BUTTON_WIDTH);
	write_button(sink, "search", "Search", search, y, BUTTON_WIDTH);
	write_button(sink, "keys", "?", help, y, HELP_WIDTH);
	sink_puts(sink, "</g></g>\n");
}

static void write_classic_header(const struct svg_header *header, struct sink *sink)
{
	const struct svg_options *options = header->options;
	char attributes[64];

	snprintf(attributes, sizeof(attributes), "id=\"title\" font-size=\"%g\"",
		 options->theme.font_size + CLASSIC_TITLE_MORE);
	write_centred(attributes, header->width / 2, classic_lines(options, 2),
		      svg_header_title(options), sink);
	if (options->subtitle)
		write_centred("id=\"subtitle\"", header->width / 2, classic_lines(options, 4),
			      options->subtitle, sink);
	write_bar(header, CLASSIC_BUTTON_Y, sink);
}

void svg_header_write(const struct svg_header *header, struct sink *sink)
{
	sink_puts(sink, "<rect id=\"ground\" class=\"page\" width=\"100%\" height=\"100%\" "
			"fill=\"#fff\"/>\n");
	if (header->options->is_part)
		return;
	if (header->options->theme.is_classic) {
		write_classic_header(header, sink);
		return;
	}
	write_bar(header, BUTTON_Y, sink);
}

void svg_write_error(const struct svg_options *options, const char *text, struct sink *sink)
{
	uint32_t width = options->width ? (uint32_t)options->width : SVG_FLUID_WIDTH;

	sink_printf(
		sink,
		"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" class=\"kiln\" width=\"%" PRIu32
		"\" height=\"%" PRIu32 "\">\n",
		width, classic_lines(options, 5));
	write_centred("", width / 2, classic_lines(options, 2), text, sink);
	sink_puts(sink, "</svg>\n");
}
