/* SPDX-License-Identifier: MIT */
#include "compat/dropin.h"

struct collapse_settings {
	struct dropin_collapsing collapse;
	text_list last_names;
	uint64_t thread_count;
	bool marks_all;
	bool wants_help, wants_version, is_verbose;
};

#define AT(member) offsetof(struct collapse_settings, member)

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option options[] = {
	{ .name = "addrs", .kind = OPTION_FLAG, .offset = AT(collapse.options.shows_addresses),
	  .help = "show the addresses of functions without a name" },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(marks_all), .help = "--kernel and --jit" },
	{ .name = "jit", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_jit),
	  .help = "mark code that was compiled while it ran by _[j]" },
	{ .name = "kernel", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_kernel),
	  .help = "mark the kernel's functions by _[k]" },
	{ .name = "pid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_pid),
	  .help = "process names with the number of the process" },
	{ .name = "tid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_tid),
	  .help = "process names with the numbers of process and thread" },
	{ .name = "event-filter", .kind = OPTION_TEXT, .offset = AT(collapse.options.event_filter),
	  .argument = "EVENT", .help = "the event whose samples count (default: the first)" },
	{ .name = "skip-after", .kind = OPTION_LIST, .offset = AT(last_names), .argument = "FUNCTION",
	  .help = "leave out who calls this function; may be given several times" },
	{ .short_name = 'n', .name = "nthreads", .kind = OPTION_NUMBER, .offset = AT(thread_count),
	  .argument = "NUM", .maximum = 4096, .help = "threads to use (default: as many as processors)" },
	{ .short_name = 'q', .name = "quiet", .kind = OPTION_FLAG, .offset = AT(collapse.is_quiet),
	  .help = "no warnings" },
	{ .short_name = 'v', .name = "verbose", .kind = OPTION_FLAG, .offset = AT(is_verbose),
	  .help = "taken and ignored" },
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help),
	  .help = "this message" },
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(wants_version),
	  .help = "the version" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group = { "Options", options };
static const struct option_group *const groups[] = { &group, NULL };

static int collapse(struct collapse_settings *settings, const text_list *inputs)
{
	struct dropin_collapsing *collapsing = &settings->collapse;

	collapsing->thread_count = (unsigned)settings->thread_count;
	collapsing->options.marks_kernel |= settings->marks_all;
	collapsing->options.marks_jit |= settings->marks_all;
	collapsing->options.last_names = settings->last_names.at;
	collapsing->options.last_name_count = settings->last_names.count;
	return dropin_collapse(inputs, collapsing, EXIT_IMPOSSIBLE);
}

static int run(int argc, char **argv)
{
	struct collapse_settings settings = { .collapse.tool = COLLAPSE_AS_INFERNO };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DONE;

	if (!options_parse(groups, argc - 1, argv + 1, &settings, &inputs, &err)) {
		command_fail(&err);
		code = EXIT_WRONG_USAGE;
	} else if (settings.wants_help) {
		printf("Usage: %s [OPTIONS] [PATH]\n", argv[0]);
		options_print(groups, stdout);
	} else if (settings.wants_version) {
		printf("kiln %s in the place of inferno-collapse-perf\n", VERSION);
	} else {
		code = collapse(&settings, &inputs);
	}
	vec_free(&settings.last_names);
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_inferno_collapse_perf = { "inferno-collapse-perf", run };
