/* SPDX-License-Identifier: MIT */
#include "offcpu/critical.h"

#include "offcpu/disk_requests.h"

#include "base/hash.h"

/* An on-CPU sample: its time and its row. */
struct thread_sample {
	uint64_t time_ns;
	uint32_t row;
};

/* The intervals and samples of one thread, in time order. */
struct thread_line {
	uint32_t tid;
	VEC(struct schedule_interval) spans; /* labels: row of the switch-out, plus 1 */
	VEC(struct thread_sample) samples;
};

struct critical {
	const struct pairing_row *rows;
	size_t row_count;
	const struct time_windows *windows;
	const struct pairing_filter *filter;
	VEC(struct thread_line) lines;
	struct idtable line_ids;   /* by tid */
	struct idtable stack_ids;  /* wakes by row */
	VEC(uint32_t) rows_of_ids; /* by id in stack_ids: row and kind */
	VEC(uint32_t) wakes_of_ids;
	uint64_t steps_left;
	struct disk_requests disk;
	struct wakers *wakers;
	struct critical_paths *paths;
	struct intervals parts;
	struct interval wait; /* the wait that is being divided */
};

void critical_paths_init(struct critical_paths *paths)
{
	*paths = (struct critical_paths){ 0 };
	idtable_init(&paths->ids);
}

void critical_paths_deinit(struct critical_paths *paths)
{
	vec_free(&paths->steps);
	idtable_deinit(&paths->ids);
}

static uint32_t intern_step(struct critical_paths *paths, enum critical_step_kind kind,
			    uint32_t value, uint32_t parent)
{
	uint64_t hash = hash_pair(hash_pair(kind, value), parent);
	struct idtable_probe probe = idtable_find(&paths->ids, hash);
	uint32_t id;

	while ((id = idtable_next(&paths->ids, &probe)) != IDTABLE_NONE) {
		const struct critical_step *step = &paths->steps.at[id];

		if (step->kind == kind && step->value == value && step->parent == parent)
			return id;
	}
	id = (uint32_t)paths->steps.count;
	idtable_add(&paths->ids, hash, id);
	vec_push(&paths->steps, (struct critical_step){ kind, value, parent });
	return id;
}

/* Returns the number of a thread's line; adds a line if the thread is new. */
static uint32_t line_of(struct critical *critical, uint32_t tid)
{
	uint64_t hash = hash_u64(tid);
	struct idtable_probe probe = idtable_find(&critical->line_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&critical->line_ids, &probe)) != IDTABLE_NONE)
		if (critical->lines.at[id].tid == tid)
			return id;
	id = (uint32_t)critical->lines.count;
	idtable_add(&critical->line_ids, hash, id);
	vec_push(&critical->lines, (struct thread_line){ .tid = tid });
	return id;
}

static void on_interval(void *context, const struct schedule_interval *interval)
{
	struct critical *critical = context;

	uint32_t number;

	if (!interval->tid || interval->to_ns <= interval->from_ns)
		return;
	number = line_of(critical, interval->tid);
	vec_push(&critical->lines.at[number].spans, *interval);
}

static void add_sample(struct critical *critical, uint32_t number)
{
	const struct pairing_row *row = &critical->rows[number];
	uint32_t line;

	if (!row->period || !row->tid)
		return;
	line = line_of(critical, row->tid);
	vec_push(&critical->lines.at[line].samples, (struct thread_sample){ row->time_ns, number });
}

static void add_row(struct critical *critical, struct schedule *schedule, uint32_t number)
{
	const struct pairing_row *row = &critical->rows[number];
	struct schedule_event event;

	if (row->role == PAIRING_SAMPLE)
		add_sample(critical, number);
	if (row->role == PAIRING_SAMPLE || row->role == PAIRING_DISK_ISSUE ||
	    row->role == PAIRING_DISK_COMPLETE)
		return;
	event = pairing_row_event(row);
	event.label = number + 1;
	schedule_add(schedule, &event);
}

static void make_lines(struct critical *critical, uint64_t end_ns, enum schedule_source source)
{
	struct schedule_sink sink = { critical, on_interval };
	struct schedule schedule;

	schedule_init(&schedule, &sink, critical->row_count ? critical->rows[0].time_ns : 0,
		      source);
	for (size_t i = 0; i < critical->row_count; i++)
		add_row(critical, &schedule, (uint32_t)i);
	schedule_finish(&schedule, end_ns);
	schedule_deinit(&schedule);
}

/*
 * Returns the wake that has a row's callchain. as_wake: whether the row is a wake-up, whose waker
 * may be an interrupt.
 */
static uint32_t wake_of(struct critical *critical, uint32_t number, bool as_wake)
{
	const struct pairing_row *row = &critical->rows[number];
	uint64_t hash = hash_pair(number, as_wake);
	struct idtable_probe probe = idtable_find(&critical->stack_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&critical->stack_ids, &probe)) != IDTABLE_NONE)
		if (critical->rows_of_ids.at[id] == number &&
		    critical->wakers->wakes.at[critical->wakes_of_ids.at[id]].is_interrupt ==
			    (as_wake && row->is_interrupt))
			return critical->wakes_of_ids.at[id];
	idtable_add(&critical->stack_ids, hash, (uint32_t)critical->rows_of_ids.count);
	vec_push(&critical->rows_of_ids, number);
	vec_push(&critical->wakes_of_ids, (uint32_t)critical->wakers->wakes.count);
	vec_push(&critical->wakers->wakes, (struct wake){
						   .time_ns = row->time_ns,
						   .offset = row->offset,
						   .ordinal = row->ordinal,
						   .before = WAKE_NONE,
						   .is_wanted = true,
						   .is_interrupt = as_wake && row->is_interrupt,
						   .is_deferred = as_wake && row->is_deferred,
					   });
	return (uint32_t)critical->wakers->wakes.count - 1;
}

static uint32_t step_to(struct critical *critical, uint32_t path, uint32_t row)
{
	return intern_step(critical->paths, CRITICAL_STACK, wake_of(critical, row, false), path);
}

/* Returns the first row at or after a time. */
static size_t row_at(const struct critical *critical, uint64_t time_ns)
{
	size_t begin = 0;
	size_t end = critical->row_count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (critical->rows[middle].time_ns < time_ns)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

/* Counts a step. Returns false once the limit of steps is reached. */
static bool take_step(struct critical *critical)
{
	critical->steps_left -= critical->steps_left > 0;
	return critical->steps_left > 0;
}

/* Finds the wake-up of a thread at a time. Returns false if there is none. */
static bool find_wake(struct critical *critical, uint32_t tid, uint64_t time_ns, uint32_t *row_ret)
{
	for (size_t i = row_at(critical, time_ns);
	     i < critical->row_count && critical->rows[i].time_ns == time_ns; i++) {
		if (!take_step(critical))
			return false;
		if (critical->rows[i].role != PAIRING_WAKE || critical->rows[i].next != tid)
			continue;
		*row_ret = (uint32_t)i;
		return true;
	}
	return false;
}

/* Charges a part of the wait to a path. PLAIN means no mark. */
static void charge(struct critical *critical, uint32_t path, uint64_t from_ns, uint64_t to_ns,
		   enum interval_mark mark)
{
	struct interval part = critical->wait;

	if (from_ns >= to_ns)
		return;
	(void)take_step(critical);
	part.duration_ns = time_windows_part(critical->windows, from_ns, to_ns);
	if (!part.duration_ns)
		return;
	part.begin_ns = from_ns;
	part.mark = INTERVAL_PLAIN;
	part.waker_count = 1;
	part.waker = mark == INTERVAL_PLAIN
			     ? path
			     : intern_step(critical->paths, CRITICAL_MARK, mark, path);
	vec_push(&critical->parts, part);
}

/* Charges a run to its samples or, without samples, to the row at its end. */
static void charge_run(struct critical *critical, uint32_t path, uint32_t number, uint64_t from_ns,
		       uint64_t to_ns, uint32_t end_row)
{
	const struct thread_line *line = &critical->lines.at[number];
	size_t i = vec_count_first(&line->samples, sample, sample->time_ns < from_ns);

	if (i == line->samples.count || line->samples.at[i].time_ns >= to_ns) {
		charge(critical, step_to(critical, path, end_row), from_ns, to_ns,
		       INTERVAL_UNTIL_HERE);
		return;
	}
	for (; from_ns < to_ns; i++) {
		const struct thread_sample *sample = &line->samples.at[i];
		bool has_next = take_step(critical) && i + 1 < line->samples.count &&
				sample[1].time_ns < to_ns;
		uint64_t until_ns =
			has_next ? sample->time_ns + (sample[1].time_ns - sample->time_ns) / 2
				 : to_ns;

		if (until_ns <= from_ns)
			continue;
		charge(critical, step_to(critical, path, sample->row), from_ns, until_ns,
		       INTERVAL_PLAIN);
		from_ns = until_ns;
	}
}

static void charge_thread(struct critical *critical, uint32_t path, uint32_t number,
			  uint64_t from_ns, uint64_t to_ns, uint32_t end_row, uint32_t depth);

/*
 * Charges the time until an interrupt: to the disk while it worked on the request, and otherwise to
 * the interrupt.
 */
static void charge_disk(struct critical *critical, uint32_t path, uint32_t interrupt_path,
			uint64_t from_ns, uint64_t to_ns, const struct disk_request *request)
{
	uint64_t begin_ns = request->issue_ns > from_ns ? request->issue_ns : from_ns;
	uint64_t end_ns = request->complete_ns < to_ns ? request->complete_ns : to_ns;

	if (begin_ns >= end_ns)
		begin_ns = end_ns = to_ns;
	charge(critical, interrupt_path, from_ns, begin_ns, INTERVAL_PLAIN);
	charge(critical, path, begin_ns, end_ns, INTERVAL_DISK);
	charge(critical, interrupt_path, end_ns, to_ns, INTERVAL_PLAIN);
}

/* Charges the time until a wake-up to the activities of the waker during this time. */
static void charge_blocked(struct critical *critical, uint32_t path, uint32_t tid, uint64_t from_ns,
			   uint64_t to_ns, uint64_t woken_ns, uint32_t depth)
{
	const struct disk_request *request;
	const struct pairing_row *wake;
	uint32_t wait_path = path;
	uint32_t row = 0;
	bool is_woken = find_wake(critical, tid, woken_ns, &row);
	bool is_limited = depth >= LIMIT_CRITICAL_DEPTH || !critical->steps_left;

	if (from_ns >= to_ns)
		return;
	wake = is_woken ? &critical->rows[row] : NULL;
	/* Without steps, the search for the wake-up may have ended early. */
	critical->paths->undivided_count += is_limited && (wake || !critical->steps_left);
	if (!wake || is_limited || (!wake->is_interrupt && !wake->previous)) {
		charge(critical, path, from_ns, to_ns, INTERVAL_BLOCKED);
		return;
	}
	request = disk_requests_of_wake(&critical->disk, critical->rows, row);
	if (wake->is_interrupt)
		path = intern_step(critical->paths, CRITICAL_GATE, wake_of(critical, row, true),
				   path);
	if (request)
		charge_disk(critical, wait_path, path, from_ns, to_ns, request);
	else if (wake->is_interrupt && !wake->is_deferred)
		charge(critical, path, from_ns, to_ns, INTERVAL_PLAIN);
	else
		charge_thread(critical, path, line_of(critical, wake->previous), from_ns, to_ns,
			      row, depth + 1);
}

/* Charges the time between two events of a thread, which it spent in one state. */
static void charge_span(struct critical *critical, uint32_t path, uint32_t number,
			const struct schedule_interval *span, uint64_t from_ns, uint64_t to_ns,
			uint32_t end_row, uint32_t depth)
{
	uint32_t row = span->label ? span->label - 1 : end_row;

	switch (span->state) {
	case SCHEDULE_RUNNING:
		charge_run(critical, path, number, from_ns, to_ns, end_row);
		return;
	case SCHEDULE_RUNNABLE:
		charge(critical, step_to(critical, path, row), from_ns, to_ns, INTERVAL_RUN_QUEUE);
		return;
	case SCHEDULE_PREEMPTED:
		charge(critical, step_to(critical, path, row), from_ns, to_ns, INTERVAL_PREEMPTED);
		return;
	case SCHEDULE_BLOCKED:
		charge_blocked(critical, step_to(critical, path, row), span->tid, from_ns, to_ns,
			       span->to_ns, depth);
		return;
	case SCHEDULE_UNKNOWN:
	case SCHEDULE_STATE_COUNT:
		break;
	}
	charge(critical, path, from_ns, to_ns, INTERVAL_UNKNOWN);
}

/*
 * Returns the row with the stack at the end of a run: the row of the switch-out, or of the wake-up.
 */
static uint32_t end_of_run(const struct thread_line *line, size_t i, uint64_t to_ns,
			   uint32_t end_row)
{
	const struct schedule_interval *span = &line->spans.at[i];
	bool has_next = i + 1 < line->spans.count && span[1].from_ns == span->to_ns;

	return span->to_ns < to_ns && has_next && span[1].label ? span[1].label - 1 : end_row;
}

/*
 * Charges the time from from_ns to to_ns to the activities of a thread. At to_ns, in end_row, this
 * thread woke the waiting thread.
 */
static void charge_thread(struct critical *critical, uint32_t path, uint32_t number,
			  uint64_t from_ns, uint64_t to_ns, uint32_t end_row, uint32_t depth)
{
	const struct thread_line *first = &critical->lines.at[number];
	size_t count = first->spans.count;
	size_t i = vec_count_first(&first->spans, span, span->to_ns <= from_ns);

	for (; i < count && from_ns < to_ns; i++) {
		/*
		 * Fetched in each iteration, because adding the line of a new waker moves the
		 * array.
		 */
		const struct thread_line *line = &critical->lines.at[number];
		struct schedule_interval span = line->spans.at[i];
		uint64_t end_ns = span.to_ns < to_ns ? span.to_ns : to_ns;
		uint64_t begin_ns = span.from_ns > from_ns ? span.from_ns : from_ns;

		if (begin_ns >= to_ns)
			break;
		if (span.state == SCHEDULE_RUNNABLE && i &&
		    span.from_ns == line->spans.at[i - 1].to_ns)
			span.label = line->spans.at[i - 1].label;
		charge(critical, path, from_ns, begin_ns, INTERVAL_UNKNOWN);
		charge_span(critical, path, number, &span, begin_ns, end_ns,
			    end_of_run(line, i, to_ns, end_row), depth);
		from_ns = end_ns;
	}
	charge(critical, path, from_ns, to_ns, INTERVAL_UNKNOWN);
}

/*
 * Returns the span of the waiting thread in which a wait begins. The wait's sample is the
 * switch-out of this thread.
 */
static const struct schedule_interval *wait_span(struct critical *critical,
						 const struct interval *wait)
{
	for (size_t i = row_at(critical, wait->begin_ns);
	     i < critical->row_count && critical->rows[i].time_ns == wait->begin_ns; i++) {
		const struct pairing_row *row = &critical->rows[i];
		struct idtable_probe probe;
		uint32_t id;

		if (!take_step(critical))
			return NULL;
		if (row->role != PAIRING_SWITCH || row->offset != wait->offset ||
		    row->ordinal != wait->ordinal)
			continue;
		probe = idtable_find(&critical->line_ids, hash_u64(row->previous));
		while ((id = idtable_next(&critical->line_ids, &probe)) != IDTABLE_NONE) {
			const struct thread_line *line = &critical->lines.at[id];
			size_t at =
				vec_count_first(&line->spans, span, span->to_ns <= wait->begin_ns);

			if (line->tid == row->previous && at < line->spans.count)
				return &line->spans.at[at];
		}
	}
	return NULL;
}

/* The mark of a wait that is not divided. */
static enum interval_mark mark_of(const struct interval *wait,
				  const struct schedule_interval *found)
{
	if (wait->mark != INTERVAL_PLAIN)
		return (enum interval_mark)wait->mark;
	return found && found->state == SCHEDULE_RUNNABLE ? INTERVAL_RUN_QUEUE : INTERVAL_BLOCKED;
}

static void divide(struct critical *critical, const struct interval *wait)
{
	const struct schedule_interval *found = wait_span(critical, wait);
	uint64_t end_ns = wait->begin_ns + wait->duration_ns;
	uint64_t woken_ns = end_ns;
	uint64_t undivided_count = critical->paths->undivided_count;

	critical->wait = *wait;
	critical->paths->undivided_count +=
		!found && wait->mark == INTERVAL_PLAIN && !critical->steps_left;
	if (wait->mark != INTERVAL_PLAIN || !found || found->state != SCHEDULE_BLOCKED) {
		charge(critical, CRITICAL_NO_STEP, wait->begin_ns, end_ns, mark_of(wait, found));
		return;
	}
	if (found->to_ns < end_ns)
		woken_ns = found->to_ns;
	charge_blocked(critical, CRITICAL_NO_STEP, found->tid, wait->begin_ns, woken_ns,
		       found->to_ns, 0);
	charge(critical, CRITICAL_NO_STEP, woken_ns, end_ns, INTERVAL_RUN_QUEUE);
	/* The wait is not shown. */
	if (!pairing_filter_has(critical->filter, found->tid, pairing_row_cpu(found->cpu),
				wait->begin_ns))
		critical->paths->undivided_count = undivided_count;
}

static void deinit(struct critical *critical)
{
	for (size_t i = 0; i < critical->lines.count; i++) {
		vec_free(&critical->lines.at[i].spans);
		vec_free(&critical->lines.at[i].samples);
	}
	vec_free(&critical->lines);
	vec_free(&critical->rows_of_ids);
	vec_free(&critical->wakes_of_ids);
	idtable_deinit(&critical->line_ids);
	idtable_deinit(&critical->stack_ids);
	disk_requests_deinit(&critical->disk);
}

void critical_divide(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		     uint64_t end_ns, enum schedule_source source, struct intervals *intervals,
		     struct wakers *wakers, struct critical_paths *paths)
{
	struct critical critical = {
		.rows = rows,
		.row_count = count,
		.windows = plan->windows,
		.filter = &plan->filter,
		.steps_left = (uint64_t)count * LIMIT_CRITICAL_STEPS_PER_ROW,
		.wakers = wakers,
		.paths = paths,
	};

	idtable_init(&critical.line_ids);
	idtable_init(&critical.stack_ids);
	disk_requests_init(&critical.disk, rows, count);
	make_lines(&critical, end_ns, source);
	for (size_t i = 0; i < intervals->count; i++)
		divide(&critical, &intervals->at[i]);
	vec_free(intervals);
	*intervals = critical.parts;
	deinit(&critical);
}

/* Collects the links of a path, from its end to the wait. Returns their number. */
static uint32_t links_of(const struct critical_paths *paths, const struct wakers *wakers,
			 const uint32_t *mark_stacks, uint32_t last, uint32_t ret[LIMIT_WAKERS])
{
	uint32_t count = 0;

	for (uint32_t i = last; i != CRITICAL_NO_STEP; i = paths->steps.at[i].parent) {
		const struct critical_step *step = &paths->steps.at[i];
		uint32_t stack = step->kind == CRITICAL_MARK ? mark_stacks[step->value]
							     : wakers->wakes.at[step->value].stack;

		if (step->kind == CRITICAL_GATE && !wakers->stacks.at[stack].is_interrupt)
			continue;
		/* Drop the links of the interrupted thread, which is not a cause of the wait. */
		if (step->kind == CRITICAL_GATE)
			count = 0;
		if (count < LIMIT_WAKERS)
			ret[count++] = stack;
	}
	return count;
}

void critical_link(const struct critical_paths *paths, const str_id *mark_names,
		   struct wakers *wakers, struct intervals *intervals)
{
	uint32_t mark_stacks[INTERVAL_MARK_COUNT];

	for (uint32_t i = 0; i < INTERVAL_MARK_COUNT; i++) {
		mark_stacks[i] = (uint32_t)wakers->stacks.count;
		vec_push(&wakers->stacks,
			 (struct waker_stack){ .comm = mark_names[i], .is_mark = true });
	}
	for (size_t i = 0; i < intervals->count; i++) {
		struct interval *part = &intervals->at[i];
		uint32_t stacks[LIMIT_WAKERS];
		uint32_t count = links_of(paths, wakers, mark_stacks, part->waker, stacks);
		uint32_t link = WAKER_LINK_NONE;

		for (uint32_t k = 0; k < count; k++)
			link = wakers_intern_link(wakers, stacks[k], link);
		part->waker = link;
		part->waker_count = (uint16_t)count;
	}
}
_Static_assert(LIMIT_CRITICAL_DEPTH + 3 <= LIMIT_WAKERS, "a path fits into a list of wakers");
