/* SPDX-License-Identifier: MIT */
#include "libparse/perf/readings.h"

#include "base/hash.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/perf_reader.h"
#include "libparse/perf/record.h"

#define WORD_BYTES 8

void readings_init(struct readings *readings)
{
	*readings = (struct readings){ 0 };
	idtable_init(&readings->last_ids);
}

void readings_deinit(struct readings *readings)
{
	vec_free(&readings->last);
	idtable_deinit(&readings->last_ids);
	vec_free(&readings->increments);
}

/* The last value of a counter; a new counter starts at 0. */
static struct last_counter_value *last_of(struct readings *readings, uint64_t id, uint32_t tid)
{
	uint64_t hash = hash_pair(id, tid);
	struct idtable_probe probe = idtable_find(&readings->last_ids, hash);
	uint32_t row;

	while ((row = idtable_next(&readings->last_ids, &probe)) != IDTABLE_NONE)
		if (readings->last.at[row].id == id && readings->last.at[row].tid == tid)
			return &readings->last.at[row];
	row = (uint32_t)readings->last.count;
	vec_push(&readings->last, (struct last_counter_value){ .id = id, .tid = tid });
	idtable_add(&readings->last_ids, hash, row);
	return &readings->last.at[row];
}

/* Adds the increment of one counter. Returns false if no event has the id. */
static bool take_value(struct perf_reader *reader, uint64_t offset, uint64_t id, uint32_t tid,
		       uint64_t value)
{
	struct readings *readings = &reader->readings;
	uint32_t event = perf_reader_find_event(reader, id);
	struct last_counter_value *last;
	struct counter_increment counter_increment = { .offset = offset, .id = id, .event = event };

	if (event == PERF_EVENT_NONE)
		return false;
	if (!(reader->events.at[event].attr.flags & ATTR_FLAG_INHERIT))
		tid = 0;
	last = last_of(readings, id, tid);
	/* The counter was restarted. */
	counter_increment.period = value >= last->value ? value - last->value : value;
	last->value = value;
	if (counter_increment.period)
		vec_push(&readings->increments, counter_increment);
	return true;
}

static bool skip_times(uint64_t format, struct span *span)
{
	uint64_t count = !!(format & READ_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & READ_FORMAT_TOTAL_TIME_RUNNING);

	return span_skip(span, count * WORD_BYTES);
}

/* Reads the header of a group: its size and times. A single value does not have a header. */
static bool read_count(uint64_t format, struct span *span, uint64_t *count_ret)
{
	*count_ret = 1;
	return !(format & READ_FORMAT_GROUP) ||
	       (span_u64(span, count_ret) && skip_times(format, span));
}

static bool read_value(uint64_t format, struct span *span, uint64_t *value_ret, uint64_t *id_ret)
{
	return span_u64(span, value_ret) &&
	       (format & READ_FORMAT_GROUP || skip_times(format, span)) &&
	       (!(format & READ_FORMAT_ID) || span_u64(span, id_ret)) &&
	       (!(format & READ_FORMAT_LOST) || span_skip(span, WORD_BYTES));
}

void readings_add(struct perf_reader *reader, const struct record *record,
		  const struct event_sink *sink)
{
	struct span span = record_payload(record, reader->file.swapped);
	uint32_t index = perf_reader_event_of_sample(reader, &span);
	struct event_sample sample = { 0 };
	const struct sample_plan *plan;
	uint64_t time_ns;
	uint64_t unknown_count = 0;
	uint64_t count;
	uint64_t value;

	if (index == PERF_EVENT_NONE)
		return;
	plan = &reader->events.at[index].plan;
	if (!(plan->sample_type & SAMPLE_READ) ||
	    !sample_read_fixed(plan, &span, &sample, &time_ns) ||
	    !read_count(plan->read_format, &span, &count))
		return;
	/* Only ids assign values to events, so without ids, use only the value of the leader. */
	if (!(plan->read_format & READ_FORMAT_ID) && count > 1)
		count = 1;
	while (count-- && read_value(plan->read_format, &span, &value, &sample.id))
		unknown_count += !take_value(reader, record->offset, sample.id, sample.tid, value);
	if (unknown_count)
		record_send_loss(sink, record->offset, LOSS_UNKNOWN_IDS, unknown_count);
}

static size_t first_increment_at(const struct readings *readings, uint64_t offset)
{
	size_t low = vec_count_first(&readings->increments, increment, increment->offset < offset);
	return low;
}

void readings_send(const struct readings *readings, const struct event *event,
		   const struct event_sink *sink)
{
	size_t i = first_increment_at(readings, event->offset);
	struct event of_member = *event;

	of_member.sample.present |= SAMPLE_HAS_PERIOD;
	for (; i < readings->increments.count && readings->increments.at[i].offset == event->offset;
	     i++) {
		of_member.sample.attr = readings->increments.at[i].event;
		of_member.sample.id = readings->increments.at[i].id;
		of_member.sample.period = readings->increments.at[i].period;
		event_send(sink, &of_member);
	}
}
