/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include "base/hash.h"

/* More memory is not reserved for an estimate: 32 MiB. */
#define RESERVED_ROWS_MAX ((size_t)1 << 20)

void pairing_rows_deinit(struct pairing_rows *rows)
{
	vec_free(&rows->rows);
	text_threads_destroy(rows->threads);
	rows->threads = NULL;
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
	case PAIRING_EXIT:
	case PAIRING_EXEC:
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

/*
 * Reserves memory for the expected rows at once, because large pages are divided when a block is
 * moved. Unused memory is never touched.
 */
static void grow(struct pairing_rows *rows)
{
	size_t count = rows->rows.count + 1;

	if (!rows->rows.count && rows->expected_count > count)
		count = rows->expected_count < RESERVED_ROWS_MAX ? rows->expected_count
								 : RESERVED_ROWS_MAX;
	vec_reserve(&rows->rows, count);
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
	/* In place, because a copy of the row would wait until its members have been written. */
	if (UNLIKELY(rows->rows.count == rows->rows.capacity))
		grow(rows);
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

static bool wants_attr(void *context, uint32_t attr)
{
	const struct pairing_rows *rows = context;

	return rows->plan->events[attr].role != PAIRING_NONE;
}

struct event_sink pairing_rows_sink(struct pairing_rows *rows)
{
	return (struct event_sink){ .context = rows,
				    .on_event = pairing_rows_on_event,
				    .wants_attr = wants_attr,
				    .ignores_callchains = true };
}
