/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/row_maker.h"

#define END_NS 1000

static struct pairing_row sample(uint64_t time_ns, uint32_t tid, uint32_t period)
{
	return (struct pairing_row){
		.time_ns = time_ns,
		.offset = time_ns * 10,
		.tid = tid,
		.period = period,
		.role = PAIRING_SAMPLE,
	};
}

/* Half of a switch, as a switch record has it. */
static struct pairing_row half(uint64_t time_ns, enum pairing_role role, uint32_t tid, char state)
{
	struct pairing_row row = sample(time_ns, tid, 0);

	row.role = (uint8_t)role;
	row.state = state;
	row.is_preempted = state == 'R';
	return row;
}

#define ROWS_MAX 10
/*
 * Rows of the idle task after all others: so many that a single missing switch is one in a hundred.
 */
#define MORE_ROWS 100

struct trial {
	const char *what;
	bool is_plain; /* not --wall */
	bool has_more_rows;
	struct pairing_row rows[ROWS_MAX]; /* until role 0 */
	struct {
		uint64_t place_ns, duration_ns;
		enum interval_mark mark;
	} expected[6]; /* in order of place; duration 0 at the end */
	uint64_t without_stack, unplaced_ns, open_left_out, ends_supposed;
};

static void judge(const struct trial *trial)
{
	struct pairing_plan plan = { .options = { .is_wall = !trial->is_plain } };
	struct loss_spans losses = { 0 };
	struct pairing_row rows[ROWS_MAX + MORE_ROWS];
	struct pairing_result result;
	size_t count = 0;

	for (; count < ROWS_MAX && trial->rows[count].role != PAIRING_NONE; count++)
		rows[count] = trial->rows[count];
	for (size_t i = 0; trial->has_more_rows && i < MORE_ROWS; i++)
		rows[count++] = row_on(9, row_switch(900, 0, "R", 0));
	pairing_result_init(&result);
	pairing_run(&plan, rows, count, &losses, END_NS, &result);
	for (size_t i = 0; i < ARRAY_SIZE(trial->expected); i++) {
		const struct interval *interval;

		if (!trial->expected[i].duration_ns) {
			cr_expect_eq(result.intervals.count, i, "%s: %zu", trial->what,
				     result.intervals.count);
			break;
		}
		cr_assert_lt(i, result.intervals.count, "%s: %zu", trial->what, i);
		interval = &result.intervals.at[i];
		cr_expect_eq(interval->offset, trial->expected[i].place_ns * 10, "%s: %zu",
			     trial->what, i);
		cr_expect_eq(interval->duration_ns, trial->expected[i].duration_ns, "%s: %zu: %lu",
			     trial->what, i, (unsigned long)interval->duration_ns);
		cr_expect_eq(interval->mark, trial->expected[i].mark, "%s: %zu", trial->what, i);
	}
	cr_expect_eq(result.counts.without_stack, trial->without_stack, "%s", trial->what);
	cr_expect_eq(result.counts.unplaced_ns, trial->unplaced_ns, "%s", trial->what);
	cr_expect_eq(result.counts.ends_supposed, trial->ends_supposed, "%s", trial->what);
	cr_expect_eq(result.counts.open_left_out, trial->open_left_out, "%s: %lu", trial->what,
		     (unsigned long)result.counts.open_left_out);
	pairing_result_deinit(&result);
}

Test(pairing_wall, runs_are_divided_among_samples)
{
	const struct trial trials[] = {
		{ .what = "by periods, and to the nanosecond",
		  .rows = { row_switch(10, 0, "R", 7), sample(20, 7, 1), sample(30, 7, 2),
			    row_switch(110, 7, "S", 0), row_switch(210, 0, "R", 7),
			    row_switch(217, 7, "X", 0) },
		  .expected = { { 20, 35, INTERVAL_RUNNING },
				{ 30, 72, INTERVAL_RUNNING },
				{ 110, 100, INTERVAL_BLOCKED } } },
		{ .what = "made to leave",
		  .rows = { row_switch(10, 0, "R", 7), sample(20, 7, 1), row_switch(40, 7, "R", 0),
			    row_switch(50, 0, "R", 7), row_switch(60, 7, "X", 0) },
		  .expected = { { 20, 40, INTERVAL_RUNNING }, { 40, 10, INTERVAL_PREEMPTED } } },
		{ .what = "never sampled: where it left last, and not where it died",
		  .rows = { row_switch(10, 0, "R", 7), row_switch(40, 7, "S", 0),
			    row_switch(50, 0, "R", 7), row_switch(60, 7, "X", 0) },
		  .expected = { { 40, 10, INTERVAL_BLOCKED }, { 40, 40, INTERVAL_UNSAMPLED } } },
		{ .what = "no sample has its name",
		  .rows = { row_switch(10, 0, "R", 7), row_switch(40, 0, "S", 8),
			    row_switch(50, 8, "X", 0) },
		  .expected = { { 50, 10, INTERVAL_UNSAMPLED } },
		  .unplaced_ns = 990 },
		{ .what = "since before the capture, and after it",
		  .rows = { sample(5, 9, 1), row_switch(30, 7, "S", 0), sample(40, 7, 1),
			    row_switch(50, 0, "R", 7) },
		  .expected = { { 5, 995, INTERVAL_RUNNING },
				{ 30, 20, INTERVAL_BLOCKED },
				{ 40, 25 + 950, INTERVAL_RUNNING } } },
		{ .what = "two threads of one tid: each its own time",
		  .rows = { row_switch(10, 0, "R", 7), sample(20, 7, 1), row_switch(30, 7, "Z", 0),
			    row_switch(500, 0, "R", 7), sample(510, 7, 1),
			    row_switch(600, 7, "X", 0) },
		  .expected = { { 20, 20, INTERVAL_RUNNING }, { 510, 100, INTERVAL_RUNNING } } },
		{ .what = "the idle task does not live",
		  .rows = { sample(5, 0, 1), row_switch(10, 0, "R", 7), sample(20, 7, 1),
			    row_switch(30, 7, "X", 0) },
		  .expected = { { 20, 20, INTERVAL_RUNNING } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
	assert_no_leaks();
}

/* The whole life of each thread is covered, although the capture lacks switches. */
Test(pairing_wall, unseen_switches)
{
	const struct trial trials[] = {
		{ .what = "a thread came unseen: it ran since the last switch there",
		  .has_more_rows = true,
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)),
			    row_on(2, row_switch(15, 9, "X", 0)), sample(17, 7, 1),
			    row_on(2, row_switch(20, 7, "X", 0)) },
		  .expected = { { 10, 5, INTERVAL_BLOCKED },
				{ 15, 5, INTERVAL_UNSAMPLED },
				{ 17, 5, INTERVAL_RUNNING } },
		  .ends_supposed = 1 },
		{ .what = "a thread came unseen, where nothing was since it left",
		  .rows = { row_on(1, row_switch(10, 7, "S", 0)), sample(17, 7, 1),
			    row_on(2, row_switch(20, 7, "X", 0)) },
		  .expected = { { 10, 10, INTERVAL_UNKNOWN } } },
		{ .what = "a thread left unseen: it ran for as long as it was seen to",
		  .rows = { row_on(1, row_switch(10, 0, "R", 7)),
			    row_on(1, row_switch(20, 7, "S", 0)),
			    row_on(1, row_switch(30, 0, "R", 7)), sample(35, 7, 1),
			    row_on(2, row_switch(50, 0, "R", 7)),
			    row_on(2, row_switch(60, 7, "X", 0)) },
		  .expected = { { 20, 10, INTERVAL_BLOCKED },
				{ 20, 15, INTERVAL_UNKNOWN },
				{ 35, 10 + 5 + 10, INTERVAL_RUNNING } } },
		{ .what = "a thread left unseen, and did not come again",
		  .rows = { row_on(1, row_switch(10, 0, "R", 7)), sample(35, 7, 1),
			    row_on(1, row_switch(50, 0, "R", 8)),
			    row_on(1, row_switch(60, 8, "X", 0)) },
		  .expected = { { 35, 25, INTERVAL_RUNNING }, { 60, 10, INTERVAL_UNSAMPLED } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
	assert_no_leaks();
}

Test(pairing_wall, halves_of_switches)
{
	const struct trial trials[] = {
		{ .what = "where the last sample before it was",
		  .is_plain = true,
		  .rows = { sample(10, 7, 0), sample(20, 7, 0),
			    half(30, PAIRING_SWITCH_OUT, 7, '?'),
			    half(90, PAIRING_SWITCH_IN, 7, '?') },
		  .expected = { { 20, 60, INTERVAL_PLAIN } } },
		{ .what = "no sample",
		  .is_plain = true,
		  .rows = { half(30, PAIRING_SWITCH_OUT, 7, '?'),
			    half(90, PAIRING_SWITCH_IN, 7, '?'), sample(95, 7, 0) },
		  .without_stack = 1 },
		{ .what = "made to leave, which is no wait",
		  .is_plain = true,
		  .rows = { sample(20, 7, 0), half(30, PAIRING_SWITCH_OUT, 7, 'R'),
			    half(90, PAIRING_SWITCH_IN, 7, '?') } },
		{ .what = "an end, and the switch after it",
		  .rows = { half(5, PAIRING_SWITCH_IN, 7, '?'), sample(20, 7, 1),
			    half(30, PAIRING_EXIT, 7, 'X'), half(31, PAIRING_SWITCH_OUT, 7, '?') },
		  .expected = { { 20, 26, INTERVAL_RUNNING } } },
		{ .what = "preempted after its exit, and the last switch does not name it",
		  .rows = { half(5, PAIRING_SWITCH_IN, 7, '?'), sample(20, 7, 1),
			    half(30, PAIRING_EXIT, 7, 'X'), half(35, PAIRING_SWITCH_OUT, 7, 'R'),
			    half(45, PAIRING_SWITCH_IN, 7, '?'),
			    half(50, PAIRING_SWITCH_OUT, EVENT_NO_TID, '?') },
		  .expected = { { 20, 10, INTERVAL_PREEMPTED }, { 20, 30, INTERVAL_RUNNING } } },
		{ .what = "another thread with the tid of one that has exited",
		  .rows = { half(5, PAIRING_SWITCH_IN, 7, '?'), sample(20, 7, 1),
			    half(30, PAIRING_EXIT, 7, 'X'), half(40, PAIRING_SWITCH_IN, 7, '?'),
			    sample(50, 7, 1), half(60, PAIRING_SWITCH_OUT, 7, '?'),
			    half(75, PAIRING_SWITCH_IN, 7, '?'), sample(76, 7, 1),
			    half(77, PAIRING_SWITCH_OUT, 7, '?') },
		  .expected = { { 20, 25, INTERVAL_RUNNING },
				{ 50, 15, INTERVAL_BLOCKED },
				{ 50, 11, INTERVAL_RUNNING },
				{ 76, 11, INTERVAL_RUNNING } },
		  .open_left_out = 1 },
		{ .what = "8 calls exec, and gets the tid of its leader, 7",
		  .rows = { half(5, PAIRING_SWITCH_IN, 7, '?'), half(10, PAIRING_EXIT, 7, 'X'),
			    half(11, PAIRING_SWITCH_OUT, 7, '?'),
			    row_on(1, half(20, PAIRING_SWITCH_IN, 8, '?')), sample(30, 8, 1),
			    row_on(1, half(40, PAIRING_EXEC, 7, '?')), sample(45, 7, 1),
			    row_on(1, half(50, PAIRING_SWITCH_OUT, 7, '?')),
			    row_on(1, half(80, PAIRING_SWITCH_IN, 7, '?')) },
		  .expected = { { 30, 20, INTERVAL_RUNNING },
				{ 45, 30, INTERVAL_BLOCKED },
				{ 45, 10 + 920, INTERVAL_RUNNING } },
		  .unplaced_ns = 6 },
		{ .what = "8 is switched out of CPU 1 unseen, and blocked when 7 calls exec there",
		  .is_plain = true,
		  .rows = { sample(5, 8, 0), row_on(1, half(20, PAIRING_SWITCH_IN, 8, '?')),
			    row_on(2, half(30, PAIRING_SWITCH_OUT, 8, '?')),
			    row_on(1, half(40, PAIRING_EXEC, 7, '?')),
			    row_on(2, half(90, PAIRING_SWITCH_IN, 8, '?')) },
		  .expected = { { 5, 60, INTERVAL_PLAIN } } },
		{ .what = "8 is switched in on CPU 2, and runs there when 7 calls exec on CPU 1",
		  .rows = { row_on(1, half(20, PAIRING_SWITCH_IN, 8, '?')), sample(30, 8, 1),
			    row_on(2, half(35, PAIRING_SWITCH_IN, 8, '?')),
			    row_on(1, half(40, PAIRING_EXEC, 7, '?')), sample(50, 8, 1),
			    row_on(2, half(60, PAIRING_SWITCH_OUT, 8, '?')),
			    row_on(2, half(90, PAIRING_SWITCH_IN, 8, '?')) },
		  .expected = { { 30, (10 + 25 + 910) / 2, INTERVAL_RUNNING },
				{ 50, 30, INTERVAL_BLOCKED },
				{ 50, (10 + 25 + 910 + 1) / 2, INTERVAL_RUNNING },
				{ 50, 5, INTERVAL_UNKNOWN } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
	assert_no_leaks();
}

/*
 * For views over time, a thread without samples has an interval for each run, at the time of the
 * run.
 */
Test(pairing_wall, single_runs)
{
	const struct pairing_row rows[] = {
		row_switch(10, 0, "R", 7), row_switch(40, 7, "S", 0), row_switch(50, 0, "R", 7),
		row_switch(60, 7, "S", 0), row_switch(70, 0, "R", 8), sample(75, 8, 1),
		row_switch(95, 8, "X", 0),
	};
	static const struct {
		uint64_t begin_ns, duration_ns;
		enum interval_mark mark;
	} expected[] = {
		{ 40, 10, INTERVAL_BLOCKED },
		{ 10, 30, INTERVAL_UNSAMPLED },
		{ 50, 10, INTERVAL_UNSAMPLED },
		{ 50, 25, INTERVAL_RUNNING },
	};
	struct pairing_plan plan = { .options = { .is_wall = true, .has_single_runs = true } };
	struct loss_spans losses = { 0 };
	struct pairing_result result;

	pairing_result_init(&result);
	pairing_run(&plan, rows, ARRAY_SIZE(rows), &losses, END_NS, &result);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		bool has_it = false;

		for (size_t j = 0; j < result.intervals.count; j++)
			has_it |= result.intervals.at[j].begin_ns == expected[i].begin_ns &&
				  result.intervals.at[j].duration_ns == expected[i].duration_ns &&
				  result.intervals.at[j].mark == expected[i].mark;
		cr_expect(has_it, "%zu", i);
	}
	cr_expect_eq(result.intervals.count, ARRAY_SIZE(expected), "%zu", result.intervals.count);
	pairing_result_deinit(&result);
	assert_no_leaks();
}
