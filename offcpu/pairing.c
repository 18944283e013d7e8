/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "base/saturate.h"
#include "offcpu/cpu_switches.h"
#include "offcpu/running.h"
#include "profile/resolve.h"

/* The state of one thread, or of one key of --span. */
struct party {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t seen_ns;   /* when it last ran */
	uint16_t processor; /* the CPU it was last switched in on, as in a row */
	bool is_open;
	bool was_seen; /* false: its next event may be the end of something that began before the capture */
	bool is_woken;
	bool is_reborn; /* another thread had its tid before */
	struct task_state state;
	uint32_t wake;                  /* that ends the current wait, or WAKE_NONE */
	uint32_t last_wake;             /* that ended the last finished wait */
	struct sample_position left_at; /* the sample that begins the interval; none: no stack */
	struct sample_position last_sample, last_switch; /* its latest */
};

struct pairing {
	const struct pairing_options *options;
	const struct time_windows *windows;
	const struct loss_spans *losses;
	struct idtable table;
	VEC(struct party) parties;
	struct cpu_switches switches;
	struct running running; /* by thread; only with --wall */
	struct cpu_survey survey;
	uint64_t first_ns; /* of the first row */
	struct pairing_result *result;
};

static struct party new_party(uint64_t key)
{
	return (struct party){ .key = key, .wake = WAKE_NONE, .last_wake = WAKE_NONE };
}

/* The key of a thread that exited. Never looked up, as other keys are tids then. */
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

/* Returns how much of an interval counts: the part in windows. A latency counts in full if any part of it
 * is in a window. */
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

	/* A weight of 0 would count as 1. */
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

/* Whether any part is in a window. An empty interval only counts without windows. */
static bool is_in_windows(const struct pairing *pairing, uint64_t from_ns, uint64_t until_ns)
{
	return !pairing->windows || !pairing->windows->is_limited ||
	       time_windows_part(pairing->windows, from_ns, until_ns);
}

/* Counts the interval of a thread if it was requested. Returns whether it counts. */
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

/* Whether a thread is in an interval that was requested. */
static bool is_wanted(const struct pairing *pairing, const struct party *party)
{
	enum interval_mark ignored;

	return party->is_open && pairing_options_want(pairing->options, party->state, &ignored);
}

static uint32_t number_of(const struct pairing *pairing, const struct party *party)
{
	return (uint32_t)(party - pairing->parties.at);
}

/* The thread runs from now on. */
static void start_run(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_start(&pairing->running, number_of(pairing, party), time_ns);
}

/* A thread that is first seen running has run since the capture began. */
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

/* Whether the thread ran in between is not known. */
static void lose_run(struct pairing *pairing, struct party *party, uint64_t from_ns,
		     uint64_t until_ns)
{
	stop_run(pairing, party, from_ns);
	if (pairing->options->is_wall)
		running_lose(&pairing->running, number_of(pairing, party), from_ns, until_ns);
}

/* The thread exited; its tid may be reused. */
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

/* The sample with the stack of an interval; none: it has no stack. */
static struct sample_position place_of(const struct party *party, const struct pairing_row *row)
{
	if (row->role == PAIRING_LEAVE)
		return party->last_sample;
	return (struct sample_position){ row->offset, row->ordinal, true };
}

/*
 * Handles a switch-out of a thread whose switch-in is missing. The thread was switched in after the last
 * switch on this CPU and after it was woken; it counts as blocked until then. If many switches are missing,
 * it may have run on other CPUs too, and the interval is dropped.
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

	/* The switch-out that follows the exit record of a thread. */
	if (row->role == PAIRING_LEAVE && party->is_reborn && !party->was_seen)
		return;
	if (party->is_open)
		end_unseen(pairing, party, row);
	note_running(pairing, party, row->time_ns);
	stop_run(pairing, party, row->time_ns);
	/* The sample of a dead thread's last switch no longer has its ids. */
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

/* Notes the wake-up that ends a wait. An interrupted thread is not the waker. */
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
	/* add_wake may have added a thread, which moves all. */
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
		/* tid 0 is the idle task of each CPU; it does not block. */
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

/* Whether another thread was switched in on the CPU where this one last ran. */
static bool has_left_unseen(const struct pairing *pairing, const struct party *party)
{
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, party->processor);

	return last && last->next != party->key;
}

/* Whether intervals count that are open at the end of the capture. Their duration is not known, but the part
 * in a window is; that is not a latency. */
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

/* Finishes a thread or key that is in an interval at the end of the capture. */
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

/* A sample with the names of a thread that has no samples in the windows. */
static const struct sample_position *name_place_of(const struct party *party)
{
	return party->last_switch.has_any ? &party->last_switch : &party->last_sample;
}

/* Distributes the on-CPU time of threads over their samples, or adds it to a switch. */
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
	/* System-wide captures contain switches to the idle task; per-thread ones do not. */
	ret->counts.has_only_switches_out =
		!plan->options.span && !pairing.survey.has_idle && pairing_lacks_most(&ret->counts);
	if (plan->options.is_wall)
		push_runs(&pairing);
	idtable_deinit(&pairing.table);
	vec_free(&pairing.parties);
	cpu_switches_deinit(&pairing.switches);
	running_deinit(&pairing.running);
}
