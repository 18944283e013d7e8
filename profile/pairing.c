/* SPDX-License-Identifier: MIT */
#include "profile/pairing.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "base/limits.h"
#include "base/saturate.h"

/* One thread, or key. */
struct party {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t offset;
	uint32_t ordinal;
	bool is_open;
	bool was_seen; /* since it came to be: the first that is seen of it may be an end */
	bool is_woken;
	struct task_state state;
	uint32_t wake;      /* that ended the wait it is in, or WAKE_NONE */
	uint32_t last_wake; /* that ended the last it came back from */
};

struct pairing {
	const struct pairing_options *options;
	const struct pairing_losses *losses;
	struct idtable table;
	VEC(struct party) parties;
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

static void begin(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct party *party = party_of(pairing, key);
	struct task_state state = { .letter = row->state, .is_preempted = row->is_preempted };

	pairing->result->counts.without_end += party->is_open;
	if (task_state_is_dead(state)) {
		/* Who has this tid next is another. */
		*party = new_party(key);
		return;
	}
	*party = (struct party){
		.key = key,
		.begin_ns = row->time_ns,
		.offset = row->offset,
		.ordinal = row->ordinal,
		.is_open = true,
		.was_seen = true,
		.state = state,
		.wake = WAKE_NONE,
		.last_wake = party->last_wake,
	};
}

static void end(struct pairing *pairing, uint64_t key, uint64_t time_ns)
{
	struct party *party = party_of(pairing, key);

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
	case PAIRING_NONE:
		break;
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

void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 const struct pairing_losses *losses, uint64_t end_ns, struct pairing_result *ret)
{
	struct pairing pairing = {
		.options = &plan->options,
		.losses = losses,
		.result = ret,
	};

	idtable_init(&pairing.table);
	for (size_t i = 0; i < count; i++)
		take(&pairing, &rows[i]);
	for (size_t i = 0; i < pairing.parties.count; i++) {
		const struct party *party = &pairing.parties.at[i];

		if (!party->is_open)
			continue;
		ret->counts.open_at_end++;
		if (plan->options.includes_open)
			add_interval(&pairing, party, end_ns);
	}
	idtable_deinit(&pairing.table);
	vec_free(&pairing.parties);
}
