/* SPDX-License-Identifier: MIT */
/*
 * Reads the inputs of a comparison one after another. Text inputs are read two at a time, because
 * each is parsed by a single thread. Reading two inputs at a time does not change the messages or
 * their order.
 */
#ifndef TOOLS_DIFF_DIFF_INPUTS_H
#define TOOLS_DIFF_DIFF_INPUTS_H

#include "diff/counter_diff.h"
#include "diff/compare.h"
#include "tools/diff/diff_sides.h"

struct diff_outcome {
	size_t counter_count;      /* inputs that are perf stat tables */
	bool is_partial;           /* an input is incomplete; reported on standard error */
	size_t past_partial_count; /* corrupt inputs of the baseline */
	const char *past_partial;  /* the first corrupt input of the baseline */
	bool has_other_event; /* an input shows a different event from earlier inputs; was not added */
};

/* Adds the inputs of both sides to diff, or perf stat tables to counters. */
bool diff_inputs_read(struct diff_sides *sides, struct diff *diff, struct counter_diff *counters,
		      struct diff_outcome *ret, struct error *err) WARN_UNUSED;

#endif
