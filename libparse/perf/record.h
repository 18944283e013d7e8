/* SPDX-License-Identifier: MIT */
/*
 * The table of record types: name, minimum size, and the decoder that converts a record to an
 * event. Samples are read by sample.h. A type without a decoder is unused, or read elsewhere. A
 * type without a row counts as unknown.
 */
#ifndef LIBPARSE_PERF_RECORD_H
#define LIBPARSE_PERF_RECORD_H

#include "libparse/perf/perf_reader.h"

struct record_type {
	uint32_t type;
	const char *name; /* as in perf script -D, without PERF_RECORD_ */
	uint16_t payload_bytes_min;
	/* kiln uses records of this type, whether this table decodes them or not. */
	bool is_used;
	/*
	 * Fills event, in which time and offset are already set. Returns false if the record is
	 * corrupt.
	 */
	bool (*decode)(const struct perf_reader *reader, const struct record *record,
		       struct span payload, struct event *event);
};

/* The row of a record type, or NULL. */
const struct record_type *record_type_find(uint32_t type);

/* Sends the event of a record that is not a sample, if there is one. */
void record_send(struct perf_reader *reader, const struct record *record,
		 const struct event_sink *sink);

/* Numbers of records by type. */
struct record_counts;

struct record_counts *record_counts_create(void);
void record_counts_destroy(struct record_counts *counts);
void record_counts_add(struct record_counts *counts, uint32_t type, uint64_t several);

/* Sends the count of each record type in the input: known types by number, then unknown ones. */
void record_counts_send(const struct record_counts *counts, const struct event_sink *sink);

void record_send_loss(const struct event_sink *sink, uint64_t offset, enum loss_kind kind,
		      uint64_t count);

#endif
