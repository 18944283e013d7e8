/* SPDX-License-Identifier: MIT */
/* Implements the options and usage of stackcollapse-perf.pl. */
#include "compat/collapse.h"
#include "compat/dropin.h"

struct perl_settings {
	struct collapse_command collapse;
	bool finds_inlined, has_context; /* accepted without effect: see run */
};

#define AT(member) offsetof(struct perl_settings, member)

static const struct option options[] = {
	{ .name = "inline", .kind = OPTION_FLAG, .offset = AT(finds_inlined) },
	{ .name = "context", .kind = OPTION_FLAG, .offset = AT(has_context) },
	{ .name = "srcline", .kind = OPTION_FLAG, .offset = AT(collapse.options.has_source_lines) },
	{ .name = "pid", .kind = OPTION_FLAG, .offset = AT(collapse.options.with_pid) },
	{ .name = "kernel", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_kernel) },
	{ .name = "jit", .kind = OPTION_FLAG, .offset = AT(collapse.options.marks_jit) },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(collapse.marks_all) },
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
	struct perl_settings settings = { .collapse.format = &perl_format };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DIED;

	if (options_parse_perl(groups, argc - 1, argv + 1, &settings, &inputs, &err)) {
		/*
		 * Without addr2line, the script does not change names. --context alone has no
		 * effect.
		 */
		if (settings.finds_inlined)
			fprintf(stderr,
				"kiln: --inline has no effect: kiln does not run addr2line\n");
		/* An empty name is false in Perl. */
		if (settings.collapse.options.event_filter &&
		    !*settings.collapse.options.event_filter)
			settings.collapse.options.event_filter = NULL;
		code = collapse_run(&inputs, &settings.collapse, EXIT_DIED);
	} else {
		command_fail(&err);
		print_usage(argv[0]);
	}
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_stackcollapse_perf = { "stackcollapse-perf.pl", run };
