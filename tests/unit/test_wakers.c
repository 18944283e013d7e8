/* SPDX-License-Identifier: MIT */
#include "offcpu/wakers.h"
#include "profile/resolve.h"

#include <criterion/criterion.h>

#include "offcpu/pairing.h"
#include "tests/support/leaks.h"
#include "tests/support/row_maker.h"

static struct pairing_row interrupt(uint64_t time_ns, uint32_t upon, uint32_t whom)
{
	struct pairing_row row = row_wake(time_ns, upon, whom);

	row.is_interrupt = true;
	return row;
}

static struct pairing_row deferred(uint64_t time_ns, uint32_t by, uint32_t whom)
{
	struct pairing_row row = interrupt(time_ns, by, whom);

	row.is_deferred = true;
	return row;
}

#define ROWS_MAX 8

struct trial {
	const char *what;
	bool has_waker_chain;
	struct pairing_row rows[ROWS_MAX]; /* until role 0 */
	uint64_t begin_ns;                 /* of the interval in question */
	uint64_t woken_ns[4];              /* when its wakers woke, until 0 */
};

static const struct interval *find(const struct intervals *intervals, uint64_t begin_ns)
{
	for (size_t i = 0; i < intervals->count; i++)
		if (intervals->at[i].offset == begin_ns * 10)
			return &intervals->at[i];
	return NULL;
}

static void judge(const struct trial *trial)
{
	struct pairing_plan plan = { .options = { .has_wakers = true,
						  .has_waker_chain = trial->has_waker_chain } };
	struct loss_spans losses = { 0 };
	struct pairing_result result;
	const struct interval *interval;
	size_t count = 0;
	uint32_t wake;

	while (count < ROWS_MAX && trial->rows[count].role != PAIRING_NONE)
		count++;
	pairing_result_init(&result);
	pairing_run(&plan, trial->rows, count, &losses, 1000, &result);
	interval = find(&result.intervals, trial->begin_ns);
	cr_assert(interval, "%s", trial->what);
	wake = interval->waker;
	for (size_t i = 0; i < ARRAY_SIZE(trial->woken_ns); i++) {
		if (!trial->woken_ns[i]) {
			cr_expect_eq(interval->waker_count, i, "%s: %d", trial->what,
				     interval->waker_count);
			break;
		}
		cr_assert_gt(interval->waker_count, i, "%s", trial->what);
		cr_expect_eq(result.wakers.wakes.at[wake].time_ns, trial->woken_ns[i], "%s",
			     trial->what);
		cr_expect(result.wakers.wakes.at[wake].is_wanted);
		wake = result.wakers.wakes.at[wake].before;
	}
	pairing_result_deinit(&result);
}

Test(wakers, who_led_to_the_end_of_a_wait)
{
	const struct trial trials[] = {
		{ "the last alone", false, { { 0 } }, 10, { 90 } },
		{ "and who woke that one", true, { { 0 } }, 10, { 90, 50 } },
		{ "the wait in between", true, { { 0 } }, 20, { 50 } },
		{ "a wait that had ended before",
		  true,
		  { row_switch(10, 8, "S", 9), row_wake(20, 9, 8), row_switch(25, 9, "S", 8),
		    row_switch(30, 7, "S", 0), row_wake(60, 8, 7), row_switch(70, 0, "S", 7) },
		  30,
		  { 60 } },
		{ "an interrupt: who it came upon is not to blame",
		  true,
		  { row_switch(10, 7, "S", 8), row_switch(20, 8, "S", 9), row_wake(50, 9, 8),
		    row_switch(55, 0, "S", 8), interrupt(90, 8, 7), row_switch(95, 8, "S", 7) },
		  10,
		  { 90 } },
		{ "what an interrupt had put off: it may be known later who did it",
		  true,
		  { row_switch(10, 7, "S", 8), row_switch(20, 8, "S", 9), row_wake(50, 9, 8),
		    row_switch(55, 0, "S", 8), deferred(90, 8, 7), row_switch(95, 8, "S", 7) },
		  10,
		  { 90, 50 } },
		{ "nobody",
		  true,
		  { row_switch(10, 7, "S", 8), row_switch(95, 8, "S", 7) },
		  10,
		  { 0 } },
		{ "who woke it the first time",
		  true,
		  { row_switch(10, 7, "S", 8), row_wake(50, 8, 7), row_wake(60, 9, 7),
		    row_switch(95, 8, "S", 7) },
		  10,
		  { 50 } },
	};
	/* 7 waits from 10 to 95, 8 from 20 to 55; 9 wakes 8 at 50, and 8 wakes 7 at 90. */
	const struct pairing_row chain[] = {
		row_switch(10, 7, "S", 8), row_switch(20, 8, "S", 9), row_wake(50, 9, 8),
		row_switch(55, 0, "S", 8), row_wake(90, 8, 7),        row_switch(95, 8, "S", 7),
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		struct trial trial = trials[i];

		if (trial.rows[0].role == PAIRING_NONE)
			memcpy(trial.rows, chain, sizeof(chain));
		judge(&trial);
	}
	assert_no_leaks();
}

/* Two threads that wake each other while a third waits: the list of wakers is limited. */
Test(wakers, rings_are_bounded)
{
	struct pairing_plan plan = { .options = { .has_waker_chain = true } };
	struct loss_spans losses = { 0 };
	struct pairing_result result;
	struct pairing_row rows[400];
	size_t count = 0;

	rows[count++] = row_switch(1, 5, "S", 0);
	for (uint64_t i = 1; count < ARRAY_SIZE(rows) - 4; i++) {
		uint32_t waiter = 7 + i % 2;

		rows[count++] = row_switch(i * 10, waiter, "S", 15 - waiter);
		rows[count++] = row_wake(i * 10 + 5, 15 - waiter, waiter);
		rows[count++] = row_switch(i * 10 + 6, 0, "S", waiter);
	}
	rows[count++] = row_wake(9000, 7, 5);
	rows[count++] = row_switch(9001, 7, "S", 5);
	pairing_result_init(&result);
	pairing_run(&plan, rows, count, &losses, 9001, &result);
	cr_expect_eq(find(&result.intervals, 1)->waker_count, LIMIT_WAKERS);
	wakers_intern_stack(&result.wakers, &(struct waker_stack){ .ips = NULL });
	wakers_link(&result.wakers, &result.intervals);
	/* All wakers have the same stack, so their lists are shared. */
	cr_expect_leq(result.wakers.links.count, LIMIT_WAKERS + 1u);
	pairing_result_deinit(&result);
	assert_no_leaks();
}

/* 6 woke 5, 7 woke 6, 8 woke 7: if 7 proves to be an interrupt, it has no waker. */
Test(wakers, an_interrupt_is_the_last)
{
	struct wakers wakers;
	struct interval interval = { .waker = 2, .waker_count = 3 };
	struct intervals intervals = { .at = &interval, .count = 1 };
	uint32_t count = 0;

	wakers_init(&wakers);
	for (uint32_t i = 0; i < 3; i++) {
		struct waker_stack stack = { .key = { .comm = i }, .is_interrupt = i == 1 };

		vec_push(&wakers.wakes,
			 (struct wake){ .before = i - 1,
					.stack = wakers_intern_stack(&wakers, &stack) });
	}
	wakers_link(&wakers, &intervals);
	for (uint32_t link = interval.waker; link != WAKER_LINK_NONE;
	     link = wakers.links.at[link].next)
		cr_expect_eq(wakers.links.at[link].stack, 2 - count++);
	cr_expect_eq(count, 2);
	cr_expect_eq(interval.waker_count, 2);
	wakers_deinit(&wakers);
	assert_no_leaks();
}

Test(wakers, stacks_are_one_but_for_what_does_not_matter)
{
	static const uint64_t ips[] = { CALLCHAIN_KERNEL, 10, 20, CALLCHAIN_USER, 30 };
	static const uint64_t others[] = { CALLCHAIN_KERNEL, 10, 20, CALLCHAIN_USER, 40 };
	struct waker_stack stack = { .key = { .comm = 3, .tid = 7 }, .ips = ips, .ip_count = 5 };
	struct wakers wakers;

	wakers_init(&wakers);
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 0);
	stack.key.tid = 8;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 0);
	stack.key.comm = 4;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 1);
	stack.ips = others;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 2);
	stack.is_interrupt = stack.is_deferred = true;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 3);
	cr_expect_eq(wakers.stacks.at[3].ip_count, 5);
	waker_stack_end(&wakers.stacks.at[3], 2);
	cr_expect_eq(wakers.stacks.at[3].ip_count, 2);
	cr_expect_not(wakers.stacks.at[3].is_deferred);
	stack.is_deferred = false;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 4);
	cr_expect_eq(wakers.stacks.at[4].ip_count, 3);
	stack.ips = ips;
	stack.key.comm = 3;
	cr_expect_eq(wakers_intern_stack(&wakers, &stack), 4);
	wakers_deinit(&wakers);
	assert_no_leaks();
}
