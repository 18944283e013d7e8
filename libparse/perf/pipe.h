/* SPDX-License-Identifier: MIT */
/*
 * Records that carry what a file has in its header. A pipe has nothing else, so they come first
 * there, but files may hold some of them too:
 *
 *     | 16 byte header | ATTR ... | FEATURE ... | EVENT_UPDATE | TRACING_DATA + bytes | ... |
 *
 * Source: perf.data-file-format.txt of the Linux kernel, "PERF_RECORD_HEADER_*".
 */
#ifndef LIBPARSE_PERF_PIPE_H
#define LIBPARSE_PERF_PIPE_H

#include "libparse/perf/perf_reader.h"

/*
 * Takes the record if it is one of these, and tells what it has to tell. False, with err, only when
 * a limit is reached or reading fails; what is damaged is a loss event.
 */
bool pipe_take(struct capture *capture, const struct record *record, const struct event_sink *sink,
	       struct error *err) WARN_UNUSED;

#endif
