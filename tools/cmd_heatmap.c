/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"
#include "cli/inputs.h"
#include "render/number.h"
#include "render/timeline/heat_map_output.h"

/* Columns of an SVG: two pixels each. */
#define COLUMNS_MAX 600u
/* Bins of a row, if their width is not given. */
#define BINS_DEFAULT 300u
#define ROWS_DEFAULT 40u

static const char *const by_names[] = { "offset", "cpu", "thread", "comm", "event", NULL };

static const char *const format_names[] = { "tsv", "json", NULL };
enum {
	FORMAT_TSV,
	FORMAT_JSON,
};

#define AT(field) offsetof(struct settings, field)

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option output_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(heat_map.format), .argument = "FORMAT",
	  .choices = format_names,
	  .help = "output format" },
	{ .name = NULL },
};

static const struct option bin_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(heat_map.by), .argument = "WHAT",
	  .choices = by_names,
	  .help = "what is a row: the offset in the column, or a key",
	  .more = "rows of keys are those with the largest weight; CPUs are in order of number" },
	{ .name = "column", .kind = OPTION_TEXT, .offset = AT(heat_map.column), .argument = "TIME",
	  .help = "duration of a column, whose rows are offsets in it (default: 1s)",
	  .more = "less than 1s if the capture is shorter than 8 seconds, 5s if it is longer than "
		  "10 minutes, and so on" },
	{ .name = "bin", .kind = OPTION_TEXT, .offset = AT(heat_map.bin), .argument = "TIME",
	  .help = "duration of a bin: 20ms (default: a fiftieth of the column)",
	  .more = "with --by, the default depends on the duration of the capture" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = LIMIT_HEAT_MAP_ROWS - 1,
	  .help = "with --by, show the N rows with the largest weight (default: 40)",
	  .more = "the others are added up in one row" },
	{ .name = "with-idle", .kind = OPTION_FLAG, .offset = AT(heat_map.keeps_idle),
	  .help = "also count samples of the idle task, swapper" },
	{ .name = "weight", .kind = OPTION_TEXT, .offset = AT(weight), .argument = "WHAT",
	  .help = "what to sum: period (default), samples, weight (PERF_SAMPLE_WEIGHT) or a "
		  "tracepoint field" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_output = { "Output", output_options };
static const struct option_group group_bins = { "Bins", bin_options };

static bool plan(struct settings *settings, struct heat_map_options *ret,
		 struct timeline_options *timeline, struct error *err)
{
	bool is_explicit = settings->heat_map.column || settings->heat_map.bin;

	*ret = (struct heat_map_options){
		.by = (enum timeline_by)settings->heat_map.by,
		.column_max = settings->heat_map.by && !is_explicit ? BINS_DEFAULT : COLUMNS_MAX,
		.row_max = settings->limit ? (uint32_t)settings->limit : ROWS_DEFAULT,
		.keeps_idle = settings->heat_map.keeps_idle,
	};
	/* Tables have as many lines as there are bins with samples. */
	if (is_explicit)
		ret->column_max = UINT64_MAX;
	if (!duration_parse("column", settings->heat_map.column, &ret->column_ns, err) ||
	    !duration_parse("bin", settings->heat_map.bin, &ret->bin_ns, err))
		return false;
	if ((settings->heat_map.column && !ret->column_ns) ||
	    (settings->heat_map.bin && !ret->bin_ns))
		return error_set(err, ERROR_USAGE, "--column and --bin must be more than 0");
	return heat_map_plan(ret, timeline, err);
}

static bool check(const struct settings *settings, struct error *err)
{
	const struct selection *selection = &settings->view.selection;

	if (settings->inputs.count > 1)
		return error_set(
			err, ERROR_USAGE,
			"kiln heatmap reads one capture: the clocks of several may differ");
	if (selection_asks_of_frames(selection))
		return error_set(
			err, ERROR_USAGE,
			"kiln heatmap does not read stacks, so --dso, --symbol, --user-only "
			"and --kernel-only do not apply");
	return true;
}

static void write_map(const struct settings *settings, const struct heat_map_view *view,
		      struct sink *sink)
{
	if (settings->heat_map.format == FORMAT_JSON)
		heat_map_write_json(view, sink);
	else
		heat_map_write_tsv(view, sink);
}

/* Says what the heat map does not have as requested. */
static void warn(const struct settings *settings, const struct heat_map *map)
{
	struct sink width;

	if (map->is_wider) {
		sink_init_memory(&width);
		number_duration(&width, map->bin_ns);
		sink_char(&width, '\0');
		command_warn(settings, "bins are %s: narrower ones are too many for this capture",
			     sink_memory(&width).at);
		sink_deinit(&width);
	}
	if (map->timeless_count)
		command_warn(settings, "%llu samples without a time are not in the heat map",
			     (unsigned long long)map->timeless_count);
}

static bool write_session(const struct settings *settings, struct session *session,
			  const struct heat_map_options *options, struct sink *sink,
			  struct error *err)
{
	struct heat_map map;
	bool good = heat_map_make(&map, &session->timeline, options, err) ||
		    error_prefix(err, "%s", session->capture.input.name);

	if (good) {
		write_map(settings,
			  &(struct heat_map_view){
				  .map = &map,
				  .profile = &session->profile,
			  },
			  sink);
		warn(settings, &map);
	}
	heat_map_deinit(&map);
	return good;
}

static enum exit_code run(struct settings *settings)
{
	struct heat_map_options options;
	struct timeline_options timeline;
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err) || !plan(settings, &options, &timeline, &err))
		return command_fail(&err);
	settings->timeline = &timeline;
	/* No frame is named. */
	settings->view.ignores_inlines = true;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_timeline))
		inputs_check(&inputs, write_session(settings, &inputs.session, &options,
						    &output.sink, &inputs.err));
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_output,
	&group_bins,
	&settings_selection,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	NULL,
};

static const char *const common[] = {
	"output", "format", "by",  "column", "bin",  "limit", "with-idle", "weight", "event",
	"comm",   "pid",    "tid", "cpu",    "time", "jobs",  "quiet",     "help",   NULL,
};

const struct command command_heatmap = {
	.name = "heatmap",
	.summary = "count samples over time: when was it bad",
	.description =
		"Counts when samples were taken: a column is a second, a row an offset in it, and the "
		"colour how many samples there are. --by has a row per CPU, thread, comm or event.",
	.examples = { "kiln heatmap perf.data -o heat.tsv", "kiln heatmap --by thread perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
