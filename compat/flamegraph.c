/* SPDX-License-Identifier: MIT */
/* Implements flamegraph.pl: its options, and the drawing code that inferno-flamegraph also uses. */
#include "profile/tree/flamegraph_tree.h"

#include "cli/output.h"
#include "cli/svg_output.h"
#include "compat/dropin.h"
#include "render/diff/delta_rows.h"
#include "render/svg/svg.h"

/* The exit code of flamegraph.pl if there are no stacks. */
#define EXIT_NOTHING 2
#define FEW_SAMPLES  100

#define MILLION 1e6

/*
 * flamegraph.pl ignores a --total below the sum of counts. The script warns only if the ratio of
 * --total to this sum exceeds TOTAL_TOLERANCE.
 */
#define TOTAL_TOLERANCE 0.02

#define AT(field) offsetof(struct settings, field)

/* clang-format off */
static const struct option option_table[] = {
	{ .name = "fonttype", .kind = OPTION_TEXT, .offset = AT(svg.theme.font_type), .argument = "FONT",
	  .help = "font family (default: Verdana)" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(svg.width), .argument = "NUM",
	  .minimum = 30, .maximum = 100000, .help = "width of the image (default: 1200)" },
	{ .name = "height", .kind = OPTION_NUMBER, .offset = AT(flame.row_height), .argument = "NUM",
	  .minimum = 2, .maximum = 1000, .help = "height of each frame (default: 16)" },
	{ .name = "encoding", .kind = OPTION_TEXT, .offset = AT(fields), .argument = "NAME",
	  .help = "ignored: the output is UTF-8" },
	{ .name = "fontsize", .kind = OPTION_REAL, .offset = AT(svg.theme.font_size), .argument = "NUM",
	  .maximum = 200, .help = "font size (default: 12)" },
	{ .name = "fontwidth", .kind = OPTION_REAL, .offset = AT(svg.theme.glyph_width), .argument = "NUM",
	  .maximum = 10, .help = "average character width as a fraction of the font size (default: "
	  	"0.59)" },
	{ .name = "minwidth", .kind = OPTION_TEXT, .offset = AT(flame.minimum_width), .argument = "NUM",
	  .help = "omit frames narrower than NUM pixels, or NUM% of the width (default: 0.1)" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "title" },
	{ .name = "subtitle", .kind = OPTION_TEXT, .offset = AT(svg.subtitle), .argument = "TEXT",
	  .help = "second line below the title" },
	{ .name = "nametype", .kind = OPTION_TEXT, .offset = AT(svg.name_type), .argument = "TEXT",
	  .help = "label in front of names in the details line (default: Function:)" },
	{ .name = "countname", .kind = OPTION_TEXT, .offset = AT(svg.count_name), .argument = "TEXT",
	  .help = "unit of the counts (default: samples)" },
	{ .name = "nameattr", .kind = OPTION_TEXT, .offset = AT(flame.attributes), .argument = "FILE",
	  .help = "read attributes of functions from this file" },
	{ .name = "total", .kind = OPTION_REAL, .offset = AT(svg.total), .argument = "NUM",
	  .help = "total that the full width represents" },
	{ .name = "factor", .kind = OPTION_REAL, .offset = AT(svg.factor), .argument = "NUM",
	  .help = "multiply the displayed counts" },
	{ .name = "colors", .kind = OPTION_CHOICE, .offset = AT(svg.colouring.palette),
	  .argument = "PALETTE", .choices = palette_names, .help = "colour palette" },
	{ .name = "bgcolors", .kind = OPTION_TEXT, .offset = AT(svg.background), .argument = "COLOR",
	  .help = "background: yellow, blue, green, grey or #rrggbb" },
	{ .name = "hash", .kind = OPTION_FLAG, .offset = AT(flame.is_hashed),
	  .help = "choose colours by a hash of the function name" },
	{ .name = "random", .kind = OPTION_FLAG, .offset = AT(flame.is_random),
	  .help = "choose colours at random" },
	{ .name = "cp", .kind = OPTION_FLAG, .offset = AT(wants_all),
	  .help = "read colours from ./palette.map, and add new names to it" },
	{ .name = "reverse", .kind = OPTION_FLAG, .offset = AT(view.is_reversed),
	  .help = "reverse stacks, so that they begin with the leaf function" },
	{ .name = "inverted", .kind = OPTION_FLAG, .offset = AT(svg.is_inverted),
	  .help = "draw an icicle graph, with the root at the top" },
	{ .name = "flamechart", .kind = OPTION_FLAG, .offset = AT(flame.is_chart),
	  .help = "draw a flame chart: keep lines in input order" },
	{ .name = "negate", .kind = OPTION_FLAG, .offset = AT(flame.is_negated),
	  .help = "swap red and blue in differential flame graphs" },
	{ .name = "notes", .kind = OPTION_TEXT, .offset = AT(svg.notes), .argument = "TEXT",
	  .help = "comment to embed in the SVG" },
	{ .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help), .help = "print this help" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group = { "Options", option_table };
static const struct option_group *const groups[] = { &group, NULL };

/* The background that flamegraph.pl pairs with a palette. */
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

static double total_of(const struct profile *profile)
{
	double total = (double)profile->stacks.at[0].total;

	return profile->unit == UNIT_MILLIONTHS ? total / MILLION : total;
}

static void warn(struct settings *settings, const struct flamegraph_tree *tree)
{
	double total = total_of(&tree->profile);
	double *wanted = &settings->svg.total;

	if (strcmp(settings->svg.count_name, "samples") == 0 && total < FEW_SAMPLES)
		command_warn(settings, "Stack count is low (%.15g). Did something go wrong?",
			     total);
	if (tree->ignored_count)
		command_warn(settings, "Ignored %llu lines with invalid format",
			     (unsigned long long)tree->ignored_count);
	if (tree->cut_count)
		command_warn(settings, "%llu %s decimals, which were dropped",
			     (unsigned long long)tree->cut_count,
			     tree->cut_count == 1 ? "count has" : "counts have");
	if (*wanted > 0 && *wanted < total) {
		if (*wanted / total > TOTAL_TOLERANCE)
			command_warn(settings,
				     "Specified --total %.15g is less than actual total %.15g, so "
				     "ignored",
				     *wanted, total);
		*wanted = 0;
	}
}

static bool draw_tree(struct settings *settings, struct flamegraph_tree *tree, struct sink *sink,
		      struct error *err)
{
	warn(settings, tree);
	if (total_of(&tree->profile) > 0)
		return svg_output_write(settings, &tree->profile, sink, err);
	command_warn(settings, "ERROR: No stack counts found");
	svg_write_error(&settings->svg, "ERROR: No valid input provided to flamegraph.pl.", sink);
	return true;
}

int dropin_draw(struct settings *settings, const struct flamegraph_tree_options *options,
		int failed_code)
{
	static const char *const standard_input = "-";
	const text_list *inputs = &settings->inputs;
	struct flamegraph_tree tree;
	struct error err;
	struct output output;
	int code = EXIT_DONE;

	if (!flame_settings_finish(settings, &err) ||
	    !flamegraph_tree_read(&tree, inputs->count ? inputs->at : &standard_input,
				  inputs->count ? inputs->count : 1, options, &err)) {
		command_fail(&err);
		return failed_code;
	}
	if (total_of(&tree.profile) <= 0)
		code = EXIT_NOTHING;
	if (!output_open(&output, NULL, &err) ||
	    !output_close(&output, draw_tree(settings, &tree, &output.sink, &err), &err)) {
		command_fail(&err);
		code = failed_code;
	}
	flamegraph_tree_deinit(&tree);
	return code;
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
	settings->svg.count_name = "samples";
	settings->flame.delta_scale = DELTA_SCALE_PERL;
}

static int draw(struct settings *settings)
{
	struct flamegraph_tree_options tree = {
		.is_reversed = settings->view.is_reversed,
		.keeps_order = settings->flame.is_chart,
		.marks_wakers = settings->svg.colouring.palette == PALETTE_CHAIN,
	};

	if (settings->svg.notes && strpbrk(settings->svg.notes, "<>")) {
		fprintf(stderr, "Notes string can't contain < or >\n");
		return EXIT_DIED;
	}
	/* Empty strings are false in Perl. */
	if (settings->svg.title && !*settings->svg.title)
		settings->svg.title = NULL;
	if (settings->svg.subtitle && !*settings->svg.subtitle)
		settings->svg.subtitle = NULL;
	if (settings->wants_all)
		settings->flame.palette_map = "";
	settings->svg.background = dropin_background(settings);
	return dropin_draw(settings, &tree, EXIT_DIED);
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
