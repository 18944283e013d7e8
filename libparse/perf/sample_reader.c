/* SPDX-License-Identifier: MIT */
#include "libparse/perf/sample_reader.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/off_cpu_samples.h"
#include "libparse/perf/record.h"

#define WORD_BYTES 8

/* In place of an event: the sink does not want its samples. */
#define EVENT_SKIPPED (PERF_EVENT_NONE - 1)
_Static_assert(EVENT_SKIPPED > LIMIT_ATTRS, "no event has this number");

/*
 * A sample with readings is sent once for each reading. Sinks tell these samples apart by their
 * order, so none of them may be left out.
 */
static bool has_readings(const struct perf_reader *reader, uint32_t index)
{
	return reader->events.at[index].plan.sample_type & SAMPLE_READ;
}

static uint32_t skip_unwanted(const struct sample_reader *samples, uint32_t index)
{
	return index == PERF_EVENT_NONE || event_sink_wants_attr(samples->sink, index) ||
			       has_readings(samples->reader, index)
		       ? index
		       : EVENT_SKIPPED;
}

void sample_reader_init(struct sample_reader *samples, const struct perf_reader *reader,
			const struct event_sink *sink)
{
	uint32_t event;

	samples->reader = reader;
	samples->sink = sink;
	sample_buffers_init(&samples->buffers);
	samples->buffers.ignores_callchains = sink->ignores_callchains;
	samples->event = (struct event){ .kind = EVENT_SAMPLE };
	samples->field_types = 0;
	samples->id_at = perf_reader_sample_id_at(reader, &event);
	samples->event_without = skip_unwanted(samples, event);
	/* These ids belong to other entries, so no entry is used before it has been set. */
	for (size_t i = 0; i < SAMPLE_READER_RECENT; i++)
		samples->recent[i].id = i + 1;
}

void sample_reader_deinit(struct sample_reader *samples)
{
	sample_buffers_deinit(&samples->buffers);
}

static uint32_t event_of(struct sample_reader *samples, const struct span *payload)
{
	size_t slot;
	uint64_t id;

	if (samples->id_at == SIZE_MAX)
		return samples->event_without;
	if (span_left(payload) < samples->id_at + WORD_BYTES)
		return PERF_EVENT_NONE;
	id = span_load_u64(payload->at + samples->id_at, payload->swapped);
	slot = id % SAMPLE_READER_RECENT;
	if (samples->recent[slot].id != id) {
		samples->recent[slot].event =
			skip_unwanted(samples, perf_reader_find_event(samples->reader, id));
		samples->recent[slot].id = id;
	}
	return samples->recent[slot].event;
}

/* Reads a sample of the event with this index into samples->event. */
static bool read_event(struct sample_reader *samples, uint32_t index, const struct record *record,
		       const struct span *payload)
{
	const struct perf_event *of = &samples->reader->events.at[index];
	struct event *event = &samples->event;
	struct event_sample *sample = &event->sample;

	/* Clearing all fields takes as long as reading some of them. */
	if (samples->field_types & ~of->plan.sample_type)
		*sample = (struct event_sample){ 0 };
	samples->field_types = of->is_off_cpu ? UINT64_MAX : of->plan.sample_type;
	event->offset = record->offset;
	event->has_time = of->plan.time != WORD_ABSENT;
	sample->attr = index;
	sample->misc = record->misc;
	sample->cpu_mode = (enum cpu_mode)(record->misc & MISC_CPUMODE_MASK);
	return sample_read(&of->plan, payload, &samples->buffers, sample, &event->time_ns) &&
	       (!of->is_off_cpu || off_cpu_samples_read(event, samples->buffers.ips));
}

void sample_reader_read(struct sample_reader *samples, const struct record *record)
{
	const struct perf_reader *reader = samples->reader;
	struct span payload = record_payload(record, reader->file.swapped);
	uint32_t index = event_of(samples, &payload);

	if (index == EVENT_SKIPPED)
		return;
	if (index == PERF_EVENT_NONE)
		record_send_loss(samples->sink, record->offset, LOSS_UNKNOWN_IDS, 1);
	else if (!read_event(samples, index, record, &payload))
		record_send_loss(samples->sink, record->offset, LOSS_CORRUPT_RECORDS, 1);
	else if (has_readings(reader, index))
		readings_send(&reader->readings, &samples->event, samples->sink);
	else
		event_send(samples->sink, &samples->event);
}
