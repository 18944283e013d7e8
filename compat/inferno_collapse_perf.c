/* SPDX-License-Identifier: MIT */
/* Implements the options and help of inferno-collapse-perf. */
#include "compat/collapse.h"
#include "compat/dropin.h"

struct inferno_collapse_settings {
	struct collapse_command collapse;
	text_list skip_after;
	uint64_t thread_count;
	bool wants_help, wants_version, is_verbose;
};

#define AT(member) offsetof(struct inferno_collapse_settings, member)

/* clang-format off */
static const struct option options[] = {
	{ .name = "addrs", .kind = OPTION_FLAG, .offset = AT(collapse.options.shows_addresses),
	  .help = "show the address of functions without a name" },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(collapse.marks_all),
	  .help = "same as --kernel --jit" },
	{ .name = "jit", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_jit),
	  .help = "append _[j] to JIT-compiled functions" },
	{ .name = "kernel", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_kernel),
	  .help = "append _[k] to kernel functions" },
	{ .name = "pid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_pid),
	  .help = "append the process ID to process names" },
	{ .name = "tid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_tid),
	  .help = "append the process ID and thread ID to process names" },
	{ .name = "event-filter", .kind = OPTION_TEXT, .offset = AT(collapse.options.event_filter),
	  .argument = "EVENT", .help = "use only samples of this event (default: the first event)" },
	{ .name = "skip-after", .kind = OPTION_LIST, .offset = AT(skip_after), .argument = "FUNCTION",
	  .help = "omit the callers of this function in all stacks; may be repeated" },
	{ .short_name = 'n', .name = "nthreads", .kind = OPTION_NUMBER, .offset = AT(thread_count),
	  .argument = "NUM", .maximum = 4096, .help = "threads to use (default: one for each CPU)" },
	{ .short_name = 'q', .name = "quiet", .kind = OPTION_FLAG, .offset = AT(collapse.is_quiet),
	  .help = "suppress warnings" },
	{ .short_name = 'v', .name = "verbose", .kind = OPTION_FLAG, .offset = AT(is_verbose),
	  .help = "ignored" },
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help),
	  .help = "print this help" },
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group = { "Options", options };
static const struct option_group *const groups[] = { &group, NULL };

static int collapse(struct inferno_collapse_settings *settings, const text_list *inputs)
{
	struct collapse_command *command = &settings->collapse;

	command->thread_count = (unsigned)settings->thread_count;
	command->options.skip_after = settings->skip_after.at;
	command->options.skip_after_count = settings->skip_after.count;
	return collapse_run(inputs, command, EXIT_IMPOSSIBLE);
}

static int run(int argc, char **argv)
{
	struct inferno_collapse_settings settings = {
		.collapse.format = &inferno_format,
	};
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DONE;

	if (!options_parse(groups, NULL, argc - 1, argv + 1, &settings, &inputs, &err)) {
		command_fail(&err);
		code = EXIT_WRONG_USAGE;
	} else if (settings.wants_help) {
		printf("Usage: %s [OPTIONS] [PATH]\n", argv[0]);
		options_print(groups, stdout);
	} else if (settings.wants_version) {
		printf("kiln %s as inferno-collapse-perf\n", VERSION);
	} else {
		code = collapse(&settings, &inputs);
	}
	vec_free(&settings.skip_after);
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_inferno_collapse_perf = { "inferno-collapse-perf", run };
