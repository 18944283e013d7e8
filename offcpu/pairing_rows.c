/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include "base/hash.h"
#include "base/runs_sort.h"
#include "base/workers.h"

void pairing_rows_deinit(struct pairing_rows *rows)
{
	vec_free(&rows->rows);
	text_threads_destroy(rows->threads);
	rows->threads = NULL;
}

/*
 * The idle task itself does not wake threads, so if no interrupt is known either, the waker is
 * unknown.
 */
static enum schedule_waker waker_of(const struct pairing_row *row)
{
	if (row->is_deferred)
		return SCHEDULE_WAKER_SOFTIRQ;
	if (row->is_interrupt)
		return SCHEDULE_WAKER_INTERRUPT;
	return row->previous ? SCHEDULE_WAKER_THREAD : SCHEDULE_WAKER_UNKNOWN;
}

struct schedule_event pairing_row_event(const struct pairing_row *row)
{
	static const enum schedule_kind kinds[] = {
		[PAIRING_SWITCH] = SCHEDULE_SWITCH,
		[PAIRING_WAKE] = SCHEDULE_WAKE,
		[PAIRING_SWITCH_OUT] = SCHEDULE_OUT,
		[PAIRING_SWITCH_IN] = SCHEDULE_IN,
	};
	bool is_record = row->role == PAIRING_SWITCH_OUT || row->role == PAIRING_SWITCH_IN;

	return (struct schedule_event){
		.time_ns = row->time_ns,
		.kind = kinds[row->role],
		.tid = is_record ? row->tid : row->previous,
		.next_tid = is_record ? 0 : row->next,
		.cpu = row->cpu ? row->cpu - 1u : EVENT_NO_CPU,
		.task_state = row->role == PAIRING_WAKE ? 0
			      : row->is_preempted       ? 'R'
							: row->state,
		.waker = row->role == PAIRING_WAKE ? waker_of(row) : SCHEDULE_WAKER_UNKNOWN,
	};
}

static bool read_tid(const struct field *field, const struct span *raw, uint32_t *ret)
{
	uint64_t value;

	if (!field_number(field, raw, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

static uint16_t cpu_of(const struct event_sample *sample)
{
	return sample->present & SAMPLE_HAS_CPU ? pairing_row_cpu(sample->cpu) : 0;
}

static bool read_switch(const struct pairing_event *event, const struct span *raw,
			struct pairing_row *row)
{
	struct task_state state;
	uint64_t value;

	if (!read_tid(&event->previous, raw, &row->previous) ||
	    !read_tid(&event->next, raw, &row->next) || !field_number(&event->state, raw, &value))
		return false;
	state = task_state_of(&event->states, value);
	row->state = state.letter;
	row->is_preempted = state.is_preempted;
	return true;
}

/* Bits of common_flags in linux/trace_events.h: TRACE_FLAG_HARDIRQ, _NMI and _SOFTIRQ. */
#define FLAGS_INTERRUPT (0x08u | 0x40u)
#define FLAGS_DEFERRED  0x10u

static bool read_wake(const struct pairing_event *event, const struct event_sample *sample,
		      struct pairing_row *row)
{
	uint64_t flags = 0;
	bool has_flags =
		event->flags.size_bytes && field_number(&event->flags, &sample->raw, &flags);

	row->previous = sample->tid;
	row->cpu = cpu_of(sample);
	row->is_interrupt = has_flags && flags & (FLAGS_INTERRUPT | FLAGS_DEFERRED);
	/*
	 * A softirq in the idle task always belongs to an interrupt, because the idle task never
	 * wakes threads itself.
	 */
	row->is_deferred = row->is_interrupt && !(flags & FLAGS_INTERRUPT) && sample->tid;
	return read_tid(&event->next, &sample->raw, &row->next);
}

static bool read_sample(const struct pairing_event *event, const struct event_sample *sample,
			struct pairing_row *row)
{
	uint64_t period = sample->period ? sample->period : 1;

	row->tid = sample->tid;
	if (event->is_clock)
		row->period = period < UINT32_MAX ? (uint32_t)period : UINT32_MAX;
	return true;
}

static bool read_key(const struct pairing_event *event, const struct event_sample *sample,
		     struct pairing_row *row)
{
	uint64_t value;

	row->key = event->is_keyed_by_tid ? sample->tid : 0;
	for (uint32_t i = 0; i < event->key_count; i++) {
		if (!field_number(&event->keys[i], &sample->raw, &value))
			return false;
		row->key = hash_pair(row->key, value);
	}
	return true;
}

/* A flush request has no sectors, and its sector differs between issue and completion. */
static bool read_disk(const struct pairing_event *event, const struct event_sample *sample,
		      struct pairing_row *row)
{
	uint64_t device, sector, sector_count;

	if (!field_number(&event->device, &sample->raw, &device) ||
	    !field_number(&event->sector, &sample->raw, &sector) ||
	    !field_number(&event->sector_count, &sample->raw, &sector_count))
		return false;
	row->cpu = cpu_of(sample);
	row->key = hash_pair(device, sector_count ? sector : 0);
	return true;
}

static bool read_row(const struct pairing_event *event, const struct event_sample *sample,
		     struct pairing_row *row)
{
	switch (event->role) {
	case PAIRING_SWITCH:
		row->cpu = cpu_of(sample);
		return read_switch(event, &sample->raw, row);
	case PAIRING_WAKE:
		return read_wake(event, sample, row);
	case PAIRING_BEGIN:
	case PAIRING_END:
		return read_key(event, sample, row);
	case PAIRING_SAMPLE:
		return read_sample(event, sample, row);
	case PAIRING_DISK_ISSUE:
	case PAIRING_DISK_COMPLETE:
		return read_disk(event, sample, row);
	case PAIRING_SWITCH_OUT:
	case PAIRING_SWITCH_IN:
	case PAIRING_NONE:
		break;
	}
	return false;
}

/*
 * Uses the tid of the sample, as switch records do; tids in fields may belong to another PID
 * namespace.
 */
static void keep_leaving(const struct event_sample *sample, struct pairing_row *row)
{
	row->previous = sample->tid;
	row->next = 0;
	row->cpu = 0;
}

/* Returns false if the sample is neither a context switch nor a wanted wake-up. */
static bool read_text(const struct pairing_plan *plan, const struct event_sample *sample,
		      struct pairing_row *row)
{
	const struct event_text_sample *text = sample->text;

	if (text->is_wakeup && plan->describes_threads) {
		row->role = PAIRING_WAKE;
		row->previous = sample->tid;
		row->next = text->woken_tid;
		return true;
	}
	if (!text->sched_switch)
		return false;
	row->role = PAIRING_SWITCH;
	row->previous = text->sched_switch->previous_tid;
	row->next = text->sched_switch->next_tid;
	row->state = text->sched_switch->state;
	row->is_preempted = text->sched_switch->is_preempted;
	return true;
}

static void note_threads(struct text_threads *threads, const struct event_sample *sample)
{
	const struct event_sched_switch *change = sample->text->sched_switch;

	/* perf no longer knows the thread of the last switch of an exiting thread. */
	bool is_exiting = sample->tid == EVENT_NO_TID;

	if (change) {
		text_threads_note(threads, is_exiting ? sample->pid : EVENT_NO_TID,
				  change->previous_tid, change->previous_comm);
		text_threads_note(threads, EVENT_NO_TID, change->next_tid, change->next_comm);
	}
	if (!is_exiting)
		text_threads_note(threads, sample->pid, sample->tid, sample->text->comm);
}

static void take_text(struct pairing_rows *rows, const struct event *event)
{
	struct pairing_row row = {
		.time_ns = event->time_ns,
		.offset = event->offset,
		.ordinal = rows->place.ordinal,
	};

	if (rows->threads)
		note_threads(rows->threads, &event->sample);
	if (!read_text(rows->plan, &event->sample, &row))
		return;
	row.cpu = cpu_of(&event->sample);
	if (!event->has_time) {
		rows->corrupt_count++;
		return;
	}
	rows->sampled_count +=
		event->sample.present & SAMPLE_HAS_PERIOD && event->sample.period > 1;
	if (event->time_ns > rows->last_time_ns)
		rows->last_time_ns = event->time_ns;
	vec_push(&rows->rows, row);
}

void pairing_rows_on_event(void *context, const struct event *event)
{
	struct pairing_rows *rows = context;
	const struct pairing_event *of;
	struct pairing_row *row;

	if (event->kind != EVENT_SAMPLE)
		return;
	sample_position_next(&rows->place, event->offset);
	if (event->sample.text) {
		take_text(rows, event);
		return;
	}
	of = &rows->plan->events[event->sample.attr];
	if (of->role == PAIRING_NONE)
		return;
	/* The row is read into its place, because it is not copied as fast as it is read. */
	vec_reserve(&rows->rows, rows->rows.count + 1);
	row = &rows->rows.at[rows->rows.count];
	*row = (struct pairing_row){
		.time_ns = event->time_ns,
		.offset = event->offset,
		.ordinal = rows->place.ordinal,
		.role = (uint8_t)of->role,
	};
	if (!event->has_time || !read_row(of, &event->sample, row)) {
		rows->corrupt_count++;
		return;
	}
	if (of->role == PAIRING_SWITCH && rows->plan->ends_in_records)
		keep_leaving(&event->sample, row);
	rows->sampled_count += of->role != PAIRING_SAMPLE &&
			       event->sample.present & SAMPLE_HAS_PERIOD &&
			       event->sample.period > 1;
	if (event->time_ns > rows->last_time_ns)
		rows->last_time_ns = event->time_ns;
	rows->rows.count++;
}

bool pairing_rows_wants_attr(void *context, uint32_t attr)
{
	const struct pairing_rows *rows = context;

	return rows->plan->events[attr].role != PAIRING_NONE;
}

/*
 * The rows of one buffer of perf are mostly ascending, so there are few ascending runs. Times
 * divide each run into pieces, and each task merges the pieces between two times:
 *
 *     run 1     1 4 | 5 9 | 12       times 5 and 10
 *     run 2     2   | 6 7 | 10 11
 *     merged    1 2 4 | 5 6 7 9 | 10 11 12
 */

/* More pieces than threads, because some pieces take longer than others. */
#define PIECES_OF_THREAD 4u
/* With shorter runs, dividing them costs more than it saves. */
#define RUN_ROWS_MIN 4096u

/* Ascending rows. */
struct ascending {
	const struct pairing_row *at, *end;
	size_t number; /* of the run, in input order */
};

struct sorting {
	VEC(struct ascending) runs;
	size_t row_count, piece_count;
	const struct pairing_row **bounds; /* of piece p and run r: [p * runs.count + r] */
	struct pairing_row *sorted;
};

static int compare_rows(const void *a, const void *b)
{
	const struct pairing_row *left = a;
	const struct pairing_row *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return (left->ordinal > right->ordinal) - (left->ordinal < right->ordinal);
}

/* The first row of a run at or after a time. */
static const struct pairing_row *find_time(const struct ascending *run, uint64_t time_ns)
{
	const struct pairing_row *low = run->at;
	const struct pairing_row *high = run->end;

	while (low < high) {
		const struct pairing_row *middle = low + (high - low) / 2;

		if (middle->time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t run_length(const struct ascending *run)
{
	return (size_t)(run->end - run->at);
}

/* Divides all runs at times that divide the longest run evenly. */
static void divide(struct sorting *sorting)
{
	const struct ascending *longest = &sorting->runs.at[0];
	size_t run_count = sorting->runs.count;

	for (size_t i = 1; i < run_count; i++)
		if (run_length(&sorting->runs.at[i]) > run_length(longest))
			longest = &sorting->runs.at[i];
	sorting->bounds =
		memory_alloc((sorting->piece_count + 1) * run_count, sizeof(*sorting->bounds));
	for (size_t i = 0; i < run_count; i++) {
		const struct ascending *run = &sorting->runs.at[i];

		sorting->bounds[i] = run->at;
		for (size_t piece = 1; piece < sorting->piece_count; piece++) {
			size_t row = (size_t)((uint64_t)run_length(longest) * piece /
					      sorting->piece_count);

			sorting->bounds[piece * run_count + i] =
				find_time(run, longest->at[row].time_ns);
		}
		sorting->bounds[sorting->piece_count * run_count + i] = run->end;
	}
}

/* Equal rows stay in order. */
static bool is_before(const struct ascending *left, const struct ascending *right)
{
	int order = compare_rows(left->at, right->at);

	return order ? order < 0 : left->number < right->number;
}

/* Moves a run down the heap, until no run below it begins with an earlier row. */
static void sift(struct ascending *heap, size_t count, size_t place)
{
	struct ascending moved = heap[place];
	size_t child;

	while ((child = 2 * place + 1) < count) {
		if (child + 1 < count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (is_before(&moved, &heap[child]))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = moved;
}

static void merge(struct ascending *heap, size_t count, struct pairing_row *to)
{
	for (size_t place = count / 2; place-- > 0;)
		sift(heap, count, place);
	while (count > 1) {
		*to++ = *heap[0].at++;
		if (heap[0].at == heap[0].end)
			heap[0] = heap[--count];
		sift(heap, count, 0);
	}
	if (count)
		memcpy(to, heap[0].at, (size_t)(heap[0].end - heap[0].at) * sizeof(*to));
}

static void merge_piece(void *context, size_t index)
{
	struct sorting *sorting = context;
	size_t run_count = sorting->runs.count;
	const struct pairing_row **begins = &sorting->bounds[index * run_count];
	struct ascending *heap = memory_alloc(run_count, sizeof(*heap));
	size_t count = 0;
	size_t place = 0; /* of the piece's first row when sorted */

	for (size_t i = 0; i < run_count; i++) {
		struct ascending part = { begins[i], begins[run_count + i], i };

		place += (size_t)(part.at - sorting->runs.at[i].at);
		if (part.at < part.end)
			heap[count++] = part;
	}
	merge(heap, count, sorting->sorted + place);
	memory_free(heap);
}

/* Returns false if there are too many runs. */
static bool find_runs(struct sorting *sorting, const pairing_row_list *rows)
{
	size_t end = 0;

	while (end < rows->count) {
		struct ascending run;
		size_t begin = end;

		if (sorting->runs.count > sorting->row_count / RUN_ROWS_MIN + 1)
			return false;
		end = runs_end((const char *)rows->at, begin, rows->count, sizeof(*rows->at),
			       compare_rows);
		run = (struct ascending){ rows->at + begin, rows->at + end, sorting->runs.count };
		vec_push(&sorting->runs, run);
	}
	return true;
}

static void merge_runs(struct sorting *sorting, unsigned thread_count)
{
	sorting->piece_count = thread_count > 1 ? thread_count * PIECES_OF_THREAD : 1;
	divide(sorting);
	workers_run(thread_count, sorting->piece_count, merge_piece, sorting);
	memory_free(sorting->bounds);
}

static void join(const struct pairing_rows *parts, size_t count, struct pairing_row *to)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].rows.count)
			memcpy(to, parts[i].rows.at, parts[i].rows.count * sizeof(*to));
		to += parts[i].rows.count;
	}
}

void pairing_rows_sort(struct pairing_rows *parts, size_t count, unsigned thread_count,
		       pairing_row_list *ret)
{
	struct sorting sorting = { 0 };
	bool has_few_runs = true;

	for (size_t i = 0; i < count; i++)
		sorting.row_count += parts[i].rows.count;
	for (size_t i = 0; has_few_runs && i < count; i++)
		has_few_runs = find_runs(&sorting, &parts[i].rows);
	sorting.sorted = memory_alloc(sorting.row_count, sizeof(*sorting.sorted));
	if (!has_few_runs) {
		join(parts, count, sorting.sorted);
		runs_sort(sorting.sorted, sorting.row_count, sizeof(*sorting.sorted), compare_rows);
	} else if (sorting.runs.count) {
		merge_runs(&sorting, thread_count);
	}
	for (size_t i = 0; i < count; i++)
		vec_free(&parts[i].rows);
	vec_free(&sorting.runs);
	ret->at = sorting.sorted;
	ret->count = ret->capacity = sorting.row_count;
}
