/* SPDX-License-Identifier: MIT */
/*
 * The table of record types: name, minimum size, and how each becomes an event. Samples are read by
 * sample.h. A type without a decoder is known but unused; a type without a row is counted as
 * unknown.
 */
#ifndef LIBPARSE_PERF_RECORD_H
#define LIBPARSE_PERF_RECORD_H

#include "libparse/perf/perf_reader.h"

struct record_type {
	uint32_t type;
	const char *name; /* as perf script -D has it, without PERF_RECORD_ */
	uint16_t payload_bytes_min;
	/* Decoded here or elsewhere. */
	bool is_used;
	/* Fills event, which already has time and offset. False: corrupt. */
	bool (*decode)(const struct perf_reader *reader, const struct record *record,
		       struct span payload, struct event *event);
};

/* The row of a type, or NULL. */
const struct record_type *record_type_find(uint32_t type);

/* Sends the event of a record that is not a sample, if it has one. */
void record_send(struct perf_reader *reader, const struct record *record,
		 const struct event_sink *sink);

/* Numbers of records by type. */
struct record_counts;

struct record_counts *record_counts_create(void);
void record_counts_destroy(struct record_counts *counts);
void record_counts_add(struct record_counts *counts, uint32_t type, uint64_t several);

/* Sends an event for each type in the input: known ones by number, then others. */
void record_counts_send(const struct record_counts *counts, const struct event_sink *sink);

/* Sends one loss. */
void record_send_loss(const struct event_sink *sink, uint64_t offset, enum loss_kind kind,
		      uint64_t count);

#endif
