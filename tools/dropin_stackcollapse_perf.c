/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/folded.h"
#include "session/collapse.h"
#include "tools/dropin.h"

/* What Perl's die ends with. */
#define EXIT_DIED 255

struct collapse_settings {
	struct collapse_options collapse;
	bool marks_all;
	bool finds_inlined, has_context; /* taken, and no more: see run_with */
};

#define AT(member) offsetof(struct collapse_settings, member)

static const struct option options[] = {
	{ .name = "inline", .kind = OPTION_FLAG, .offset = AT(finds_inlined) },
	{ .name = "context", .kind = OPTION_FLAG, .offset = AT(has_context) },
	{ .name = "srcline", .kind = OPTION_FLAG, .offset = AT(collapse.has_source_lines) },
	{ .name = "pid", .kind = OPTION_FLAG, .offset = AT(collapse.with_pid) },
	{ .name = "kernel", .kind = OPTION_FLAG, .offset = AT(collapse.marks_kernel) },
	{ .name = "jit", .kind = OPTION_FLAG, .offset = AT(collapse.marks_jit) },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(marks_all) },
	{ .name = "tid", .kind = OPTION_FLAG, .offset = AT(collapse.with_tid) },
	{ .name = "addrs", .kind = OPTION_FLAG, .offset = AT(collapse.shows_addresses) },
	{ .name = "event-filter",
	  .kind = OPTION_TEXT,
	  .offset = AT(collapse.event_filter),
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

static bool write_folded(const char *input, const struct collapse_options *collapse,
			 struct sink *sink, struct error *err)
{
	struct session session;
	bool good;

	if (!collapse_open(&session, input, collapse, err))
		return false;
	good = session_build_profile(&session, err);
	if (good && session.profile.losses[LOSS_LINES])
		fprintf(stderr, "Unrecognized lines: %llu, the first is line %llu\n",
			(unsigned long long)session.profile.losses[LOSS_LINES],
			(unsigned long long)session.profile.first_skipped_line);
	if (good)
		folded_write(&session.profile, sink);
	session_close(&session);
	return good && sink_flush(sink, err);
}

static int run_with(const struct collapse_settings *settings, const text_list *inputs)
{
	struct error err;
	struct sink sink;
	bool good;

	/* The script takes names as they are where addr2line tells nothing; --context alone changes nothing. */
	if (settings->finds_inlined)
		fprintf(stderr, "kiln: addr2line is not run for --inline: names are as without it\n");
	if (inputs->count > 1) {
		fprintf(stderr, "kiln: only one input is read\n");
		return EXIT_DIED;
	}
	sink_init_fd(&sink, STDOUT_FILENO);
	good = write_folded(inputs->count ? inputs->at[0] : "-", &settings->collapse, &sink, &err);
	sink_deinit(&sink);
	if (!good)
		command_fail(&err);
	return good ? EXIT_DONE : EXIT_DIED;
}

static int run(int argc, char **argv)
{
	struct collapse_settings settings = { .marks_all = false };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DIED;

	if (options_parse_perl(groups, argc - 1, argv + 1, &settings, &inputs, &err)) {
		settings.collapse.marks_kernel |= settings.marks_all;
		settings.collapse.marks_jit |= settings.marks_all;
		code = run_with(&settings, &inputs);
	} else {
		command_fail(&err);
		print_usage(argv[0]);
	}
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_stackcollapse_perf = { "stackcollapse-perf.pl", run };
