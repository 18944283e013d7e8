/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/diff/delta_rows.h"
#include "compat/flame_lines.h"
#include "compat/dropin.h"

/* What Perl's die ends with. */
#define EXIT_DIED 255

#define AT(field) offsetof(struct settings, field)

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option options[] = {
	{ .name = "fonttype", .kind = OPTION_TEXT, .offset = AT(svg.theme.font_type), .argument = "FONT",
	  .help = "font of labels (default: Verdana)" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(svg.width), .argument = "NUM",
	  .minimum = 30, .maximum = 100000, .help = "width of the picture (default: 1200)" },
	{ .name = "height", .kind = OPTION_NUMBER, .offset = AT(picture.row_height), .argument = "NUM",
	  .minimum = 2, .maximum = 1000, .help = "height of a row (default: 16)" },
	{ .name = "encoding", .kind = OPTION_TEXT, .offset = AT(fields), .argument = "NAME",
	  .help = "taken and ignored: pictures are UTF-8" },
	{ .name = "fontsize", .kind = OPTION_REAL, .offset = AT(svg.theme.font_size), .argument = "NUM",
	  .maximum = 200, .help = "size of labels (default: 12)" },
	{ .name = "fontwidth", .kind = OPTION_REAL, .offset = AT(svg.theme.glyph_width), .argument = "NUM",
	  .maximum = 10, .help = "mean width of a character in its size (default: 0.59)" },
	{ .name = "minwidth", .kind = OPTION_TEXT, .offset = AT(picture.minimum_width), .argument = "NUM",
	  .help = "leave out boxes narrower than so many pixels, or percents with % (default: 0.1)" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "heading" },
	{ .name = "subtitle", .kind = OPTION_TEXT, .offset = AT(svg.subtitle), .argument = "TEXT",
	  .help = "a second line below it" },
	{ .name = "nametype", .kind = OPTION_TEXT, .offset = AT(svg.name_type), .argument = "TEXT",
	  .help = "what stands before names in the line of details (default: Function:)" },
	{ .name = "countname", .kind = OPTION_TEXT, .offset = AT(picture.count_name), .argument = "TEXT",
	  .help = "what is counted (default: samples)" },
	{ .name = "nameattr", .kind = OPTION_TEXT, .offset = AT(picture.attributes), .argument = "FILE",
	  .help = "attributes of functions" },
	{ .name = "total", .kind = OPTION_REAL, .offset = AT(picture.total), .argument = "NUM",
	  .help = "what the whole width stands for" },
	{ .name = "factor", .kind = OPTION_REAL, .offset = AT(picture.factor), .argument = "NUM",
	  .help = "multiply the counts that are shown" },
	{ .name = "colors", .kind = OPTION_CHOICE, .offset = AT(svg.colouring.palette),
	  .argument = "PALETTE", .choices = palette_names, .help = "palette" },
	{ .name = "bgcolors", .kind = OPTION_TEXT, .offset = AT(svg.background), .argument = "COLOR",
	  .help = "yellow, blue, green, grey or #rrggbb" },
	{ .name = "hash", .kind = OPTION_FLAG, .offset = AT(picture.is_hashed),
	  .help = "colours by the beginnings of names" },
	{ .name = "random", .kind = OPTION_FLAG, .offset = AT(picture.is_random),
	  .help = "colours by chance" },
	{ .name = "cp", .kind = OPTION_FLAG, .offset = AT(wants_all),
	  .help = "colours as in ./palette.map, which is written" },
	{ .name = "reverse", .kind = OPTION_FLAG, .offset = AT(is_reversed),
	  .help = "turn stacks round" },
	{ .name = "inverted", .kind = OPTION_FLAG, .offset = AT(svg.is_inverted),
	  .help = "the root at the top" },
	{ .name = "flamechart", .kind = OPTION_FLAG, .offset = AT(picture.is_chart),
	  .help = "keep lines in order" },
	{ .name = "negate", .kind = OPTION_FLAG, .offset = AT(picture.is_negated),
	  .help = "less is red, more is blue" },
	{ .name = "notes", .kind = OPTION_TEXT, .offset = AT(svg.notes), .argument = "TEXT",
	  .help = "a comment in the file" },
	{ .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help), .help = "this message" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group = { "Options", options };
static const struct option_group *const groups[] = { &group, NULL };

/* The background that goes with a palette. */
static const char *background_of(int palette)
{
	switch ((enum palette)palette) {
	case PALETTE_MEM:
		return "green";
	case PALETTE_IO:
	case PALETTE_WAKEUP:
	case PALETTE_CHAIN:
		return "blue";
	case PALETTE_RED:
	case PALETTE_GREEN:
	case PALETTE_BLUE:
	case PALETTE_AQUA:
	case PALETTE_YELLOW:
	case PALETTE_PURPLE:
	case PALETTE_ORANGE:
		return "grey";
	default:
		return "yellow";
	}
}

const char *dropin_background(const struct settings *settings)
{
	const char *given = settings->svg.background;

	return given && *given ? given : background_of(settings->svg.colouring.palette);
}

static void print_usage(const char *program)
{
	fprintf(stderr, "USAGE: %s [options] infile > outfile.svg\n", program);
	options_print(groups, stderr);
}

static void start(struct settings *settings)
{
	settings_init(settings);
	settings->svg.theme = SVG_THEME_CLASSIC;
	settings->svg.width = 1200;
	settings->svg.name_type = "Function:";
	settings->svg.colouring.palette = PALETTE_HOT;
	settings->svg.search_colour = "#e600e6";
	settings->picture.count_name = "samples";
	settings->picture.delta_scale = DELTA_SCALE_PERL;
}

static int draw(struct settings *settings)
{
	struct flame_lines_options lines = {
		.is_reversed = settings->is_reversed,
		.keeps_order = settings->picture.is_chart,
		.marks_wakers = settings->svg.colouring.palette == PALETTE_CHAIN,
	};

	if (settings->svg.notes && strpbrk(settings->svg.notes, "<>")) {
		fprintf(stderr, "Notes string can't contain < or >\n");
		return EXIT_DIED;
	}
	/* Perl takes what is empty or 0 for what was not given. */
	if (settings->svg.title && !*settings->svg.title)
		settings->svg.title = NULL;
	if (settings->svg.subtitle && !*settings->svg.subtitle)
		settings->svg.subtitle = NULL;
	if (settings->wants_all)
		settings->picture.palette_map = "";
	settings->svg.background = dropin_background(settings);
	return dropin_draw(settings, &lines, EXIT_DIED);
}

static int run(int argc, char **argv)
{
	struct settings settings;
	struct error err;
	int code = EXIT_DIED;

	start(&settings);
	settings.command_line = argv;
	if (!options_parse_perl(groups, argc - 1, argv + 1, &settings, &settings.inputs, &err)) {
		command_fail(&err);
		print_usage(argv[0]);
	} else if (settings.wants_help) {
		print_usage(argv[0]);
	} else {
		code = draw(&settings);
	}
	settings_deinit(&settings);
	return code;
}

const struct dropin dropin_flamegraph = { "flamegraph.pl", run };
