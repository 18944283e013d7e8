/* SPDX-License-Identifier: MIT */
/*
 * Reads a capture of switches from a writer, up to the folded stacks of its waits, for tests of
 * pairing.
 */
#ifndef TESTS_SUPPORT_INTERVAL_STACKS_H
#define TESTS_SUPPORT_INTERVAL_STACKS_H

#include "offcpu/pairing.h"
#include "profile/selection/selection.h"
#include "tests/support/perf_writer.h"

struct interval_stacks {
	bool good;
	char text[512]; /* the stacks, or the error */
	struct pairing_counts counts;
	uint64_t unrecorded_cpu_count;
	bool is_guessed, is_partial, lacks_callchains;
};

/* Aborts the test when the capture cannot be opened. */
void interval_stacks_read(const struct perf_writer *writer, const struct pairing_options *pairing,
			  struct interval_stacks *ret);

/* The same for selected samples; NULL: all. */
void interval_stacks_read_some(const struct perf_writer *writer,
			       const struct pairing_options *pairing,
			       const struct selection *selection, struct interval_stacks *ret);

#endif
