/* SPDX-License-Identifier: MIT */
/*
 * Reads what is compared, input after input; of texts, whose parsing one processor does alone, two
 * at a time. What is said of them, and in which order, does not depend on it.
 */
#ifndef TOOLS_DIFF_READING_H
#define TOOLS_DIFF_READING_H

#include "profile/diff.h"
#include "tools/diff_sides.h"

/* Adds the inputs of both sides to diff. *is_partial_ret: something is missing of one, which was
 * said on standard error. */
bool diff_reading_run(const struct diff_sides *sides, struct diff *diff, bool *is_partial_ret,
		      struct error *err) WARN_UNUSED;

#endif
