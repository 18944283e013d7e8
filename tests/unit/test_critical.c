/* SPDX-License-Identifier: MIT */
#include "offcpu/critical.h"

#include <criterion/criterion.h>

#include "offcpu/pairing.h"
#include "tests/support/leaks.h"
#include "tests/support/row_maker.h"

static struct pairing_row interrupt(uint64_t time_ns, uint32_t on, uint32_t whom)
{
	struct pairing_row row = row_wake(time_ns, on, whom);

	row.is_interrupt = true;
	return row;
}

static struct pairing_row sample(uint64_t time_ns, uint32_t tid)
{
	return (struct pairing_row){ .time_ns = time_ns,
				     .offset = time_ns * 10,
				     .tid = tid,
				     .period = 1,
				     .role = PAIRING_SAMPLE };
}

/*
 * Writes a part as "DURATION: STEP STEP". A step is the time of a stack, or "#NUMBER" for a mark.
 */
static void write_part(const struct pairing_result *result, const struct interval *part, char *ret,
		       size_t size)
{
	char steps[8][16];
	int count = 0;
	int length;

	for (uint32_t i = part->waker; i != CRITICAL_NO_STEP && count < 8;
	     i = result->critical.steps.at[i].parent) {
		const struct critical_step *step = &result->critical.steps.at[i];

		if (step->kind == CRITICAL_MARK)
			snprintf(steps[count++], sizeof(*steps), "#%u", step->value);
		else
			snprintf(steps[count++], sizeof(*steps), "%s%llu",
				 step->kind == CRITICAL_GATE ? "?" : "",
				 (unsigned long long)result->wakers.wakes.at[step->value].time_ns);
	}
	length = snprintf(ret, size, "%llu:", (unsigned long long)part->duration_ns);
	while (count-- > 0)
		length += snprintf(ret + length, size - (size_t)length, " %s", steps[count]);
}

static void run(const struct pairing_row *rows, size_t count, const struct time_windows *windows,
		bool is_critical, struct pairing_result *ret)
{
	struct pairing_plan plan = { .options = { .is_critical = is_critical },
				     .windows = windows };
	struct loss_spans losses = { 0 };

	pairing_result_init(ret);
	pairing_run(&plan, rows, count, &losses, 1000, ret);
}

Test(critical, a_wait_is_what_its_waker_did)
{
	/* 7 waits from 10 to 95 for 8, which runs, waits from 20 to 50 for 9, is runnable until 55,
	 * runs, and wakes 7 at 90. 9 is sampled at 30. */
	const struct pairing_row rows[] = {
		row_switch(10, 7, "S", 8),
		row_switch(20, 8, "S", 9),
		sample(30, 9),
		row_wake(50, 9, 8),
		row_switch(55, 9, "S", 8),
		sample(60, 8),
		sample(80, 8),
		row_wake(90, 8, 7),
		row_switch(95, 8, "S", 7),
	};
	const char *const expected[] = {
		"10: 20 #6", /* 8 runs until it blocks */
		"30: 20 30", /* 9 runs meanwhile */
		"5: 20 #1",  /* 8 is on the run queue */
		"15: 60",    /* 8 runs; its first sample is the nearest */
		"20: 80",    /* 8 runs; its second sample is the nearest */
		"5: #1",     /* 7 is on the run queue */
	};
	struct pairing_result result;
	size_t found = 0;
	char text[100];

	run(rows, ARRAY_SIZE(rows), NULL, true, &result);
	for (size_t i = 0; i < result.intervals.count; i++) {
		if (result.intervals.at[i].offset != 100)
			continue;
		write_part(&result, &result.intervals.at[i], text, sizeof(text));
		cr_assert_lt(found, ARRAY_SIZE(expected), "%s", text);
		cr_expect_str_eq(text, expected[found], "%zu: %s", found, text);
		found++;
	}
	cr_expect_eq(found, ARRAY_SIZE(expected));
	pairing_result_deinit(&result);
	assert_no_leaks();
}

Test(critical, an_interrupt_has_no_causes)
{
	const struct pairing_row rows[] = {
		row_switch(10, 7, "S", 8),
		interrupt(90, 8, 7),
		row_switch(95, 8, "S", 7),
	};
	struct pairing_result result;
	char text[100];

	run(rows, ARRAY_SIZE(rows), NULL, true, &result);
	cr_assert_eq(result.intervals.count, 2);
	write_part(&result, &result.intervals.at[0], text, sizeof(text));
	cr_expect_str_eq(text, "80: ?90");
	write_part(&result, &result.intervals.at[1], text, sizeof(text));
	cr_expect_str_eq(text, "5: #1");
	pairing_result_deinit(&result);
}

static struct pairing_row disk(uint64_t time_ns, enum pairing_role role, uint64_t key, uint16_t cpu)
{
	return (struct pairing_row){ .time_ns = time_ns,
				     .offset = time_ns * 10,
				     .key = key,
				     .cpu = cpu,
				     .role = (uint8_t)role };
}

/*
 * 7 waits from 10 to 95. Its request is issued at 20, again at 40 because the disk was busy, and
 * completed at 85 by the interrupt that wakes 7 at 90.
 */
Test(critical, a_disk_works_on_a_request)
{
	struct pairing_row rows[] = {
		row_switch(10, 7, "S", 8),
		disk(20, PAIRING_DISK_ISSUE, 5, 1),
		disk(40, PAIRING_DISK_ISSUE, 5, 2),
		disk(50, PAIRING_DISK_COMPLETE, 6, 2), /* its issue was not recorded */
		disk(85, PAIRING_DISK_COMPLETE, 5, 2),
		interrupt(90, 8, 7),
		row_switch(95, 8, "S", 7),
	};
	const char *const expected[] = { "10: ?90", "65: #8", "5: ?90", "5: #1" };
	struct pairing_result result;
	char text[100];

	_Static_assert(INTERVAL_DISK == 8, "the number of the mark in the expected text");
	rows[5].cpu = 2;
	run(rows, ARRAY_SIZE(rows), NULL, true, &result);
	cr_assert_eq(result.intervals.count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		write_part(&result, &result.intervals.at[i], text, sizeof(text));
		cr_expect_str_eq(text, expected[i], "%zu: %s", i, text);
	}
	pairing_result_deinit(&result);
	/* The completion on another CPU belongs to another interrupt. */
	rows[4].cpu = 1;
	run(rows, ARRAY_SIZE(rows), NULL, true, &result);
	write_part(&result, &result.intervals.at[0], text, sizeof(text));
	cr_expect_str_eq(text, "80: ?90");
	pairing_result_deinit(&result);
	assert_no_leaks();
}

/* xorshift32, so that a failure can be repeated. */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static size_t make_rows(uint32_t seed, struct pairing_row *rows, size_t max)
{
	uint32_t current[2] = { 0, 0 };
	uint64_t time_ns = 1;
	size_t count = 0;

	while (count < max && time_ns < 990) {
		uint32_t cpu = next_random(&seed) % 2;
		uint32_t next = next_random(&seed) % 6;
		uint32_t what = next_random(&seed) % 8;
		static const char *const states[] = { "S", "D", "R" };

		time_ns += next_random(&seed) % 4;
		if (what < 4 && next != current[cpu] && (!next || next != current[!cpu])) {
			rows[count++] = row_on((uint16_t)(cpu + 1),
					       row_switch(time_ns, current[cpu],
							  states[next_random(&seed) % 3], next));
			current[cpu] = next;
		} else if (what < 6 && next) {
			rows[count++] = what == 4 ? row_wake(time_ns, current[cpu], next)
						  : interrupt(time_ns, current[cpu], next);
			rows[count - 1].is_deferred = next_random(&seed) % 2 && what == 5;
		} else if (current[cpu]) {
			rows[count++] = sample(time_ns, current[cpu]);
		}
	}
	for (size_t i = 0; i < count; i++)
		rows[i].offset = 8 * i;
	return count;
}

static uint64_t sum_at(const struct intervals *intervals, uint64_t offset)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < intervals->count; i++)
		sum += intervals->at[i].offset == offset ? intervals->at[i].duration_ns : 0;
	return sum;
}

/* Random schedules, including impossible ones, with and without windows. */
Test(critical, parts_add_up_to_the_wait)
{
	struct time_windows windows = { .is_limited = true };
	struct pairing_row rows[400];

	vec_push(&windows.rows, (struct time_window){ 100, 300 });
	vec_push(&windows.rows, (struct time_window){ 450, 451 });
	for (uint32_t seed = 1; seed <= 300; seed++) {
		size_t count = make_rows(seed * 2654435761u, rows, ARRAY_SIZE(rows));
		const struct time_windows *of = seed % 2 ? &windows : NULL;
		struct pairing_result whole, parts;

		run(rows, count, of, false, &whole);
		run(rows, count, of, true, &parts);
		for (size_t i = 0; i < count; i++)
			cr_assert_eq(sum_at(&whole.intervals, rows[i].offset),
				     sum_at(&parts.intervals, rows[i].offset), "seed %u, row %zu",
				     seed, i);
		pairing_result_deinit(&whole);
		pairing_result_deinit(&parts);
	}
	vec_free(&windows.rows);
	assert_no_leaks();
}

/* Even if threads wake each other all the time, the work is proportional to the number of rows. */
Test(critical, work_is_bounded)
{
	struct pairing_row rows[4000];
	struct pairing_result result;
	size_t count = 0;

	while (count + 4 <= ARRAY_SIZE(rows)) {
		uint32_t waiter = 7 + count / 4 % 300;

		rows[count] = row_switch(count + 1, waiter, "S", waiter + 1);
		rows[count + 1] = row_wake(count + 2, waiter + 1, waiter > 200 ? 7 : waiter);
		rows[count + 2] = sample(count + 3, waiter + 1);
		rows[count + 3] = row_switch(count + 4, waiter + 1, "R", waiter > 200 ? 7 : 0);
		count += 4;
	}
	run(rows, count, NULL, true, &result);
	cr_expect_leq(result.critical.steps.count, count * (LIMIT_CRITICAL_STEPS_PER_ROW + 4));
	cr_expect_gt(result.intervals.count, 0);
	pairing_result_deinit(&result);
}

/* Waits that are not divided because all search steps are used are reported. */
Test(critical, waits_beyond_the_limit_are_counted)
{
	enum {
		WAITS = 400
	};
	struct pairing_row rows[3 * WAITS];
	struct pairing_result result;
	uint64_t blocked_count = 0;

	/* Each search for a wake-up reads those of all threads before, because all are at 1000. */
	for (uint32_t i = 0; i < WAITS; i++) {
		rows[i] = row_switch(1 + i, 7 + i, "S", 0);
		rows[WAITS + i] = row_wake(1000, 5, 7 + i);
		rows[WAITS + i].ordinal = i;
		rows[2 * WAITS + i] = row_switch(2000 + i, 0, "R", 7 + i);
	}
	run(rows, ARRAY_SIZE(rows), NULL, true, &result);
	for (size_t i = 0; i < result.intervals.count; i++) {
		uint32_t step = result.intervals.at[i].waker;

		blocked_count += step != CRITICAL_NO_STEP &&
				 result.critical.steps.at[step].kind == CRITICAL_MARK &&
				 result.critical.steps.at[step].value == INTERVAL_BLOCKED;
	}
	cr_expect_gt(blocked_count, 0);
	cr_expect_eq(result.critical.undivided_count, blocked_count, "%u, not %u",
		     (unsigned)result.critical.undivided_count, (unsigned)blocked_count);
	pairing_result_deinit(&result);
	assert_no_leaks();
}

#define CHAIN 20u

/* Waits that are not divided count only if their thread is selected. */
Test(critical, undivided_waits_are_of_selected_threads)
{
	static const struct {
		uint32_t tid; /* 0: all threads are selected */
		bool has_undivided;
	} trials[] = { { 0, true }, { 1, true }, { CHAIN - 1, false } };
	struct pairing_row rows[3 * CHAIN];
	size_t count = 0;

	/* Each thread waits for the next one, which waits for a shorter time. */
	for (uint32_t tid = 1; tid <= CHAIN; tid++)
		rows[count++] = row_on((uint16_t)tid, row_switch(tid, tid, "S", 0));
	for (uint32_t tid = CHAIN; tid > 0; tid--) {
		uint64_t time_ns = 200 - 2 * tid;

		if (tid < CHAIN)
			rows[count++] = row_wake(time_ns, tid + 1, tid);
		rows[count++] = row_on((uint16_t)tid, row_switch(time_ns + 1, 0, "R", tid));
	}
	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		struct selection selection = { .user_only = false };
		struct strings strings;
		struct modules modules;
		struct process_state state;
		struct pairing_plan plan = { .options = { .is_critical = true },
					     .filter = { &selection, &state } };
		struct loss_spans losses = { 0 };
		struct pairing_result result;

		strings_init(&strings);
		modules_init(&modules);
		process_state_init(&state, &strings, &modules);
		if (trials[i].tid)
			vec_push(&selection.tids,
				 ((struct selection_range){ trials[i].tid, trials[i].tid }));
		pairing_result_init(&result);
		pairing_run(&plan, rows, count, &losses, 1000, &result);
		cr_expect_eq(result.critical.undivided_count > 0, trials[i].has_undivided, "%zu",
			     i);
		pairing_result_deinit(&result);
		process_state_deinit(&state);
		modules_deinit(&modules);
		strings_deinit(&strings);
		selection_deinit(&selection);
	}
	assert_no_leaks();
}
