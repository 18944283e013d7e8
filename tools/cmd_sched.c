/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"
#include "cli/value_gates.h"
#include "render/text/task_table.h"
#include "session/task_reader.h"

static const char *const by_names[] = {
	[TASK_BY_THREAD] = "thread",
	[TASK_BY_COMM] = "comm",
	[TASK_BY_PROCESS] = "process",
	[TASK_BY_CPU] = "cpu",
	[TASK_BY_PREEMPTION] = "preemption",
	[TASK_BY_WAKER] = "waker",
	NULL,
};

static const char *const order_names[] = {
	[TASK_ORDER_RUN] = "run",
	[TASK_ORDER_DELAY] = "delay",
	[TASK_ORDER_MAX] = "max",
	[TASK_ORDER_RUNS] = "runs",
	NULL,
};

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option row_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(sched.by), .argument = "WHAT",
	  .choices = by_names,
	  .help = "set what a row represents",
	  .more = "preemption is a pair of threads: the preempted one, and the one that ran next. "
		  "waker is also a pair: the woken thread and its waker" },
	{ .name = "sort", .kind = OPTION_CHOICE, .offset = AT(sched.sort), .argument = "VALUE",
	  .choices = order_names,
	  .help = "sort by run time, total delay, longest delay or number of runs" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N rows (default: all; with --compare: 10)" },
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(sched.format), .argument = "NAME",
	  .choices = table_format_names,
	  .help = "select the output format" },
	{ .name = "json", .kind = OPTION_CONSTANT, .offset = AT(sched.format),
	  .minimum = TABLE_FORMAT_JSON,
	  .help = "the same as --format json" },
	{ .name = "allow-missing-switches", .kind = OPTION_FLAG,
	  .offset = AT(pairing.is_forced),
	  .help = "accept captures that lack some context switches" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_rows = { "Rows", row_options };

static bool check(const struct settings *settings, struct error *err)
{
	bool has_text = settings->sched.format == TABLE_FORMAT_TEXT ||
			settings->sched.format == TABLE_FORMAT_JSON;

	return settings_check_times(settings, "kiln sched", "selects only threads and times",
				    err) &&
	       value_gates_parse(settings, has_text, err);
}

static void make_histograms(const struct session *session, struct histogram_set *ret)
{
	task_table_make_histograms(&session->tasks, &session->profile, ret);
}

static void make_table(const struct session *session, struct table *ret)
{
	const struct task_table_options options = { .names_rows = true };

	task_table_make(&session->tasks, &session->profile, &options, ret);
}

static enum exit_code write_output(const struct settings *settings, struct inputs *inputs,
				   struct sink *sink)
{
	const struct value_gates_reader reader = { session_build_tasks, make_histograms,
						   make_table };
	const struct task_table_options options = {
		.format = (enum table_format)settings->sched.format,
		.order = (enum task_order)settings->sched.sort,
		.limit = settings->limit,
	};

	if (!settings->diff.before.count)
		task_table_write(&inputs->session.tasks, &inputs->session.profile, &options, sink);
	return value_gates_run(inputs, &reader, options.format == TABLE_FORMAT_JSON, sink);
}

static enum exit_code run(struct settings *settings)
{
	enum exit_code gates = EXIT_DONE;
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err))
		return command_fail(&err);
	settings->pairing.reads_records = true;
	settings->sched.reads_tasks = true;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_tasks))
		gates = write_output(settings, &inputs, &output.sink);
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return gate_worst(command_close(&inputs, &output), gates);
}

static const struct option_group *const groups[] = {
	&group_rows,
	&value_gates_options,
	&settings_selection,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	NULL,
};

static const char *const common[] = {
	"output", "by",  "sort", "limit", "format", "json",  "compare", "fail-if", "comm",
	"pid",    "tid", "cpu",  "time",  "jobs",   "quiet", "help",    NULL,
};

const struct command command_sched = {
	.name = "sched",
	.topic = TOPIC_TABULATE,
	.summary = "list run times and scheduling delays of threads",
	.description =
		"Prints a table of threads: how long each ran, and how long it waited for a CPU "
		"after it was woken or preempted. Record with perf sched record, or with perf "
		"record -e sched:sched_switch -e sched:sched_waking -a.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln sched --sort max -n 20 sched.data",
		      "kiln sched --by preemption --comm nginx sched.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
