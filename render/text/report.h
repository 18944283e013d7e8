/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile as a table of symbols, or of tuples of column values. self is the weight of
 * samples with the symbol as leaf. total is the weight of samples with the symbol anywhere in the
 * stack; with recursion, a sample still counts once.
 */
#ifndef RENDER_TEXT_REPORT_H
#define RENDER_TEXT_REPORT_H

#include "base/sink.h"
#include "profile/grouping.h"
#include "profile/profile.h"

/* Which rows come first. */
enum report_order {
	REPORT_SELF_FIRST,
	REPORT_TOTAL_FIRST,
};

struct report_options {
	const struct grouping *columns; /* the profile is grouped by the sample columns */
	bool is_json;
	uint64_t limit; /* maximum number of rows; 0: all */
	enum report_order order;
	double least_percent; /* omit rows with a smaller share of the value they are sorted by */
};

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink);

#endif
