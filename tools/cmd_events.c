/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"
#include "cli/gate.h"
#include "cli/heat_map_writer.h"
#include "cli/svg_output.h"
#include "cli/value_gates.h"
#include "render/text/log_table.h"
#include "session/log_session.h"
#include "timeline/log_map.h"

#define TOP_DEFAULT 10u

/* The number of columns of a heat map, of two pixels each. */
#define COLUMNS_MAX 500u

/* The table formats, and one additional format. */
#define FORMAT_SVG (TABLE_FORMAT_HTML + 1)
static const char *const format_names[] = {
	[TABLE_FORMAT_TEXT] = "text",
	[TABLE_FORMAT_MARKDOWN] = "markdown",
	[TABLE_FORMAT_CSV] = "csv",
	[TABLE_FORMAT_JSON] = "json",
	[TABLE_FORMAT_HTML] = "html",
	[FORMAT_SVG] = "svg",
	NULL,
};

static const char *const order_names[] = {
	[LOG_ORDER_TOTAL] = "total", [LOG_ORDER_EVENTS] = "events", [LOG_ORDER_MEAN] = "mean",
	[LOG_ORDER_P99] = "p99",     [LOG_ORDER_MAX] = "max",       NULL,
};

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option row_options[] = {
	{ .name = "value", .kind = OPTION_TEXT, .offset = AT(events.columns.value),
	  .argument = "COLUMN",
	  .help = "sum this column (default: the first latency column, such as LAT(ms))" },
	{ .name = "by", .kind = OPTION_TEXT, .offset = AT(events.columns.by), .argument = "COLUMNS",
	  .help = "print a row for each combination of values in these columns (default: the first "
		  "column with thread names, such as COMM)" },
	{ .name = "time", .kind = OPTION_TEXT, .offset = AT(events.columns.time),
	  .argument = "COLUMN",
	  .help = "take the times of events from this column (default: a column with a common name "
		  "for times, such as TIME(s))" },
	{ .name = "sort", .kind = OPTION_CHOICE, .offset = AT(events.sort), .argument = "VALUE",
	  .choices = order_names,
	  .help = "sort rows by this column, largest first" },
	{ .name = "top", .kind = OPTION_FLAG, .offset = AT(events.shows_top),
	  .help = "print the individual events with the largest values, instead of sums" },
	{ .name = "distribution", .kind = OPTION_FLAG, .offset = AT(events.shows_distribution),
	  .help = "print how the values are distributed, with percentiles" },
	{ .name = "heat-map", .kind = OPTION_FLAG, .offset = AT(events.shows_heat_map),
	  .help = "show how the values are distributed over time, as text, JSON or SVG",
	  .more = "Each column is a range of times and each row a range of values, so fast and "
		  "slow requests form two bands. --format svg draws a heat map without this "
		  "option" },
	{ .name = "bin", .kind = OPTION_TEXT, .offset = AT(events.bin), .argument = "TIME",
	  .help = "set the duration of a column of the heat map (default: about a two-hundredth of the log)" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = 1000000,
	  .help = "print at most N rows (default: all; with --top or --compare: 10)" },
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(events.format),
	  .argument = "NAME", .choices = format_names,
	  .help = "select the output format" },
	{ .name = "json", .kind = OPTION_CONSTANT, .offset = AT(events.format),
	  .minimum = TABLE_FORMAT_JSON,
	  .help = "the same as --format json" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the SVG" },
	{ .name = "no-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line and other metadata in the SVG" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_rows = { "Rows", row_options };

static bool is_heat_map(const struct settings *settings)
{
	return settings->events.shows_heat_map || settings->events.format == FORMAT_SVG;
}

static bool check_heat_map(const struct settings *settings, bool has_text, struct error *err)
{
	bool is_svg = settings->events.format == FORMAT_SVG;

	if (!is_svg && (settings->svg.title || settings->svg.is_metadata_stripped))
		return error_set(err, ERROR_USAGE,
				 "--title and --no-metadata require --format svg");
	if (!is_heat_map(settings))
		return !settings->events.bin ||
		       error_set(err, ERROR_USAGE, "--bin requires --heat-map or --format svg");
	if (settings->limit || settings->events.columns.by || settings->events.sort)
		return error_set(err, ERROR_USAGE,
				 "a heat map shows all events; --by, --sort and --limit cannot be "
				 "used");
	if (!has_text && !is_svg)
		return error_set(err, ERROR_USAGE,
				 "--heat-map supports only --format text, json and svg");
	return !is_svg || svg_output_check(settings, err);
}

static bool check(const struct settings *settings, struct error *err)
{
	bool has_text = settings->events.format == TABLE_FORMAT_TEXT ||
			settings->events.format == TABLE_FORMAT_JSON;

	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "kiln events reads only one table; give only one input");
	if (settings->events.shows_top + settings->events.shows_distribution +
		    is_heat_map(settings) + (settings->diff.before.count != 0) >
	    1)
		return error_set(err, ERROR_USAGE,
				 "use only one of --top, --distribution, --compare and --heat-map "
				 "(or --format svg)");
	if (settings->events.shows_distribution && !has_text)
		return error_set(err, ERROR_USAGE,
				 "--distribution supports only --format text and json");
	return check_heat_map(settings, has_text, err) &&
	       value_gates_parse(settings, has_text, err);
}

static void make_histograms(const struct session *session, struct histogram_set *ret)
{
	log_table_make_histograms(&session->log, ret);
}

static void make_table(const struct session *session, struct table *ret)
{
	const struct log_table_options options = { .names_rows = true };

	log_table_make(&session->log, &options, ret);
}

static enum heat_map_form form_of(const struct settings *settings)
{
	switch (settings->events.format) {
	case FORMAT_SVG:
		return HEAT_MAP_SVG;
	case TABLE_FORMAT_JSON:
		return HEAT_MAP_JSON;
	default:
		return HEAT_MAP_TEXT;
	}
}

static bool write_heat_map(const struct settings *settings, const struct session *session,
			   struct sink *sink, struct error *err)
{
	struct log_map_options options = { .column_max = COLUMNS_MAX };
	struct heat_map map;
	bool good;

	if (!duration_parse("bin", settings->events.bin, &options.bin_ns, err))
		return false;
	if (settings->events.bin && !options.bin_ns)
		return error_set(err, ERROR_USAGE, "--bin must be more than 0");
	good = log_map_make(&map, &session->log, &options, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
	if (good)
		heat_map_writer_write(
			settings, form_of(settings),
			&(struct heat_map_view){ .map = &map, .profile = &session->profile }, sink);
	heat_map_deinit(&map);
	return good;
}

static enum exit_code write_output(const struct settings *settings, struct inputs *inputs,
				   struct sink *sink)
{
	const struct value_gates_reader reader = { session_build_log, make_histograms, make_table };
	const struct log_stats *stats = &inputs->session.log;
	const struct log_table_options options = {
		.format = (enum table_format)settings->events.format,
		.order = (enum log_order)settings->events.sort,
		.limit = settings->limit,
		.shows_top = settings->events.shows_top,
	};
	bool is_json = options.format == TABLE_FORMAT_JSON;

	if ((settings->events.shows_top || settings->events.shows_distribution) &&
	    !stats->value_count) {
		inputs_check(inputs, error_set(&inputs->err, ERROR_USAGE,
					       "the events have no value; choose a column with "
					       "--value"));
		return EXIT_DONE;
	}
	if (is_heat_map(settings))
		inputs_check(inputs,
			     write_heat_map(settings, &inputs->session, sink, &inputs->err));
	else if (settings->events.shows_distribution)
		log_table_write_distribution(stats, is_json, settings->limit, sink);
	else if (!settings->diff.before.count)
		log_table_write(stats, &options, sink);
	return value_gates_run(inputs, &reader, is_json, sink);
}

static enum exit_code run(struct settings *settings)
{
	struct log_stats_options options = {
		.columns = settings->events.columns,
		.keeps_points = is_heat_map(settings),
	};
	enum exit_code gates = EXIT_DONE;
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err))
		return command_fail(&err);
	if (settings->events.shows_top)
		options.top_count = settings->limit ? settings->limit : TOP_DEFAULT;
	settings->log_options = &options;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_log))
		gates = write_output(settings, &inputs, &output.sink);
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return gate_worst(command_close(&inputs, &output), gates);
}

static const struct option_group *const groups[] = { &group_rows, &value_gates_options,
						     &settings_common, NULL };

static const char *const common[] = {
	"output", "value",  "by",   "time",    "sort",    "top",   "distribution", "heat-map",
	"limit",  "format", "json", "compare", "fail-if", "quiet", "help",         NULL,
};

const struct command command_events = {
	.name = "events",
	.topic = TOPIC_TABULATE,
	.summary = "sum up event logs, such as CSV files and the output of biosnoop",
	.description =
		"Sums up tables with a row for each event: the output of biosnoop, ext4slower, "
		"tcplife, runqslower, opensnoop and similar tools, and CSV and TSV files. Prints "
		"the number of events, and the sums and percentiles of a column. --format svg draws "
		"a latency heat map.",
	.arguments = "[options] [FILE]",
	.examples = { "kiln events --value latency_us --by url --sort p99 requests.csv",
		      "kiln events --format svg biosnoop.txt -o latency.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
