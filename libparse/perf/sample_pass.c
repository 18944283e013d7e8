/* SPDX-License-Identifier: MIT */
#include "libparse/perf/compressed_records.h"
#include "libparse/perf/perf_reader.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/off_cpu_samples.h"
#include "libparse/perf/readings.h"
#include "libparse/perf/record.h"
#include "libparse/perf/walk.h"

/*
 * A sample with readings is sent once for each reading. Sinks tell these samples apart by their
 * order, so none of them may be left out.
 */
static bool has_readings(const struct perf_reader *reader, uint32_t index)
{
	return reader->events.at[index].plan.sample_type & SAMPLE_READ;
}

/* Reads a sample of the event with this index, and sends it. */
static void send_sample_of(const struct perf_reader *reader, uint32_t index,
			   const struct record *record, const struct span *payload,
			   struct sample_buffers *buffers, const struct event_sink *sink)
{
	const struct sample_plan *plan = &reader->events.at[index].plan;
	struct event event = {
		.kind = EVENT_SAMPLE,
		.offset = record->offset,
		.sample = {
			.attr = index,
			.misc = record->misc,
			.cpu_mode = (enum cpu_mode)(record->misc & MISC_CPUMODE_MASK),
		},
	};

	if (!sample_read(plan, payload, buffers, &event.sample, &event.time_ns)) {
		record_send_loss(sink, record->offset, LOSS_CORRUPT_RECORDS, 1);
		return;
	}
	event.has_time = plan->time != WORD_ABSENT;
	if (reader->events.at[index].is_off_cpu && !off_cpu_samples_read(&event, buffers->ips)) {
		record_send_loss(sink, record->offset, LOSS_CORRUPT_RECORDS, 1);
		return;
	}
	if (has_readings(reader, index))
		readings_send(&reader->readings, &event, sink);
	else
		event_send(sink, &event);
}

static void send_sample(const struct perf_reader *reader, const struct record *record,
			struct sample_buffers *buffers, const struct event_sink *sink)
{
	struct span payload = record_payload(record, reader->file.swapped);
	uint32_t index = perf_reader_event_of_sample(reader, &payload);

	if (index == PERF_EVENT_NONE)
		record_send_loss(sink, record->offset, LOSS_UNKNOWN_IDS, 1);
	else if (event_sink_wants_attr(sink, index) || has_readings(reader, index))
		send_sample_of(reader, index, record, &payload, buffers, sink);
}

/* Slices after the end of the file are decompressed records. */
static void open_slice(const struct capture *capture, struct slice slice, struct walk *walk)
{
	const struct perf_reader *reader = capture->reader;
	uint64_t base = capture->input.size_bytes;
	const struct input *spool;

	if (slice.begin < base || !reader->compressed) {
		walk_init(walk, &capture->input, slice.begin, slice.end,
			  data_files_stream_at(reader, slice.begin)->end, reader->file.swapped);
		return;
	}
	spool = compressed_records_spool(reader->compressed);
	walk_init(walk, spool, slice.begin - base, slice.end - base, spool->size_bytes,
		  reader->file.swapped);
	walk->base = base;
}

bool sample_pass_run(const struct capture *capture, struct slice slice,
		     const struct event_sink *sink, struct error *err)
{
	const struct perf_reader *reader = capture->reader;
	enum walk_result result;
	struct sample_buffers buffers;
	struct record record;
	struct walk walk;

	sample_buffers_init(&buffers);
	open_slice(capture, slice, &walk);
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD)
		if (record.type == RECORD_SAMPLE)
			send_sample(reader, &record, &buffers, sink);
	if (result == WALK_TRUNCATED || result == WALK_CORRUPT)
		error_set_at(err, ERROR_CORRUPT, walk.offset,
			     "the file changed while it was being read; run kiln again");
	walk_deinit(&walk);
	sample_buffers_deinit(&buffers);
	return result == WALK_END;
}
