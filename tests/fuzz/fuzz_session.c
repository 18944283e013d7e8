/* SPDX-License-Identifier: MIT */
/*
 * A capture from its bytes to what the commands print. Besides crashes, it checks that the tree of
 * stacks is a tree, and that samples, sums and outputs agree. It reads only perf.data: detecting
 * the formats of texts would take most of the time, and is the task of fuzz_text_session.
 * fuzz_offcpu, fuzz_script and fuzz_threads read the same captures in other ways.
 */
#include <stdint.h>

#include "libparse/perf/perf_reader.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	/* The size decides, so that both ways of naming frames are tried on captures of the same
	 * structure. */
	bool uses_perf_names = size % 4 == 3;
	const struct view view = {
		.grouping = GROUPING_BY_COMM,
		.is_reversed = uses_perf_names,
		.naming.uses_perf_names = uses_perf_names,
	};
	struct session_options options = { .view = &view, .format = &perf_format };
	struct session session;

	if (!session_checks_is_perf(bytes, size) ||
	    !session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return 0;
	/* This is set after opening, because a capture without branches would be refused. */
	session.view.has_branch_history = !uses_perf_names;
	session_checks_build(&session);
	session_close(&session);
	return 0;
}
