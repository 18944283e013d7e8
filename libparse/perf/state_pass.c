/* SPDX-License-Identifier: MIT */
#include "libparse/perf/compressed_records.h"
#include "libparse/perf/perf_reader.h"

#include "base/memory.h"
#include "base/workers.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/lookahead.h"
#include "libparse/perf/readings.h"
#include "libparse/perf/record.h"
#include "libparse/perf/sample_reader.h"
#include "libparse/perf/trailing.h"

/*
 * A walk by one thread takes this much of a stream at least. For less, starting a thread takes
 * longer than it saves.
 */
#define WALK_BYTES_MIN ((uint64_t)4 << 20)

struct state_pass {
	struct capture *capture;
	struct perf_reader *reader;
	const struct event_sink *sink;
	struct error *err;
	const struct record_stream *stream; /* being read */
	uint64_t slice_begin;
	uint64_t slice_sample_count;
	/* The readers of early samples, one for each thread; NULL if samples are not sent. */
	struct sample_reader *samples;
};

/* Corruption in a data.N file is reported with that file's name and offset. */
static void note_damage(struct state_pass *pass, const struct error *damage, enum loss_kind kind,
			uint64_t lost_bytes)
{
	struct capture *capture = pass->capture;

	if (!capture->is_partial) {
		capture->damage = *damage;
		if (pass->stream->number != STREAM_OF_HEADER) {
			error_prefix(&capture->damage, DIRECTORY_HEADER_NAME ".%u",
				     (unsigned)pass->stream->number);
			capture->damage.offset -= pass->stream->begin;
		}
	}
	capture->is_partial = true;
	record_send_loss(pass->sink, damage->offset, kind, lost_bytes);
}

/* Begins a new slice at offset, unless the current slice is empty. */
static void cut_slice(struct state_pass *pass, uint64_t offset)
{
	if (offset == pass->slice_begin)
		return;
	vec_push(&pass->capture->slices,
		 (struct slice){ pass->slice_begin, offset, pass->slice_sample_count });
	pass->slice_begin = offset;
	pass->slice_sample_count = 0;
}

/* Begins a new slice at offset if the current slice is long enough. */
static inline void cut_long_slice(struct state_pass *pass, uint64_t offset)
{
	if (UNLIKELY(offset - pass->slice_begin >= SLICE_BYTES))
		cut_slice(pass, offset);
}

/*
 * Samples are left to the second pass, except for early samples, and for those that depend on
 * earlier samples.
 */
static void read_sample(struct state_pass *pass, const struct record *record)
{
	pass->slice_sample_count++;
	if (pass->samples && pass->reader->sends_early)
		sample_reader_read(&pass->samples[0], record);
	if (!pass->reader->has_readings)
		return;
	idmap_sort(&pass->reader->ids);
	readings_add(pass->reader, record, pass->sink);
}

static bool read_decompressed(void *context, struct span records, struct error *err)
{
	struct state_pass *pass = context;
	uint64_t base = pass->capture->input.size_bytes;

	while (span_left(&records)) {
		struct record record = {
			.type = span_load_u32(records.at, records.swapped),
			.misc = span_load_u16(records.at + 4, records.swapped),
			.size = span_load_u16(records.at + 6, records.swapped),
			.offset = base + span_offset(&records),
			.bytes = records.at,
		};

		cut_long_slice(pass, record.offset);
		if (record.type == RECORD_SAMPLE) {
			read_sample(pass, &record);
		} else {
			record_counts_add(pass->reader->counts, record.type, 1);
			record_send(pass->reader, &record, pass->sink);
		}
		records.at += record.size;
	}
	return event_sink_check_memory(pass->sink, err);
}

/*
 * The compressed bytes of a record. A COMPRESSED2 record is padded, so it states the size of its
 * compressed bytes.
 */
static bool compressed_bytes(const struct record *record, bool swapped, struct span *ret)
{
	struct span payload = record_payload(record, swapped);
	uint64_t size_bytes;

	*ret = payload;
	return record->type == RECORD_COMPRESSED ||
	       (span_u64(&payload, &size_bytes) && span_sub(&payload, size_bytes, ret));
}

static bool read_compressed(struct state_pass *pass, const struct record *record)
{
	struct perf_reader *reader = pass->reader;
	struct span bytes;
	uint64_t slice_begin = pass->slice_begin;
	bool good;

	if (!reader->compressed) {
		reader->compressed = compressed_records_create(
			reader->file.swapped, pass->capture->input.space, pass->err);
		reader->decompressed_slice_begin = pass->capture->input.size_bytes;
		if (!reader->compressed)
			return false;
	}
	if (!compressed_bytes(record, reader->file.swapped, &bytes))
		return error_set_at(pass->err, ERROR_CORRUPT, record->offset,
				    "a compressed record is shorter than the size it states");
	pass->slice_begin = reader->decompressed_slice_begin;
	good = compressed_records_read(reader->compressed, bytes, read_decompressed, pass,
				       pass->err);
	reader->decompressed_slice_begin = pass->slice_begin;
	pass->slice_begin = slice_begin;
	return good;
}

static void read_state(struct state_pass *pass, const struct record *record)
{
	record_counts_add(pass->reader->counts, record->type, 1);
	idmap_sort(&pass->reader->ids);
	if (record->type == RECORD_ID_INDEX)
		data_files_note_index(pass->reader,
				      record_payload(record, pass->reader->file.swapped));
	record_send(pass->reader, record, pass->sink);
}

/* Reads a record that is neither a sample nor compressed. */
static bool read_other(struct state_pass *pass, const struct record *record)
{
	read_state(pass, record);
	return event_sink_check_memory(pass->sink, pass->err) &&
	       header_record_read(pass->capture, record, pass->sink, pass->err);
}

static bool is_compressed(const struct record *record)
{
	return record->type == RECORD_COMPRESSED || record->type == RECORD_COMPRESSED2;
}

static bool read_record(struct state_pass *pass, const struct record *record)
{
	/* Valid record types are small. A large type may be the magic of an appended capture. */
	if (record->type > UINT16_MAX && trailing_capture_begins(pass->capture, record->offset))
		return trailing_capture_refuse(record->offset, pass->err);
	cut_long_slice(pass, record->offset);
	if (record->type == RECORD_SAMPLE) {
		read_sample(pass, record);
		return true;
	}
	if (is_compressed(record)) {
		record_counts_add(pass->reader->counts, record->type, 1);
		idmap_sort(&pass->reader->ids);
		return read_compressed(pass, record);
	}
	return read_other(pass, record);
}

/* Compressed data does not continue in the next stream. */
static void end_compressed(struct state_pass *pass, uint64_t offset)
{
	struct compressed_records *compressed = pass->reader->compressed;
	uint64_t left_bytes = compressed ? compressed_records_left_bytes(compressed) : 0;
	struct error damage;

	if (!compressed)
		return;
	if (left_bytes) {
		error_set_at(&damage, ERROR_CORRUPT, offset,
			     "the compressed data ends in the middle of a record");
		note_damage(pass, &damage, LOSS_TRUNCATED_BYTES, left_bytes);
	}
	compressed_records_begin_stream(compressed);
}

/*
 * Whether the first pass can do without any sample before the current record. It cannot if samples
 * have readings, or in a pipe, because its attrs are not known in advance.
 */
static bool has_independent_samples(const struct state_pass *pass)
{
	return !pass->reader->has_readings && !pass->reader->file.is_pipe;
}

/* A stream, and the part of it that was read. */
struct stream_walk {
	struct state_pass *pass;
	struct walk walk;
	struct lookahead lookaheads[EARLY_PARTS_MAX - 1];
	size_t lookahead_count;
	bool has_ended;
	/* Why and where the walk stopped. WALK_RECORD: a complete record has corrupt content. */
	enum walk_result result;
	struct record record;
};

/* Ends the walk after an error in the content of a whole record. */
static void stop_at_record(struct stream_walk *stream_walk)
{
	bool is_corrupt = stream_walk->pass->err->code == ERROR_CORRUPT;

	stream_walk->has_ended = true;
	stream_walk->result = is_corrupt ? WALK_RECORD : WALK_FAILED;
}

/* Reads records up to an offset, or to the end of the stream. */
static void read_until(struct stream_walk *stream_walk, uint64_t offset)
{
	struct error *err = stream_walk->pass->err;

	while (!stream_walk->has_ended && stream_walk->walk.offset < offset) {
		stream_walk->result = walk_next(&stream_walk->walk, &stream_walk->record, err);
		stream_walk->has_ended = stream_walk->result != WALK_RECORD;
		if (!stream_walk->has_ended &&
		    !read_record(stream_walk->pass, &stream_walk->record))
			stop_at_record(stream_walk);
	}
}

/* Merges the results of a look-ahead pass, once the walk has reached the start of that pass. */
static void merge_lookahead(struct stream_walk *stream_walk, const struct lookahead *lookahead)
{
	struct state_pass *pass = stream_walk->pass;

	cut_slice(pass, lookahead->begin);
	for (size_t i = 0; i < lookahead->slices.count; i++)
		vec_push(&pass->capture->slices, lookahead->slices.at[i]);
	pass->slice_begin = lookahead->open_slice.begin;
	pass->slice_sample_count = lookahead->open_slice.sample_count;
	for (size_t i = 0; !stream_walk->has_ended && i < lookahead->records.count; i++) {
		stream_walk->record = lookahead_record(lookahead, i);
		if (!read_other(pass, &stream_walk->record))
			stop_at_record(stream_walk);
	}
	stream_walk->walk.offset = lookahead->end;
}

/* Whether everything before a look-ahead pass has been read, and ended exactly at its begin. */
static bool has_reached(const struct stream_walk *stream_walk, const struct lookahead *lookahead)
{
	return !stream_walk->has_ended && stream_walk->walk.offset == lookahead->begin;
}

static void read_part(void *context, size_t index)
{
	struct stream_walk *stream_walk = context;

	if (index) {
		lookahead_run(&stream_walk->lookaheads[index - 1]);
		return;
	}
	read_until(stream_walk, stream_walk->lookaheads[0].begin);
	for (size_t i = 0; i < stream_walk->lookahead_count; i++)
		if (!has_reached(stream_walk, &stream_walk->lookaheads[0]))
			lookahead_cancel(&stream_walk->lookaheads[i]);
}

/* Starts a look-ahead pass for each thread but one. */
static void init_lookaheads(struct stream_walk *stream_walk, const struct record_stream *stream)
{
	const struct state_pass *pass = stream_walk->pass;
	uint64_t part_count = (stream->end - stream->begin) / WALK_BYTES_MIN;

	if (part_count > pass->capture->thread_count)
		part_count = pass->capture->thread_count;
	if (part_count > EARLY_PARTS_MAX)
		part_count = EARLY_PARTS_MAX;
	for (uint64_t i = 1; i < part_count; i++) {
		size_t count = stream_walk->lookahead_count;
		struct lookahead *lookahead = &stream_walk->lookaheads[count];
		uint64_t part_bytes = (stream->end - stream->begin) / part_count;

		if (!lookahead_init(lookahead, stream_walk->walk.input,
				    stream->begin +
					    i * (part_bytes / RECORD_ALIGNMENT * RECORD_ALIGNMENT),
				    stream->end, stream_walk->walk.swapped))
			continue;
		if (pass->samples)
			lookahead->samples = &pass->samples[1 + count];
		if (count)
			lookahead[-1].stop = lookahead->begin;
		stream_walk->lookahead_count++;
	}
	for (size_t i = 0; i < stream_walk->lookahead_count; i++)
		stream_walk->lookaheads[i].kept_bytes_max =
			LOOKAHEAD_KEPT_BYTES / stream_walk->lookahead_count;
}

/*
 * Reads the parts of a stream in parallel, as far as the guesses of the look-ahead passes are
 * right.
 */
static void read_in_parallel(struct stream_walk *stream_walk)
{
	struct state_pass *pass = stream_walk->pass;
	size_t count = stream_walk->lookahead_count;

	workers_run((unsigned)count + 1, count + 1, read_part, stream_walk);
	for (size_t i = 0; i < count; i++) {
		struct lookahead *lookahead = &stream_walk->lookaheads[i];

		read_until(stream_walk, lookahead->begin);
		if (has_reached(stream_walk, lookahead))
			merge_lookahead(stream_walk, lookahead);
		else
			pass->reader->sends_early = false;
		lookahead_deinit(lookahead);
	}
}

static void read_records(struct stream_walk *stream_walk, const struct record_stream *stream)
{
	if (has_independent_samples(stream_walk->pass)) {
		if (!stream_walk->pass->samples)
			walk_skip_samples(&stream_walk->walk);
		init_lookaheads(stream_walk, stream);
	}
	if (stream_walk->lookahead_count)
		read_in_parallel(stream_walk);
	read_until(stream_walk, UINT64_MAX);
}

/* Reports why records end before the stream does: corruption, or an appended capture. */
static void note_end(struct state_pass *pass, const struct record_stream *stream, uint64_t offset)
{
	enum loss_kind kind = LOSS_TRUNCATED_BYTES;

	if (trailing_capture_begins(pass->capture, offset)) {
		kind = LOSS_TRAILING_BYTES;
		(void)trailing_capture_refuse(offset, pass->err);
	}
	note_damage(pass, pass->err, kind, stream->end - offset);
}

/*
 * Reads the records of one stream. Returns false with err if reading failed, or if a limit was
 * exceeded.
 */
static bool run_stream(struct state_pass *pass, const struct record_stream *stream)
{
	struct error *err = pass->err;
	struct stream_walk stream_walk = { .pass = pass };
	struct walk *walk = &stream_walk.walk;
	uint64_t damaged_at;

	pass->stream = stream;
	pass->slice_begin = stream->begin;
	walk_init(walk, &pass->capture->input, stream->begin, stream->end, stream->end,
		  pass->reader->file.swapped);
	read_records(&stream_walk, stream);
	/* If a whole record is corrupt, its bytes are also lost. */
	damaged_at = stream_walk.result == WALK_RECORD ? stream_walk.record.offset : walk->offset;
	if (stream_walk.result == WALK_CORRUPT)
		error_set_at(err, ERROR_CORRUPT, walk->offset,
			     "a record has a size below 8 bytes; nothing after it can be read");
	else if (stream_walk.result == WALK_TRUNCATED)
		error_set_at(err, ERROR_CORRUPT, walk->offset, "the last record is truncated");
	if (stream_walk.result != WALK_END && stream_walk.result != WALK_FAILED)
		note_end(pass, stream, damaged_at);
	cut_slice(pass, damaged_at);
	end_compressed(pass, damaged_at);
	walk_deinit(walk);
	return stream_walk.result != WALK_FAILED;
}

/*
 * Reports ids that several events share; the first of them gets the samples. Id 0 always means the
 * first event.
 */
static void send_shared_ids(const struct perf_reader *reader, const struct event_sink *sink)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->ids.rows.count; i++) {
		const struct idmap_row *row = &reader->ids.rows.at[i];

		count += row->key && idmap_find(&reader->ids, row->key) != row->value;
	}
	if (count)
		record_send_loss(sink, 0, LOSS_SHARED_IDS, count);
}

/* Samples are counted by slice, which is faster than by type. */
static void count_samples(const struct state_pass *pass)
{
	uint64_t count = pass->slice_sample_count;

	for (size_t i = 0; i < pass->capture->slices.count; i++)
		count += pass->capture->slices.at[i].sample_count;
	record_counts_add(pass->reader->counts, RECORD_SAMPLE, count);
}

/* Creates the readers of early samples; NULL if samples are not sent. */
static struct sample_reader *create_samples(const struct capture *capture)
{
	const struct perf_reader *reader = capture->reader;
	struct sample_reader *samples;

	if (!reader->sends_early)
		return NULL;
	samples = memory_alloc(EARLY_PARTS_MAX, sizeof(*samples));
	for (size_t i = 0; i < EARLY_PARTS_MAX; i++)
		sample_reader_init(&samples[i], reader, &capture->early->parts[i]);
	return samples;
}

static void destroy_samples(struct sample_reader *samples)
{
	for (size_t i = 0; samples && i < EARLY_PARTS_MAX; i++)
		sample_reader_deinit(&samples[i]);
	memory_free(samples);
}

/*
 * perf record --tail-synthesize writes the attrs to the end of a pipe. Without attrs, the times of
 * the kernel's records cannot be read, so the attrs are then read in advance, up to the first
 * corrupt one. The pass itself reports that one.
 */
static void read_late_attrs(struct state_pass *pass)
{
	struct perf_reader *reader = pass->reader;
	const struct record_stream *stream = &reader->streams.at[0];
	struct record record;
	struct error ignored;
	struct walk walk;
	bool is_late = false;
	bool good = true;

	walk_init(&walk, &pass->capture->input, stream->begin, stream->end, stream->end,
		  reader->file.swapped);
	while (good && walk_next(&walk, &record, &ignored) == WALK_RECORD) {
		is_late |= record.type < RECORD_USER_BEGIN || is_compressed(&record);
		if (record.type != RECORD_HEADER_ATTR)
			continue;
		if (!is_late)
			break;
		good = header_record_read(pass->capture, &record, pass->sink, &ignored);
		if (good)
			reader->early_attrs_end = record.offset + record.size;
	}
	walk_deinit(&walk);
}

static bool run_streams(struct state_pass *pass)
{
	const struct perf_reader *reader = pass->reader;

	if (reader->file.is_pipe && reader->streams.count)
		read_late_attrs(pass);
	for (size_t i = 0; i < reader->streams.count; i++)
		if (!run_stream(pass, &reader->streams.at[i]))
			return false;
	return true;
}

bool state_pass_run(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	struct state_pass pass = { .capture = capture,
				   .reader = reader,
				   .sink = sink,
				   .err = err,
				   .samples = create_samples(capture) };
	bool good = run_streams(&pass);

	destroy_samples(pass.samples);
	if (!good)
		return false;
	if (capture->early)
		capture->early->is_complete = reader->sends_early;
	idmap_sort(&reader->ids);
	send_shared_ids(reader, sink);
	count_samples(&pass);
	if (!reader->compressed)
		return true;
	pass.slice_begin = reader->decompressed_slice_begin;
	cut_slice(&pass, capture->input.size_bytes +
				 compressed_records_spool(reader->compressed)->size_bytes);
	return true;
}
