/* SPDX-License-Identifier: MIT */
/*
 * Event logs: tables with a row for each event, printed by the snoop tools of BCC and bpftrace, or
 * in CSV and TSV files. The heading names the columns:
 *
 *     TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)
 *     0.000004    kworker/u8:1   1950    xvda1     W 13092560   4096      0.74
 *     0.000178    my daemon      1951    xvda1     W 13092432   4096      0.61
 *
 * Thread names and the last column can contain blanks. Neighbouring columns with numbers show where
 * a name begins and ends.
 */
#ifndef LIBPARSE_LOG_LOG_HEADING_H
#define LIBPARSE_LOG_LOG_HEADING_H

#include "base/strings.h"

/*
 * Maximum number of columns of a log; tables with more columns are not read. Tools print about a dozen
 * columns.
 */
#define LIMIT_LOG_COLUMNS 64u

struct log_column {
	struct text name; /* "LAT(ms)"; borrowed from the heading */
	struct text base; /* without the unit: "LAT" */
	uint64_t unit_ns; /* unit of a duration or time; 0 if not a unit of time */
	bool is_number;   /* the name implies that all cells are numbers */
	bool is_latency;  /* the name implies that all cells are durations */
	bool is_comm;     /* the name of a thread, which may contain blanks */
	bool is_time;     /* when the event of the row happened */
};

struct log_heading {
	char separator; /* ',' or a tab; ' ' for any number of blanks */
	struct log_column columns[LIMIT_LOG_COLUMNS];
	uint32_t count;
};

/*
 * Parses a heading, which has at least two names. No name may begin with a digit. next: the line
 * below, which must be a row with at least one number.
 */
bool log_heading_parse(struct text line, struct text next, struct log_heading *ret);

/*
 * Splits a row. Returns false if the line is not a row. cells: one for each column; borrowed from
 * the line.
 */
bool log_heading_split(const struct log_heading *heading, struct text line, struct text *cells);

/*
 * How a name matches a column: the whole name, the name without its unit, or its beginning. Case is
 * ignored.
 */
enum log_name_match {
	LOG_NAME_DIFFERS,
	LOG_NAME_BEGINS,
	LOG_NAME_LACKS_UNIT,
	LOG_NAME_EQUALS,
} log_column_match(const struct log_column *column, struct text name);

#endif
