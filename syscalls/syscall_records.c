/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_records.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/runs_sort.h"
#include "syscalls/syscall_names.h"

/* The records of one worker. */
struct reader {
	const struct syscall_plan *plan;
	struct syscall_records records;
	struct strings strings; /* names from text formats; their ids are replaced at the end */
};

static int compare_times(const void *a, const void *b)
{
	const struct syscall_record *left = a;
	const struct syscall_record *right = b;

	return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

static bool read_sample(const struct syscall_event *of, const struct event_sample *sample,
			struct syscall_record *record)
{
	uint64_t number;
	uint64_t result = 0;

	if (!field_number(&of->number, &sample->raw, &number))
		return false;
	if (of->phase == SYSCALL_EXIT && !field_number(&of->result, &sample->raw, &result))
		return false;
	record->number = (uint32_t)number;
	record->name = of->name.i;
	if (result >= (uint64_t)-SYSCALL_ERROR_MAX)
		record->error = (uint16_t)(-result & SYSCALL_ERROR_MAX);
	return true;
}

static void add_sample(struct reader *reader, const struct event *event)
{
	const struct event_sample *sample = &event->sample;
	const struct syscall_event *of;
	struct syscall_record record;

	if (sample->attr >= reader->plan->event_count)
		return;
	of = &reader->plan->events[sample->attr];
	if (of->phase == SYSCALL_NONE)
		return;
	reader->records.sampled_count += sample->present & SAMPLE_HAS_PERIOD && sample->period > 1;
	record = (struct syscall_record){
		.time_ns = event->time_ns,
		.duration_ns = SYSCALL_NO_DURATION,
		.tid = sample->tid,
		.cpu = sample->present & SAMPLE_HAS_CPU && sample->cpu < UINT16_MAX
			       ? (uint16_t)(sample->cpu + 1)
			       : 0,
		.phase = (uint16_t)of->phase,
		.has_time = event->has_time,
	};
	if (event->has_time && sample->tid != EVENT_NO_TID && read_sample(of, sample, &record))
		vec_push(&reader->records.rows, record);
	else
		reader->records.corrupt_count++;
}

static uint32_t intern(struct reader *reader, struct text text)
{
	return strings_intern(&reader->strings, text.at, text.length).i;
}

static uint32_t error_of(struct text name)
{
	uint32_t error = name.at ? syscall_error_of(name) : 0;

	/* The call failed, even if its error is unknown. */
	return name.at && !error ? SYSCALL_ERROR_MAX : error;
}

static void add_comm(struct syscall_records *records, uint32_t tid, uint32_t comm)
{
	const struct syscall_comm *last =
		records->comms.count ? &records->comms.at[records->comms.count - 1] : NULL;

	if (!last || last->tid != tid || last->comm != comm)
		vec_push(&records->comms, (struct syscall_comm){ tid, comm });
}

static void add_text(struct reader *reader, const struct event *event)
{
	static const enum syscall_phase phases[] = {
		[EVENT_SYSCALL_ENTER] = SYSCALL_ENTER,
		[EVENT_SYSCALL_EXIT] = SYSCALL_EXIT,
		[EVENT_SYSCALL_WHOLE] = SYSCALL_WHOLE,
		[EVENT_SYSCALL_SUM] = SYSCALL_NONE,
	};
	const struct event_text_sample *text = event->sample.text;
	const struct event_syscall *call = text->syscall;
	bool has_tid = event->sample.present & SAMPLE_HAS_TID;
	uint32_t tid = has_tid ? event->sample.tid : SYSCALL_NO_TID;
	uint32_t name = intern(reader, call->name);

	if (text->comm.at && text->comm.length)
		add_comm(&reader->records, tid, intern(reader, text->comm));
	if (call->phase == EVENT_SYSCALL_SUM) {
		vec_push(&reader->records.sums,
			 (struct syscall_sum){ tid, name, call->call_count, call->error_count,
					       call->duration_ns, call->longest_ns });
		return;
	}
	vec_push(&reader->records.rows,
		 (struct syscall_record){
			 .time_ns = event->time_ns,
			 .duration_ns = call->duration_ns,
			 .tid = tid,
			 .name = name,
			 .error = (uint16_t)(error_of(call->error) & SYSCALL_ERROR_MAX),
			 .phase = (uint16_t)phases[call->phase],
			 .has_time = event->has_time,
		 });
}

static void add_loss(struct syscall_records *records, const struct event *event)
{
	enum loss_kind kind = event->loss.kind;

	records->losses[kind] += event->loss.count;
	if ((kind == LOSS_SKIPPED_LINES || kind == LOSS_LONG_LINES) &&
	    event->offset < records->first_skipped_offset)
		records->first_skipped_offset = event->offset;
}

static void on_event(void *context, const struct event *event)
{
	struct reader *reader = context;

	if (event->kind == EVENT_LOSS)
		add_loss(&reader->records, event);
	else if (event->kind == EVENT_SAMPLE && !event->sample.text)
		add_sample(reader, event);
	else if (event->kind == EVENT_SAMPLE && event->sample.text->syscall)
		add_text(reader, event);
}

/* Replaces the ids of a worker's names with those of strings. */
static void rename_texts(struct reader *reader, struct strings *strings)
{
	struct syscall_records *records = &reader->records;
	size_t count = reader->strings.rows.count;
	uint32_t *ids = memory_alloc(count, sizeof(*ids));

	for (size_t i = 0; i < count; i++) {
		struct text text = strings_get(&reader->strings, (str_id){ (uint32_t)i });

		ids[i] = strings_intern(strings, text.at, text.length).i;
	}
	for (size_t i = 0; i < records->rows.count; i++) {
		records->rows.at[i].name = ids[records->rows.at[i].name];
		records->rows.at[i].number = records->rows.at[i].name;
	}
	for (size_t i = 0; i < records->sums.count; i++)
		records->sums.at[i].name = ids[records->sums.at[i].name];
	for (size_t i = 0; i < records->comms.count; i++)
		records->comms.at[i].comm = ids[records->comms.at[i].comm];
	memory_free(ids);
}

#define APPEND(to, from)                                             \
	do {                                                         \
		vec_reserve(to, (to)->count + (from)->count);        \
		if ((from)->count)                                   \
			memcpy((to)->at + (to)->count, (from)->at,   \
			       (from)->count * sizeof(*(from)->at)); \
		(to)->count += (from)->count;                        \
	} while (0)

/* Appends the records of all workers, in input order. */
static void join(struct reader *readers, size_t count, struct syscall_records *ret)
{
	size_t total = 0;

	*ret = readers[0].records;
	for (size_t i = 0; i < count; i++)
		total += readers[i].records.rows.count;
	vec_reserve(&ret->rows, total);
	for (size_t i = 1; i < count; i++) {
		struct syscall_records *more = &readers[i].records;

		APPEND(&ret->rows, &more->rows);
		APPEND(&ret->sums, &more->sums);
		APPEND(&ret->comms, &more->comms);
		ret->corrupt_count += more->corrupt_count;
		ret->sampled_count += more->sampled_count;
		saturate_add_all(ret->losses, more->losses, LOSS_KIND_COUNT);
		if (more->first_skipped_offset < ret->first_skipped_offset)
			ret->first_skipped_offset = more->first_skipped_offset;
		syscall_records_free(more);
	}
}

void syscall_records_free(struct syscall_records *records)
{
	vec_free(&records->rows);
	vec_free(&records->sums);
	vec_free(&records->comms);
}

/* In some captures, only the samples themselves show that each represents several calls. */
static bool check_periods(const struct syscall_plan *plan, const struct syscall_records *records,
			  struct error *err)
{
	return !records->sampled_count || plan->is_forced ||
	       error_set(err, ERROR_USAGE,
			 "each sample represents several system calls, so times would be wrong; "
			 "record every call with " SYSCALL_PERF_RECORD
			 " -c 1, without -F, or use --allow-missing-calls");
}

bool syscall_records_read(const struct capture *capture, const struct syscall_plan *plan,
			  unsigned thread_count, struct strings *strings,
			  struct syscall_records *ret, struct error *err)
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
		readers[i].records.first_skipped_offset = UINT64_MAX;
		strings_init(&readers[i].strings);
		sinks[i] = (struct event_sink){ .context = &readers[i], .on_event = on_event };
	}
	good = capture_read_all_samples(capture, thread_count, sinks, count, err);
	for (size_t i = 0; i < count; i++) {
		if (!plan->events)
			rename_texts(&readers[i], strings);
		strings_deinit(&readers[i].strings);
	}
	join(readers, count, ret);
	memory_free(readers);
	memory_free(sinks);
	runs_sort(ret->rows.at, ret->rows.count, sizeof(*ret->rows.at), compare_times);
	return good && check_periods(plan, ret, err);
}
