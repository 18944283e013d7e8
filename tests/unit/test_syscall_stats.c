/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_stats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* Numbers of calls are their names here. */
enum {
	READ = 100,
	OPEN,
	SIGNAL_RETURN,
	EXIT,
};

static struct syscall_record enter(uint64_t time_ns, uint32_t tid, uint32_t name)
{
	return (struct syscall_record){
		.time_ns = time_ns,
		.duration_ns = SYSCALL_NO_DURATION,
		.tid = tid,
		.number = name,
		.name = name,
		.cpu = 1,
		.phase = SYSCALL_ENTER,
		.has_time = true,
	};
}

static struct syscall_record leave(uint64_t time_ns, uint32_t tid, uint32_t name, uint16_t error)
{
	struct syscall_record record = enter(time_ns, tid, name);

	record.phase = SYSCALL_EXIT;
	record.error = error;
	return record;
}

static void begin(struct syscall_stats *stats, const char *by)
{
	struct syscall_keys keys;
	struct error err;

	cr_expect(syscall_keys_parse(by, &keys, &err), "%s", err.text);
	syscall_stats_init(stats, &keys);
	stats->has_enters = stats->has_exits = true;
	stats->exit_name = stats->exit_group_name = (str_id){ EXIT };
	stats->last_ns = 1000;
}

static void add(struct syscall_stats *stats, const struct syscall_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++)
		syscall_stats_add(stats, &records[i]);
	syscall_stats_finish(stats);
}

static const struct syscall_row *find(const struct syscall_stats *stats, uint32_t first,
				      uint32_t second)
{
	static const struct syscall_row none = { .call_count = UINT64_MAX };

	for (size_t i = 0; i < stats->rows.count; i++)
		if (stats->rows.at[i].values[0] == first && stats->rows.at[i].values[1] == second)
			return &stats->rows.at[i];
	cr_expect(false, "there is no row %u, %u", first, second);
	return &none;
}

Test(syscall_stats, by_call_and_error)
{
	const struct syscall_record records[] = {
		enter(10, 7, READ),      enter(11, 8, READ),    leave(15, 7, READ, 0),
		enter(20, 7, OPEN),      leave(22, 7, OPEN, 2), leave(31, 8, READ, 0),
		enter(40, 7, OPEN),      leave(43, 7, OPEN, 0), enter(50, 7, READ),
		leave(250, 7, READ, 11),
	};
	struct syscall_stats stats;
	const struct syscall_row *row;

	begin(&stats, "syscall");
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.rows.count, 2);
	cr_expect_eq(stats.call_count, 5);
	cr_expect_eq(stats.thread_count, 2);
	row = &stats.rows.at[0];
	cr_expect_eq(row->values[0], READ);
	cr_expect_eq(row->call_count, 3);
	cr_expect_eq(row->error_count, 1);
	cr_expect_eq(row->total_ns, 5 + 20 + 200);
	cr_expect_eq(row->longest_ns, 200);
	cr_expect_eq(row->longest_at_ns, 50);
	cr_expect_eq(row->durations_ns.at[0], 5);
	cr_expect_eq(row->durations_ns.at[2], 200);
	syscall_stats_deinit(&stats);

	begin(&stats, "error,syscall");
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.rows.count, 4);
	cr_expect_eq(find(&stats, 2, OPEN)->total_ns, 2);
	cr_expect_eq(find(&stats, 11, READ)->total_ns, 200);
	cr_expect_eq(find(&stats, 0, READ)->call_count, 2);
	syscall_stats_deinit(&stats);
	assert_no_leaks();
}

/* The capture begins during a call, lacks an exit and an entry, and ends during a call. */
Test(syscall_stats, of_lost_sides)
{
	const struct syscall_record records[] = {
		leave(10, 7, READ, 0), enter(20, 7, OPEN), enter(30, 7, READ),
		leave(32, 7, READ, 0), enter(40, 7, OPEN), leave(50, 7, READ, 0),
		enter(60, 7, OPEN),    enter(70, 8, READ),
	};
	struct syscall_stats stats;

	begin(&stats, "thread");
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(stats.rows.at[0].call_count, 3);
	cr_expect_eq(stats.rows.at[0].durations_ns.count, 1);
	cr_expect_eq(stats.rows.at[0].total_ns, 2);
	cr_expect_eq(stats.doubts.without_enter_count, 2);
	cr_expect_eq(stats.doubts.without_exit_count, 2);
	cr_expect_eq(stats.doubts.open_count, 2);
	cr_expect_eq(stats.doubts.longest_open_ns, 940);
	cr_expect_eq(stats.doubts.longest_open_name, OPEN);
	syscall_stats_deinit(&stats);
	assert_no_leaks();
}

/* A thread exits, and a new one gets its TID. */
Test(syscall_stats, of_reused_tids)
{
	const struct syscall_record records[] = {
		enter(10, 7, EXIT),
		enter(20, 7, READ),
		leave(30, 7, READ, 0),
		enter(40, 7, EXIT),
	};
	struct syscall_stats stats;

	begin(&stats, "syscall");
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(stats.doubts.reused_count, 1);
	cr_expect_eq(stats.doubts.open_count, 0);
	cr_expect_eq(stats.doubts.without_exit_count, 0);
	syscall_stats_deinit(&stats);
	assert_no_leaks();
}

/*
 * The return from a signal handler restores the call number and the result from before the signal.
 */
Test(syscall_stats, of_signal_returns)
{
	const struct syscall_record records[] = {
		leave(5, 7, SYSCALL_NO_NUMBER, 0),
		enter(10, 7, SIGNAL_RETURN),
		leave(12, 7, SYSCALL_NO_NUMBER, 4),
	};
	struct syscall_stats stats;

	begin(&stats, "syscall");
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(stats.rows.at[0].values[0], SIGNAL_RETURN);
	cr_expect_eq(stats.rows.at[0].error_count, 0);
	cr_expect_eq(stats.rows.at[0].total_ns, 2);
	cr_expect_eq(stats.doubts.without_enter_count, 0);
	syscall_stats_deinit(&stats);
	assert_no_leaks();
}

/* Entries alone, or exits alone, can be counted. */
Test(syscall_stats, of_one_side)
{
	const struct syscall_record enters[] = { enter(10, 7, READ), enter(20, 7, READ) };
	const struct syscall_record exits[] = { leave(10, 7, READ, 0), leave(20, 7, READ, 5) };
	struct syscall_stats stats;

	begin(&stats, "syscall");
	stats.has_exits = false;
	add(&stats, enters, ARRAY_SIZE(enters));
	cr_expect_eq(stats.rows.at[0].call_count, 2);
	cr_expect_eq(stats.rows.at[0].durations_ns.count, 0);
	cr_expect_eq(stats.doubts.without_exit_count, 0);
	syscall_stats_deinit(&stats);
	begin(&stats, "syscall");
	stats.has_enters = false;
	add(&stats, exits, ARRAY_SIZE(exits));
	cr_expect_eq(stats.rows.at[0].call_count, 2);
	cr_expect_eq(stats.rows.at[0].error_count, 1);
	cr_expect_eq(stats.doubts.without_enter_count, 0);
	cr_expect_eq(stats.doubts.without_duration_count, 2);
	syscall_stats_deinit(&stats);
	assert_no_leaks();
}

/* A call counts in the window in which it begins, and on the CPU on which it begins. */
Test(syscall_stats, of_a_selection)
{
	const struct syscall_record records[] = {
		enter(10, 7, READ),    leave(30, 7, READ, 0), enter(40, 7, READ),
		leave(90, 7, READ, 0), enter(95, 7, OPEN),
	};
	struct selection selection = { 0 };
	struct time_windows windows;
	struct syscall_stats stats;

	vec_push(&selection.times_ns, (struct selection_range){ 35, 60 });
	vec_push(&selection.cpus, (struct selection_range){ 0, 0 });
	time_windows_init(&windows, &selection);
	begin(&stats, "syscall");
	stats.windows = &windows;
	stats.cpus = &selection.cpus;
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.call_count, 1);
	cr_expect_eq(stats.total_ns, 50);
	cr_expect_eq(stats.doubts.open_count, 0);
	syscall_stats_deinit(&stats);
	selection.cpus.at[0] = (struct selection_range){ 1, 3 };
	begin(&stats, "syscall");
	stats.windows = &windows;
	stats.cpus = &selection.cpus;
	add(&stats, records, ARRAY_SIZE(records));
	cr_expect_eq(stats.call_count, 0);
	syscall_stats_deinit(&stats);
	time_windows_deinit(&windows);
	selection_deinit(&selection);
	assert_no_leaks();
}

Test(syscall_stats, keys)
{
	struct syscall_keys keys;
	struct error err;

	cr_expect(syscall_keys_parse("comm,syscall,error", &keys, &err));
	cr_expect_eq(keys.count, 3);
	cr_expect_eq(keys.at[1], SYSCALL_KEY_NAME);
	cr_expect_not(syscall_keys_parse("", &keys, &err));
	cr_expect_not(syscall_keys_parse("comm,", &keys, &err));
	cr_expect_not(syscall_keys_parse("comm,comm", &keys, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
}
