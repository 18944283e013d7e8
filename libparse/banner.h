/* SPDX-License-Identifier: MIT */
/*
 * Lines that tracing tools print around their data. These lines contain no data, so they are
 * skipped without being counted.
 */
#ifndef LIBPARSE_BANNER_H
#define LIBPARSE_BANNER_H

#include "base/strings.h"

/*
 * Whether the line is a banner: "Tracing block device I/O... Hit Ctrl-C to end.", "^C", a time, or
 * an empty line.
 */
bool banner_is(struct text line);

/* Removes "^C", which a terminal shows in front of the next line if a user ends the recording. */
struct text banner_drop_interrupt(struct text line);

/*
 * Reads the next line like text_next_line, without "^C". Skips lines that consist only of "^C",
 * because a stack or table may continue after such a line. If this returns false, *at is behind
 * these lines. Between records, the window must begin there: otherwise, it would grow, and all these
 * lines would be read again.
 */
bool banner_next_line(const char **at, const char *end, bool is_last, struct text *ret);

/* Whether the line is a time of day before an interval: "02:16:40", "02:16:40:" or "[02:16:40]". */
bool banner_is_time(struct text line);

/* Whether the line begins with a time of day. */
bool banner_begins_with_time(struct text line);

#endif
