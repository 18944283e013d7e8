/* SPDX-License-Identifier: MIT */
/*
 * Reads samples one after another, and sends them to a sink. Samples are often of the same few
 * events, so the reader remembers the events of ids, and whether the sink wants them:
 *
 *     record ─ id ─▶ recent: event 3 ─▶ plan of event 3 ─▶ struct event, reused ─▶ sink
 *                            skipped
 */
#ifndef LIBPARSE_PERF_SAMPLE_READER_H
#define LIBPARSE_PERF_SAMPLE_READER_H

#include "libparse/perf/perf_reader.h"
#include "libparse/perf/sample.h"
#include "libparse/perf/walk.h"

#define SAMPLE_READER_RECENT 64u

struct sample_reader {
	const struct perf_reader *reader;
	const struct event_sink *sink;
	struct sample_buffers buffers;
	struct event event;     /* the last sample */
	uint64_t field_types;   /* sample types whose fields in the event may not be 0 */
	size_t id_at;           /* byte offset of the id in samples; SIZE_MAX if no id is used */
	uint32_t event_without; /* the event of all samples if no id is used */
	/* The latest id with the same lowest bits. */
	struct {
		uint64_t id;
		uint32_t event;
	} recent[SAMPLE_READER_RECENT];
};

/*
 * The events of `reader`, and the sink, are borrowed, and must not change, except for the names of
 * events.
 */
void sample_reader_init(struct sample_reader *samples, const struct perf_reader *reader,
			const struct event_sink *sink);
void sample_reader_deinit(struct sample_reader *samples);

/*
 * Sends the sample in a record of type RECORD_SAMPLE, or the loss of a sample that cannot be read.
 * Samples that the sink does not want are skipped.
 */
void sample_reader_read(struct sample_reader *samples, const struct record *record);

#endif
