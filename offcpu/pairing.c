/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "base/limits.h"
#include "base/saturate.h"
#include "offcpu/cpu_switches.h"
#include "offcpu/running.h"

/* One thread, or key. */
struct party {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t seen_ns;   /* that it ran: when last */
	uint16_t processor; /* that it came to last, as in a row */
	bool is_open;
	bool was_seen; /* since it came to be: the first that is seen of it may be an end */
	bool is_woken;
	bool is_reborn; /* another had its tid before */
	struct task_state state;
	uint32_t wake;                  /* that ended the wait it is in, or WAKE_NONE */
	uint32_t last_wake;             /* that ended the last it came back from */
	struct sample_position left_at; /* what it left with; has_any: it has a stack */
	struct sample_position last_sample, last_switch; /* of it, so far */
};

struct pairing {
	const struct pairing_options *options;
	const struct time_windows *windows;
	const struct loss_spans *losses;
	struct idtable table;
	VEC(struct party) parties;
	struct cpu_switches switches;
	struct running running; /* by party; only where that is shown too */
	struct cpu_survey survey;
	uint64_t first_ns; /* of all rows */
	struct pairing_result *result;
};

static struct party new_party(uint64_t key)
{
	return (struct party){ .key = key, .wake = WAKE_NONE, .last_wake = WAKE_NONE };
}

/* As a key: who had it is gone. None of the keys that are looked for, which are tids then. */
#define KEY_GONE UINT64_MAX

static struct party *party_of(struct pairing *pairing, uint64_t key)
{
	uint64_t hash = hash_u64(key ^ hash_secret());
	struct idtable_probe probe = idtable_find(&pairing->table, hash);
	uint32_t id;

	while ((id = idtable_next(&pairing->table, &probe)) != IDTABLE_NONE)
		if (pairing->parties.at[id].key == key)
			return &pairing->parties.at[id];
	id = (uint32_t)pairing->parties.count;
	idtable_add(&pairing->table, hash, id);
	vec_push(&pairing->parties, new_party(key));
	return &pairing->parties.at[id];
}

static uint32_t waker_limit(const struct pairing_options *options)
{
	return options->has_waker_chain ? LIMIT_WAKERS : options->has_wakers;
}

/* What counts of the time from one moment to another: the part in windows. A part is no latency, which is
 * whole if any of it is in a window. */
static uint64_t counted_ns(const struct pairing *pairing, uint64_t from_ns, uint64_t until_ns)
{
	uint64_t part_ns = time_windows_part(pairing->windows, from_ns, until_ns);

	return part_ns && pairing->options->groups_by_duration ? until_ns - from_ns : part_ns;
}

static void push(struct pairing *pairing, const struct party *party, uint64_t from_ns,
		 uint64_t until_ns, enum interval_mark mark)
{
	struct interval interval = {
		.offset = party->left_at.offset,
		.ordinal = party->left_at.ordinal,
		.duration_ns = counted_ns(pairing, from_ns, until_ns),
		.mark = (uint16_t)mark,
	};

	/* There is nothing to draw of it, and samples that weigh nothing are taken to weigh one. */
	if (!interval.duration_ns)
		return;
	if (mark == INTERVAL_PLAIN && pairing->options->is_wall)
		interval.mark = INTERVAL_BLOCKED;
	if (mark == INTERVAL_PLAIN) {
		interval.waker = party->wake;
		interval.waker_count = wakers_want(&pairing->result->wakers, party->wake,
						   party->begin_ns, waker_limit(pairing->options));
	}
	vec_push(&pairing->result->intervals, interval);
}

/* Whether any of it is. What took no time is only where all time counts. */
static bool is_in_windows(const struct pairing *pairing, uint64_t from_ns, uint64_t until_ns)
{
	return !pairing->windows || !pairing->windows->is_limited ||
	       time_windows_part(pairing->windows, from_ns, until_ns);
}

/* Counts what lies between two events, if it is asked for. Whether it is. */
static bool add_interval(struct pairing *pairing, const struct party *party, uint64_t end_ns)
{
	const struct pairing_options *options = pairing->options;
	struct pairing_counts *counts = &pairing->result->counts;
	uint64_t duration_ns = end_ns - party->begin_ns;
	enum interval_mark mark;

	if (!pairing_options_want(options, party->state, &mark) ||
	    duration_ns < options->shortest_ns ||
	    (options->longest_ns && duration_ns > options->longest_ns) ||
	    !is_in_windows(pairing, party->begin_ns, end_ns))
		return false;
	if (!party->left_at.has_any) {
		counts->without_stack++;
		return false;
	}
	counts->intervals++;
	counts->total_ns =
		saturate_add(counts->total_ns, counted_ns(pairing, party->begin_ns, end_ns));
	counts->over_losses += loss_spans_overlap(pairing->losses, party->begin_ns, end_ns);
	if (mark == INTERVAL_PLAIN && options->has_run_queue && party->is_woken) {
		push(pairing, party, party->begin_ns, party->woken_ns, INTERVAL_PLAIN);
		push(pairing, party, party->woken_ns, end_ns, INTERVAL_RUN_QUEUE);
		return true;
	}
	push(pairing, party, party->begin_ns, end_ns, mark);
	return true;
}

/* Whether it is in something that is asked for. */
static bool is_wanted(const struct pairing *pairing, const struct party *party)
{
	enum interval_mark ignored;

	return party->is_open && pairing_options_want(pairing->options, party->state, &ignored);
}

static uint32_t number_of(const struct pairing *pairing, const struct party *party)
{
	return (uint32_t)(party - pairing->parties.at);
}

/* From now on it runs. */
static void start_run(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_start(&pairing->running, number_of(pairing, party), time_ns);
}

/* Who is first seen running did so when the capture began: else it would have been seen coming. */
static void note_running(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (!party->was_seen && !party->is_reborn)
		start_run(pairing, party, pairing->first_ns);
	else if (!party->is_open)
		start_run(pairing, party, time_ns);
	party->seen_ns = time_ns;
}

static void stop_run(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_stop(&pairing->running, number_of(pairing, party), time_ns);
}

/* What it did between is not known. */
static void lose_run(struct pairing *pairing, struct party *party, uint64_t from_ns,
		     uint64_t until_ns)
{
	stop_run(pairing, party, from_ns);
	if (pairing->options->is_wall)
		running_lose(&pairing->running, number_of(pairing, party), from_ns, until_ns);
}

/* The thread is there no more: who has its tid next is another. */
static void bury(struct pairing *pairing, struct party *party, uint64_t key)
{
	if (!pairing->options->is_wall) {
		*party = new_party(key);
		party->is_reborn = true;
		return;
	}
	party->key = KEY_GONE;
	party->is_open = false;
	party_of(pairing, key)->is_reborn = true;
}

/* Where its stack is to be taken from; not there: it has none. */
static struct sample_position place_of(const struct party *party, const struct pairing_row *row)
{
	if (row->role == PAIRING_LEAVE)
		return party->last_sample;
	return (struct sample_position){ row->offset, row->ordinal, true };
}

/*
 * Who leaves though it had not come did come, unseen, after the last switch on the processor that it
 * leaves, and after it was woken: until then it waited, and it is taken to have run since. Where many
 * switches are missing it may have come and gone on any processor meanwhile.
 */
static void end_unseen(struct pairing *pairing, struct party *party, const struct pairing_row *row)
{
	struct pairing_counts *counts = &pairing->result->counts;
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, row->processor);
	uint64_t until_ns = last ? last->time_ns : 0;

	if (last && party->is_woken && party->woken_ns > until_ns)
		until_ns = party->woken_ns;
	if (!pairing->survey.is_nearly_complete || until_ns <= party->begin_ns ||
	    loss_spans_overlap(pairing->losses, party->begin_ns, row->time_ns)) {
		counts->without_end += is_wanted(pairing, party);
		lose_run(pairing, party, party->begin_ns, row->time_ns);
		return;
	}
	counts->paired++;
	start_run(pairing, party, until_ns);
	if (!add_interval(pairing, party, until_ns))
		return;
	counts->ends_supposed++;
	counts->supposed_ns = saturate_add(counts->supposed_ns, row->time_ns - until_ns);
}

static void begin(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, key);
	struct task_state state = { .letter = row->state, .is_preempted = row->is_preempted };
	struct sample_position at = place_of(party, row);

	/* The last thing there is of one whose end has been told. */
	if (row->role == PAIRING_LEAVE && party->is_reborn && !party->was_seen)
		return;
	if (party->is_open)
		end_unseen(pairing, party, row);
	note_running(pairing, party, row->time_ns);
	stop_run(pairing, party, row->time_ns);
	/* The kernel does not say any more whose the last one is. */
	if (!task_state_is_dead(state) || !party->last_switch.has_any)
		party->last_switch = at;
	if (task_state_is_dead(state)) {
		bury(pairing, party, key);
		return;
	}
	party->begin_ns = row->time_ns;
	party->left_at = at;
	party->is_open = true;
	party->was_seen = true;
	party->is_woken = false;
	party->state = state;
	party->wake = WAKE_NONE;
}

static void end(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, key);

	if (party->is_open) {
		pairing->result->counts.paired++;
		add_interval(pairing, party, row->time_ns);
	} else if (party->was_seen) {
		pairing->result->counts.without_begin++;
		lose_run(pairing, party, party->seen_ns, row->time_ns);
	} else {
		pairing->result->counts.open_at_start +=
			is_in_windows(pairing, pairing->first_ns, row->time_ns);
	}
	start_run(pairing, party, row->time_ns);
	party->is_open = false;
	party->was_seen = true;
	party->seen_ns = row->time_ns;
	party->processor = row->processor;
	if (party->wake != WAKE_NONE)
		party->last_wake = party->wake;
}

/* Notes who ended a wait. Who was interrupted only happened to be there. */
static uint32_t add_wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct wakers *wakers = &pairing->result->wakers;
	bool has_before = pairing->options->has_waker_chain && row->previous &&
			  (!row->is_interrupt || row->is_deferred);
	uint32_t before = has_before ? party_of(pairing, row->previous)->last_wake : WAKE_NONE;

	vec_push(&wakers->wakes, (struct wake){
					 .time_ns = row->time_ns,
					 .offset = row->offset,
					 .ordinal = row->ordinal,
					 .before = before,
					 .is_interrupt = row->is_interrupt,
					 .is_deferred = row->is_deferred,
				 });
	return (uint32_t)wakers->wakes.count - 1;
}

static void wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, row->next);
	uint32_t added = WAKE_NONE;

	if (!party->is_open || party->is_woken)
		return;
	if (pairing->options->has_wakers || pairing->options->has_waker_chain)
		added = add_wake(pairing, row);
	/* Another party may have come to be, and all have moved. */
	party = party_of(pairing, row->next);
	party->is_woken = true;
	party->woken_ns = row->time_ns;
	party->wake = added;
}

static void take_sample(struct pairing *pairing, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, row->tid);

	party->last_sample = (struct sample_position){ row->offset, row->ordinal, true };
	if (!row->period)
		return;
	note_running(pairing, party, row->time_ns);
	party->was_seen = true;
	if (time_windows_has(pairing->windows, row->time_ns))
		running_sample(&pairing->running, number_of(pairing, party), row->period,
			       &party->last_sample);
}

static void take(struct pairing *pairing, const struct pairing_row *row)
{
	switch ((enum pairing_role)row->role) {
	case PAIRING_SWITCH:
		/* The idle task, of which there is one a processor, waits for nothing. */
		if (row->next)
			end(pairing, row->next, row);
		if (row->previous)
			begin(pairing, row->previous, row);
		cpu_switches_note(&pairing->switches, row);
		break;
	case PAIRING_WAKE:
		wake(pairing, row);
		break;
	case PAIRING_BEGIN:
		begin(pairing, row->key, row);
		break;
	case PAIRING_END:
		end(pairing, row->key, row);
		break;
	case PAIRING_SAMPLE:
		if (row->tid)
			take_sample(pairing, row);
		break;
	case PAIRING_LEAVE:
		if (row->tid)
			begin(pairing, row->tid, row);
		break;
	case PAIRING_COME:
		if (row->tid)
			end(pairing, row->tid, row);
		break;
	case PAIRING_NONE:
		break;
	}
}

bool pairing_lacks_most(const struct pairing_counts *counts)
{
	return counts->without_begin + counts->without_end + counts->ends_supposed > counts->paired;
}

void pairing_result_init(struct pairing_result *result)
{
	*result = (struct pairing_result){ 0 };
	wakers_init(&result->wakers);
}

void pairing_result_deinit(struct pairing_result *result)
{
	vec_free(&result->intervals);
	wakers_deinit(&result->wakers);
}

/* Whether who came to a processor and was not seen leaving is there no more. */
static bool has_left_unseen(const struct pairing *pairing, const struct party *party)
{
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, party->processor);

	return last && last->next != party->key;
}

/*
 * How long it took is not known of what had not ended, but how much of it is in a window is. That is no latency.
 */
static bool counts_open(const struct pairing *pairing)
{
	switch (pairing->options->open) {
	case PAIRING_OPEN_INCLUDE:
		return true;
	case PAIRING_OPEN_EXCLUDE:
		return false;
	case PAIRING_OPEN_AUTO:
		break;
	}
	return pairing->windows && pairing->windows->is_limited &&
	       !pairing->options->groups_by_duration;
}

/* What of a thread, or key, had not ended when the capture did. */
static void finish(struct pairing *pairing, struct party *party, uint64_t end_ns)
{
	struct pairing_counts *counts = &pairing->result->counts;

	stop_run(pairing, party, has_left_unseen(pairing, party) ? party->seen_ns : end_ns);
	if (!is_wanted(pairing, party) || !is_in_windows(pairing, party->begin_ns, end_ns))
		return;
	if (!counts_open(pairing)) {
		counts->open_left_out++;
		return;
	}
	counts->open_counted += add_interval(pairing, party, end_ns);
}

/* A sample that has a thread's names: it may never have left, and its samples be in no window. */
static const struct sample_position *name_place_of(const struct party *party)
{
	return party->last_switch.has_any ? &party->last_switch : &party->last_sample;
}

/* Gives the time that threads ran to their samples, or to where they were seen last. */
static void push_runs(struct pairing *pairing)
{
	struct pairing_counts *counts = &pairing->result->counts;
	struct intervals *intervals = &pairing->result->intervals;

	for (size_t i = 0; i < pairing->parties.count; i++)
		counts->unplaced_ns = saturate_add(
			counts->unplaced_ns,
			running_push_unsampled(&pairing->running, (uint32_t)i,
					       name_place_of(&pairing->parties.at[i]), intervals));
	running_push_samples(&pairing->running, intervals);
}

void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 struct loss_spans *losses, uint64_t end_ns, struct pairing_result *ret)
{
	struct pairing pairing = {
		.options = &plan->options,
		.windows = plan->windows,
		.losses = losses,
		.running = { .windows = plan->windows },
		.result = ret,
		.first_ns = count ? rows[0].time_ns : 0,
	};

	pairing.survey = cpu_switches_survey(rows, count, losses);
	idtable_init(&pairing.table);
	for (size_t i = 0; i < count; i++)
		take(&pairing, &rows[i]);
	for (size_t i = 0; i < pairing.parties.count; i++)
		finish(&pairing, &pairing.parties.at[i], end_ns);
	/* Sooner or later a processor has nothing to do; no thread that was chosen is its idle one. */
	ret->counts.has_only_switches_out =
		!plan->options.span && !pairing.survey.has_idle && pairing_lacks_most(&ret->counts);
	if (plan->options.is_wall)
		push_runs(&pairing);
	idtable_deinit(&pairing.table);
	vec_free(&pairing.parties);
	cpu_switches_deinit(&pairing.switches);
	running_deinit(&pairing.running);
}
