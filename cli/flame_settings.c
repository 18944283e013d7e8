/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <strings.h>

#include "cli/settings.h"

/* The height of a frame, as a multiple of the font size. */
#define ROW_OF_FONT 1.5

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option svg_file_options[] = {
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the flame graph" },
	{ .name = "subtitle", .kind = OPTION_TEXT, .offset = AT(svg.subtitle), .argument = "TEXT",
	  .help = "add a second line below the title" },
	{ .name = "notes", .kind = OPTION_TEXT, .offset = AT(svg.notes), .argument = "TEXT",
	  .help = "store a comment in the SVG without displaying it" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(svg.width), .argument = "PIXELS",
	  .minimum = 400, .maximum = 20000,
	  .help = "set the width of the SVG (default: fit the window)",
	  .more = "The default width of a static SVG is 1200" },
	{ .name = "minwidth", .kind = OPTION_TEXT, .offset = AT(flame.minimum_width),
	  .argument = "PIXELS",
	  .help = "drop frames narrower than PIXELS (default: 0.1)",
	  .more = "PIXELS may also be a percentage of the width, such as 0.01%" },
	{ .name = "full-height", .kind = OPTION_FLAG, .offset = AT(svg.is_full_height),
	  .help = "draw all levels, even if deep towers are only a few pixels wide",
	  .more = "By default, if a level shows less than 0.5% of the total (2.5% beyond level 34), "
		  "this level and those after it become one marked row, unless they are fewer than "
		  "8. Zooming unfolds this row" },
	{ .short_name = 'i', .name = "inverted", .kind = OPTION_FLAG, .offset = AT(svg.is_inverted),
	  .help = "draw the root at the top (icicle graph)" },
	{ .name = "embed-limit", .kind = OPTION_SIZE, .offset = AT(svg.embed_limit_bytes),
	  .argument = "SIZE", .accepts_zero = true, .maximum = UINT32_MAX,
	  .help = "embed at most SIZE of compressed stack data for the viewer, such as 500k (default: 1M)",
	  .more = "The stacks with the least weight are dropped first. 0 writes a static SVG, as "
		  "kiln flame --no-javascript does" },
	{ .name = "embed-plain", .kind = OPTION_FLAG, .offset = AT(svg.is_embedded_uncompressed),
	  .help = "embed stack data uncompressed, for browsers released before 2023" },
	{ .name = "strip-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line, the event name or the numbers of lost samples in "
		  "the SVG" },
	{ .name = "with-host", .kind = OPTION_FLAG, .offset = AT(svg.shows_host),
	  .help = "store the host name in the SVG, and do not shorten paths" },
	{ .name = NULL },
};

static const struct option look_options[] = {
	{ .name = "height", .kind = OPTION_NUMBER, .offset = AT(flame.row_height), .argument = "PIXELS",
	  .minimum = 4, .maximum = 200,
	  .help = "set the height of a frame (default: 1.5 times the font size, at least 18)" },
	{ .name = "fonttype", .kind = OPTION_TEXT, .offset = AT(svg.theme.font_type), .argument = "NAME",
	  .help = "set the font of labels (default: monospace)" },
	{ .name = "fontsize", .kind = OPTION_REAL, .offset = AT(svg.theme.font_size), .argument = "PIXELS",
	  .maximum = 200,
	  .help = "set the font size of labels (default: 12)" },
	{ .name = "fontwidth", .kind = OPTION_REAL, .offset = AT(svg.theme.glyph_width), .argument = "SHARE",
	  .maximum = 10,
	  .help = "set the average character width, as a fraction of the font size (default: "
		  "0.6)" },
	{ .name = "bgcolors", .kind = OPTION_TEXT, .offset = AT(svg.background), .argument = "COLOUR",
	  .help = "set the background: yellow, blue, green, grey or a colour such as #ffffff "
		  "(default: white; black in dark mode)" },
	{ .name = "search-color", .kind = OPTION_TEXT, .offset = AT(svg.search_colour), .argument = "COLOUR",
	  .help = "set the colour of frames that match a search" },
	{ .name = "uicolor", .kind = OPTION_TEXT, .offset = AT(svg.ink_colour), .argument = "COLOUR",
	  .help = "set the colour of the text around the frames" },
	{ .name = "stroke-color", .kind = OPTION_TEXT, .offset = AT(svg.stroke_colour), .argument = "COLOUR",
	  .help = "set the colour of the lines between frames" },
	{ .name = "nametype", .kind = OPTION_TEXT, .offset = AT(svg.name_type), .argument = "TEXT",
	  .help = "set the label before the function name in the details line" },
	{ .name = NULL },
};

static const struct option svg_frame_options[] = {
	{ .short_name = 'c', .name = "colors", .kind = OPTION_CHOICE, .offset = AT(svg.colouring.palette),
	  .argument = "NAME", .choices = palette_names,
	  .help = "select the colour palette" },
	/* Many scripts use this abbreviation, which flamegraph.pl accepts. */
	{ .name = "color", .kind = OPTION_CHOICE, .offset = AT(svg.colouring.palette), .argument = "NAME",
	  .choices = palette_names },
	{ .name = "hash", .kind = OPTION_FLAG, .offset = AT(flame.is_hashed),
	  .help = "choose colours by the first characters of names, so that similar names look "
		  "alike" },
	{ .name = "random", .kind = OPTION_FLAG, .offset = AT(flame.is_random),
	  .help = "choose arbitrary colours; a function has the same colour in every SVG" },
	{ .name = "cp", .kind = OPTION_MAYBE, .offset = AT(flame.palette_map), .argument = "FILE",
	  .help = "reuse the colours in FILE (default: ./palette.map), and add new names to FILE" },
	{ .name = "countname", .kind = OPTION_TEXT, .offset = AT(svg.count_name), .argument = "TEXT",
	  .help = "label values with this unit, without converting them; times are in nanoseconds" },
	{ .name = "factor", .kind = OPTION_REAL, .offset = AT(svg.factor), .argument = "NUMBER",
	  .help = "multiply the displayed numbers by NUMBER; widths do not change" },
	{ .name = "source", .kind = OPTION_FLAG, .offset = AT(view.naming.keeps_source),
	  .help = "show the source file and line of functions in tooltips",
	  .more = "Requires debug information" },
	{ .name = "summary", .kind = OPTION_FLAG, .offset = AT(wants_summary),
	  .help = "print a summary of the profile on standard output",
	  .more = "The summary contains the number of samples, the time span and the hottest "
		  "function. Requires -o" },
	{ .name = NULL },
};

static const struct option flame_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(svg.form), .argument = "NAME",
	  .choices = svg_form_names,
	  .help = "select the output format",
	  .more = "html writes the page of kiln page; with --flamechart, --no-sort or --no-javascript, a "
		  "web page that contains the SVG" },
	{ .name = "flamechart", .kind = OPTION_FLAG, .offset = AT(flame.is_chart),
	  .help = "draw samples in time order, without merging stacks",
	  .more = "With --by tid or --by cpu, each thread or CPU has a lane on a common time axis" },
	{ .name = "lanes", .kind = OPTION_NUMBER, .offset = AT(flame.lane_max), .argument = "N",
	  .minimum = 1, .maximum = UINT16_MAX,
	  .help = "draw at most N lanes of a flame chart, the heaviest first (default: 16)" },
	{ .name = "no-sort", .kind = OPTION_FLAG, .offset = AT(flame.keeps_order),
	  .help = "keep folded stacks in input order" },
	{ .name = "colordiffusion", .kind = OPTION_FLAG, .offset = AT(flame.shows_widths),
	  .help = "colour frames by width: wide frames are red, narrow frames are pale" },
	{ .name = "negate", .kind = OPTION_FLAG, .offset = AT(flame.is_negated),
	  .help = "show decreases in red and increases in blue, for folded stacks with two "
		  "counts" },
	{ .name = "total", .kind = OPTION_REAL, .offset = AT(svg.total), .argument = "NUMBER",
	  .help = "set the weight that the full width represents; a value below the sum of the counts is ignored" },
	{ .name = "nameattr", .kind = OPTION_TEXT, .offset = AT(flame.attributes), .argument = "FILE",
	  .help = "read links and tooltips of functions from FILE: "
		  "NAME<tab>href=...<tab>title=..." },
	{ .name = "no-javascript", .kind = OPTION_FLAG, .offset = AT(svg.is_static),
	  .help = "write a static SVG, without the viewer" },
	{ .name = "csp", .kind = OPTION_FLAG, .offset = AT(flame.wants_policy),
	  .help = "print a Content-Security-Policy that allows what the SVG needs, and exit" },
	{ .name = NULL },
};

/* Options of flamegraph.pl and inferno that request what kiln always does. */
static const struct option peer_options[] = {
	{ .name = "deterministic", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = "encoding", .kind = OPTION_TEXT, .offset = AT(flame.encoding), .argument = "NAME" },
	{ .name = "truncate-text-right", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = "pretty-xml", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_svg = { "SVG", svg_file_options };
const struct option_group settings_look = { "Look", look_options };
const struct option_group settings_svg_frames = { "Frames in the SVG", svg_frame_options };
const struct option_group settings_flame = { "Flame graph", flame_options };
const struct option_group settings_peers = { "flamegraph.pl and inferno", peer_options };

static bool parse_minimum(const char *text, struct svg_options *svg, struct error *err)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	svg->is_minimum_percent = *end == '%';
	if (errno || !*text || text[strspn(text, "0123456789.")] != *end || end == text ||
	    (*end && (*end != '%' || end[1])) || value > 20000)
		return error_set(err, ERROR_USAGE,
				 "--minwidth requires pixels or a percentage, such as 0.1 or "
				 "0.01%%, not \"%s\"",
				 text);
	svg->minimum_width = value;
	return true;
}

/* flamegraph.pl draws large labels over the rows next to them. */
static void set_row_height(struct svg_theme *theme, uint32_t chosen)
{
	uint32_t needed = (uint32_t)ceil(theme->font_size * ROW_OF_FONT);

	if (chosen)
		theme->row_height = chosen;
	else if (!theme->is_classic && theme->row_height < needed)
		theme->row_height = needed;
}

bool flame_settings_finish(struct settings *settings, struct error *err)
{
	const struct flame_settings *flame = &settings->flame;
	struct svg_options *svg = &settings->svg;

	if (flame->minimum_width && !parse_minimum(flame->minimum_width, svg, err))
		return false;
	if (flame->is_hashed && flame->is_random)
		return error_set(err, ERROR_USAGE, "--hash and --random cannot be combined");
	if (flame->encoding && strcasecmp(flame->encoding, "utf-8") != 0 &&
	    strcasecmp(flame->encoding, "utf8") != 0)
		return error_set(err, ERROR_USAGE, "--encoding=%s: only UTF-8 is supported",
				 flame->encoding);
	if (flame->is_hashed)
		svg->colouring.source = COLOUR_BY_HASH;
	if (flame->is_random)
		svg->colouring.source = COLOUR_BY_CHANCE;
	if (svg->theme.font_size < 1 || svg->theme.glyph_width <= 0)
		return error_set(err, ERROR_USAGE,
				 "--fontsize must be at least 1, and --fontwidth more than 0");
	set_row_height(&svg->theme, (uint32_t)flame->row_height);
	svg->is_chart = flame->is_chart;
	return svg_options_check(svg, err);
}
