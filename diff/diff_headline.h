/* SPDX-License-Identifier: MIT */
/*
 * What a comparison comes to, in the parts of one sentence. They are found once, when two sides are compared;
 * render/diff/headline_text.h puts them in words for all outputs.
 *
 *     CPU time +17.1% [+12.0, +22.4]; 2 functions explain 94% of it: lookup +13.1 pp [...], hash +2.9 pp [...]
 *
 * The total and its verdict are those that gates read. Functions explain it by what they do themselves, which
 * adds up to the change of the total.
 */
#ifndef DIFF_DIFF_HEADLINE_H
#define DIFF_DIFF_HEADLINE_H

#include <stddef.h>

#include "diff/diff_verdict.h"

/* Of the functions that it counts, so many are named. */
#define DIFF_HEADLINE_NAMED 3

enum diff_story {
	DIFF_STORY_NOTHING,   /* no function changed */
	DIFF_STORY_EXPLAINED, /* these come to so much of the change of the total */
	DIFF_STORY_OFFSET, /* these come to more than it, or to the opposite: others make up for that */
	DIFF_STORY_MOVED, /* the total did not change, or is not known: these are so much of what shares did */
	DIFF_STORY_CHANGED,    /* the same, of costs: these changed, and others may have */
	DIFF_STORY_CALLERS,    /* functions changed with what they call, and none did itself */
	DIFF_STORY_NOT_GRADED, /* the largest changes, whatever they are worth */
	DIFF_STORY_COUNT,
};

struct diff_headline_part {
	size_t function; /* in diff->functions */
	double points;
	struct diff_interval interval; /* NAN: not graded */
};

struct diff_headline {
	enum diff_story story;
	bool has_total;   /* its change is that of what was done; else there are only shares */
	double explained; /* percent, of DIFF_STORY_EXPLAINED and DIFF_STORY_MOVED */
	double together,
		rest; /* points of before's total, where these explain it: of all others too */
	size_t count; /* of functions that do */
	size_t shifted_count; /* that changed as unchanged code did */
	/* Of DIFF_STORY_NOTHING, where the total changed: what seems to have, most. Else the largest, by points of before's total where these explain it, and of shares otherwise. */
	struct diff_headline_part parts[DIFF_HEADLINE_NAMED];
	size_t part_count;
};

struct diff;

/* When all else is known; sets diff->headline. */
void diff_headline_find(struct diff *diff);

/* "nothing", "explained", "offset", "moved", "changed", "callers", "not graded" */
const char *diff_story_name(enum diff_story story);

#endif
