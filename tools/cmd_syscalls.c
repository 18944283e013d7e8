/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"
#include "cli/value_gates.h"
#include "render/text/syscall_table.h"
#include "session/syscall_reader.h"

static const char *const order_names[] = {
	[SYSCALL_ORDER_TOTAL] = "total",
	[SYSCALL_ORDER_CALLS] = "calls",
	[SYSCALL_ORDER_ERRORS] = "errors",
	[SYSCALL_ORDER_MEAN] = "mean",
	[SYSCALL_ORDER_P99] = "p99",
	[SYSCALL_ORDER_MAX] = "max",
	NULL,
};

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option row_options[] = {
	{ .name = "by", .kind = OPTION_TEXT, .offset = AT(syscalls.by), .argument = "KEYS",
	  .help = "print a row for each combination of KEYS: syscall (default), thread, comm, "
		  "process and error, such as thread,syscall" },
	{ .name = "syscall", .kind = OPTION_TEXT, .offset = AT(syscalls.names),
	  .argument = "NAMES",
	  .help = "count only these system calls: names or patterns, separated by commas" },
	{ .name = "sort", .kind = OPTION_CHOICE, .offset = AT(syscalls.sort), .argument = "VALUE",
	  .choices = order_names,
	  .help = "sort rows by this column, largest first" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N rows (default: all; with --compare: 10)" },
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(syscalls.format),
	  .argument = "NAME", .choices = table_format_names,
	  .help = "select the output format" },
	{ .name = "json", .kind = OPTION_CONSTANT, .offset = AT(syscalls.format),
	  .minimum = TABLE_FORMAT_JSON,
	  .help = "the same as --format json" },
	{ .name = "allow-missing-calls", .kind = OPTION_FLAG,
	  .offset = AT(syscalls.is_forced),
	  .help = "accept captures that lack some system calls" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_rows = { "Rows", row_options };

static bool is_text_or_json(int format)
{
	return format == TABLE_FORMAT_TEXT || format == TABLE_FORMAT_JSON;
}

static bool parse_options(const struct settings *settings, struct syscall_options *options,
			  name_patterns *patterns, struct error *err)
{
	const char *by = settings->syscalls.by ? settings->syscalls.by : "syscall";

	options->is_forced = settings->syscalls.is_forced;
	options->patterns = patterns;
	return settings_check_times(settings, "kiln syscalls", "selects only threads and times",
				    err) &&
	       value_gates_parse(settings, is_text_or_json(settings->syscalls.format), err) &&
	       syscall_keys_parse(by, &options->keys, err) &&
	       (!settings->syscalls.names ||
		name_patterns_parse("syscall", settings->syscalls.names, patterns, err));
}

static void make_histograms(const struct session *session, struct histogram_set *ret)
{
	syscall_table_make_histograms(&session->syscalls, &session->profile, ret);
}

static void make_table(const struct session *session, struct table *ret)
{
	const struct syscall_table_options options = { .names_rows = true };

	syscall_table_make(&session->syscalls, &session->profile, &options, ret);
}

static enum exit_code write_output(const struct settings *settings, struct inputs *inputs,
				   struct sink *sink)
{
	const struct value_gates_reader reader = { session_build_syscalls, make_histograms,
						   make_table };
	const struct syscall_table_options options = {
		.format = (enum table_format)settings->syscalls.format,
		.order = (enum syscall_order)settings->syscalls.sort,
		.limit = settings->limit,
	};

	if (!settings->diff.before.count)
		syscall_table_write(&inputs->session.syscalls, &inputs->session.profile, &options,
				    sink);
	return value_gates_run(inputs, &reader, options.format == TABLE_FORMAT_JSON, sink);
}

static enum exit_code run_with(struct settings *settings)
{
	enum exit_code gates = EXIT_DONE;
	struct inputs inputs;
	struct output output;

	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, session_build_syscalls))
		gates = write_output(settings, &inputs, &output.sink);
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return gate_worst(command_close(&inputs, &output), gates);
}

static enum exit_code run(struct settings *settings)
{
	name_patterns patterns = { 0 };
	struct syscall_options options;
	struct error err;
	enum exit_code code;

	settings->syscall_options = &options;
	code = parse_options(settings, &options, &patterns, &err) ? run_with(settings)
								  : command_fail(&err);
	name_patterns_deinit(&patterns);
	return code;
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
	"output", "by",  "syscall", "sort", "limit", "format", "json",  "compare", "fail-if",
	"comm",   "pid", "tid",     "cpu",  "time",  "jobs",   "quiet", "help",    NULL,
};

const struct command command_syscalls = {
	.name = "syscalls",
	.topic = TOPIC_TABULATE,
	.summary = "list system calls: how many, how long, how many failed",
	.description =
		"Prints a table of system calls: how many returned, how many returned an error, "
		"and how long they took. Record with perf trace record, or with perf record -e "
		"'raw_syscalls:*' -a; or use the output of perf trace or strace -f -T.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln syscalls --sort max -n 20 perf.data",
		      "kiln syscalls --by comm,syscall,error --comm nginx perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
