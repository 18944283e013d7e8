/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
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

/* A formatter would spread each option over several lines. */
/* clang-format off */
static const struct option row_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(sched.by), .argument = "WHAT",
	  .choices = by_names,
	  .help = "set what a row represents",
	  .more = "preemption is a pair of threads: the preempted one, and the one that ran next. "
		  "waker is also a pair: the woken thread and its waker" },
	{ .name = "sort", .kind = OPTION_CHOICE, .offset = AT(sched.sort), .argument = "VALUE",
	  .choices = order_names,
	  .help = "sort by run time, total delay, longest delay (max) or number of runs" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N rows (default: all)" },
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

static enum exit_code run(struct settings *settings)
{
	struct task_table_options options = {
		.format = (enum table_format)settings->sched.format,
		.order = (enum task_order)settings->sched.sort,
		.limit = settings->limit,
	};
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!settings_check_times(settings, "kiln sched", "selects threads and times", &err))
		return command_fail(&err);
	settings->pairing.reads_records = true;
	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_tasks))
		task_table_write(&inputs.session.tasks, &inputs.session.profile, &options,
				 &output.sink);
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_rows,          &settings_selection,      &settings_common,
	&settings_perf_input, &settings_perf_selection, NULL,
};

static const char *const common[] = {
	"output", "by",  "sort", "limit", "format", "json", "comm", "pid",
	"tid",    "cpu", "time", "jobs",  "quiet",  "help", NULL,
};

const struct command command_sched = {
	.name = "sched",
	.topic = TOPIC_TABULATE,
	.summary = "list run times and scheduling delays of threads",
	.description =
		"Prints a table of threads: how long each ran, and how long it waited for a CPU "
		"after it was woken or preempted. Record with perf sched record, or with perf "
		"record -e sched:sched_switch -e sched:sched_waking -a.",
	.examples = { "kiln sched --sort max -n 20 sched.data",
		      "kiln sched --by preemption --comm nginx sched.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
