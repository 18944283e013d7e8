/* SPDX-License-Identifier: MIT */
/*
 * Merges runs. A run is a merged profile in a file. Its stacks are in order, so any number of runs
 * can be merged with only one chunk of each in memory:
 *
 *     run 1   a;b 3   a;c 1 ─┐
 *     run 2   a;b 2          ┼─ smallest first ─▶ a;b 5   a;c 1   d 4
 *     run 3   d 4           ─┘
 *
 * Neighbouring stacks of the output share long prefixes. Each run therefore keeps the number of
 * elements that its next stack shares with the last stack of the output, and most comparisons
 * compare only two such numbers (a tournament tree with common prefixes, after Ng and Kakehi,
 * "Merging string sequences by longest common prefixes").
 */
#ifndef MERGING_RUN_H
#define MERGING_RUN_H

#include "base/input.h"
#include "libparse/merged/merged_file.h"
#include "merging/merged_writer.h"

struct run {
	struct input input;
	struct merged_file file;
};

/*
 * Makes a run of an input that is a merged profile, and reads its summary. An incomplete profile is
 * an error. The run owns the input; after a failure, the input is closed.
 */
bool run_open(struct run *run, struct input *input, struct error *err) WARN_UNUSED;
void run_close(struct run *run);

/* Merges the run alone, without output, and checks its summary against its stacks. A run that
 * passes can be merged, unless its file changes. */
bool run_verify(const struct run *run, struct error *err) WARN_UNUSED;

/*
 * Writes the sum of all runs to the sink, and adds skipped_count to the number of skipped inputs.
 * Fails if a run is corrupt; the error names the run's input.
 */
bool run_merge(const struct run *runs, size_t count, uint64_t skipped_count, struct sink *sink,
	       struct error *err) WARN_UNUSED;

#endif
