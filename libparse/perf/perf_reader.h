/* SPDX-License-Identifier: MIT */
/*
 * The perf.data format: the state of an open capture, shared by the sources in this directory.
 *
 *     open           header, attrs, ids               perf_file.c attr.c
 *     read_state     features; all records but        features.c state_pass.c record.c
 *                    samples, in file order
 *     read_samples   the samples of a slice           sample_pass.c sample.c
 *
 * After read_state, the state is constant, so slices can be read in parallel.
 */
#ifndef LIBPARSE_PERF_PERF_READER_H
#define LIBPARSE_PERF_PERF_READER_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/vec.h"
#include "libparse/formats.h"
#include "libparse/perf/attr.h"
#include "libparse/perf/compressed_records.h"
#include "libparse/perf/features.h"
#include "libparse/perf/perf_file.h"
#include "libparse/perf/readings.h"
#include "libparse/perf/sample.h"
#include "libparse/perf/walk.h"

/*
 * Maximum number of events in a capture. perf writes one attr for each event, and refuses thousands
 * of events.
 */
#define LIMIT_ATTRS 65536u
/* Maximum number of event ids: enough for 1000 events on 1024 CPUs. */
#define LIMIT_EVENT_IDS (1u << 20)

extern const struct input_format perf_format;

/* One attr of the capture, and how its samples are read. */
struct perf_event {
	struct perf_attr attr;
	struct sample_plan plan;
	struct text name;  /* in the reader's arena; .at is NULL if not known yet */
	bool is_off_cpu;   /* set as soon as the name is known */
	uint64_t first_id; /* used to find the event in EVENT_DESC; 0 if none */
	uint32_t id_count;
	const struct perf_tracepoint
		*tracepoint; /* Its format is parsed. NULL if unknown, or not a tracepoint. */
};

/* The name of an event as perf before 3.x recorded it: by config only. */
struct perf_event_type {
	uint64_t config;
	struct text name; /* in the reader's arena */
};

struct record_stream {
	uint64_t begin, end;
	uint32_t number; /* the N in data.N; STREAM_OF_HEADER: the main file */
};

#define STREAM_OF_HEADER UINT32_MAX

struct perf_reader {
	struct perf_file file;
	struct arena arena;
	struct perf_features features;
	uint64_t sections_end; /* offset at which the last section ends */
	bool are_features_cut; /* the file ends before the features */
	VEC(struct perf_event) events;
	struct idmap ids; /* sample id (one for each event and CPU or task) to index of the event */
	VEC(struct perf_event_type) event_types;
	struct idmap event_types_by_config;
	struct record_counts *counts;
	/* Byte ranges of the input with records: the data section, then data.N. */
	VEC(struct record_stream) streams;
	uint64_t ring_count; /* highest ring buffer number in ID_INDEX, plus 1; 0 if unknown */
	bool has_readings;   /* at least one event has PERF_SAMPLE_READ */
	struct readings readings;
	struct compressed_records *compressed; /* NULL if no record is compressed */
	uint64_t decompressed_slice_begin;
	/*
	 * Position of the id word in samples and, counted from the end, in trailers. WORD_ABSENT:
	 * there is no id or, in trailers, its position is not the same for all attrs.
	 */
	uint8_t sample_id_word, trailer_id_word;
	bool are_ids_ambiguous; /* in samples, the position is not the same for all attrs */
	/*
	 * The first pass sends samples to capture->early. Cleared when a record changes the attrs.
	 */
	bool sends_early;
	/* In a pipe: attrs before this offset were read in advance, because they come last. */
	uint64_t early_attrs_end;
};

/* Result if no event has the id. */
#define PERF_EVENT_NONE UINT32_MAX

/*
 * Index of the event with this id, or PERF_EVENT_NONE. Synthesized records have id 0, which means
 * the first event. reader->ids must be sorted.
 */
uint32_t perf_reader_find_event(const struct perf_reader *reader, uint64_t id);

/*
 * Returns the byte offset of the id in samples. SIZE_MAX if ids are not used, because all samples
 * belong to the event *event_ret, or to no event that is known (PERF_EVENT_NONE).
 */
size_t perf_reader_sample_id_at(const struct perf_reader *reader, uint32_t *event_ret);

/* The event of a sample, or PERF_EVENT_NONE. */
uint32_t perf_reader_event_of_sample(const struct perf_reader *reader, const struct span *payload);

/* Adds a (config, name) row of the old event type table. Returns false if it is corrupt. */
bool perf_reader_add_event_type(struct perf_reader *reader, struct span row);

/*
 * Reads a section into *memory_ret, which the caller frees. False if it lies outside the file,
 * exceeds cap_bytes, or cannot be read.
 */
bool perf_reader_load_section(const struct capture *capture, struct perf_section section,
			      uint64_t cap_bytes, unsigned char **memory_ret, struct span *ret,
			      struct error *err) WARN_UNUSED;

/* Adds an event and its 64-bit ids. False, with err: LIMIT_ATTRS or LIMIT_EVENT_IDS is exceeded. */
bool perf_reader_add_event(struct perf_reader *reader, const struct perf_attr *attr,
			   struct span ids, struct error *err) WARN_UNUSED;

/*
 * Reads a record with data that a file normally has in its header (header_records.c). A pipe begins
 * with such records; a file may also contain some:
 *
 *     | 16-byte header | ATTR ... | FEATURE ... | EVENT_UPDATE | TRACING_DATA + bytes | ... |
 *
 * Returns false with err if a limit is exceeded, reading fails, or an attr is corrupt. Other
 * corrupt records are sent as losses. Source: perf.data-file-format.txt of the Linux kernel,
 * "PERF_RECORD_HEADER_*".
 */
bool header_record_read(struct capture *capture, const struct record *record,
			const struct event_sink *sink, struct error *err) WARN_UNUSED;

/*
 * The first pass over the records (state_pass.c). Sends everything except samples as events,
 * decompresses compressed records into the spool, and divides both into slices for the second pass:
 *
 *     offsets   0 ............. size of the input | size ............ + size of the spool
 *               records of the file                 the decompressed records
 *
 * Fills capture->slices. False only if reading fails or a limit is exceeded. If the next record
 * cannot be found, or compressed data is corrupt, the stream ends; this is sent as a loss and
 * described in capture->damage. Other corrupt records are only counted as losses.
 */
bool state_pass_run(struct capture *capture, const struct event_sink *sink,
		    struct error *err) WARN_UNUSED;

/*
 * The second pass (sample_pass.c): sends the samples of a slice. Any thread may call it. False:
 * reading failed, or the slice has changed since the first pass.
 */
bool sample_pass_run(const struct capture *capture, struct slice slice,
		     const struct event_sink *sink, struct error *err) WARN_UNUSED;

#endif
