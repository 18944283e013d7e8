/* SPDX-License-Identifier: MIT */
/*
 * What was put behind a capture, as by "cat a.data b.data": it is not read, and that is said.
 *
 *     file    | header | attrs | data | features |  | header ...          the end of all sections tells
 *     piped   | header | record | record | record |  | header | record ... where a record should be
 */
#ifndef LIBPARSE_PERF_TRAILING_H
#define LIBPARSE_PERF_TRAILING_H

#include "libparse/perf/perf_reader.h"

/* Whether another capture begins at this offset. */
bool trailing_capture_begins(const struct capture *capture, uint64_t offset);

/* Sets the error that says so. Always false. */
bool trailing_capture_refuse(uint64_t offset, struct error *err);

/* Notes in the capture what is behind all its sections, and sends its bytes as a loss. */
void trailing_check(struct capture *capture, const struct event_sink *sink);

#endif
