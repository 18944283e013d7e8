/* SPDX-License-Identifier: MIT */
#include "profile/branch_callchain.h"

#include "base/vec.h"
#include "profile/callchains.h"

/*
 * The length of the longest call instruction. A return address is at most this far after the start
 * of its call.
 */
#define CALL_BYTES_MAX 8

/* The kernel has the upper half of the address range on all CPUs that record branches. */
#define KERNEL_ADDRESS_BIT ((uint64_t)1 << 63)

static uint32_t find_user(const struct event_sample *sample)
{
	uint32_t i = 0;

	while (i < sample->ip_count && sample->ips[i] != CALLCHAIN_USER)
		i++;
	return i;
}

/* The user address of the sample; user is the index of the first user entry. */
static uint64_t user_leaf(const struct event_sample *sample, uint32_t user, bool as_perf)
{
	uint64_t entered = sample->branches[0].to;

	if (as_perf)
		return entered;
	if (sample->cpu_mode == CPU_MODE_USER && sample->present & SAMPLE_HAS_IP)
		return sample->ip;
	return user + 1 < sample->ip_count ? sample->ips[user + 1] : entered;
}

/* Skips addresses in the range of markers, where no code can have been executed. */
static void push_address(struct callchain_buffer *buffer, uint64_t address)
{
	if (address < CALLCHAIN_MARKER_FIRST)
		vec_push(buffer, address);
}

bool branch_callchain_of_calls(const struct event_sample *sample, bool as_perf,
			       struct callchain_buffer *ret)
{
	uint32_t user = find_user(sample);

	if (user == sample->ip_count || !sample->branch_count)
		return false;
	ret->count = 0;
	for (uint32_t i = 0; i <= user; i++)
		vec_push(ret, sample->ips[i]);
	push_address(ret, user_leaf(sample, user, as_perf));
	vec_push(ret, CALLCHAIN_EXACT);
	for (uint32_t i = 0; i < sample->branch_count; i++)
		push_address(ret, sample->branches[i].from);
	return true;
}

/* Branches, newest first, without repetitions of a loop. */
struct history {
	struct event_branch rows[LIMIT_HISTORY_BRANCHES];
	uint32_t count;
};

/* Returns how many branches from row i on repeat the previous iteration of a loop. */
static uint32_t count_repeated(const struct history *history, uint32_t i)
{
	const struct event_branch *rows = history->rows;
	uint32_t first = 0;
	uint32_t length = 0;

	while (rows[first].from != rows[i].from)
		first++;
	while (first + length < i && i + length < history->count) {
		if (rows[first + length].from != rows[i + length].from)
			return 0;
		length++;
	}
	return length;
}

static void remove_loops(struct history *history)
{
	for (uint32_t i = 1; i < history->count; i++) {
		uint32_t repeated;

		while (i < history->count && (repeated = count_repeated(history, i))) {
			history->count -= repeated;
			memmove(history->rows + i, history->rows + i + repeated,
				(history->count - i) * sizeof(*history->rows));
		}
	}
}

/* Skips unused entries, which are zero. */
static void take_history(struct history *history, const struct event_sample *sample)
{
	history->count = 0;
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		const struct event_branch *branch = &sample->branches[i];

		if (history->count == LIMIT_HISTORY_BRANCHES)
			break;
		if (branch->from || branch->to)
			history->rows[history->count++] = *branch;
	}
}

static uint32_t next_address(const uint64_t *ips, uint32_t ip_count, uint32_t i)
{
	while (i < ip_count && ips[i] >= CALLCHAIN_MARKER_FIRST)
		i++;
	return i;
}

/*
 * Returns how many of the innermost callchain entries are also among the branches. A caller is in
 * both if a branch starts just before the caller's return address; the next inner entry is then the
 * function that this branch jumps to.
 */
static uint32_t count_covered(const struct history *history, const uint64_t *ips, uint32_t ip_count)
{
	uint32_t leaf = next_address(ips, ip_count, 0);
	uint32_t caller = next_address(ips, ip_count, leaf + 1);
	uint32_t covered = 0;

	for (uint32_t i = 0; i < history->count && caller < ip_count; i++) {
		uint64_t from = history->rows[i].from;

		if (from >= ips[caller] || ips[caller] - from > CALL_BYTES_MAX)
			continue;
		covered = caller + 1;
		caller = next_address(ips, ip_count, covered);
	}
	return covered;
}

/* Appends the rest of the callchain, beginning with the marker of its mode. */
static void push_rest(const struct event_sample *sample, const uint64_t *ips, uint32_t ip_count,
		      uint32_t covered, struct callchain_buffer *ret)
{
	uint64_t marker = sample->cpu_mode == CPU_MODE_KERNEL ? CALLCHAIN_KERNEL : CALLCHAIN_USER;

	for (uint32_t i = 0; i < covered; i++)
		if (ips[i] >= CALLCHAIN_MARKER_FIRST)
			marker = ips[i];
	if (covered < ip_count && ips[covered] < CALLCHAIN_MARKER_FIRST) {
		vec_push(ret, marker);
		if (covered)
			vec_push(ret, CALLCHAIN_RETURNS);
	}
	for (uint32_t i = covered; i < ip_count; i++)
		vec_push(ret, ips[i]);
}

/* Appends an address of a branch, after a marker if the address's mode differs from *mode. */
static void push_branch(struct callchain_buffer *buffer, uint64_t address, uint64_t *mode)
{
	uint64_t marker = address & KERNEL_ADDRESS_BIT ? CALLCHAIN_KERNEL : CALLCHAIN_USER;

	if (address >= CALLCHAIN_MARKER_FIRST)
		return;
	if (marker != *mode)
		vec_push(buffer, marker);
	/* The first entry of a mode is exact anyway, and its marker must precede it directly. */
	else if (buffer->at[buffer->count - 2] == marker)
		vec_push(buffer, CALLCHAIN_EXACT);
	vec_push(buffer, address);
	*mode = marker;
}

void branch_callchain_of_history(const struct event_sample *sample, const uint64_t *ips,
				 uint32_t ip_count, struct callchain_buffer *ret)
{
	struct history history;
	uint64_t mode = 0;
	uint32_t covered;

	take_history(&history, sample);
	covered = count_covered(&history, ips, ip_count);
	remove_loops(&history);
	ret->count = 0;
	for (uint32_t i = 0; i < history.count; i++) {
		push_branch(ret, history.rows[i].to, &mode);
		push_branch(ret, history.rows[i].from, &mode);
	}
	push_rest(sample, ips, ip_count, covered, ret);
}

void branch_callchain_of_branches(const struct event_sample *sample, struct callchain_buffer *ret)
{
	uint64_t mode = 0;

	ret->count = 0;
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		if (!branch_is_complete(&sample->branches[i]))
			continue;
		push_branch(ret, sample->branches[i].to, &mode);
		push_branch(ret, sample->branches[i].from, &mode);
	}
}
