/* SPDX-License-Identifier: MIT */
#include "libparse/perf/state_pass.h"

#include "base/workers.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/following.h"
#include "libparse/perf/pipe.h"
#include "libparse/perf/record.h"
#include "libparse/perf/scout.h"

/* The first pass over the records, from the file or out of compressed ones. */
struct state_pass {
	struct capture *capture;
	struct perf_reader *reader;
	const struct event_sink *sink;
	struct error *err;
	const struct record_stream *stream; /* that is being read */
	uint64_t slice_begin;
	uint64_t slice_sample_count;
};

/* Damage in a file beside the first is told by that file's name and its own offsets. */
static void note_damage(struct state_pass *pass, const struct error *damage, enum loss_kind kind,
			uint64_t lost_bytes)
{
	struct capture *capture = pass->capture;

	if (!capture->is_partial) {
		capture->damage = *damage;
		if (pass->stream->number != STREAM_OF_HEADER) {
			error_prefix(&capture->damage, FOLDER_HEADER_NAME ".%u",
				     (unsigned)pass->stream->number);
			capture->damage.offset -= pass->stream->begin;
		}
	}
	capture->is_partial = true;
	record_send_loss(pass->sink, damage->offset, kind, lost_bytes);
}

/* Begins a new slice at offset when the current one is long enough, or in any case. */
static void cut_slice(struct state_pass *pass, uint64_t offset, bool is_end)
{
	if (offset == pass->slice_begin || (!is_end && offset - pass->slice_begin < SLICE_BYTES))
		return;
	vec_push(&pass->capture->slices,
		 (struct slice){ pass->slice_begin, offset, pass->slice_sample_count });
	pass->slice_begin = offset;
	pass->slice_sample_count = 0;
}

/* Samples are for the second pass, but for what depends on those before. */
static void take_sample(struct state_pass *pass, const struct record *record)
{
	pass->slice_sample_count++;
	if (!pass->reader->has_readings)
		return;
	idmap_sort(&pass->reader->ids);
	readings_take(pass->reader, record, pass->sink);
}

static void take_inflated(void *context, struct span records)
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

		cut_slice(pass, record.offset, false);
		record_counts_add(pass->reader->counts, record.type, 1);
		if (record.type == RECORD_SAMPLE)
			take_sample(pass, &record);
		else
			record_send(pass->reader, &record, pass->sink);
		records.at += record.size;
	}
}

/* The bytes of a compressed record; the newer kind says how many they are, for it is padded. */
static bool compressed_bytes(const struct record *record, bool swapped, struct span *ret)
{
	struct span payload = record_payload(record, swapped);
	uint64_t size_bytes;

	*ret = payload;
	return record->type == RECORD_COMPRESSED ||
	       (span_u64(&payload, &size_bytes) && span_sub(&payload, size_bytes, ret));
}

static bool take_compressed(struct state_pass *pass, const struct record *record)
{
	struct perf_reader *reader = pass->reader;
	struct span bytes;
	uint64_t slice_begin = pass->slice_begin;
	bool good;

	if (!reader->inflate) {
		reader->inflate = inflate_create(reader->file.swapped, pass->err);
		reader->inflated_slice_begin = pass->capture->input.size_bytes;
		if (!reader->inflate)
			return false;
	}
	if (!compressed_bytes(record, reader->file.swapped, &bytes))
		return error_set_at(pass->err, ERROR_CORRUPT, record->offset,
				    "a compressed record says it is longer than it is");
	pass->slice_begin = reader->inflated_slice_begin;
	good = inflate_record(reader->inflate, bytes, take_inflated, pass, pass->err);
	reader->inflated_slice_begin = pass->slice_begin;
	pass->slice_begin = slice_begin;
	return good;
}

/* A record that is neither a sample nor compressed ones. */
static void take_state(struct state_pass *pass, const struct record *record)
{
	record_counts_add(pass->reader->counts, record->type, 1);
	idmap_sort(&pass->reader->ids);
	if (record->type == RECORD_ID_INDEX)
		data_files_note_index(pass->reader,
				      record_payload(record, pass->reader->file.swapped));
	record_send(pass->reader, record, pass->sink);
}

static bool take_record(struct state_pass *pass, const struct record *record)
{
	/* A record's type is a small number, and the magic none. */
	if (record->type > UINT16_MAX && following_begins(pass->capture, record->offset))
		return following_refuse(record->offset, pass->err);
	cut_slice(pass, record->offset, false);
	if (record->type == RECORD_SAMPLE) {
		record_counts_add(pass->reader->counts, record->type, 1);
		take_sample(pass, record);
		return true;
	}
	if (record->type == RECORD_COMPRESSED || record->type == RECORD_COMPRESSED2) {
		record_counts_add(pass->reader->counts, record->type, 1);
		idmap_sort(&pass->reader->ids);
		return take_compressed(pass, record);
	}
	take_state(pass, record);
	return pipe_take(pass->capture, record, pass->sink, pass->err);
}

/* What was compressed in a stream ends with it. */
static void end_inflating(struct state_pass *pass, uint64_t offset)
{
	struct inflate *inflate = pass->reader->inflate;
	uint64_t left_bytes = inflate ? inflate_left_bytes(inflate) : 0;
	struct error damage;

	if (!inflate)
		return;
	if (left_bytes) {
		error_set_at(&damage, ERROR_CORRUPT, offset,
			     "the last compressed record ends inside a record");
		note_damage(pass, &damage, LOSS_TRUNCATED_BYTES, left_bytes);
	}
	inflate_begin_stream(inflate);
}

/* Takes over what a scout saw from its guess on, to which the walk has come. */
static void take_scouted(struct state_pass *pass, const struct scout *scout, struct walk *walk)
{
	struct capture *capture = pass->capture;

	cut_slice(pass, scout->begin, true);
	for (size_t i = 0; i < scout->slices.count; i++)
		vec_push(&capture->slices, scout->slices.at[i]);
	pass->slice_begin = scout->open_slice.begin;
	pass->slice_sample_count = scout->open_slice.sample_count;
	record_counts_add(pass->reader->counts, RECORD_SAMPLE, scout->sample_count);
	for (size_t i = 0; i < scout->records.count; i++) {
		struct record record = scout_record(scout, i);

		take_state(pass, &record);
	}
	walk->offset = scout->end;
}

/* Whether samples are of no use to the pass; what is piped is described as it comes. */
static bool wants_no_samples(const struct state_pass *pass)
{
	return !pass->reader->has_readings && !pass->reader->file.is_pipe;
}

/* What is read of a stream, and how far it has come. */
struct reading {
	struct state_pass *pass;
	struct walk walk;
	struct scout scout;
	bool has_ended;
	/* How, and where: WALK_RECORD: record is whole, but not what is in it. */
	enum walk_result result;
	struct record record;
};

/* Goes on until the walk comes to an offset, or the records end. */
static void read_until(struct reading *reading, uint64_t offset)
{
	struct error *err = reading->pass->err;

	while (!reading->has_ended && reading->walk.offset < offset) {
		reading->result = walk_next(&reading->walk, &reading->record, err);
		reading->has_ended = reading->result != WALK_RECORD;
		if (reading->has_ended || take_record(reading->pass, &reading->record))
			continue;
		reading->has_ended = true;
		if (err->code != ERROR_CORRUPT)
			reading->result = WALK_FAILED;
	}
}

static void read_half(void *context, size_t index)
{
	struct reading *reading = context;

	if (index == 1) {
		scout_run(&reading->scout);
		return;
	}
	read_until(reading, reading->scout.begin);
	if (reading->has_ended || reading->walk.offset != reading->scout.begin)
		scout_call_off(&reading->scout);
}

static void read_records(struct reading *reading, const struct record_stream *stream)
{
	if (wants_no_samples(reading->pass))
		walk_skip_samples(&reading->walk);
	if (wants_no_samples(reading->pass) && reading->pass->capture->thread_count > 1 &&
	    scout_init(&reading->scout, reading->walk.input, stream->begin, stream->end,
		       reading->walk.swapped)) {
		workers_run(2, 2, read_half, reading);
		if (!reading->has_ended && reading->walk.offset == reading->scout.begin)
			take_scouted(reading->pass, &reading->scout, &reading->walk);
		scout_deinit(&reading->scout);
	}
	read_until(reading, UINT64_MAX);
}

/* Tells that records end before the stream does: by damage, or because another capture was put behind them. */
static void note_end(struct state_pass *pass, const struct record_stream *stream, uint64_t offset)
{
	enum loss_kind kind = LOSS_TRUNCATED_BYTES;

	if (following_begins(pass->capture, offset)) {
		kind = LOSS_TRAILING_BYTES;
		(void)following_refuse(offset, pass->err);
	}
	note_damage(pass, pass->err, kind, stream->end - offset);
}

/* Reads the records of one stream. False: reading failed. */
static bool run_stream(struct state_pass *pass, const struct record_stream *stream)
{
	struct error *err = pass->err;
	struct reading reading = { .pass = pass };
	struct walk *walk = &reading.walk;
	uint64_t damaged_at;

	pass->stream = stream;
	pass->slice_begin = stream->begin;
	walk_init(walk, &pass->capture->input, stream->begin, stream->end, stream->end,
		  pass->reader->file.swapped);
	read_records(&reading, stream);
	/* A record that is whole, but not what is in it, is lost as well. */
	damaged_at = reading.result == WALK_RECORD ? reading.record.offset : walk->offset;
	if (reading.result == WALK_DAMAGED)
		error_set_at(err, ERROR_CORRUPT, walk->offset,
			     "a record of less than 8 bytes; nothing behind it can be read");
	else if (reading.result == WALK_TRUNCATED)
		error_set_at(err, ERROR_CORRUPT, walk->offset, "the last record is cut");
	if (reading.result != WALK_END && reading.result != WALK_FAILED)
		note_end(pass, stream, damaged_at);
	cut_slice(pass, damaged_at, true);
	end_inflating(pass, damaged_at);
	walk_deinit(walk);
	return reading.result != WALK_FAILED;
}

/* Which event a sample with such an id is of cannot be known; 0 is the first event's for all. */
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

bool state_pass_run(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	struct state_pass pass = { .capture = capture, .reader = reader, .sink = sink, .err = err };

	for (size_t i = 0; i < reader->streams.count; i++)
		if (!run_stream(&pass, &reader->streams.at[i]))
			return false;
	idmap_sort(&reader->ids);
	send_shared_ids(reader, sink);
	if (!reader->inflate)
		return true;
	pass.slice_begin = reader->inflated_slice_begin;
	cut_slice(&pass, capture->input.size_bytes + inflate_spool(reader->inflate)->size_bytes,
		  true);
	return true;
}
