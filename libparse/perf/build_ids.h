/* SPDX-License-Identifier: MIT */
/*
 * Which build of a file was mapped: the entries of the BUILD_ID feature, and the same as records.
 *
 *     0               8     12            32     33        36
 *     | record header | pid | build_id[20] | size | 3 spare | file name, NUL, padding | next ...
 *
 * Source: struct perf_record_header_build_id in tools/lib/perf/include/perf/event.h of the Linux
 * kernel, and what its perf does to read its own older tables.
 */
#ifndef LIBPARSE_PERF_BUILD_IDS_H
#define LIBPARSE_PERF_BUILD_IDS_H

#include "libparse/event.h"

/*
 * Sends an EVENT_BUILD_ID for each entry that has an id. False when an entry does not fit; those
 * before it were sent.
 */
bool perf_build_ids_read(struct span section, const struct event_sink *sink);

/* Reads one RECORD_HEADER_BUILD_ID: the record's misc, and its bytes behind the header. */
bool perf_build_id_read(uint16_t misc, struct span payload, struct event_build_id *ret);

#endif
