/* SPDX-License-Identifier: MIT */
/*
 * A profile as a table: self (samples that ended there) and total (samples that passed through,
 * counted once however often they did) for each symbol, or for each tuple of what its columns show.
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
	const struct grouping *columns; /* the profile is grouped by those that are of samples */
	bool is_json;
	uint64_t limit; /* rows at most; 0: all */
	enum report_order order;
	double least_percent; /* rows with less of what they are ordered by are left out */
};

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink);

#endif
