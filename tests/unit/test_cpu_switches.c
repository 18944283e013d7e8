/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include <criterion/criterion.h>

#include "tests/support/row_maker.h"

Test(cpu_switches, losses_begin_at_the_last_switch_on_their_cpu)
{
	const struct pairing_row rows[] = {
		row_on(1, row_switch(10, 7, "S", 8)),
		row_on(2, row_switch(20, 3, "S", 0)),
		row_on(1, row_switch(40, 8, "S", 9)),
	};
	struct loss_spans losses = { 0 };

	/* Rows number CPUs from 1, and losses from 0. */
	loss_spans_add(&losses, 30, 0);
	loss_spans_add(&losses, 50, 1);
	cpu_switches_survey(rows, ARRAY_SIZE(rows), &losses);
	cr_expect_not(loss_spans_overlap(&losses, 5, 10));
	cr_expect(loss_spans_overlap(&losses, 10, 11));
	cr_expect(loss_spans_overlap(&losses, 30, 31));
	cr_expect_not(loss_spans_overlap(&losses, 50, 60));
	loss_spans_deinit(&losses);
}

/* Surveys 200 switches on a CPU, of which the first `wrong` follow a missing switch. */
static struct cpu_survey survey(uint32_t wrong, uint32_t before_missing, bool has_wakes)
{
	VEC(struct pairing_row) rows = { 0 };
	struct loss_spans losses = { 0 };
	struct cpu_survey found;

	if (has_wakes)
		vec_push(&rows, row_wake(1, 0, 7));
	vec_push(&rows, row_on(1, row_switch(5, 1, "S", before_missing)));
	for (uint32_t i = 0; i < 200; i++)
		vec_push(&rows, row_on(1, row_switch(10 + i, i < wrong ? 5 : before_missing, "S",
						     before_missing)));
	found = cpu_switches_survey(rows.at, rows.count, &losses);
	loss_spans_deinit(&losses);
	vec_free(&rows);
	return found;
}

Test(cpu_switches, a_capture_is_nearly_complete_if_one_switch_in_a_hundred_is_missing)
{
	cr_expect(survey(0, 3, false).is_nearly_complete);
	cr_expect(survey(2, 3, false).is_nearly_complete);
	cr_expect_not(survey(3, 3, false).is_nearly_complete);
	/* With wake-ups, a missing switch out of the idle task does no harm. */
	cr_expect_not(survey(3, 0, false).is_nearly_complete);
	cr_expect(survey(3, 0, true).is_nearly_complete);
	cr_expect_not(survey(3, 3, true).is_nearly_complete);
}

Test(cpu_switches, idle_task_and_wakes_are_seen)
{
	cr_expect(survey(0, 0, false).has_idle);
	cr_expect_not(survey(0, 3, false).has_idle);
	cr_expect(survey(0, 3, true).has_wakes);
	cr_expect_not(survey(0, 3, false).has_wakes);
}
