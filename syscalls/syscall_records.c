/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_records.h"

#include "base/memory.h"
#include "syscalls/syscall_names.h"

/* What one worker reads. */
struct reader {
	const struct syscall_plan *plan;
	struct syscall_records records;
};

static size_t run_end(const struct syscall_record *rows, size_t begin, size_t count)
{
	size_t end = begin + 1;

	while (end < count && rows[end - 1].time_ns <= rows[end].time_ns)
		end++;
	return end;
}

static void merge_runs(const struct syscall_record *rows, size_t middle, size_t end,
		       struct syscall_record *to)
{
	size_t left = 0;
	size_t right = middle;

	for (size_t i = 0; i < end; i++) {
		bool takes_left = right == end ||
				  (left < middle && rows[left].time_ns <= rows[right].time_ns);

		to[i] = rows[takes_left ? left++ : right++];
	}
}

/* A natural merge sort: the buffer of each CPU is in time order, so there are few runs. */
void syscall_records_sort(struct syscall_records *records)
{
	struct syscall_record *rows = records->rows.at;
	size_t count = records->rows.count;
	struct syscall_record *from = rows;
	struct syscall_record *buffer = NULL;

	while (count && run_end(from, 0, count) < count) {
		struct syscall_record *to;

		if (!buffer)
			buffer = memory_alloc(count, sizeof(*buffer));
		to = from == rows ? buffer : rows;
		for (size_t i = 0; i < count;) {
			size_t middle = run_end(from, i, count);
			size_t end = middle < count ? run_end(from, middle, count) : middle;

			merge_runs(from + i, middle - i, end - i, to + i);
			i = end;
		}
		from = to;
	}
	if (from != rows)
		memcpy(rows, from, count * sizeof(*rows));
	memory_free(buffer);
}

static bool read_sample(const struct syscall_event *of, const struct event_sample *sample,
			struct syscall_record *record)
{
	uint64_t number;
	uint64_t result = 0;

	if (!field_number(&of->number, sample->raw, &number))
		return false;
	if (of->phase == SYSCALL_EXIT && !field_number(&of->result, sample->raw, &result))
		return false;
	record->number = (uint32_t)number;
	record->name = of->name.i;
	if (result >= (uint64_t)-SYSCALL_ERROR_MAX)
		record->error = (uint16_t)(-result & SYSCALL_ERROR_MAX);
	return true;
}

static void on_event(void *context, const struct event *event)
{
	struct reader *reader = context;
	const struct event_sample *sample = &event->sample;
	const struct syscall_event *of;
	struct syscall_record record;

	if (event->kind != EVENT_SAMPLE || sample->attr >= reader->plan->event_count)
		return;
	of = &reader->plan->events[sample->attr];
	if (of->phase == SYSCALL_NONE)
		return;
	record = (struct syscall_record){
		.time_ns = event->time_ns,
		.duration_ns = SYSCALL_NO_DURATION,
		.tid = sample->tid,
		.cpu = sample->present & SAMPLE_HAS_CPU && sample->cpu < UINT16_MAX
			       ? (uint16_t)(sample->cpu + 1)
			       : 0,
		.phase = (uint16_t)of->phase,
	};
	if (event->has_time && sample->tid != EVENT_NO_TID && read_sample(of, sample, &record))
		vec_push(&reader->records.rows, record);
	else
		reader->records.corrupt_count++;
}

/* Appends the records of all workers to those of the first, in input order. */
static void join(struct reader *readers, size_t count, struct syscall_records *ret)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += readers[i].records.rows.count;
	*ret = readers[0].records;
	vec_reserve(&ret->rows, total);
	for (size_t i = 1; i < count; i++) {
		struct syscall_records *more = &readers[i].records;

		if (more->rows.count)
			memcpy(ret->rows.at + ret->rows.count, more->rows.at,
			       more->rows.count * sizeof(*more->rows.at));
		ret->rows.count += more->rows.count;
		ret->corrupt_count += more->corrupt_count;
		vec_free(&more->rows);
	}
}

bool syscall_records_read(const struct capture *capture, const struct syscall_plan *plan,
			  unsigned thread_count, struct syscall_records *ret, struct error *err)
{
	size_t count = thread_count < capture->slices.count ? thread_count : capture->slices.count;
	struct reader *readers;
	struct event_sink *sinks;
	bool good;

	if (!count)
		count = 1;
	readers = memory_zalloc(count, sizeof(*readers));
	sinks = memory_zalloc(count, sizeof(*sinks));
	for (size_t i = 0; i < count; i++) {
		readers[i].plan = plan;
		sinks[i] = (struct event_sink){ .context = &readers[i], .on_event = on_event };
	}
	good = capture_read_all_samples(capture, thread_count, sinks, count, err);
	join(readers, count, ret);
	memory_free(readers);
	memory_free(sinks);
	syscall_records_sort(ret);
	return good;
}
