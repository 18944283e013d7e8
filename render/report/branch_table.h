/* SPDX-License-Identifier: MIT */
/*
 * Makes a table of recorded branches (annotate/branch_stats.h):
 *
 *     # 29,400 branches in 1,856 samples, 1,716 mispredicted
 *     #  share  taken  mispredicted  rate  cycles  from         to
 *       12.34%  3,628           112  3.1%    14.2  parse_value  scan_string
 */
#ifndef RENDER_REPORT_BRANCH_TABLE_H
#define RENDER_REPORT_BRANCH_TABLE_H

#include "base/error.h"
#include "annotate/branch_stats.h"
#include "profile/profile.h"
#include "render/table/table.h"

/* The content of a row. */
enum branch_by {
	BRANCH_BY_FUNCTION, /* branches from one function to another, or within a function */
	BRANCH_BY_FROM,     /* branches of a function */
	BRANCH_BY_TO,       /* branches into a function */
	BRANCH_BY_LINE,     /* branches from one source line to another */
	BRANCH_BY_BLOCK,    /* a basic block */
};

/* Parses the name of a kind of row; "" means the first kind. */
bool branch_by_parse(const char *name, enum branch_by *ret, struct error *err) WARN_UNUSED;

struct branch_table_options {
	enum table_format format;
	enum branch_by by;
	const struct frame_naming *naming;
	double least_percent; /* rows with a smaller share are omitted */
	uint64_t limit;       /* of rows; 0 means all */
	bool names_rows;      /* for limits (--fail-if): name the rows, and add their sum */
};

/* The caller frees the table. */
void branch_table_make(const struct branch_stats *stats, const struct profile *profile,
		       const struct locations *locations,
		       const struct branch_table_options *options, struct table *ret);

#endif
