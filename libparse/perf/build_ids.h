/* SPDX-License-Identifier: MIT */
/*
 * Build-ids of mapped files: entries of the BUILD_ID feature, or records with the same layout.
 *
 *     0               8     12            32     33        36
 *     | record header | pid | build_id[20] | size | 3 spare | file name, NUL, padding | next ...
 *
 * Source: struct perf_record_header_build_id in tools/lib/perf/include/perf/event.h of the Linux
 * kernel.
 */
#ifndef LIBPARSE_PERF_BUILD_IDS_H
#define LIBPARSE_PERF_BUILD_IDS_H

#include "libparse/event.h"

/* Sends an EVENT_BUILD_ID for each entry. Returns false at the first corrupt entry. */
bool perf_build_ids_read(struct span section, const struct event_sink *sink);

/* Reads a RECORD_HEADER_BUILD_ID, given the record's misc and payload. */
bool perf_build_id_read(uint16_t misc, struct span payload, struct event_build_id *ret);

#endif
