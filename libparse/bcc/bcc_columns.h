/* SPDX-License-Identifier: MIT */
/*
 * The columns of a table that counts by key, as BCC's tools print them, and its rows:
 *
 *     SYSCALL      COUNT   TIME (us)         PID    COMM      COUNT         COUNT      EVENT
 *     futex           16 3415860.022         4711   app x         3         3          size = 16
 *     key          count         sum         id     key       count         count      key
 *
 * Only tables with a known header are read. The weight is the column of time or bytes, else the count.
 */
#ifndef LIBPARSE_BCC_BCC_COLUMNS_H
#define LIBPARSE_BCC_BCC_COLUMNS_H

#include "libparse/event.h"

#define BCC_COLUMNS_MAX 8
#define BCC_IDS_MAX     2

struct bcc_column;

struct bcc_columns {
	const struct bcc_column *at[BCC_COLUMNS_MAX];
	uint32_t count;
	uint32_t key;      /* which of them is the key: all others are one word */
	bool has_section;  /* the line before the header names the table */
	struct text event; /* what the table counts */
	enum weight_unit unit;
};

struct bcc_row {
	struct text key;
	struct text
		ids[BCC_IDS_MAX]; /* numbers of processes and threads, which are parts of the key */
	uint32_t id_count;
	uint64_t sample_count, weight;
};

/* False: the line is not a known header. */
bool bcc_columns_parse(struct text line, struct bcc_columns *ret);

/* False: the line is not a row of the table. */
bool bcc_columns_read(const struct bcc_columns *columns, struct text line, struct bcc_row *ret);

#endif
