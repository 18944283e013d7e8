/* SPDX-License-Identifier: MIT */
/*
 * Two files of folded stacks side by side, as difffolded.pl puts them: for the drop-ins of that kind.
 *
 *     a;b 3  ─┐
 *     a;c 1   ├─▶  a;b 3 5      every stack of either; what a file lacks is 0 there
 *     a;b 5  ─┘    a;c 1 0
 */
#ifndef COMPAT_FOLDED_PAIRS_H
#define COMPAT_FOLDED_PAIRS_H

#include "base/error.h"
#include "base/strings.h"

/* A sum as Perl has it: exact until it is too large, or no whole number. */
struct folded_sum {
	uint64_t whole;
	double real;
	bool is_real;
};

struct folded_pair {
	struct folded_sum side[2];
};

struct folded_pairs {
	struct strings stacks;
	VEC(struct folded_pair) rows; /* by str_id of stacks; row 0 is the empty stack */
	bool has_empty;               /* which is one only where a line said so */
	struct folded_sum total[2];
	uint64_t skipped_count; /* lines that no stack could be made of */
};

struct folded_pairs_options {
	bool strips_hex;    /* 0x12ab becomes 0x... */
	bool cuts_decimals; /* and lines are trimmed: inferno's way */
};

void folded_pairs_init(struct folded_pairs *pairs);
void folded_pairs_deinit(struct folded_pairs *pairs);

/* Adds a file to a side, 0 or 1. */
bool folded_pairs_read(struct folded_pairs *pairs, const char *path, int side,
		       const struct folded_pairs_options *options, struct error *err) WARN_UNUSED;

/* Scales side 0 to the sum of side 1, cut to whole numbers. False: its own sum is 0. */
bool folded_pairs_normalise(struct folded_pairs *pairs) WARN_UNUSED;

#endif
