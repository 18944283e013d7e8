/* SPDX-License-Identifier: MIT */
/*
 * Bytes after the end of a capture, for example from "cat a.data b.data". Such bytes are reported
 * and ignored.
 *
 *     file    | header | attrs | data | features |  | header ...            after the end of all sections
 *     pipe    | header | record | record | record |  | header | record ...  in place of a record
 */
#ifndef LIBPARSE_PERF_TRAILING_H
#define LIBPARSE_PERF_TRAILING_H

#include "libparse/perf/perf_reader.h"

/* Whether another capture begins at this offset. */
bool trailing_capture_begins(const struct capture *capture, uint64_t offset);

/* Sets the error for an appended capture. Always returns false. */
bool trailing_capture_refuse(uint64_t offset, struct error *err);

/*
 * If bytes other than zero padding follow the sections of a capture, marks it partial, and sends
 * the bytes as LOSS_TRAILING_BYTES.
 */
void trailing_check(struct capture *capture, const struct event_sink *sink);

#endif
