/* SPDX-License-Identifier: MIT */
/*
 * What changed, function by function, as a table for a terminal; render/diff/diff_markdown.h has one for a review:
 *
 *     #   self   before    after   total   before    after        p           interval verdict  function
 *        +2.04   30.00%   32.04%   +2.04   30.00%   32.04%  0.00041*    [+0.42, +3.66] more     parse_header
 */
#ifndef RENDER_DIFF_DIFF_TABLE_H
#define RENDER_DIFF_DIFF_TABLE_H

#include "base/sink.h"
#include "diff/diff.h"
#include "render/short_name.h"

/* Rows when it is not said how many. */
#define DIFF_TABLE_ROWS 20

/* limit 0: DIFF_TABLE_ROWS. */
void diff_table_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/* The names of all functions, as tables have them; the caller has them deinitialised. */
void diff_names_init(struct short_names *names, const struct diff *diff);

/* "12,345 samples, 12.3 s" */
void diff_side_write(const struct diff *diff, enum diff_side side, struct sink *sink);

/* "normalised by total: each side is 100%; changes at 99% confidence" */
void diff_terms_write(const struct diff *diff, struct sink *sink);

/* What noise is taken for: "noise by block of time" */
void diff_noise_write(const struct diff *diff, struct sink *sink);

/* "[+9.82, +16.40]", with so many digits behind the point. */
void diff_interval_write(const struct diff_interval *interval, int digits, struct sink *sink);

/* "more", "unchanged within ±0.5", "uncertain, needs 9 runs" */
void diff_verdict_write(const struct diff *diff, const struct diff_function *function,
			struct sink *sink);

/* What flame graphs among the inputs do not show, and what that means; nothing where there is none. */
void diff_missing_write(const struct diff *diff, const char *separator, struct sink *sink);

/* "+12.3%", "new", "gone" */
void diff_percent_write(const struct diff *diff, const struct diff_measure *measure,
			struct sink *sink);

/* The share of after's total that this is, or that before's comes to. */
void diff_share_write(const struct diff *diff, const struct diff_measure *measure,
		      enum diff_side side, unsigned width, struct sink *sink);

#endif
