/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/mark_settings.h"
#include "cli/page_output.h"
#include "cli/pairing_settings.h"
#include "cli/svg_output.h"
#include "render/timeline/lanes_output.h"
#include "render/timeline/marks_svg.h"
#include "session/lane_reader.h"
#include "session/off_cpu.h"
#include "session/time_span.h"

#define LANES_DEFAULT 40u
#define WIDTH_DEFAULT 1200u
/*
 * The limits on the width of an SVG, in pixels: enough for names and sums, and not wider than
 * browsers can draw.
 */
#define WIDTH_MIN 400u
#define WIDTH_MAX 20000u

static const char *const by_names[] = { "thread", "cpu", NULL };

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
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(timeline_view.format), .argument = "FORMAT",
	  .choices = format_names,
	  .help = "select the output format",
	  .more = "text draws rows of characters for a terminal. html is a page with the lanes as "
		  "a flame chart, a flame graph and a table, as kiln page writes it. If there are "
		  "context switches, the page shows on-CPU and off-CPU time" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the SVG" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(timeline_view.width), .argument = "PIXELS",
	  .minimum = WIDTH_MIN, .maximum = WIDTH_MAX,
	  .help = "set the width of the SVG (default: 1200)",
	  .more = "Intervals of less than half a pixel are merged" },
	{ .name = "no-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line and other metadata in the SVG" },
	{ .name = NULL },
};

static const struct option lane_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(timeline_view.by), .argument = "WHAT",
	  .choices = by_names,
	  .help = "set what a lane represents" },
	{ .name = "lanes", .kind = OPTION_NUMBER, .offset = AT(timeline_view.lane_count), .argument = "N",
	  .minimum = 1, .maximum = UINT16_MAX,
	  .help = "show the N threads with the largest weight (default: 40)",
	  .more = "The weight of a thread is the time that it ran, waited for a CPU, or was in "
		  "uninterruptible sleep. All other threads share one lane" },
	{ .name = "allow-missing-switches", .kind = OPTION_FLAG,
	  .offset = AT(pairing.is_forced),
	  .help = "accept captures that lack some context switches" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_output = { "Output", output_options };
static const struct option_group group_lanes = { "Lanes", lane_options };

static bool check(const struct settings *settings, struct error *err)
{
	if (!settings_check_times(settings, "kiln timeline", "selects only threads and times", err))
		return false;
	if (settings->cpus && settings->timeline_view.by == LANES_BY_THREAD)
		return error_set(err, ERROR_USAGE,
				 "--cpu requires --by cpu, because a thread may run on any CPU");
	if (settings->mark_file && settings->timeline_view.format != FORMAT_SVG)
		return error_set(err, ERROR_USAGE, "--mark requires the format svg");
	return page_output_check_view(settings, settings->timeline_view.format == FORMAT_HTML,
				      err) &&
	       (settings->timeline_view.format != FORMAT_SVG || svg_output_check(settings, err));
}

static void write_lanes(const struct settings *settings, const struct lanes_view *view,
			struct sink *sink)
{
	switch (settings->timeline_view.format) {
	case FORMAT_TEXT:
		lanes_write_text(view, output_terminal_width(), sink);
		break;
	case FORMAT_JSON:
		lanes_write_json(view, sink);
		break;
	case FORMAT_TSV:
		lanes_write_tsv(view, sink);
		break;
	default:
		lanes_write_svg(view, sink);
	}
}

static uint32_t width_of(const struct settings *settings)
{
	return settings->timeline_view.width ? (uint32_t)settings->timeline_view.width
					     : WIDTH_DEFAULT;
}

static void warn(const struct settings *settings, const struct lanes *lanes)
{
	if (lanes->counts.timeless_count)
		command_warn(settings, "%llu sample%s without a time %s not in the timeline",
			     (unsigned long long)lanes->counts.timeless_count,
			     lanes->counts.timeless_count == 1 ? "" : "s",
			     lanes->counts.timeless_count == 1 ? "is" : "are");
	if (lanes->counts.missing_count)
		command_warn(settings,
			     "%llu %s missing; the state of threads around %s is shown as unknown",
			     (unsigned long long)lanes->counts.missing_count,
			     lanes->counts.missing_count == 1 ? "context switch is"
							      : "context switches are",
			     lanes->counts.missing_count == 1 ? "it" : "them");
}

/* A mark_filter: context is the lanes. */
static bool is_mark_shown(const void *context, const struct placed_mark *mark)
{
	const struct lanes *lanes = context;

	return mark->last_ns >= lanes->first_ns && mark->first_ns <= lanes->last_ns;
}

static void write_session(const struct settings *settings, const struct session *session,
			  const struct placed_marks *marks, struct sink *sink)
{
	struct sink command;

	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	write_lanes(settings,
		    &(struct lanes_view){
			    .lanes = &session->lanes,
			    .profile = &session->profile,
			    .title = settings->svg.title,
			    .command = sink_memory(&command).at,
			    .is_metadata_stripped = settings->svg.is_metadata_stripped,
			    .width = width_of(settings),
			    .marks = settings->mark_file ? marks : NULL,
		    },
		    sink);
	warn(settings, &session->lanes);
	sink_deinit(&command);
}

/* The page has the same lanes as the SVG, and run-queue time if wake-ups were recorded. */
static enum exit_code run_page(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	if (settings->timeline_view.width || settings->timeline_view.lane_count) {
		(void)error_set(&err, ERROR_USAGE,
				"--width and --lanes cannot be used with --format=html; the page "
				"lets its reader choose both");
		return command_fail(&err);
	}
	if (!pairing_settings_finish(settings, &err))
		return command_fail(&err);
	settings->page_start.view = "chart";
	settings->page_start.rows = settings->timeline_view.by == LANES_BY_CPU ? "cpu" : "tid";
	page_output_set_profile_view(settings);
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_thread_time, &profile))
		page_output_write(settings, &profile, NULL, &output.sink);
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

static enum exit_code run(struct settings *settings)
{
	struct lanes_options options = {
		.by = (enum lanes_by)settings->timeline_view.by,
		.lane_max = settings->timeline_view.lane_count
				    ? (uint32_t)settings->timeline_view.lane_count
				    : LANES_DEFAULT,
		.column_max =
			(width_of(settings) - LANES_WIDTH_OF_NAMES - LANES_WIDTH_OF_SUMS - 32) *
			LANES_COLUMNS_OF_PIXEL,
	};
	struct placed_marks marks = { .outside_count = 0 };
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err))
		return command_fail(&err);
	if (settings->timeline_view.format == FORMAT_HTML)
		return run_page(settings);
	settings->lanes = &options;
	settings->pairing.reads_records = true;
	settings->view.ignores_inlines = true;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_lanes)) {
		if (settings->mark_file)
			inputs_check(&inputs,
				     mark_settings_place(settings, &inputs.session, is_mark_shown,
							 &inputs.session.lanes, LIMIT_MARKS_DRAWN,
							 &marks, &inputs.err));
		if (!inputs.has_failed)
			write_session(settings, &inputs.session, &marks, &output.sink);
	}
	vec_free(&marks.rows);
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_output,          &group_lanes,     &mark_settings,       &settings_selection,
	&settings_symbols,      &settings_common, &settings_perf_input, &settings_perf_selection,
	&settings_perf_symbols, &settings_page,   &settings_page_view,  NULL,
};

static const char *const common[] = {
	"output", "format", "by",   "lanes",   "width", "title", "event", "comm", "pid",
	"tid",    "cpu",    "time", "symbols", "jobs",  "quiet", "help",  NULL,
};

const struct command command_timeline = {
	.name = "timeline",
	.topic = TOPIC_DRAW,
	.summary = "draw what each thread or CPU did over time",
	.description =
		"Draws a lane for each thread: when it ran, waited for a CPU, or was blocked, and "
		"why. "
		"Record with perf record -e sched:sched_switch -e sched:sched_waking -a -g. "
		"Without context switches, lanes show only running time, estimated from samples. "
		"Drag in the SVG to select a time window; the page shows the matching --time option, "
		"which other commands accept.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln timeline sched.data -o timeline.svg",
		      "kiln timeline --by cpu --time 10.2,10.4 sched.data -o cpus.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
