/* SPDX-License-Identifier: MIT */
/* Implements the options and defaults of inferno-flamegraph. flamegraph.c draws the SVG. */
#include "compat/dropin.h"
#include "profile/tree/flamegraph_tree.h"
#include "render/diff/delta_rows.h"

#define AT(field) offsetof(struct inferno_settings, field)

struct inferno_settings {
	struct settings kiln;
	bool is_deterministic, has_map;
	bool is_sorted; /* --no-sort */
	bool ignored;   /* options without effect */
	bool is_verbose;
};

/* clang-format off */
static const struct option options[] = {
	{ .short_name = 'q', .name = "quiet", .kind = OPTION_FLAG, .offset = AT(kiln.is_quiet),
	  .help = "suppress warnings" },
	{ .short_name = 'v', .name = "verbose", .kind = OPTION_FLAG, .offset = AT(is_verbose),
	  .help = "ignored" },
	{ .name = "cp", .kind = OPTION_FLAG, .offset = AT(has_map),
	  .help = "read colours from ./palette.map, and add new names to it" },
	{ .name = "hash", .kind = OPTION_FLAG, .offset = AT(kiln.flame.is_hashed),
	  .help = "choose colours by a hash of the function name" },
	{ .name = "deterministic", .kind = OPTION_FLAG, .offset = AT(is_deterministic),
	  .help = "choose colours by function name, so that they are the same in every run" },
	{ .short_name = 'i', .name = "inverted", .kind = OPTION_FLAG, .offset = AT(kiln.svg.is_inverted),
	  .help = "draw an icicle graph, with the root at the top" },
	{ .name = "truncate-text-right", .kind = OPTION_FLAG, .offset = AT(ignored),
	  .help = "ignored: labels are always truncated on the right" },
	{ .name = "negate", .kind = OPTION_FLAG, .offset = AT(kiln.flame.is_negated),
	  .help = "swap red and blue in differential flame graphs" },
	{ .name = "no-sort", .kind = OPTION_FLAG, .offset = AT(is_sorted),
	  .help = "keep lines in input order; they must be sorted already" },
	{ .name = "pretty-xml", .kind = OPTION_FLAG, .offset = AT(ignored), .help = "ignored" },
	{ .name = "reverse", .kind = OPTION_FLAG, .offset = AT(kiln.view.is_reversed),
	  .help = "reverse stacks, so that they begin with the leaf function" },
	{ .name = "flamechart", .kind = OPTION_FLAG, .offset = AT(kiln.flame.is_chart),
	  .help = "draw a flame chart: keep lines in input order, with the last one leftmost" },
	{ .name = "bgcolors", .kind = OPTION_TEXT, .offset = AT(kiln.svg.background), .argument = "COLOR",
	  .help = "background: yellow, blue, green, grey or #rrggbb" },
	{ .short_name = 'c', .name = "colors", .kind = OPTION_CHOICE,
	  .offset = AT(kiln.svg.colouring.palette), .argument = "PALETTE", .choices = palette_names,
	  .help = "colour palette" },
	{ .name = "colordiffusion", .kind = OPTION_FLAG, .offset = AT(kiln.flame.shows_widths),
	  .help = "colour frames by width: wide frames are red" },
	{ .name = "countname", .kind = OPTION_TEXT, .offset = AT(kiln.svg.count_name),
	  .argument = "TEXT", .help = "unit of the counts (default: samples)" },
	{ .name = "factor", .kind = OPTION_REAL, .offset = AT(kiln.svg.factor), .argument = "NUM",
	  .help = "multiply the displayed counts" },
	{ .name = "fontsize", .kind = OPTION_REAL, .offset = AT(kiln.svg.theme.font_size), .argument = "NUM",
	  .maximum = 200, .help = "font size (default: 12)" },
	{ .name = "fonttype", .kind = OPTION_TEXT, .offset = AT(kiln.svg.theme.font_type),
	  .argument = "FONT", .help = "font family (default: monospace)" },
	{ .name = "fontwidth", .kind = OPTION_REAL, .offset = AT(kiln.svg.theme.glyph_width),
	  .argument = "NUM", .maximum = 10, .help = "average character width as a fraction of the "
	  	"font size (default: 0.59)" },
	{ .name = "uicolor", .kind = OPTION_TEXT, .offset = AT(kiln.svg.ink_colour), .argument = "COLOR",
	  .help = "colour of the text and buttons around the graph" },
	{ .name = "height", .kind = OPTION_NUMBER, .offset = AT(kiln.flame.row_height),
	  .argument = "NUM", .minimum = 2, .maximum = 1000, .help = "height of each frame (default: 16)" },
	{ .name = "minwidth", .kind = OPTION_REAL, .offset = AT(kiln.svg.minimum_width),
	  .argument = "PERCENT", .maximum = 100,
	  .help = "omit frames narrower than PERCENT of the width (default: 0.01)" },
	{ .name = "nameattr", .kind = OPTION_TEXT, .offset = AT(kiln.flame.attributes),
	  .argument = "FILE", .help = "read attributes of functions from this file" },
	{ .name = "nametype", .kind = OPTION_TEXT, .offset = AT(kiln.svg.name_type), .argument = "TEXT",
	  .help = "label in front of names in the details line (default: Function:)" },
	{ .name = "notes", .kind = OPTION_TEXT, .offset = AT(kiln.svg.notes), .argument = "TEXT",
	  .help = "comment to embed in the SVG" },
	{ .name = "search-color", .kind = OPTION_TEXT, .offset = AT(kiln.svg.search_colour),
	  .argument = "COLOR", .help = "colour of search results (default: #e600e6)" },
	{ .name = "stroke-color", .kind = OPTION_TEXT, .offset = AT(kiln.svg.stroke_colour),
	  .argument = "COLOR", .help = "outline colour of frames (default: none)" },
	{ .name = "subtitle", .kind = OPTION_TEXT, .offset = AT(kiln.svg.subtitle), .argument = "TEXT",
	  .help = "second line below the title" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(kiln.svg.title), .argument = "TEXT",
	  .help = "title" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(kiln.svg.width), .argument = "NUM",
	  .minimum = 30, .maximum = 100000, .help = "width of the image (default: the browser window)" },
	{ .name = "base", .kind = OPTION_LIST, .offset = AT(kiln.bases), .argument = "SYMBOL",
	  .help = "omit stacks without this frame, and omit the callers of this frame; may be "
		  "repeated" },
	{ .name = "no-javascript", .kind = OPTION_FLAG, .offset = AT(ignored), .help = NULL },
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(kiln.wants_help),
	  .help = "print this help" },
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(kiln.wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group = { "Options", options };
static const struct option_group *const groups[] = { &group, NULL };

static void start(struct inferno_settings *settings)
{
	struct svg_options *svg = &settings->kiln.svg;

	*settings = (struct inferno_settings){ .ignored = false };
	settings_init(&settings->kiln);
	svg->theme = SVG_THEME_CLASSIC;
	svg->theme.font_type = "monospace";
	svg->minimum_width = 0.01;
	svg->is_minimum_percent = true;
	svg->name_type = "Function:";
	svg->colouring.palette = PALETTE_HOT;
	svg->colouring.is_inferno = true;
	svg->search_colour = "#e600e6";
	settings->kiln.svg.count_name = "samples";
	settings->kiln.flame.delta_scale = DELTA_SCALE_INFERNO;
}

static int draw(struct inferno_settings *settings)
{
	struct settings *kiln = &settings->kiln;
	bool is_chart = kiln->flame.is_chart;
	struct flamegraph_tree_options tree = {
		.is_reversed = kiln->view.is_reversed,
		.keeps_order = is_chart || settings->is_sorted,
		.is_last_first = is_chart,
		.skips_comments = true,
		.is_inferno = true,
		.bases = &kiln->view.selection.bases,
	};

	for (size_t i = 0; i < kiln->bases.count; i++)
		vec_push(&kiln->view.selection.bases,
			 name_pattern_literal(text_of(kiln->bases.at[i])));
	if (settings->is_deterministic)
		kiln->svg.colouring.source = COLOUR_BY_FNV;
	if (settings->has_map)
		kiln->flame.palette_map = "";
	if (kiln->svg.stroke_colour && strcmp(kiln->svg.stroke_colour, "none") == 0)
		kiln->svg.stroke_colour = NULL;
	kiln->svg.background = dropin_background(kiln);
	return dropin_draw(kiln, &tree, EXIT_IMPOSSIBLE);
}

static int run(int argc, char **argv)
{
	struct inferno_settings settings;
	struct error err;
	int code = EXIT_DONE;

	start(&settings);
	settings.kiln.command_line = argv;
	if (!options_parse(groups, NULL, argc - 1, argv + 1, &settings, &settings.kiln.inputs,
			   &err)) {
		command_fail(&err);
		code = EXIT_WRONG_USAGE;
	} else if (settings.kiln.wants_help) {
		printf("Usage: %s [OPTIONS] [PATH]...\n", argv[0]);
		options_print(groups, stdout);
	} else if (settings.kiln.wants_version) {
		printf("kiln %s as inferno-flamegraph\n", VERSION);
	} else {
		code = draw(&settings);
	}
	settings_deinit(&settings.kiln);
	return code;
}

const struct dropin dropin_inferno_flamegraph = { "inferno-flamegraph", run };
