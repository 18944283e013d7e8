/* SPDX-License-Identifier: MIT */
/* Adds captures to a comparison, and runs the steps of the comparison after the last capture. */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "diff/diff.h"

/*
 * Whether a profile shows the same event as the profiles added before. Unnamed events match any
 * event.
 */
bool compare_has_same_event(const struct diff *diff, const struct profile *profile);

/*
 * Adds a capture. The profile can be freed afterwards. False if the capture cannot be compared with
 * earlier ones.
 */
bool compare_add(struct diff *diff, const struct profile *profile, enum diff_side side,
		 struct error *err) WARN_UNUSED;

/*
 * Compares the sides. Returns false if a side has no samples, or if the value by which it is
 * normalised is unknown.
 */
bool compare_finish(struct diff *diff, struct error *err) WARN_UNUSED;

/*
 * Compares the sides again, with a different normalisation or confidence. Requires
 * options.keeps_weights. If a value by which a side is normalised is unknown, returns false and
 * changes nothing.
 */
bool compare_again(struct diff *diff, enum diff_normalisation by, double confidence,
		   struct error *err) WARN_UNUSED;

#endif
