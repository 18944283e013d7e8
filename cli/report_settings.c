/* SPDX-License-Identifier: MIT */
#include "cli/report_settings.h"

#include "cli/settings.h"

#define AT(field) offsetof(struct settings, field)

/* Frames in a tree with a share below this percentage are omitted. */
#define TREE_PERCENT_LEAST 0.5

static const char *const order_names[] = {
	[REPORT_SELF_FIRST] = "self",
	[REPORT_TOTAL_FIRST] = "total",
	[REPORT_SAMPLES_FIRST] = "samples",
	[REPORT_NAMES_FIRST] = "name",
};

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option table_options[] = {
	{ .name = "by", .kind = OPTION_TEXT, .offset = AT(report.by), .argument = "KEYS",
	  .help = "print one row for each symbol (default), dso, srcline, comm, pid, tid, cpu, "
		  "event, cgroup or file, or for each combination, such as comm,dso",
	  .more = "KEYS may also be tracepoint fields and labels" },
	{ .name = "sort", .kind = OPTION_TEXT, .offset = AT(report.sort), .argument = "VALUE",
	  .help = "sort rows by self (default), total, samples or name",
	  .more = "--compare sorts by change (delta). A list of keys is also accepted, as in perf "
		  "report; it acts as --by" },
	{ .name = "show", .kind = OPTION_TEXT, .offset = AT(report.shown), .argument = "LIST",
	  .help = "add columns: weight, samples, interval",
	  .more = "interval is the 95% confidence interval of self. It assumes that samples are "
		  "independent" },
	{ .name = "children", .kind = OPTION_CONSTANT, .offset = AT(report.order),
	  .minimum = REPORT_TOTAL_FIRST,
	  .help = "the same as --sort total" },
	{ .name = "no-children", .kind = OPTION_CONSTANT, .offset = AT(report.order),
	  .minimum = REPORT_ORDER_OF_SELF,
	  .help = "omit totals; large captures with callchains are read much faster",
	  .more = "As with perf report, only the functions in which samples were taken are listed" },
	{ .name = "event-columns", .kind = OPTION_FLAG, .offset = AT(report.has_event_columns),
	  .help = "print each event in its own column, with IPC, CPI, miss rates and misses "
		  "per 1,000 instructions (MPKI)",
	  .more = "--event selects the events. Rows are sorted by the first event" },
	{ .name = "percent-limit", .kind = OPTION_REAL, .offset = AT(report.least_percent),
	  .argument = "PERCENT", .maximum = 100,
	  .help = "omit rows whose self is below PERCENT; with --sort total and in trees, omit "
		  "rows whose total is below PERCENT",
	  .more = "The default is 0 in tables and 0.5 in trees" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N rows (default: all)" },
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(report.format), .argument = "NAME",
	  .choices = table_format_names,
	  .help = "select the output format" },
	{ .name = "json", .kind = OPTION_CONSTANT, .offset = AT(report.format),
	  .minimum = TABLE_FORMAT_JSON,
	  .help = "the same as --format json" },
	{ .name = "tree", .kind = OPTION_MAYBE, .offset = AT(report.tree), .argument = "ORDER",
	  .help = "print the call tree, from the outermost function (caller, the default) or "
		  "from the leaf (callee)" },
	{ .name = "callers", .kind = OPTION_TEXT, .offset = AT(report.callers), .argument = "NAMES",
	  .help = "print the tree of functions that call these functions" },
	{ .name = "callees", .kind = OPTION_TEXT, .offset = AT(report.callees), .argument = "NAMES",
	  .help = "print the tree of functions that these functions call" },
	{ .name = "peek", .kind = OPTION_TEXT, .offset = AT(report.peek), .argument = "NAMES",
	  .help = "print the direct callers and callees of functions" },
	{ .name = "branches", .kind = OPTION_MAYBE, .offset = AT(report.branches), .argument = "WHAT",
	  .help = "print recorded branches (perf record -b) by pair of functions (default), by "
		  "source or target function, or by pair of lines; or print the basic blocks "
		  "between branches",
	  .more = "WHAT is function, from, to, line or block" },
	{ .name = "mem", .kind = OPTION_MAYBE, .offset = AT(report.memory), .argument = "WHAT",
	  .help = "print memory accesses (perf mem record) and their latencies by the memory level "
		  "that had the data (default), function, dso, address or cache line",
	  .more = "WHAT is level, snoop, tlb, function, dso, address, line, or access (thread, "
		  "function and offset in the cache line)" },
	{ .name = "outliers", .kind = OPTION_TEXT, .offset = AT(report.outliers), .argument = "KEY",
	  .help = "print the functions whose share for one value of KEY, such as a host, file or "
		  "cpu, differs from their shares for the other values",
	  .more = "Requires at least 3 values. The test takes into account how much the other "
		  "values differ from each other. --sort total compares totals" },
	{ .name = "assume-samples", .kind = OPTION_FLAG, .offset = AT(diff.assumes_samples),
	  .help = "with --outliers, treat weights as sample counts if the input has no sample counts" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(diff.limits), .argument = "LIMIT",
	  .help = "exit with status 4 if a value exceeds LIMIT, such as 'self(parse_*)>5%' or "
		  "'IPC<0.5'",
	  .more = "The limit applies to a column of one row or, without a name in parentheses, to "
		  "all rows together. With --compare and --latency or --histogram, 'p99>10%' "
		  "limits the growth of a percentile; this limit is exceeded only if the whole "
		  "confidence interval is beyond it" },
	{ .name = "compare", .kind = OPTION_LIST, .offset = AT(diff.before), .argument = "BEFORE",
	  .help = "show how each row changed since the capture BEFORE",
	  .more = "Changes are tested as in kiln diff. The option may be repeated for several "
		  "runs" },
	{ .name = NULL },
};

static const struct option latency_options[] = {
	{ .name = "latency", .kind = OPTION_MAYBE, .offset = AT(report.latency), .argument = "WHAT",
	  .help = "print the count, mean, percentiles and maximum of latencies for each stack "
		  "(default), thread, key or comm",
	  .more = "A latency is an off-CPU time or, with --span, the time between two events. key "
		  "stands for the fields given with --key. WHAT may also be a list of comm, pid, "
		  "tid, cpu and event fields" },
	{ .name = "histogram", .kind = OPTION_MAYBE, .offset = AT(report.histogram), .argument = "SCALE",
	  .help = "draw the distribution of latencies, or of a BCC or bpftrace histogram, with "
		  "quantiles",
	  .more = "SCALE is log (default) or linear" },
	{ .name = "svg", .kind = OPTION_FLAG, .offset = AT(report.draws_histogram_svg),
	  .help = "with --histogram, write an SVG; with --compare, BEFORE is drawn as an outline" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(diff.fails_on_uncertain),
	  .help = "also exit with status 4 if the data cannot show whether a --fail-if limit is "
		  "exceeded" },
	{ .name = "list", .kind = OPTION_FLAG, .offset = AT(report.lists_latencies),
	  .help = "with --latency, list the longest individual waits instead, with their stacks, "
		  "wakers "
		  "and time windows",
	  .more = "-n sets the number of waits (default: 10)" },
	{ .name = NULL },
};

static const struct option perf_options[] = {
	{ .short_name = 'c', .name = "comms", .kind = OPTION_TEXT, .offset = AT(comms), .argument = "NAMES" },
	{ .short_name = 'd', .name = "dsos", .kind = OPTION_TEXT, .offset = AT(dsos), .argument = "NAMES" },
	{ .short_name = 'g', .name = "call-graph", .kind = OPTION_TEXT, .offset = AT(report.graph),
	  .argument = "caller, callee or none" },
	{ .name = "stdio", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_report = { "Rows", table_options };
const struct option_group settings_report_latency = { "Latencies", latency_options };
const struct option_group settings_perf_table = { "Rows", perf_options };

/* The value of --sort is an order or, as in perf report, a list of keys. */
static bool set_order(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;
	bool is_comparison = settings->diff.before.count;

	if (!report->sort)
		return true;
	if (strcmp(report->sort, "delta") == 0)
		return is_comparison ||
		       error_set(err, ERROR_USAGE, "--sort delta requires --compare BEFORE");
	for (size_t i = 0; i < ARRAY_SIZE(order_names); i++) {
		if (strcmp(report->sort, order_names[i]) != 0)
			continue;
		report->order = (int)i;
		return !is_comparison ||
		       error_set(err, ERROR_USAGE,
				 "--compare sorts rows by their change (--sort delta), not by %s",
				 report->sort);
	}
	if (!report->by)
		report->by = report->sort;
	return true;
}

/*
 * Without totals, only leaves are read. Options that remove frames, and interpreter frames, can
 * make a caller the leaf.
 */
static void read_leaves_only(struct view *view)
{
	struct selection *selection = &view->selection;

	if (!selection->user_only && !selection->kernel_only && !selection->bases.count &&
	    !selection->depth_max && view->naming.interpreter == INTERPRETER_SHOWN)
		selection->callchain_max = 1;
}

/* --compare writes the table of kiln diff. */
static bool check_comparison(const struct settings *settings, struct error *err)
{
	const struct report_settings *report = &settings->report;

	return !settings->diff.before.count ||
	       (!report->shown && report->least_percent < 0 &&
		report->order == REPORT_SELF_FIRST) ||
	       error_set(err, ERROR_USAGE,
			 "--show, --percent-limit and --children cannot be combined with "
			 "--compare");
}

/* perf report's -g, such as graph,0.5,caller, of which only the order matters here. */
bool report_settings_set_graph(struct report_settings *report, struct error *err)
{
	if (!report->graph || strcmp(report->graph, "none") == 0)
		return true;
	if (strstr(report->graph, "caller") || strstr(report->graph, "callee")) {
		report->tree = strstr(report->graph, "caller") ? "caller" : "callee";
		return true;
	}
	return error_set(err, ERROR_USAGE, "-g must be caller or callee, as in --tree, not \"%s\"",
			 report->graph);
}

/* Groups stacks by the columns that are sample properties. */
static bool set_columns(struct settings *settings, struct error *err)
{
	struct grouping *columns = &settings->report.columns;
	struct grouping of_samples;

	if (!grouping_parse_columns(settings->report.by ? settings->report.by : "symbol", columns,
				    err))
		return false;
	if (settings->report.has_event_columns) {
		if (!grouping_has(columns, GROUP_EVENT)) {
			if (columns->count == GROUPING_LEVELS_MAX)
				return error_set(err, ERROR_USAGE,
						 "--by has too many keys for --event-columns");
			columns->by[columns->count++] = GROUP_EVENT;
		}
		settings->view.keeps_periods = true;
	}
	of_samples = grouping_of_samples(columns);
	if (of_samples.count)
		settings->view.grouping = of_samples;
	else
		settings->view.joins_keys = true;
	/* With such columns, functions in different DSOs, or on different lines, are different
	 * frames. Otherwise, only some stacks of a function would count for its DSO. */
	settings->view.naming.parts_modules =
		grouping_has(columns, GROUP_DSO) || grouping_has(columns, GROUP_SYMBOL);
	settings->view.naming.has_lines |= grouping_has(columns, GROUP_SRCLINE);
	return true;
}

static bool set_tree(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;

	if (!!report->tree + !!report->callers + !!report->callees + !!report->peek > 1)
		return error_set(err, ERROR_USAGE,
				 "--tree, --callers, --callees and --peek cannot be combined; use "
				 "only one of them");
	if (report->sort || report->shown)
		return error_set(err, ERROR_USAGE,
				 "--sort and --show cannot be combined with a call tree");
	if (report->tree && *report->tree && strcmp(report->tree, "caller") != 0 &&
	    strcmp(report->tree, "callee") != 0)
		return error_set(err, ERROR_USAGE, "--tree must be caller or callee, not \"%s\"",
				 report->tree);
	settings->view.is_reversed = report->tree && strcmp(report->tree, "callee") == 0;
	if (report->least_percent < 0)
		report->least_percent = TREE_PERCENT_LEAST;
	return !report->by || grouping_parse(report->by, &settings->view.grouping, err);
}

/*
 * Fails if there are several inputs, or options for tables of samples or functions. option: the
 * given option, which cannot be combined with them.
 */
static bool check_plain(const struct settings *settings, const char *option, struct error *err)
{
	const struct report_settings *report = &settings->report;

	if (report->by || report->sort || report->shown || report->tree || report->callers ||
	    report->callees || report->peek || settings->dsos || settings->symbols ||
	    settings->depth_max || settings->callchain_max || settings->weight)
		return error_set(err, ERROR_USAGE,
				 "%s cannot be combined with --by, --sort, --show, call "
				 "trees, --dso, --symbol, --max-depth or --weight",
				 option);
	return settings->inputs.count <= 1 ||
	       error_set(err, ERROR_USAGE, "%s requires a single input", option);
}

static bool set_branches(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;

	if (!check_plain(settings, "--branches", err))
		return false;
	settings->view.has_only_branches = true;
	if (report->least_percent < 0)
		report->least_percent = 0;
	if (!branch_by_parse(report->branches, &report->branches_by, err))
		return false;
	settings->view.naming.has_lines |= report->branches_by == BRANCH_BY_LINE;
	return true;
}

static bool set_memory(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;

	if (!check_plain(settings, "--mem", err))
		return false;
	if (report->least_percent < 0)
		report->least_percent = 0;
	return memory_by_parse(report->memory, &report->memory_by, err);
}

/* One row for each value of the key and each symbol. */
static bool set_outliers(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;
	struct grouping *columns = &report->columns;

	if (!set_order(settings, err))
		return false;
	if (settings->diff.limits.count)
		return error_set(err, ERROR_USAGE, "--outliers cannot be combined with --fail-if");
	if (report->by || report->shown || report->order == REPORT_SAMPLES_FIRST ||
	    report->order == REPORT_NAMES_FIRST || settings->weight)
		return error_set(err, ERROR_USAGE,
				 "--outliers cannot be combined with --by, --show, --weight, or a "
				 "--sort other than self or total");
	if (*report->outliers && !grouping_parse_columns(report->outliers, columns, err))
		return false;
	if (columns->count != 1 || grouping_is_of_frames(columns->by[0]))
		return error_set(err, ERROR_USAGE,
				 "--outliers requires a single sample key, such as host, file, "
				 "comm or cpu, not \"%s\"",
				 report->outliers);
	if (report->least_percent < 0)
		report->least_percent = 0;
	columns->by[columns->count++] = GROUP_SYMBOL;
	settings->view.grouping = grouping_of_samples(columns);
	settings->view.keeps_sample_counts = true;
	return true;
}

/* Sets the row order, and the values to show. */
static bool set_values(struct settings *settings, bool omits_totals, struct error *err)
{
	struct report_settings *report = &settings->report;

	if (!set_order(settings, err) || !check_comparison(settings, err))
		return false;
	if (omits_totals && report->order == REPORT_TOTAL_FIRST)
		return error_set(err, ERROR_USAGE,
				 "--no-children cannot be combined with --sort total");
	report->columns_shown.omits_totals = omits_totals;
	/* A comparison needs totals. */
	if (omits_totals && !settings->diff.before.count)
		read_leaves_only(&settings->view);
	return !report->shown || report_shown_parse(report->shown, &report->columns_shown, err);
}

bool report_settings_finish(struct settings *settings, struct error *err)
{
	struct report_settings *report = &settings->report;
	bool omits_totals = report->order == REPORT_ORDER_OF_SELF;

	if (omits_totals)
		report->order = REPORT_SELF_FIRST;
	if (report->branches)
		return set_branches(settings, err);
	if (report->memory)
		return set_memory(settings, err);
	if (report->outliers)
		return set_outliers(settings, err);
	if (report->tree || report->callers || report->callees || report->peek)
		return set_tree(settings, err);
	if (!set_values(settings, omits_totals, err))
		return false;
	if (report->least_percent < 0)
		report->least_percent = 0;
	settings->view.keeps_sample_counts |=
		report->columns_shown.samples || report->order == REPORT_SAMPLES_FIRST;
	return set_columns(settings, err);
}
