/* SPDX-License-Identifier: MIT */
/*
 * Implements difffolded.pl and inferno-diff-folded, which write the stacks of two folded files with
 * both counts.
 *
 *     before: a;b 3    a;c 1   ─┬─▶   a;b 3 5
 *     after:  a;b 5            ─┘     a;c 1 0
 */
#ifndef COMPAT_DIFFFOLDED_H
#define COMPAT_DIFFFOLDED_H

#include "base/error.h"
#include "base/strings.h"

/* A number as in Perl: an integer as long as it fits in 64 bits, otherwise floating point. */
struct difffolded_sum {
	uint64_t whole;
	double real;
	bool is_real;
};

struct difffolded_row {
	struct difffolded_sum side[2];
};

struct difffolded {
	struct strings stacks;
	VEC(struct difffolded_row) rows; /* by str_id of stacks */
	bool has_empty;                  /* row 0, the empty stack, occurs in an input */
	struct difffolded_sum total[2];
	uint64_t skipped_count; /* malformed lines */
};

struct difffolded_options {
	bool strips_hex;    /* 0x12ab becomes 0x... */
	bool cuts_decimals; /* drop decimals and trim lines, as inferno does */
};

void difffolded_init(struct difffolded *diff);
void difffolded_deinit(struct difffolded *diff);

/* Adds a file to a side, 0 or 1. */
bool difffolded_read(struct difffolded *diff, const char *path, int side,
		     const struct difffolded_options *options, struct error *err) WARN_UNUSED;

/* Scales side 0 to the total of side 1, rounded down. Returns false if the total of side 0 is 0. */
bool difffolded_normalise(struct difffolded *diff) WARN_UNUSED;

#endif
