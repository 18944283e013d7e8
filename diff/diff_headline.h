/* SPDX-License-Identifier: MIT */
/*
 * Summarises a comparison as the parts of one sentence; render/diff/headline_text.h puts them into
 * words:
 *
 *     CPU time +17.1% [+12.0, +22.4]; 2 functions explain 94% of it: lookup +13.1% of the
 *     BEFORE total [...], hash +2.9% [...]
 *
 * The total and its verdict are the ones that --fail-if uses. The change of the total is explained
 * by the self weights of functions, because their changes add up to it.
 */
#ifndef DIFF_DIFF_HEADLINE_H
#define DIFF_DIFF_HEADLINE_H

#include "diff/diff.h"

/* Sets diff->headline, as the last step of a comparison. */
void diff_headline_find(struct diff *diff);

/*
 * The name of a story: "nothing", "explained", "offset", "moved", "changed", "callers" or "not
 * graded".
 */
const char *diff_story_name(enum diff_story story);

#endif
