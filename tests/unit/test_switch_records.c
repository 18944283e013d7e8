/* SPDX-License-Identifier: MIT */
#include "process/switch_records.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static struct recorded_switch record(uint64_t time_ns, uint32_t tid, bool is_exit, bool is_exec)
{
	return (struct recorded_switch){
		.time_ns = time_ns,
		.context_switch = { .tid = tid, .is_exit = is_exit, .is_exec = is_exec },
	};
}

static struct recorded_switch switch_of(uint64_t time_ns, uint32_t tid)
{
	return record(time_ns, tid, false, false);
}

static struct recorded_switch exit_of(uint64_t time_ns, uint32_t tid)
{
	return record(time_ns, tid, true, false);
}

static struct recorded_switch exec_of(uint64_t time_ns, uint32_t tid)
{
	return record(time_ns, tid, false, true);
}

Test(switch_records, no_records)
{
	cr_expect_eq(switch_records_drop_other_execs(NULL, 0), 0);
}

Test(switch_records, execs_matter_after_an_exit_with_the_same_tid)
{
	struct recorded_switch records[] = {
		exec_of(4, 40), switch_of(5, 41), exit_of(6, 40), exec_of(6, 40),
		exec_of(7, 41), exec_of(8, 39),   exit_of(9, 42), exec_of(9, 40),
	};

	cr_assert_eq(switch_records_drop_other_execs(records, 8), 5);
	cr_expect_eq(records[0].time_ns, 5);
	cr_expect_eq(records[1].time_ns, 6);
	cr_expect(records[1].context_switch.is_exit);
	cr_expect(records[2].context_switch.is_exec);
	cr_expect_eq(records[3].time_ns, 9);
	cr_expect_eq(records[4].context_switch.tid, 40);
	assert_no_leaks();
}

/* The thread exits under its new tid too, on a CPU whose buffer is first in the file. */
Test(switch_records, exits_are_not_in_time_order)
{
	struct recorded_switch records[] = { exit_of(12, 40), exec_of(8, 40), exit_of(3, 40) };

	cr_expect_eq(switch_records_drop_other_execs(records, 3), 3);
	assert_no_leaks();
}
