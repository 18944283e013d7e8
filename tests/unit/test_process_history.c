/* SPDX-License-Identifier: MIT */
#include "process/process_history.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

static const struct mapping program = { 0x1000, 0x2000, 0, { 1 }, MAPPING_SOLID };
static const struct mapping library = { 0x3000, 0x4000, 0, { 2 }, MAPPING_SOLID };
static const struct mapping other = { 0x1000, 0x2000, 0, { 3 }, MAPPING_SOLID };
static const struct mapping driver = {
	0xffffffffc0000000, 0xffffffffc0001000, 0, { 4 }, MAPPING_SOLID
};

static void fork_task(struct process_history *history, uint64_t time_ns, uint32_t pid, uint32_t tid,
		      uint32_t parent_pid, uint32_t parent_tid, bool is_synthesized)
{
	struct event_fork fork = {
		.pid = pid,
		.tid = tid,
		.parent_pid = parent_pid,
		.parent_tid = parent_tid,
		.is_synthesized = is_synthesized,
	};

	process_history_fork(history, time_ns, &fork);
}

/* The module at an address in a state; 0: none. */
static uint32_t module_at(const struct process_history *history, space_id space, uint64_t address)
{
	const struct mapping *found = address_spaces_find(&history->spaces, space, address);

	return found ? found->module.i : 0;
}

static uint32_t user_module(const struct process_history *history, uint32_t pid, uint64_t time_ns,
			    uint64_t address)
{
	return module_at(history, process_history_find(history, pid, pid, time_ns).space, address);
}

static uint32_t replaced_module(const struct process_history *history, uint32_t pid,
				uint64_t time_ns, uint64_t address)
{
	return module_at(history, process_history_find(history, pid, pid, time_ns).replaced_space,
			 address);
}

static uint32_t kernel_module(const struct process_history *history, uint64_t time_ns)
{
	return module_at(history, process_history_find(history, 1, 1, time_ns).kernel_space,
			 driver.start);
}

static uint32_t comm_at(const struct process_history *history, uint32_t tid, uint64_t time_ns)
{
	return process_history_find(history, 7, tid, time_ns).comm;
}

Test(process_history, a_thread_is_called_by_its_time)
{
	static const struct {
		uint32_t tid;
		uint64_t time_ns;
		uint32_t comm;
	} rows[] = {
		{ 7, 0, PROCESS_HISTORY_NONE },
		{ 7, 99, PROCESS_HISTORY_NONE },
		{ 7, 100, 11 },
		{ 7, 199, 11 },
		{ 7, 200, 12 },
		{ 7, UINT64_MAX - 1, 12 },
		{ 8, 150, 13 },
		{ 8, 300, 11 },
		{ 9, 300, PROCESS_HISTORY_NONE },
	};
	struct process_history history;

	process_history_init(&history);
	process_history_comm(&history, 100, 7, 7, (str_id){ 11 }, false);
	process_history_comm(&history, 150, 7, 8, (str_id){ 13 }, false);
	process_history_comm(&history, 200, 7, 7, (str_id){ 12 }, false);
	process_history_comm(&history, 250, 7, 8, (str_id){ 11 }, false);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(comm_at(&history, rows[i].tid, rows[i].time_ns), rows[i].comm,
			     "row %zu", i);
	process_history_deinit(&history);
	assert_no_leaks();
}

Test(process_history, fork_copies_what_the_parent_has_then)
{
	struct process_history history;

	process_history_init(&history);
	process_history_comm(&history, 10, 7, 7, (str_id){ 11 }, false);
	process_history_map(&history, 10, 7, &program);
	fork_task(&history, 20, 8, 8, 7, 7, false);
	process_history_map(&history, 30, 7, &library);
	process_history_map(&history, 40, 8, &other);
	process_history_comm(&history, 50, 7, 7, (str_id){ 12 }, false);

	cr_expect_eq(user_module(&history, 8, 19, 0x1000), 0, "before it was forked");
	cr_expect_eq(user_module(&history, 8, 20, 0x1000), 1);
	cr_expect_eq(user_module(&history, 8, 30, 0x3000), 0, "what the parent maps later");
	cr_expect_eq(user_module(&history, 8, 40, 0x1000), 3);
	cr_expect_eq(user_module(&history, 7, 40, 0x1000), 1, "what the child maps");
	cr_expect_eq(user_module(&history, 7, 40, 0x3000), 2);
	cr_expect_eq(comm_at(&history, 8, 60), 11);
	cr_expect_eq(comm_at(&history, 8, 19), PROCESS_HISTORY_NONE);
	process_history_deinit(&history);
}

Test(process_history, threads_share_what_is_mapped)
{
	struct process_history history;

	process_history_init(&history);
	process_history_comm(&history, 10, 7, 7, (str_id){ 11 }, false);
	process_history_map(&history, 10, 7, &program);
	fork_task(&history, 20, 7, 9, 7, 7, false);
	process_history_map(&history, 30, 7, &library);
	cr_expect_eq(comm_at(&history, 9, 20), 11);
	cr_expect_eq(user_module(&history, 7, 25, 0x1000), 1, "a new thread unmaps nothing");
	cr_expect_eq(module_at(&history, process_history_find(&history, 7, 9, 35).space, 0x3000),
		     2);
	process_history_deinit(&history);
}

/* For a process that already runs, perf writes a FORK, and then each of its mappings. */
Test(process_history, a_synthesized_fork_inherits_no_mappings)
{
	struct process_history history;

	process_history_init(&history);
	process_history_comm(&history, 0, 7, 7, (str_id){ 11 }, false);
	process_history_map(&history, 0, 7, &program);
	fork_task(&history, 0, 8, 8, 7, 7, true);
	process_history_map(&history, 0, 8, &library);
	cr_expect_eq(user_module(&history, 8, 5, 0x1000), 0);
	cr_expect_eq(user_module(&history, 8, 5, 0x3000), 2);
	cr_expect_eq(comm_at(&history, 8, 5), 11);
	process_history_deinit(&history);
}

Test(process_history, exec_replaces_all_mappings)
{
	struct process_history history;

	process_history_init(&history);
	process_history_map(&history, 10, 7, &program);
	process_history_map(&history, 20, 7, &library);
	process_history_comm(&history, 30, 7, 7, (str_id){ 12 }, true);
	process_history_map(&history, 40, 7, &other);

	cr_expect_eq(user_module(&history, 7, 29, 0x3000), 2);
	cr_expect_eq(replaced_module(&history, 7, 29, 0x3000), 0, "there was no exec yet");
	cr_expect_eq(user_module(&history, 7, 30, 0x3000), 0);
	cr_expect_eq(replaced_module(&history, 7, 30, 0x3000), 2);
	cr_expect_eq(user_module(&history, 7, 40, 0x1000), 3);
	cr_expect_eq(user_module(&history, 7, 40, 0x3000), 0);
	cr_expect_eq(replaced_module(&history, 7, 40, 0x1000), 1);
	cr_expect_eq(comm_at(&history, 7, 30), 12);

	process_history_comm(&history, 50, 7, 7, (str_id){ 13 }, true);
	cr_expect_eq(replaced_module(&history, 7, 50, 0x1000), 3, "the exec before is forgotten");
	cr_expect_eq(replaced_module(&history, 7, 49, 0x1000), 1);
	process_history_deinit(&history);
}

static uint32_t data_module(const struct process_history *history, uint32_t pid, uint64_t time_ns,
			    uint64_t address)
{
	return module_at(history, process_history_find_data(history, pid, time_ns), address);
}

Test(process_history, data_is_kept_if_requested)
{
	struct process_history history;

	process_history_init(&history);
	process_history_map_data(&history, 10, 7, &program);
	cr_expect_eq(data_module(&history, 7, 10, 0x1000), 0);
	history.keeps_data = true;
	process_history_map_data(&history, 10, 7, &program);
	process_history_map_data(&history, 20, 7, &library);
	fork_task(&history, 30, 8, 8, 7, 7, false);
	fork_task(&history, 30, 9, 9, 7, 7, true);
	process_history_comm(&history, 40, 7, 7, (str_id){ 12 }, true);
	process_history_map_data(&history, 50, 7, &other);

	cr_expect_eq(data_module(&history, 7, 15, 0x1000), 1);
	cr_expect_eq(data_module(&history, 7, 15, 0x3000), 0);
	cr_expect_eq(data_module(&history, 7, 20, 0x3000), 2);
	cr_expect_eq(data_module(&history, 8, 60, 0x3000), 2, "forked before the exec");
	cr_expect_eq(data_module(&history, 9, 60, 0x3000), 0, "perf lists its mappings");
	cr_expect_eq(data_module(&history, 7, 40, 0x3000), 0);
	cr_expect_eq(data_module(&history, 7, 50, 0x1000), 3);
	cr_expect_eq(user_module(&history, 7, 50, 0x1000), 0, "code is separate");
	process_history_deinit(&history);
	assert_no_leaks();
}

Test(process_history, a_plain_rename_replaces_nothing)
{
	struct process_history history;

	process_history_init(&history);
	process_history_map(&history, 10, 7, &program);
	process_history_comm(&history, 20, 7, 7, (str_id){ 12 }, false);
	cr_expect_eq(user_module(&history, 7, 20, 0x1000), 1);

	history.keeps_maps_on_exec = true;
	process_history_comm(&history, 30, 7, 7, (str_id){ 13 }, true);
	cr_expect_eq(user_module(&history, 7, 30, 0x1000), 1, "as perf does");
	cr_expect_eq(comm_at(&history, 7, 30), 13);
	process_history_deinit(&history);
}

/* A reused pid inherits nothing from the earlier process. */
Test(process_history, pids_are_used_again)
{
	struct process_history history;

	process_history_init(&history);
	process_history_map(&history, 10, 9, &program);
	process_history_map(&history, 11, 9, &library);
	process_history_comm(&history, 12, 9, 9, (str_id){ 12 }, true);
	process_history_map(&history, 13, 9, &library);
	process_history_map(&history, 15, 7, &other);
	process_history_comm(&history, 15, 7, 7, (str_id){ 11 }, false);
	fork_task(&history, 20, 9, 9, 7, 7, false);

	cr_expect_eq(user_module(&history, 9, 19, 0x3000), 2);
	cr_expect_eq(user_module(&history, 9, 20, 0x3000), 0);
	cr_expect_eq(user_module(&history, 9, 20, 0x1000), 3);
	cr_expect_eq(comm_at(&history, 9, 19), 12);
	cr_expect_eq(comm_at(&history, 9, 20), 11);
	cr_expect_eq(replaced_module(&history, 9, 19, 0x1000), 1);
	cr_expect_eq(replaced_module(&history, 9, 20, 0x1000), 0,
		     "what the earlier process replaced");

	/* From an unknown parent. */
	fork_task(&history, 30, 9, 9, 1234, 1234, false);
	cr_expect_eq(user_module(&history, 9, 30, 0x1000), 0);
	process_history_deinit(&history);
}

Test(process_history, the_kernel_maps_and_unmaps)
{
	struct process_history history;

	process_history_init(&history);
	process_history_kernel_map(&history, 10, &driver);
	process_history_kernel_unmap(&history, 20, driver.start, driver.end);
	process_history_kernel_map(&history, 30, &driver);
	cr_expect_eq(kernel_module(&history, 9), 0);
	cr_expect_eq(kernel_module(&history, 10), 4);
	cr_expect_eq(kernel_module(&history, 20), 0);
	cr_expect_eq(kernel_module(&history, 29), 0);
	cr_expect_eq(kernel_module(&history, 30), 4);
	cr_expect_eq(user_module(&history, 0, 30, driver.start), 0);
	process_history_deinit(&history);
}

/* Between from_ns and until_ns nothing changes, and just outside something does, or time ends. */
Test(process_history, a_moment_holds_for_its_whole_span)
{
	struct random random = { 99 };
	struct process_history history;

	process_history_init(&history);
	for (uint64_t time_ns = 1; time_ns < 400; time_ns += random_below(&random, 3)) {
		uint32_t tid = random_below(&random, 3);
		struct mapping mapping = {
			time_ns * 16, time_ns * 16 + 16, 0, { 1 }, MAPPING_SOLID
		};

		switch (random_below(&random, 5)) {
		case 0:
			process_history_comm(&history, time_ns, tid, tid,
					     (str_id){ random_below(&random, 3) }, tid == 1);
			break;
		case 1:
			process_history_map(&history, time_ns, tid, &mapping);
			break;
		case 2:
			process_history_kernel_map(&history, time_ns, &mapping);
			break;
		case 3:
			fork_task(&history, time_ns, tid, tid, 2 - tid, 2 - tid, false);
			break;
		}
	}
	for (uint32_t tid = 0; tid < 4; tid++) {
		for (uint64_t time_ns = 0; time_ns < 410; time_ns++) {
			struct process_moment now =
				process_history_find(&history, tid, tid, time_ns);
			struct process_moment next =
				process_history_find(&history, tid, tid, time_ns + 1);
			bool is_same = now.comm == next.comm && now.space.i == next.space.i &&
				       now.replaced_space.i == next.replaced_space.i &&
				       now.kernel_space.i == next.kernel_space.i;

			cr_assert(now.from_ns <= time_ns && time_ns < now.until_ns);
			if (!is_same)
				cr_assert_eq(now.until_ns, time_ns + 1);
			if (now.until_ns > time_ns + 1)
				cr_assert(next.from_ns == now.from_ns &&
					  next.until_ns == now.until_ns);
			else
				cr_assert_eq(next.from_ns, time_ns + 1);
		}
	}
	process_history_deinit(&history);
	assert_no_leaks();
}

/*
 * If there is no memory for new mappings of a process, it has none: old mappings would give wrong
 * names.
 */
Test(process_history, mappings_beyond_the_limit_are_dropped)
{
	struct process_history history;

	process_history_init(&history);
	process_history_map(&history, 10, 7, &program);
	history.mapping_bytes_max = address_spaces_bytes(&history.spaces) - 1;
	process_history_map(&history, 20, 7, &library);
	process_history_unmap(&history, 30, 8, &program);
	cr_expect_eq(history.dropped_count, 2);
	cr_expect_eq(user_module(&history, 7, 15, 0x1000), 1);
	cr_expect_eq(user_module(&history, 7, 25, 0x1000), 0);
	cr_expect_eq(user_module(&history, 7, 25, 0x3000), 0);
	process_history_deinit(&history);
	assert_no_leaks();
}

Test(process_history, mappings_without_a_number_are_dropped)
{
	struct process_history history;
	size_t count;

	process_history_init(&history);
	process_history_map(&history, 10, 7, &program);
	count = history.spaces.mappings.count;
	history.spaces.mappings.count = ((size_t)1 << SPACE_MAPPING_BITS) - 2;
	process_history_map(&history, 20, 7, &library);
	history.spaces.mappings.count = count;
	cr_expect_eq(history.dropped_count, 1);
	cr_expect_eq(user_module(&history, 7, 15, 0x1000), 1);
	cr_expect_eq(user_module(&history, 7, 25, 0x1000), 0);
	process_history_deinit(&history);
	assert_no_leaks();
}
