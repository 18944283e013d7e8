/* SPDX-License-Identifier: MIT */
/* Makes comparisons from lines such as "app;main;f 3": three samples of this stack. */
#ifndef TESTS_SUPPORT_DIFF_MAKER_H
#define TESTS_SUPPORT_DIFF_MAKER_H

#include "diff/compare.h"

/* Options with aligned names, 99% confidence, and two runs. */
extern const struct diff_options diff_maker_defaults;

/* Adds a run of these lines, NULL at the end, or aborts the test. */
void diff_maker_add(struct diff *diff, const char *const *lines, enum diff_side side);

/* Compares one run per side, or aborts the test. */
void diff_maker_compare(struct diff *diff, const struct diff_options *options,
			const char *const *before, const char *const *after);

/* The function of that name, or NULL. */
const struct diff_function *diff_maker_find(const struct diff *diff, const char *name);

#endif
