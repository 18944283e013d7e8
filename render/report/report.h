/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile as a table of symbols, or of tuples of column values. self is the weight of
 * samples with the symbol as leaf. total is the weight of samples with the symbol anywhere in the
 * stack; with recursion, a sample still counts once.
 */
#ifndef RENDER_REPORT_REPORT_H
#define RENDER_REPORT_REPORT_H

#include "base/error.h"
#include "render/table/table.h"
#include "render/report/report_rows.h"

/* The columns in addition to shares. CSV and JSON always have weights, too. */
struct report_shown {
	bool weights, samples;
	bool omits_totals; /* all columns show only self weights */
	bool intervals;    /* confidence intervals of self shares, for independent samples */
};

/* Parses "weight,samples,interval". The error names --show. */
bool report_shown_parse(const char *text, struct report_shown *ret, struct error *err) WARN_UNUSED;

struct report_options {
	const struct grouping *columns; /* the profile is grouped by the sample columns */
	enum table_format format;
	struct report_shown shown; /* samples and intervals require profile->keeps_sample_counts */
	uint64_t limit;            /* maximum number of rows; 0 means all */
	enum report_order order;
	bool assumes_samples; /* outlier_table.h: without sample counts, use weights */
	double least_percent; /* omit rows with a smaller share: of total if sorted by it, else of self */
	bool names_rows; /* for limits (--fail-if): name the rows, and always add their sum */
};

/* The caller frees the table, then its rows. */
void report_make(const struct profile *profile, const struct report_options *options,
		 struct report_rows *rows, struct table *ret);

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink);

#endif
