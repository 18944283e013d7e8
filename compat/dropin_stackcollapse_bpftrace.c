/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "compat/collapse_bpftrace.h"
#include "compat/dropin.h"

/* What Perl's die ends with. */
#define EXIT_DIED 255

/* The script takes no options: whatever is there is a file. */
static int run(int argc, char **argv)
{
	static const char *const standard_input[] = { "-" };
	bool has_files = argc > 1;
	const char *const *paths = has_files ? (const char *const *)argv + 1 : standard_input;
	struct input_lines lines;
	struct error err;
	struct sink sink;
	bool good;

	sink_init_fd(&sink, STDOUT_FILENO);
	good = collapse_bpftrace(paths, has_files ? (size_t)argc - 1 : 1, &sink, &lines, &err) &&
	       sink_flush(&sink, &err);
	if (good)
		dropin_tell_empty(&sink);
	sink_deinit(&sink);
	dropin_tell_skipped(&lines);
	if (!good)
		command_fail(&err);
	return good ? EXIT_DONE : EXIT_DIED;
}

const struct dropin dropin_stackcollapse_bpftrace = { "stackcollapse-bpftrace.pl", run };
