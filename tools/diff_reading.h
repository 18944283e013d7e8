/* SPDX-License-Identifier: MIT */
/*
 * Reads what is compared, input after input; of texts, whose parsing one processor does alone, two
 * at a time. What is said of them, and in which order, does not depend on it.
 */
#ifndef TOOLS_DIFF_READING_H
#define TOOLS_DIFF_READING_H

#include "diff/counter_diff.h"
#include "diff/diff.h"
#include "tools/diff_sides.h"

struct diff_outcome {
	size_t counter_count;      /* inputs that are tables of counters, and were added to those */
	bool is_partial;           /* something is missing of an input, as standard error says */
	size_t past_partial_count; /* inputs of the baseline that are damaged */
	const char *past_partial;  /* the first of them */
	bool has_other_event;      /* an input shows another event than those before it */
};

/* Adds the inputs of both sides to diff, or all of them to counters. */
bool diff_reading_run(struct diff_sides *sides, struct diff *diff, struct counter_diff *counters,
		      struct diff_outcome *ret, struct error *err) WARN_UNUSED;

#endif
