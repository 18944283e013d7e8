/* SPDX-License-Identifier: MIT */
#include "compat/dropin.h"

/* What Perl's die ends with. */
#define EXIT_DIED 255

struct collapse_settings {
	struct dropin_collapsing collapse;
	bool marks_all;
	bool finds_inlined, has_context; /* taken, and no more: see run */
};

#define AT(member) offsetof(struct collapse_settings, member)

static const struct option options[] = {
	{ .name = "inline", .kind = OPTION_FLAG, .offset = AT(finds_inlined) },
	{ .name = "context", .kind = OPTION_FLAG, .offset = AT(has_context) },
	{ .name = "srcline", .kind = OPTION_FLAG, .offset = AT(collapse.options.has_source_lines) },
	{ .name = "pid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_pid) },
	{ .name = "kernel", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_kernel) },
	{ .name = "jit", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_jit) },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(marks_all) },
	{ .name = "tid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_tid) },
	{ .name = "addrs", .kind = OPTION_FLAG, .offset = AT(collapse.options.shows_addresses) },
	{ .name = "event-filter",
	  .kind = OPTION_TEXT,
	  .offset = AT(collapse.options.event_filter),
	  .argument = "a value" },
	{ .name = NULL },
};

static const struct option_group group = { "Options", options };
static const struct option_group *const groups[] = { &group, NULL };

static void print_usage(const char *program)
{
	fprintf(stderr, "usage: %s [options] [file...] > folded\n", program);
	for (const struct option *row = options; row->name; row++)
		fprintf(stderr, "\t--%s%s\n", row->name, row->kind == OPTION_TEXT ? "=EVENT" : "");
}

static int run(int argc, char **argv)
{
	struct collapse_settings settings = { .collapse.tool = COLLAPSE_AS_PERL };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DIED;

	if (options_parse_perl(groups, argc - 1, argv + 1, &settings, &inputs, &err)) {
		settings.collapse.options.marks_kernel |= settings.marks_all;
		settings.collapse.options.marks_jit |= settings.marks_all;
		/* The script takes names as they are where addr2line tells nothing; --context alone changes nothing. */
		if (settings.finds_inlined)
			fprintf(stderr,
				"kiln: addr2line is not run for --inline: names are as without it\n");
		/* Perl takes no name for none. */
		if (settings.collapse.options.event_filter &&
		    !*settings.collapse.options.event_filter)
			settings.collapse.options.event_filter = NULL;
		code = dropin_collapse(&inputs, &settings.collapse, EXIT_DIED);
	} else {
		command_fail(&err);
		print_usage(argv[0]);
	}
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_stackcollapse_perf = { "stackcollapse-perf.pl", run };
