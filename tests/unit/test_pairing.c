/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include <criterion/criterion.h>

#include "tests/support/random.h"
#include "tests/support/row_maker.h"

#define END_NS 1000

static struct pairing_row side(uint64_t time_ns, enum pairing_role role, uint64_t key)
{
	return (struct pairing_row){
		.time_ns = time_ns,
		.offset = time_ns * 10,
		.key = key,
		.role = (uint8_t)role,
	};
}

#define ROWS_MAX 8
/*
 * Rows of the idle task after all others: so many that a single missing switch is one in a hundred.
 */
#define MORE_ROWS 100

struct expected {
	uint64_t begin_ns, duration_ns;
	enum interval_mark mark;
};

struct trial {
	const char *what;
	struct pairing_options options;
	struct pairing_row rows[ROWS_MAX]; /* until role 0 */
	bool has_more_rows;
	uint64_t lost_ns;            /* 0: nothing lost */
	uint16_t lost_on;            /* as processor of rows */
	struct expected expected[4]; /* in order of begin; duration 0 at the end */
	struct pairing_counts counts;
};

static void judge(const struct trial *trial)
{
	struct pairing_plan plan = { .options = trial->options };
	struct loss_spans losses = { 0 };
	struct pairing_rows part = { 0 };
	pairing_row_list rows;
	struct pairing_result result;

	for (size_t i = 0; i < ROWS_MAX && trial->rows[i].role != PAIRING_NONE; i++)
		vec_push(&part.rows, trial->rows[i]);
	for (size_t i = 0; trial->has_more_rows && i < MORE_ROWS; i++)
		vec_push(&part.rows, row_on(9, row_switch(900, 0, "R", 0)));
	pairing_rows_sort(&part, 1, 1, &rows);
	if (trial->lost_ns)
		loss_spans_add(&losses, trial->lost_ns,
			       trial->lost_on ? trial->lost_on - 1u : EVENT_NO_CPU);
	pairing_result_init(&result);
	pairing_run(&plan, rows.at, rows.count, &losses, END_NS, &result);
	for (size_t i = 0; i < ARRAY_SIZE(trial->expected); i++) {
		const struct expected *expected = &trial->expected[i];

		if (!expected->duration_ns) {
			cr_expect_eq(result.intervals.count, i, "%s: %zu", trial->what,
				     result.intervals.count);
			break;
		}
		cr_assert_lt(i, result.intervals.count, "%s", trial->what);
		cr_expect_eq(result.intervals.at[i].offset, expected->begin_ns * 10, "%s",
			     trial->what);
		cr_expect_eq(result.intervals.at[i].duration_ns, expected->duration_ns, "%s: %lu",
			     trial->what, (unsigned long)result.intervals.at[i].duration_ns);
		cr_expect_eq(result.intervals.at[i].mark, expected->mark, "%s", trial->what);
	}
	cr_expect_eq(result.counts.open_at_start, trial->counts.open_at_start, "%s", trial->what);
	cr_expect_eq(result.counts.open_left_out, trial->counts.open_left_out, "%s", trial->what);
	cr_expect_eq(result.counts.without_begin, trial->counts.without_begin, "%s", trial->what);
	cr_expect_eq(result.counts.without_end, trial->counts.without_end, "%s", trial->what);
	cr_expect_eq(result.counts.ends_supposed, trial->counts.ends_supposed, "%s", trial->what);
	cr_expect_eq(result.counts.supposed_ns, trial->counts.supposed_ns, "%s: %lu", trial->what,
		     (unsigned long)result.counts.supposed_ns);
	cr_expect_eq(result.counts.over_losses, trial->counts.over_losses, "%s", trial->what);
	pairing_result_deinit(&result);
	loss_spans_deinit(&losses);
	vec_free(&rows);
}

Test(pairing, switches)
{
	const struct trial trials[] = {
		{ .what = "left and came back",
		  .rows = { row_switch(10, 7, "S", 0), row_switch(35, 0, "R", 7) },
		  .expected = { { 10, 25, INTERVAL_PLAIN } } },
		{ .what = "in the order of the file, not of time",
		  .rows = { row_switch(35, 0, "R", 7), row_switch(10, 7, "D", 8) },
		  .expected = { { 10, 25, INTERVAL_PLAIN } },
		  .counts = { .open_at_start = 1 } },
		{ .what = "the idle task waits for nothing",
		  .rows = { row_switch(10, 0, "S", 7), row_switch(35, 7, "X", 0) },
		  .counts = { .open_at_start = 1 } },
		{ .what = "not ended",
		  .rows = { row_switch(10, 7, "S", 0) },
		  .counts = { .open_left_out = 1 } },
		{ .what = "could have gone on, and what it did was not asked for",
		  .rows = { row_switch(10, 7, "R", 0) } },
		{ .what = "not ended, included",
		  .options = { .open = PAIRING_OPEN_INCLUDE },
		  .rows = { row_switch(10, 7, "S", 0) },
		  .expected = { { 10, END_NS - 10, INTERVAL_PLAIN } },
		  .counts = { .open_counted = 1 } },
		{ .what = "a tid that another thread has afterwards",
		  .rows = { row_switch(10, 7, "Z", 0), row_switch(500, 0, "R", 7),
			    row_switch(510, 7, "S", 0), row_switch(520, 0, "R", 7) },
		  .expected = { { 510, 10, INTERVAL_PLAIN } },
		  .counts = { .open_at_start = 1 } },
		{ .what = "came back unseen",
		  .rows = { row_switch(10, 7, "S", 0), row_switch(20, 7, "S", 0),
			    row_switch(25, 0, "R", 7) },
		  .expected = { { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "came back unseen, where many switches are missing",
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "came back unseen, after the last switch where it then left",
		  .has_more_rows = true,
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 10, 5, INTERVAL_PLAIN }, { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .ends_supposed = 1, .supposed_ns = 5 } },
		{ .what = "came back unseen, sooner than is asked for",
		  .options = { .shortest_ns = 6 },
		  .has_more_rows = true,
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) } },
		{ .what = "came back unseen to an idle CPU, as many did, and was woken",
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)), row_wake(17, 0, 7),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 10, 7, INTERVAL_PLAIN }, { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .ends_supposed = 1, .supposed_ns = 3 } },
		{ .what = "came back unseen to an idle CPU, but another thread was woken",
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)), row_wake(17, 0, 8),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "came back unseen, and was woken after the last switch there",
		  .has_more_rows = true,
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)), row_wake(17, 0, 7),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 10, 7, INTERVAL_PLAIN }, { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .ends_supposed = 1, .supposed_ns = 3 } },
		{ .what = "came back unseen, as records were lost",
		  .has_more_rows = true,
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .lost_ns = 12,
		  .expected = { { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "came back unseen, and no switch there since it left",
		  .has_more_rows = true,
		  .rows = { row_on(2, row_switch(5, 9, "X", 0)),
			    row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(25, 0, "R", 7)) },
		  .expected = { { 20, 5, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "left unseen",
		  .rows = { row_switch(10, 7, "S", 0), row_switch(20, 0, "R", 7),
			    row_switch(25, 0, "R", 7) },
		  .expected = { { 10, 10, INTERVAL_PLAIN } },
		  .counts = { .without_begin = 1 } },
		{ .what = "ended before it was told that records had been lost meanwhile",
		  .rows = { row_on(1, row_switch(5, 9, "X", 0)),
			    row_on(2, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 0, "R", 7)) },
		  .lost_ns = 20,
		  .lost_on = 1,
		  .expected = { { 10, 5, INTERVAL_PLAIN } },
		  .counts = { .over_losses = 1 } },
		{ .what = "began after the last switch before records were lost elsewhere",
		  .rows = { row_on(1, row_switch(5, 9, "X", 0)),
			    row_on(2, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 0, "R", 7)),
			    row_on(1, row_switch(16, 0, "R", 0)) },
		  .lost_ns = 20,
		  .lost_on = 1,
		  .expected = { { 10, 5, INTERVAL_PLAIN } } },
		{ .what = "records lost meanwhile",
		  .rows = { row_switch(10, 7, "S", 0), row_switch(20, 0, "R", 7),
			    row_switch(40, 7, "S", 0), row_switch(45, 0, "R", 7) },
		  .lost_ns = 20,
		  .expected = { { 10, 10, INTERVAL_PLAIN }, { 40, 5, INTERVAL_PLAIN } },
		  .counts = { .over_losses = 1 } },
		{ .what = "came back before it left: the clock of one processor is behind",
		  .rows = { row_switch(10, 7, "S", 0), row_switch(8, 0, "R", 7) },
		  .counts = { .open_at_start = 1, .open_left_out = 1 } },
		{ .what = "no time at all",
		  .options = { .open = PAIRING_OPEN_INCLUDE },
		  .rows = { row_switch(END_NS, 7, "S", 0) },
		  .counts = { .open_counted = 1 } },
		{ .what = "at the same time, in the order of the input",
		  .rows = { row_switch(10, 7, "S", 8), row_switch(10, 8, "S", 9),
			    row_switch(30, 9, "S", 7) },
		  .expected = { { 10, 20, INTERVAL_PLAIN } },
		  .counts = { .open_at_start = 2, .open_left_out = 2 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
}

Test(pairing, states_and_times_that_are_asked_for)
{
	/* 7 sleeps for 5, 8 is blocked for 20, 9 is made to leave for 40. */
#define ALL                                                                                      \
	{                                                                                        \
		row_switch(10, 7, "S", 0), row_switch(15, 0, "R", 7), row_switch(20, 8, "D", 0), \
			row_switch(40, 0, "R", 8), row_switch(50, 9, "R+", 0),                   \
			row_switch(90, 0, "R", 9),                                               \
	}
	const struct trial trials[] = {
		{ .what = "all that are blocked",
		  .rows = ALL,
		  .expected = { { 10, 5, INTERVAL_PLAIN }, { 20, 20, INTERVAL_PLAIN } } },
		{ .what = "D",
		  .options = { .states = "D" },
		  .rows = ALL,
		  .expected = { { 20, 20, INTERVAL_PLAIN } } },
		{ .what = "R,S",
		  .options = { .states = "R,S" },
		  .rows = ALL,
		  .expected = { { 10, 5, INTERVAL_PLAIN }, { 50, 40, INTERVAL_PLAIN } } },
		{ .what = "preempted",
		  .options = { .has_preempted = true },
		  .rows = ALL,
		  .expected = { { 10, 5, INTERVAL_PLAIN },
				{ 20, 20, INTERVAL_PLAIN },
				{ 50, 40, INTERVAL_PREEMPTED } } },
		{ .what = "at least",
		  .options = { .shortest_ns = 20 },
		  .rows = ALL,
		  .expected = { { 20, 20, INTERVAL_PLAIN } } },
		{ .what = "at most",
		  .options = { .longest_ns = 5 },
		  .rows = ALL,
		  .expected = { { 10, 5, INTERVAL_PLAIN } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
}

/*
 * Two intervals with both ends do not count as missing if they are only too short for the option.
 */
Test(pairing, lacks_most_where_ends_are_missing_whatever_is_asked_for)
{
	const struct {
		uint64_t shortest_ns;
		size_t first; /* row that was recorded */
		bool lacks_most;
	} rows[] = { { 0, 0, false }, { 100, 0, false }, { 0, 3, true }, { 100, 3, true } };
	const struct pairing_row recorded[] = {
		row_switch(10, 7, "S", 0), row_switch(15, 8, "S", 7), row_switch(20, 0, "R", 8),
		row_switch(30, 0, "R", 9), row_switch(40, 0, "R", 9),
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pairing_plan plan = { .options.shortest_ns = rows[i].shortest_ns };
		struct loss_spans losses = { 0 };
		struct pairing_result result;

		pairing_result_init(&result);
		pairing_run(&plan, recorded + rows[i].first, ARRAY_SIZE(recorded) - rows[i].first,
			    &losses, END_NS, &result);
		cr_expect_eq(result.counts.without_begin, 1, "%zu", i);
		cr_expect_eq(pairing_lacks_most(&result.counts), rows[i].lacks_most, "%zu", i);
		pairing_result_deinit(&result);
	}
}

Test(pairing, run_queue)
{
	const struct pairing_options options = { .has_run_queue = true };
	const struct trial trials[] = {
		{ .what = "from the first wake-up",
		  .options = options,
		  .rows = { row_switch(10, 7, "S", 0), row_wake(30, 0, 7), row_wake(32, 0, 7),
			    row_switch(35, 0, "R", 7) },
		  .expected = { { 10, 20, INTERVAL_PLAIN }, { 10, 5, INTERVAL_RUN_QUEUE } } },
		{ .what = "a wake-up before it left",
		  .options = options,
		  .rows = { row_wake(5, 0, 7), row_switch(10, 7, "S", 0),
			    row_switch(35, 0, "R", 7) },
		  .expected = { { 10, 25, INTERVAL_PLAIN } } },
		{ .what = "made to leave",
		  .options = options,
		  .rows = { row_switch(10, 7, "R+", 8), row_switch(35, 8, "Z", 7) },
		  .expected = { { 10, 25, INTERVAL_RUN_QUEUE } },
		  .counts = { .open_at_start = 1 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
}

Test(pairing, any_two_events)
{
	const struct pairing_options options = { .span = "a:begin,a:end" };
	const struct trial trials[] = {
		{ .what = "keys do not mix",
		  .options = options,
		  .rows = { side(10, PAIRING_BEGIN, 1), side(12, PAIRING_BEGIN, 0),
			    side(20, PAIRING_END, 0), side(40, PAIRING_END, 1) },
		  .expected = { { 10, 30, INTERVAL_PLAIN }, { 12, 8, INTERVAL_PLAIN } } },
		{ .what = "the later beginning counts",
		  .options = options,
		  .rows = { side(10, PAIRING_BEGIN, 1), side(12, PAIRING_BEGIN, 1),
			    side(20, PAIRING_END, 1) },
		  .expected = { { 12, 8, INTERVAL_PLAIN } },
		  .counts = { .without_end = 1 } },
		{ .what = "an end first",
		  .options = options,
		  .rows = { side(10, PAIRING_END, 1) },
		  .counts = { .open_at_start = 1 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
}

/* So many that several threads pair them. */
#define MANY_ROWS 70000u

#define TIDS 300u
#define CPUS 4

static struct pairing_row of_thread(uint64_t time_ns, enum pairing_role role, uint32_t tid)
{
	struct pairing_row row = side(time_ns, role, 0);

	row.tid = tid;
	return row;
}

/* Rows of switches, wake-ups, samples and records, in an order that often lacks a switch. */
static struct pairing_row random_row(struct random *random, uint64_t time_ns)
{
	static const char *const states[] = { "S", "D", "R+", "R", "X", "Z" };
	uint32_t first = random_below(random, TIDS);
	uint32_t second = random_below(random, TIDS);
	struct pairing_row row;

	switch (random_below(random, 10)) {
	case 0:
		row = row_wake(time_ns, first, second);
		break;
	case 1:
		row = of_thread(time_ns, PAIRING_SAMPLE, first);
		break;
	case 2:
		row = of_thread(time_ns, PAIRING_SWITCH_OUT, first);
		break;
	case 3:
		row = of_thread(time_ns, PAIRING_SWITCH_IN, first);
		break;
	case 4:
		row = of_thread(time_ns, PAIRING_EXIT, first);
		break;
	case 5:
		row = of_thread(time_ns, PAIRING_EXEC, first);
		break;
	default:
		row = row_switch(time_ns, first, states[random_below(random, ARRAY_SIZE(states))],
				 second);
	}
	return row_on((uint16_t)random_below(random, CPUS + 1), row);
}

static bool is_running(const uint32_t *running, uint32_t tid)
{
	for (int i = 0; i < CPUS; i++)
		if (running[i] == tid)
			return true;
	return false;
}

/* Switches of CPUs, few of which are missing, with some wake-ups and samples of running threads. */
static void add_scheduled(struct random *random, pairing_row_list *rows)
{
	uint32_t running[CPUS] = { 0 };
	uint64_t time_ns = 0;

	while (rows->count < MANY_ROWS) {
		uint16_t cpu = (uint16_t)random_below(random, CPUS);
		uint32_t next = random_below(random, TIDS);
		struct pairing_row sample;

		if (next && is_running(running, next))
			continue;
		sample = of_thread(++time_ns, PAIRING_SAMPLE, running[cpu]);
		sample.period = 1;
		if (next && random_below(random, 2))
			vec_push(rows, row_on(cpu + 1, row_wake(++time_ns, running[cpu], next)));
		if (running[cpu])
			vec_push(rows, sample);
		time_ns++;
		if (random_below(random, 300))
			vec_push(rows,
				 row_on(cpu + 1,
					row_switch(time_ns, running[cpu],
						   random_below(random, 2) ? "S" : "R+", next)));
		running[cpu] = next;
	}
}

static struct pairing_result pair_on_threads(const pairing_row_list *rows,
					     const struct pairing_options *options,
					     unsigned thread_count)
{
	struct pairing_plan plan = { .options = *options, .thread_count = thread_count };
	struct loss_spans losses = { 0 };
	struct pairing_result result;

	loss_spans_add(&losses, MANY_ROWS / 2, 1);
	pairing_result_init(&result);
	pairing_run(&plan, rows->at, rows->count, &losses, rows->at[rows->count - 1].time_ns,
		    &result);
	loss_spans_deinit(&losses);
	return result;
}

static void compare_threads(const char *what, const pairing_row_list *rows,
			    const struct pairing_options *options)
{
	struct pairing_result one = pair_on_threads(rows, options, 1);

	cr_assert_gt(one.intervals.count, MANY_ROWS / 20, "%s", what);
	for (unsigned thread_count = 2; thread_count < 8; thread_count++) {
		struct pairing_result several = pair_on_threads(rows, options, thread_count);

		cr_expect_eq(memcmp(&one.counts, &several.counts, sizeof(one.counts)), 0,
			     "%s: %u threads", what, thread_count);
		cr_expect_eq(one.wakers.wakes.count, several.wakers.wakes.count);
		cr_assert_eq(one.intervals.count, several.intervals.count, "%s: %u threads", what,
			     thread_count);
		for (size_t i = 0; i < one.intervals.count; i++) {
			const struct interval *left = &one.intervals.at[i];
			const struct interval *right = &several.intervals.at[i];

			cr_assert(left->offset == right->offset &&
					  left->begin_ns == right->begin_ns &&
					  left->duration_ns == right->duration_ns &&
					  left->mark == right->mark &&
					  left->state == right->state &&
					  left->waker == right->waker &&
					  left->waker_count == right->waker_count,
				  "%s: %u threads: interval %zu", what, thread_count, i);
		}
		pairing_result_deinit(&several);
	}
	pairing_result_deinit(&one);
}

Test(pairing, any_number_of_threads_gives_the_same_intervals)
{
	static const struct {
		const char *what;
		struct pairing_options options;
	} rows[] = {
		{ "run queue", { .has_run_queue = true, .open = PAIRING_OPEN_INCLUDE } },
		{ "wakers", { .has_wakers = true } },
		{ "wall", { .is_wall = true, .has_run_queue = true } },
	};
	struct random random = { 1 };
	pairing_row_list disordered = { 0 };
	pairing_row_list scheduled = { 0 };
	struct pairing_result result;

	for (uint32_t i = 0; i < MANY_ROWS; i++)
		vec_push(&disordered, random_row(&random, i));
	add_scheduled(&random, &scheduled);
	result = pair_on_threads(&scheduled, &rows[0].options, 1);
	cr_expect_gt(result.counts.ends_supposed, 10);
	cr_expect_gt(result.counts.supposed_ns, 10);
	cr_expect_gt(result.counts.open_counted, 10);
	pairing_result_deinit(&result);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		compare_threads(rows[i].what, &disordered, &rows[i].options);
		compare_threads(rows[i].what, &scheduled, &rows[i].options);
	}
	vec_free(&disordered);
	vec_free(&scheduled);
}
