/* SPDX-License-Identifier: MIT */
/* The functions of two sides with their weights over all paths, most important change first. */
#ifndef PROFILE_DIFF_FUNCTIONS_H
#define PROFILE_DIFF_FUNCTIONS_H

#include "profile/diff.h"

/*
 * Fills diff->functions from the weights by row and run. First come those that changed
 * significantly; among these, those that changed most themselves, for their callers change with
 * them.
 */
void diff_functions_find(struct diff *diff, const uint64_t *self, const uint64_t *total);

#endif
