/* SPDX-License-Identifier: MIT */
#include "profile/pairing.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "base/limits.h"
#include "base/ratio.h"
#include "base/saturate.h"

/* One thread, or key. */
struct party {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t offset;
	uint32_t ordinal;
	bool is_open;
	bool has_stack; /* what it left with, at offset and ordinal */
	bool was_seen;  /* since it came to be: the first that is seen of it may be an end */
	bool is_woken;
	struct task_state state;
	uint32_t wake;      /* that ended the wait it is in, or WAKE_NONE */
	uint32_t last_wake; /* that ended the last it came back from */
	struct sample_at {
		uint64_t offset;
		uint32_t ordinal;
		bool is_there;
	} last_sample, last_switch; /* of it, so far */
	bool is_reborn;             /* another had its tid before */
	bool is_running;
	uint64_t run_begin_ns, run_ns; /* since when, and before that */
	uint64_t period_sum;           /* of its samples */
};

/* A sample whose thread's time is to be divided. */
struct share {
	uint32_t party;
	uint32_t period;
	struct sample_at at;
};

struct pairing {
	const struct pairing_options *options;
	const struct pairing_losses *losses;
	struct idtable table;
	VEC(struct party) parties;
	VEC(struct share) shares;
	uint64_t first_ns; /* of all rows */
	struct pairing_result *result;
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

void pairing_sort(struct pairing_row *rows, size_t count)
{
	if (count > 1)
		qsort(rows, count, sizeof(*rows), compare_rows);
}

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

/* Whether records were lost after from_ns and until until_ns. */
static bool spans_loss(const struct pairing_losses *losses, uint64_t from_ns, uint64_t until_ns)
{
	size_t begin = 0;
	size_t end = losses->count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (losses->times_ns[middle] <= from_ns)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin < losses->count && losses->times_ns[begin] <= until_ns;
}

static bool has_letter(const char *states, char letter)
{
	for (const char *at = states; *at; at++)
		if (*at == letter)
			return true;
	return false;
}

/* Whether intervals that begin so are asked for, and what they are. */
static bool is_wanted(const struct pairing_options *options, struct task_state state,
		      enum interval_mark *mark_ret)
{
	bool is_blocked = task_state_is_blocked(state);

	*mark_ret = INTERVAL_PLAIN;
	if (options->span)
		return true;
	if (!is_blocked && options->has_preempted)
		*mark_ret = INTERVAL_PREEMPTED;
	else if (!is_blocked && options->has_run_queue)
		*mark_ret = INTERVAL_RUN_QUEUE;
	if (*mark_ret == INTERVAL_PLAIN && !is_blocked && options->is_wall)
		*mark_ret = INTERVAL_PREEMPTED;
	if (*mark_ret != INTERVAL_PLAIN)
		return true;
	if (options->states)
		return has_letter(options->states, is_blocked ? state.letter : 'R');
	return is_blocked;
}

/* How many wakes, from that which ended the wait on, happened while it lasted, and led to its end. */
static uint16_t count_wakers(struct pairing *pairing, const struct party *party)
{
	uint32_t wake = party->wake;
	uint32_t limit = pairing->options->has_chain ? LIMIT_WAKERS : pairing->options->has_wakers;
	uint32_t count = 0;

	for (; count < limit && wake != WAKE_NONE; count++) {
		struct wake *row = &pairing->result->wakers.wakes.at[wake];

		if (row->time_ns < party->begin_ns)
			break;
		row->is_wanted = true;
		wake = row->before;
	}
	return (uint16_t)count;
}

static void push(struct pairing *pairing, const struct party *party, uint64_t length_ns,
		 enum interval_mark mark)
{
	struct interval interval = {
		.offset = party->offset,
		.ordinal = party->ordinal,
		.length_ns = length_ns,
		.mark = (uint16_t)mark,
	};

	/* There is nothing to draw of it, and samples that weigh nothing are taken to weigh one. */
	if (!length_ns)
		return;
	if (mark == INTERVAL_PLAIN && pairing->options->is_wall)
		interval.mark = INTERVAL_BLOCKED;
	if (mark == INTERVAL_PLAIN) {
		interval.waker = party->wake;
		interval.waker_count = count_wakers(pairing, party);
	}
	vec_push(&pairing->result->intervals, interval);
}

static void add_interval(struct pairing *pairing, const struct party *party, uint64_t end_ns)
{
	const struct pairing_options *options = pairing->options;
	struct pairing_counts *counts = &pairing->result->counts;
	uint64_t length_ns = end_ns - party->begin_ns;
	enum interval_mark mark;

	if (!is_wanted(options, party->state, &mark) || length_ns < options->shortest_ns ||
	    (options->longest_ns && length_ns > options->longest_ns))
		return;
	if (!party->has_stack) {
		counts->without_stack++;
		return;
	}
	counts->intervals++;
	counts->total_ns = saturate_add(counts->total_ns, length_ns);
	counts->over_losses += spans_loss(pairing->losses, party->begin_ns, end_ns);
	if (mark == INTERVAL_PLAIN && options->has_run_queue && party->is_woken) {
		push(pairing, party, party->woken_ns - party->begin_ns, INTERVAL_PLAIN);
		push(pairing, party, end_ns - party->woken_ns, INTERVAL_RUN_QUEUE);
		return;
	}
	push(pairing, party, length_ns, mark);
}

/* From now on it runs. */
static void start_run(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (!pairing->options->is_wall || party->is_running)
		return;
	party->is_running = true;
	party->run_begin_ns = time_ns;
}

/* Who is first seen running did so when the capture began: else it would have been seen coming. */
static void note_running(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	if (!party->was_seen && !party->is_reborn)
		start_run(pairing, party, pairing->first_ns);
	else if (!party->is_open)
		start_run(pairing, party, time_ns);
}

static void stop_run(struct pairing *pairing, struct party *party, uint64_t time_ns)
{
	note_running(pairing, party, time_ns);
	if (!party->is_running)
		return;
	party->run_ns = saturate_add(party->run_ns, time_ns - party->run_begin_ns);
	party->is_running = false;
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
static struct sample_at place_of(const struct party *party, const struct pairing_row *row)
{
	if (row->role == PAIRING_LEAVE)
		return party->last_sample;
	return (struct sample_at){ row->offset, row->ordinal, true };
}

static void begin(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, key);
	struct task_state state = { .letter = row->state, .is_preempted = row->is_preempted };
	struct sample_at at = place_of(party, row);

	/* The last thing there is of one whose end has been told. */
	if (row->role == PAIRING_LEAVE && party->is_reborn && !party->was_seen)
		return;
	pairing->result->counts.without_end += party->is_open;
	stop_run(pairing, party, row->time_ns);
	/* The kernel does not say any more whose the last one is. */
	if (!task_state_is_dead(state) || !party->last_switch.is_there)
		party->last_switch = at;
	if (task_state_is_dead(state)) {
		bury(pairing, party, key);
		return;
	}
	party->begin_ns = row->time_ns;
	party->offset = at.offset;
	party->ordinal = at.ordinal;
	party->has_stack = at.is_there;
	party->is_open = true;
	party->was_seen = true;
	party->is_woken = false;
	party->state = state;
	party->wake = WAKE_NONE;
}

static void end(struct pairing *pairing, uint64_t key, uint64_t time_ns)
{
	struct party *party = party_of(pairing, key);

	start_run(pairing, party, time_ns);
	if (party->is_open)
		add_interval(pairing, party, time_ns);
	else if (party->was_seen)
		pairing->result->counts.without_begin++;
	else
		pairing->result->counts.open_at_start++;
	party->is_open = false;
	party->was_seen = true;
	if (party->wake != WAKE_NONE)
		party->last_wake = party->wake;
}

/* Notes who ended a wait. Who was interrupted only happened to be there. */
static uint32_t add_wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct wakers *wakers = &pairing->result->wakers;
	bool has_before = pairing->options->has_chain && row->previous && !row->is_interrupt;
	uint32_t before = has_before ? party_of(pairing, row->previous)->last_wake : WAKE_NONE;

	vec_push(&wakers->wakes, (struct wake){
					 .time_ns = row->time_ns,
					 .offset = row->offset,
					 .ordinal = row->ordinal,
					 .before = before,
					 .is_interrupt = row->is_interrupt,
				 });
	return (uint32_t)wakers->wakes.count - 1;
}

static void wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, row->next);
	uint32_t added = WAKE_NONE;

	if (!party->is_open || party->is_woken)
		return;
	if (pairing->options->has_wakers || pairing->options->has_chain)
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

	party->last_sample = (struct sample_at){ row->offset, row->ordinal, true };
	if (!row->period)
		return;
	note_running(pairing, party, row->time_ns);
	party->was_seen = true;
	party->period_sum = saturate_add(party->period_sum, row->period);
	vec_push(&pairing->shares, (struct share){
					   .party = (uint32_t)(party - pairing->parties.at),
					   .period = row->period,
					   .at = party->last_sample,
				   });
}

static void take(struct pairing *pairing, const struct pairing_row *row)
{
	switch ((enum pairing_role)row->role) {
	case PAIRING_SWITCH:
		/* The idle task, of which there is one a processor, waits for nothing. */
		if (row->next)
			end(pairing, row->next, row->time_ns);
		if (row->previous)
			begin(pairing, row->previous, row);
		break;
	case PAIRING_WAKE:
		wake(pairing, row);
		break;
	case PAIRING_BEGIN:
		begin(pairing, row->key, row);
		break;
	case PAIRING_END:
		end(pairing, row->key, row->time_ns);
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
			end(pairing, row->tid, row->time_ns);
		break;
	case PAIRING_NONE:
		break;
	}
}

static void push_run(struct pairing *pairing, struct sample_at at, uint64_t length_ns,
		     enum interval_mark mark)
{
	if (length_ns && at.is_there)
		vec_push(&pairing->result->intervals, (struct interval){
							      .offset = at.offset,
							      .ordinal = at.ordinal,
							      .length_ns = length_ns,
							      .mark = (uint16_t)mark,
						      });
}

/*
 * Divides the time each thread ran among its samples, by their periods: so that they add up to it, to
 * the nanosecond. A thread without any keeps it, but nothing tells where it was.
 */
static void divide_runs(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->parties.count; i++) {
		struct party *party = &pairing->parties.at[i];

		if (!party->period_sum) {
			push_run(pairing, party->last_switch, party->run_ns, INTERVAL_UNSAMPLED);
			pairing->result->counts.unsampled_ns += party->run_ns;
		}
	}
	for (size_t i = 0; i < pairing->shares.count; i++) {
		const struct share *share = &pairing->shares.at[i];
		struct party *party = &pairing->parties.at[share->party];
		uint64_t period =
			share->period < party->period_sum ? share->period : party->period_sum;
		uint64_t length_ns;

		/* It is less than all shares together when that was too large a number. */
		if (!period)
			continue;
		length_ns = ratio_of(party->run_ns, period, party->period_sum).quotient;
		push_run(pairing, share->at, length_ns, INTERVAL_RUNNING);
		party->run_ns -= length_ns;
		party->period_sum -= period;
	}
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

/* What of a thread, or key, had not ended when the capture did. */
static void finish(struct pairing *pairing, struct party *party, uint64_t end_ns)
{
	if (party->is_running)
		party->run_ns = saturate_add(party->run_ns, end_ns - party->run_begin_ns);
	if (!party->is_open)
		return;
	pairing->result->counts.open_at_end++;
	if (pairing->options->includes_open)
		add_interval(pairing, party, end_ns);
}

void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 const struct pairing_losses *losses, uint64_t end_ns, struct pairing_result *ret)
{
	struct pairing pairing = {
		.options = &plan->options,
		.losses = losses,
		.result = ret,
		.first_ns = count ? rows[0].time_ns : 0,
	};

	idtable_init(&pairing.table);
	for (size_t i = 0; i < count; i++)
		take(&pairing, &rows[i]);
	for (size_t i = 0; i < pairing.parties.count; i++)
		finish(&pairing, &pairing.parties.at[i], end_ns);
	if (plan->options.is_wall)
		divide_runs(&pairing);
	idtable_deinit(&pairing.table);
	vec_free(&pairing.parties);
	vec_free(&pairing.shares);
}
