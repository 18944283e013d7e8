/* SPDX-License-Identifier: MIT */
/*
 * perf.data: what one open capture knows, and the format's row in the table of formats.
 *
 *     open         header, attrs, ids, features               file.c attr.c features.c
 *     read_state   every record but samples, in file order    walk.c record.c
 *     read_samples the samples of a slice                     walk.c sample.c
 *
 * After read_state nothing in here changes, so slices are read concurrently.
 */
#ifndef LIBPARSE_PERF_PERF_READER_H
#define LIBPARSE_PERF_PERF_READER_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/vec.h"
#include "libparse/formats.h"
#include "libparse/perf/attr.h"
#include "libparse/perf/features.h"
#include "libparse/perf/perf_file.h"
#include "libparse/perf/compressed_records.h"
#include "libparse/perf/readings.h"
#include "libparse/perf/sample.h"
#include "libparse/perf/walk.h"

extern const struct input_format perf_format;

/* One attr of the capture, and how its samples are read. */
struct perf_event {
	struct perf_attr attr;
	struct sample_plan plan;
	struct text name;  /* in the reader's arena; at NULL: not known yet */
	bool is_off_cpu;   /* once it has its name */
	uint64_t first_id; /* by which EVENT_DESC knows it; 0: it has none */
	uint32_t id_count;
	const struct perf_tracepoint *tracepoint; /* its format read; NULL: it is none we know */
};

/* A name by perf before 3.x, which knows the event by its config alone. */
struct perf_event_type {
	uint64_t config;
	struct text name; /* in the reader's arena */
};

struct record_stream {
	uint64_t begin, end;
	uint32_t number; /* of the file; STREAM_OF_HEADER: it is the one with the header */
};

#define STREAM_OF_HEADER UINT32_MAX

struct perf_reader {
	struct perf_file file;
	struct arena arena;
	struct perf_features features;
	uint64_t
		sections_end; /* of all that the header and what it points to say is the capture's */
	bool are_features_cut; /* some are beyond the end of the file */
	VEC(struct perf_event) events;
	struct idmap ids; /* that the kernel gave to one event on one CPU or task, to the event */
	VEC(struct perf_event_type) event_types;
	struct idmap event_types_by_config;
	struct record_counts *counts;
	/* Where records are in the input: the data section, then each file beside the first. */
	VEC(struct record_stream) streams;
	uint64_t ring_count; /* how many buffers were recorded from, as far as that is known */
	bool has_readings;   /* samples of some event carry them */
	struct readings readings;
	struct compressed_records *compressed; /* NULL: no record is compressed */
	uint64_t decompressed_slice_begin;
	/* Word of a sample and of a trailer that holds the id, the same for all attrs (else
	 * WORD_ABSENT: then samples of several events cannot be told apart). */
	uint8_t sample_id_word, trailer_id_word;
	bool are_ids_ambiguous;
};

/* No event of this capture has the id. */
#define PERF_EVENT_NONE UINT32_MAX

/* The event an id belongs to; id 0, which synthesized records carry, is the first. reader->ids
 * are sorted. */
uint32_t perf_reader_find_event(const struct perf_reader *reader, uint64_t id);

/* The event a sample with this payload is of, or PERF_EVENT_NONE. */
uint32_t perf_reader_event_of_sample(const struct perf_reader *reader, struct span payload);

/* Keeps the name in a row of the old table of event types: config, name. False: it is damaged. */
bool perf_reader_add_event_type(struct perf_reader *reader, struct span row);

/*
 * Reads a section into memory: what is there of it. The caller frees *memory_ret. False when it
 * lies outside the file, is larger than cap_bytes, or cannot be read.
 */
bool perf_reader_load_section(const struct capture *capture, struct perf_section section,
			      uint64_t cap_bytes, unsigned char **memory_ret, struct span *ret,
			      struct error *err) WARN_UNUSED;

/* Adds an event and its ids (span of 64-bit ids). False: more than LIMIT_ATTRS or _EVENT_IDS. */
bool perf_reader_add_event(struct perf_reader *reader, const struct perf_attr *attr,
			   struct span ids, struct error *err) WARN_UNUSED;

#endif
