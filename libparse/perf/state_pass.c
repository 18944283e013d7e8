/* SPDX-License-Identifier: MIT */
#include "libparse/perf/state_pass.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/pipe.h"
#include "libparse/perf/record.h"

/* Work is handed to threads in pieces of this size; a piece must be worth the handing. */
#define SLICE_BYTES ((uint64_t)1 << 20)

static void note_damage(struct capture *capture, const struct error *damage, uint64_t lost_bytes,
			const struct event_sink *sink)
{
	if (!capture->is_partial)
		capture->damage = *damage;
	capture->is_partial = true;
	record_send_loss(sink, damage->offset, LOSS_TRUNCATED_BYTES, lost_bytes);
}

/* The first pass over the records, from the file or out of compressed ones. */
struct state_pass {
	struct capture *capture;
	struct perf_reader *reader;
	const struct event_sink *sink;
	struct error *err;
	uint64_t slice_begin;
};

/* Begins a new slice at offset when the current one is long enough, or in any case. */
static void cut_slice(struct state_pass *pass, uint64_t offset, bool is_end)
{
	if (offset == pass->slice_begin || (!is_end && offset - pass->slice_begin < SLICE_BYTES))
		return;
	vec_push(&pass->capture->slices, (struct slice){ pass->slice_begin, offset });
	pass->slice_begin = offset;
}

/* Samples are for the second pass, but for what depends on those before. */
static void take_sample(struct state_pass *pass, const struct record *record)
{
	if (!pass->reader->has_readings)
		return;
	idmap_sort(&pass->reader->ids);
	readings_take(pass->reader, record);
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
	record_send(pass->reader, record, pass->sink);
	return pipe_take(pass->capture, record, pass->sink, pass->err);
}

/* The last slices, of the file and of what was compressed in it. */
static void end_slices(struct state_pass *pass, uint64_t offset)
{
	struct perf_reader *reader = pass->reader;
	uint64_t base = pass->capture->input.size_bytes;

	cut_slice(pass, offset, true);
	if (!reader->inflate)
		return;
	pass->slice_begin = reader->inflated_slice_begin;
	cut_slice(pass, base + inflate_spool(reader->inflate)->size_bytes, true);
	if (inflate_left_bytes(reader->inflate)) {
		struct error damage;

		error_set_at(&damage, ERROR_DAMAGED, offset,
			     "the last compressed record ends inside a record");
		note_damage(pass->capture, &damage, inflate_left_bytes(reader->inflate),
			    pass->sink);
	}
}

bool state_pass_run(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	uint64_t begin = reader->file.data.offset;
	uint64_t end = begin + reader->file.data.size_bytes;
	struct state_pass pass = { capture, reader, sink, err, begin };
	enum walk_result result;
	struct record record;
	struct walk walk;
	uint64_t damaged_at;

	walk_init(&walk, &capture->input, begin, end, end, reader->file.swapped);
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD) {
		if (take_record(&pass, &record))
			continue;
		result = err->code == ERROR_DAMAGED ? WALK_RECORD : WALK_FAILED;
		break;
	}
	idmap_sort(&reader->ids);
	/* A record that is whole, but not what is in it, is lost as well. */
	damaged_at = result == WALK_RECORD ? record.offset : walk.offset;
	if (result == WALK_DAMAGED)
		error_set_at(err, ERROR_DAMAGED, walk.offset,
			     "a record of less than 8 bytes; nothing behind it can be read");
	else if (result == WALK_TRUNCATED)
		error_set_at(err, ERROR_DAMAGED, walk.offset, "the last record is cut");
	if (result != WALK_END && result != WALK_FAILED)
		note_damage(capture, err, end - damaged_at, sink);
	end_slices(&pass, walk.offset);
	walk_deinit(&walk);
	return result != WALK_FAILED;
}
