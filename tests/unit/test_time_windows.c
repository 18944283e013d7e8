/* SPDX-License-Identifier: MIT */
#include "profile/selection/time_windows.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static struct time_windows make(const struct selection_range *ranges, size_t count, bool are_shares)
{
	struct selection selection = { .user_only = false };
	struct time_windows windows;

	for (size_t i = 0; i < count; i++)
		vec_push(&selection.times_ns, ranges[i]);
	if (are_shares)
		vec_push(&selection.time_shares, ((struct selection_range){ 0, 1 }));
	time_windows_init(&windows, &selection);
	selection_deinit(&selection);
	return windows;
}

Test(time_windows, part_of_a_wait)
{
	static const struct selection_range ranges[] = {
		{ 30, 40 }, { 10, 20 }, { 15, 25 }, { 25, 26 }, { 60, 60 }, { 90, UINT64_MAX },
	};
	static const struct {
		uint64_t from_ns, until_ns, part_ns;
	} rows[] = {
		{ 0, 5, 0 },
		{ 0, 10, 0 },
		{ 5, 11, 1 },   /* begins before */
		{ 24, 28, 2 },  /* in windows that overlap and touch: counted once */
		{ 26, 30, 0 },  /* between two */
		{ 0, 100, 36 }, /* spans all windows: 16 + 10 + 0 + 10 */
		{ 12, 13, 1 },  /* inside */
		{ 55, 65, 0 },  /* a window of no length */
		{ 95, UINT64_MAX, UINT64_MAX - 95 },
		{ 15, 15, 0 },
	};
	struct time_windows windows = make(ranges, ARRAY_SIZE(ranges), false);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(time_windows_part(&windows, rows[i].from_ns, rows[i].until_ns),
			     rows[i].part_ns, "row %zu", i);
	cr_expect(time_windows_has(&windows, 10) && time_windows_has(&windows, 26));
	cr_expect(!time_windows_has(&windows, 9) && !time_windows_has(&windows, 27));
	cr_expect_eq(time_windows_nearest(&windows, 3), 10);
	cr_expect_eq(time_windows_nearest(&windows, 50), 50);
	time_windows_deinit(&windows);
	assert_no_leaks();
}

/* Shares of a capture end one nanosecond before the next begins. */
Test(time_windows, shares_leave_no_gap)
{
	static const struct selection_range ranges[] = { { 10, 19 }, { 20, 30 } };
	struct time_windows windows = make(ranges, ARRAY_SIZE(ranges), true);

	cr_expect_eq(time_windows_part(&windows, 0, 30), 20);
	time_windows_deinit(&windows);
	assert_no_leaks();
}

Test(time_windows, without_limits_all_time_counts)
{
	struct time_windows windows;

	time_windows_init(&windows, NULL);
	cr_expect_eq(time_windows_part(&windows, 3, 10), 7);
	cr_expect_eq(time_windows_part(NULL, 3, 10), 7);
	cr_expect(time_windows_has(&windows, 3) && time_windows_has(NULL, 3));
	cr_expect_eq(time_windows_nearest(NULL, 3), 3);
}
