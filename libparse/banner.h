/* SPDX-License-Identifier: MIT */
/* Lines that tracing tools print around what they measured: no part of it, and nothing is missing without them. */
#ifndef LIBPARSE_BANNER_H
#define LIBPARSE_BANNER_H

#include "base/strings.h"

/* "Tracing block device I/O... Hit Ctrl-C to end.", "^C", a time, or nothing. */
bool banner_is(struct text line);

/* A time of day above an interval: "02:16:40", "02:16:40:" or "[02:16:40]". */
bool banner_is_time(struct text line);

/* Whether a time of day is at the beginning, whatever is behind it. */
bool banner_begins_with_time(struct text line);

#endif
