/* SPDX-License-Identifier: MIT */
#include "libparse/perf/state_pass.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/pipe.h"
#include "libparse/perf/record.h"

/* Work is handed to threads in pieces of this size; a piece must be worth the handing. */
#define SLICE_BYTES ((uint64_t)1 << 20)

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
static void note_damage(struct state_pass *pass, const struct error *damage, uint64_t lost_bytes)
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
	record_send_loss(pass->sink, damage->offset, LOSS_TRUNCATED_BYTES, lost_bytes);
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
		record_counts_add(pass->reader->counts, record.type);
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
		return error_set_at(pass->err, ERROR_DAMAGED, record->offset,
				    "a compressed record says it is longer than it is");
	pass->slice_begin = reader->inflated_slice_begin;
	good = inflate_record(reader->inflate, bytes, take_inflated, pass, pass->err);
	reader->inflated_slice_begin = pass->slice_begin;
	pass->slice_begin = slice_begin;
	return good;
}

static bool take_record(struct state_pass *pass, const struct record *record)
{
	cut_slice(pass, record->offset, false);
	record_counts_add(pass->reader->counts, record->type);
	if (record->type == RECORD_SAMPLE) {
		take_sample(pass, record);
		return true;
	}
	idmap_sort(&pass->reader->ids);
	if (record->type == RECORD_COMPRESSED || record->type == RECORD_COMPRESSED2)
		return take_compressed(pass, record);
	if (record->type == RECORD_ID_INDEX)
		data_files_note_index(pass->reader,
				      record_payload(record, pass->reader->file.swapped));
	record_send(pass->reader, record, pass->sink);
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
		error_set_at(&damage, ERROR_DAMAGED, offset,
			     "the last compressed record ends inside a record");
		note_damage(pass, &damage, left_bytes);
	}
	inflate_begin_stream(inflate);
}

/* Reads the records of one stream. False: reading failed. */
static bool run_stream(struct state_pass *pass, const struct record_stream *stream)
{
	struct perf_reader *reader = pass->reader;
	struct error *err = pass->err;
	enum walk_result result;
	struct record record;
	struct walk walk;
	uint64_t damaged_at;

	pass->stream = stream;
	pass->slice_begin = stream->begin;
	walk_init(&walk, &pass->capture->input, stream->begin, stream->end, stream->end,
		  reader->file.swapped);
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD) {
		if (take_record(pass, &record))
			continue;
		result = err->code == ERROR_DAMAGED ? WALK_RECORD : WALK_FAILED;
		break;
	}
	/* A record that is whole, but not what is in it, is lost as well. */
	damaged_at = result == WALK_RECORD ? record.offset : walk.offset;
	if (result == WALK_DAMAGED)
		error_set_at(err, ERROR_DAMAGED, walk.offset,
			     "a record of less than 8 bytes; nothing behind it can be read");
	else if (result == WALK_TRUNCATED)
		error_set_at(err, ERROR_DAMAGED, walk.offset, "the last record is cut");
	if (result != WALK_END && result != WALK_FAILED)
		note_damage(pass, err, stream->end - damaged_at);
	cut_slice(pass, walk.offset, true);
	end_inflating(pass, walk.offset);
	walk_deinit(&walk);
	return result != WALK_FAILED;
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
