/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"
#include "cli/heat_map_writer.h"
#include "cli/inputs.h"
#include "cli/mark_settings.h"
#include "cli/page_output.h"
#include "cli/pairing_settings.h"
#include "cli/svg_output.h"
#include "render/timeline/marks_svg.h"
#include "session/off_cpu.h"
#include "session/time_span.h"

/* The number of columns of an SVG, of about two pixels each. */
#define COLUMNS_MAX 600u
/*
 * The number of columns for off-CPU time, which fills most bins, so that more columns would make
 * the SVG too large.
 */
#define COLUMNS_MAX_OF_WAITS 300u
/* The number of bins in a row if their width is not given. */
#define BINS_DEFAULT 300u
#define ROWS_DEFAULT 40u

/* The number of bins in a page: few enough that a window is selected without a noticeable delay. */
#define BINS_OF_PAGE 2000u

static const char *const by_names[] = { "offset", "cpu", "thread", "comm", "event", NULL };

static const char *const format_names[] = { "svg", "text", "json", "tsv", "html", NULL };
enum {
	FORMAT_SVG,
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_TSV,
	FORMAT_HTML,
};

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option output_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(heat_map.format), .argument = "FORMAT",
	  .choices = format_names,
	  .help = "select the output format", .more = "text draws rows of bars for a terminal, and html is a page with the heat map, flame "
		  "graph and table, as kiln page writes it" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the SVG" },
	{ .name = "no-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line and other metadata in the SVG" },
	{ .name = NULL },
};

static const struct option bin_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(heat_map.by), .argument = "WHAT",
	  .choices = by_names,
	  .help = "set what a row represents",
	  .more = "offset is the time since the start of the column. With any other value, the "
		  "CPUs, threads, comms or events with the largest weight have a row each. CPUs "
		  "are sorted by number" },
	{ .name = "column", .kind = OPTION_TEXT, .offset = AT(heat_map.column), .argument = "TIME",
	  .help = "set the duration of a column (default: 1s); rows are offsets in the column",
	  .more = "The default is shorter for captures of less than 8 seconds, and 5s or more for "
		  "captures of more than 10 minutes" },
	{ .name = "bin", .kind = OPTION_TEXT, .offset = AT(heat_map.bin), .argument = "TIME",
	  .help = "set the duration of a bin (default: 1/50 of the column, so 20ms if it lasts 1s)",
	  .more = "With --by, the default depends on the duration of the capture" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = LIMIT_HEAT_MAP_ROWS - 1,
	  .help = "with --by, show the N rows with the largest weight (default: 40)",
	  .more = "An additional row shows the sum of all others" },
	{ .name = "with-idle", .kind = OPTION_FLAG, .offset = AT(heat_map.keeps_idle),
	  .help = "also count samples of the idle task, swapper" },
	{ .name = "utilisation", .kind = OPTION_FLAG, .offset = AT(heat_map.is_utilisation),
	  .help = "show how busy each CPU was, one row for each CPU",
	  .more = "The utilisation is the number of samples on a CPU, without the idle task, "
		  "divided by the number that the CPU would have if it were always busy" },
	{ .name = "weight", .kind = OPTION_TEXT, .offset = AT(weight), .argument = "WHAT",
	  .help = "set the weight of a sample: period (default), samples, weight "
		  "(PERF_SAMPLE_WEIGHT) or a tracepoint field" },
	{ .name = NULL },
};

static const struct option wait_options[] = {
	{ .name = "off-cpu", .kind = OPTION_FLAG, .offset = AT(heat_map.is_off_cpu),
	  .help = "show the off-CPU time of threads instead of samples",
	  .more = "A bin shows the sum over all threads: two threads that are blocked for the whole "
		  "bin add up to twice its duration. The waits are those of kiln offcpu" },
	{ .name = "run-queue", .kind = OPTION_FLAG, .offset = AT(heat_map.is_run_queue),
	  .help = "show the time that runnable threads waited for a CPU",
	  .more = "This is the time from a wake-up until the thread runs, plus preempted time. "
		  "Requires sched:sched_waking or sched:sched_wakeup" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_output = { "Output", output_options };
static const struct option_group group_bins = { "Bins", bin_options };
static const struct option_group group_waits = { "Thread time", wait_options };

/* ---- As a page ---- */

/* The rows that the page shows initially, by value of --by. */
static const char *const rows_of_page[] = { "offset", "cpu", "tid", "comm", "event", NULL };

static bool check_page(const struct settings *settings, struct error *err)
{
	bool has_other = settings->heat_map.column || settings->heat_map.bin ||
			 settings->heat_map.keeps_idle || settings->heat_map.is_utilisation ||
			 settings->heat_map.is_run_queue || settings->limit || settings->mark_file;

	return !has_other ||
	       error_set(err, ERROR_USAGE,
			 "--format=html cannot be used with --column, --bin, --limit, "
			 "--with-idle, --utilisation, --run-queue or --mark; --bins sets the "
			 "number of bins");
}

static enum exit_code run_page(struct settings *settings)
{
	struct error err;

	if (!check_page(settings, &err))
		return command_fail(&err);
	settings->page_start.rows = rows_of_page[settings->heat_map.by];
	if (settings->heat_map.is_off_cpu) {
		settings->off_cpu_format = OFF_CPU_FORMAT_HTML;
		return command_offcpu.run(settings);
	}
	if (!settings->page_bins && settings->heat_map.by == TIMELINE_BY_NOTHING)
		settings->page_bins = BINS_OF_PAGE;
	if (settings->heat_map.by == TIMELINE_BY_EVENT) {
		settings->group_by = "event,comm,pid,tid";
		if (!grouping_parse(settings->group_by, &settings->view.grouping, &err))
			return command_fail(&err);
	}
	return command_page.run(settings);
}

/* ---- As an SVG or a table ---- */

static enum heat_map_waits waits_of(const struct settings *settings)
{
	return settings->heat_map.is_off_cpu     ? HEAT_MAP_OFF_CPU
	       : settings->heat_map.is_run_queue ? HEAT_MAP_RUN_QUEUE
						 : HEAT_MAP_SAMPLES;
}

static uint64_t column_max_of(const struct settings *settings, enum timeline_by by)
{
	bool is_explicit = settings->heat_map.column || settings->heat_map.bin;

	/* Tables have one line for each bin with samples, so the number of bins is not limited. */
	if (is_explicit && settings->heat_map.format >= FORMAT_JSON)
		return UINT64_MAX;
	if (by && !is_explicit)
		return BINS_DEFAULT;
	return waits_of(settings) ? COLUMNS_MAX_OF_WAITS : COLUMNS_MAX;
}

static bool plan(struct settings *settings, struct heat_map_options *ret,
		 struct timeline_options *timeline, struct error *err)
{
	enum timeline_by by = settings->heat_map.is_utilisation
				      ? TIMELINE_BY_CPU
				      : (enum timeline_by)settings->heat_map.by;

	*ret = (struct heat_map_options){
		.by = by,
		.is_utilisation = settings->heat_map.is_utilisation,
		.waits = waits_of(settings),
		.column_max = column_max_of(settings, by),
		.row_max = settings->limit ? (uint32_t)settings->limit : ROWS_DEFAULT,
		.keeps_idle = settings->heat_map.keeps_idle,
	};
	if (!duration_parse("column", settings->heat_map.column, &ret->column_ns, err) ||
	    !duration_parse("bin", settings->heat_map.bin, &ret->bin_ns, err))
		return false;
	if ((settings->heat_map.column && !ret->column_ns) ||
	    (settings->heat_map.bin && !ret->bin_ns))
		return error_set(err, ERROR_USAGE, "--column and --bin must be more than 0");
	return heat_map_plan(ret, timeline, err);
}

static bool check_waits(const struct settings *settings, struct error *err)
{
	if (!waits_of(settings) && (pairing_settings_has_any(settings)))
		return error_set(err, ERROR_USAGE,
				 "--state, --min-time, --max-time, --open and "
				 "--allow-missing-switches require --off-cpu or --run-queue");
	if (!waits_of(settings))
		return true;
	if (settings->heat_map.is_off_cpu && settings->heat_map.is_run_queue)
		return error_set(err, ERROR_USAGE, "--off-cpu and --run-queue cannot be combined");
	if (settings->heat_map.is_utilisation || settings->heat_map.keeps_idle || settings->weight)
		return error_set(err, ERROR_USAGE,
				 "--utilisation, --with-idle and --weight cannot be used with "
				 "--off-cpu or --run-queue");
	if (settings->heat_map.by == TIMELINE_BY_EVENT)
		return error_set(err, ERROR_USAGE,
				 "--by event: all waits are of the same event; use --state to "
				 "select waits");
	if (settings->heat_map.is_run_queue && settings->pairing.states)
		return error_set(err, ERROR_USAGE,
				 "--state cannot be used with --run-queue: the waiting threads "
				 "are runnable");
	return true;
}

static bool check(const struct settings *settings, struct error *err)
{
	if (!check_waits(settings, err))
		return false;
	if (!settings_check_times(settings, "kiln heatmap", "does not read stacks", err))
		return false;
	if (settings->heat_map.is_utilisation &&
	    (settings->heat_map.by > TIMELINE_BY_CPU || settings->heat_map.keeps_idle ||
	     settings->weight))
		return error_set(
			err, ERROR_USAGE,
			"--by, --with-idle and --weight cannot be used with --utilisation");
	if (settings->mark_file && settings->heat_map.format != FORMAT_SVG &&
	    settings->heat_map.format != FORMAT_JSON && settings->heat_map.format != FORMAT_HTML)
		return error_set(err, ERROR_USAGE, "--mark requires the format svg or json");
	return page_output_check_view(settings, settings->heat_map.format == FORMAT_HTML, err) &&
	       (settings->heat_map.format != FORMAT_SVG || svg_output_check(settings, err));
}

/* A mark_filter: context is the heat map. */
static bool is_mark_shown(const void *context, const struct placed_mark *mark)
{
	return heat_map_has_mark(context, mark);
}

static const enum heat_map_form forms[] = {
	[FORMAT_SVG] = HEAT_MAP_SVG,
	[FORMAT_TEXT] = HEAT_MAP_TEXT,
	[FORMAT_JSON] = HEAT_MAP_JSON,
	[FORMAT_TSV] = HEAT_MAP_TSV,
};

static bool write_session(const struct settings *settings, struct session *session,
			  const struct heat_map_options *options, struct sink *sink,
			  struct error *err)
{
	struct placed_marks marks = { .outside_count = 0 };
	struct heat_map map;
	bool good = heat_map_make(&map, &session->timeline, options, err) ||
		    error_prefix(err, "%s", session->capture.input.name);

	if (good && settings->mark_file)
		good = mark_settings_place(
			settings, session, is_mark_shown, &map,
			settings->heat_map.format == FORMAT_SVG ? LIMIT_MARKS_DRAWN : SIZE_MAX,
			&marks, err);

	if (good)
		heat_map_writer_write(settings, forms[settings->heat_map.format],
				      &(struct heat_map_view){
					      .map = &map,
					      .profile = &session->profile,
					      .keeps_idle = options->keeps_idle,
					      .marks = settings->mark_file ? &marks : NULL,
				      },
				      sink);
	heat_map_deinit(&map);
	vec_free(&marks.rows);
	return good;
}

static enum exit_code run(struct settings *settings)
{
	struct heat_map_options options;
	struct timeline_options timeline;
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err))
		return command_fail(&err);
	if (settings->heat_map.format == FORMAT_HTML)
		return run_page(settings);
	if (!plan(settings, &options, &timeline, &err) || !pairing_settings_finish(settings, &err))
		return command_fail(&err);
	settings->pairing.has_run_queue = settings->pairing.has_preempted =
		options.waits == HEAT_MAP_RUN_QUEUE;
	settings->timeline = &timeline;
	/* A heat map does not show frame names. */
	settings->view.ignores_inlines = true;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, options.waits ? session_build_wait_timeline
								       : session_build_timeline)) {
		if (options.waits)
			pairing_settings_warn(settings, &inputs.session);
		inputs_check(&inputs, write_session(settings, &inputs.session, &options,
						    &output.sink, &inputs.err));
	}
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_output,
	&group_bins,
	&group_waits,
	&pairing_waits,
	&mark_settings,
	&settings_page,
	&settings_page_view,
	&settings_selection,
	&settings_symbols,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	NULL,
};

static const char *const common[] = {
	"output",    "format", "by",    "column", "bin",  "limit", "with-idle", "off-cpu",
	"run-queue", "state",  "title", "event",  "comm", "pid",   "tid",       "cpu",
	"time",      "mark",   "jobs",  "quiet",  "help", NULL,
};

const struct command command_heatmap = {
	.name = "heatmap",
	.topic = TOPIC_DRAW,
	.summary = "draw a heat map that shows when samples were taken",
	.description =
		"Draws a heat map of samples over time. Each column is one second by default, each "
		"row is an offset in that second, and the colour shows the weight of the samples. "
		"With --by, each row is a CPU, thread, comm or event. Drag in the SVG to select a "
		"time window; the page shows the matching --time option, which other commands "
		"accept.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln heatmap perf.data -o heat.svg",
		      "kiln heatmap --by thread --format=text perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
