/* SPDX-License-Identifier: MIT */
/*
 * The text of one entry of a map, as bpftrace prints it:
 *
 *     @[bash,                    a word, and a stack begins
 *         vfs_read+145
 *         ksys_read+103
 *     ,                          it ends, and the next begins
 *         read+14
 *     , 7]: 12                   it ends, a word, the value
 *
 *     @us[bash]:                 rows of a histogram, maybe behind empty lines
 *     [2, 4)        3 |@@@ |
 *
 * Source: src/output.cpp and src/ast/... of bpftrace, from 0.9 to 0.24.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_TEXT_H
#define LIBPARSE_BPFTRACE_BPFTRACE_TEXT_H

#include "libparse/bpftrace/bpftrace_entry.h"
#include "libparse/text.h"

/* Whether a line begins an entry: "@name[" or "@name:". No line inside of one does. */
bool bpftrace_text_begins(struct text line);

enum bpftrace_progress {
	BPFTRACE_COMPLETE,
	BPFTRACE_BROKEN, /* it does not continue like an entry; *at is behind its lines so far */
	BPFTRACE_INCOMPLETE, /* the entry continues behind the window */
};

/* Reads the entry that begins with line; its other lines follow *at. Counts lines in between that do not belong to
 * it. */
enum bpftrace_progress bpftrace_text_read(struct bpftrace_entry *entry, struct text line,
					  const struct text_window *window, const char **at,
					  struct text_skips *skips);

#endif
