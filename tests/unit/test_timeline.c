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

static void fork_task(struct timeline *timeline, uint64_t time_ns, uint32_t pid, uint32_t tid,
		      uint32_t parent_pid, uint32_t parent_tid, bool is_synthesized)
{
	struct event_fork fork = {
		.pid = pid,
		.tid = tid,
		.parent_pid = parent_pid,
		.parent_tid = parent_tid,
		.is_synthesized = is_synthesized,
	};

	timeline_fork(timeline, time_ns, &fork);
}

/* The module at an address in a state, 0 for none. */
static uint32_t module_at(const struct timeline *timeline, space_id space, uint64_t address)
{
	const struct mapping *found = address_spaces_find(&timeline->spaces, space, address);

	return found ? found->module.i : 0;
}

static uint32_t user_module(const struct timeline *timeline, uint32_t pid, uint64_t time_ns,
			    uint64_t address)
{
	return module_at(timeline, timeline_find(timeline, pid, pid, time_ns).space, address);
}

static uint32_t replaced_module(const struct timeline *timeline, uint32_t pid, uint64_t time_ns,
				uint64_t address)
{
	return module_at(timeline, timeline_find(timeline, pid, pid, time_ns).replaced_space,
			 address);
}

static uint32_t kernel_module(const struct timeline *timeline, uint64_t time_ns)
{
	return module_at(timeline, timeline_find(timeline, 1, 1, time_ns).kernel_space,
			 driver.start);
}

static uint32_t comm_at(const struct timeline *timeline, uint32_t tid, uint64_t time_ns)
{
	return timeline_find(timeline, 7, tid, time_ns).comm;
}

Test(timeline, a_thread_is_called_by_its_time)
{
	static const struct {
		uint32_t tid;
		uint64_t time_ns;
		uint32_t comm;
	} rows[] = {
		{ 7, 0, TIMELINE_NONE }, { 7, 99, TIMELINE_NONE }, { 7, 100, 11 },
		{ 7, 199, 11 },          { 7, 200, 12 },           { 7, UINT64_MAX - 1, 12 },
		{ 8, 150, 13 },          { 8, 300, 11 },           { 9, 300, TIMELINE_NONE },
	};
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_comm(&timeline, 100, 7, 7, (str_id){ 11 }, false);
	timeline_comm(&timeline, 150, 7, 8, (str_id){ 13 }, false);
	timeline_comm(&timeline, 200, 7, 7, (str_id){ 12 }, false);
	timeline_comm(&timeline, 250, 7, 8, (str_id){ 11 }, false);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(comm_at(&timeline, rows[i].tid, rows[i].time_ns), rows[i].comm,
			     "row %zu", i);
	timeline_deinit(&timeline);
	assert_no_leaks();
}

Test(timeline, fork_copies_what_the_parent_has_then)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_comm(&timeline, 10, 7, 7, (str_id){ 11 }, false);
	timeline_map(&timeline, 10, 7, &program);
	fork_task(&timeline, 20, 8, 8, 7, 7, false);
	timeline_map(&timeline, 30, 7, &library);
	timeline_map(&timeline, 40, 8, &other);
	timeline_comm(&timeline, 50, 7, 7, (str_id){ 12 }, false);

	cr_expect_eq(user_module(&timeline, 8, 19, 0x1000), 0, "before it was forked");
	cr_expect_eq(user_module(&timeline, 8, 20, 0x1000), 1);
	cr_expect_eq(user_module(&timeline, 8, 30, 0x3000), 0, "what the parent maps later");
	cr_expect_eq(user_module(&timeline, 8, 40, 0x1000), 3);
	cr_expect_eq(user_module(&timeline, 7, 40, 0x1000), 1, "what the child maps");
	cr_expect_eq(user_module(&timeline, 7, 40, 0x3000), 2);
	cr_expect_eq(comm_at(&timeline, 8, 60), 11);
	cr_expect_eq(comm_at(&timeline, 8, 19), TIMELINE_NONE);
	timeline_deinit(&timeline);
}

Test(timeline, threads_share_what_is_mapped)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_comm(&timeline, 10, 7, 7, (str_id){ 11 }, false);
	timeline_map(&timeline, 10, 7, &program);
	fork_task(&timeline, 20, 7, 9, 7, 7, false);
	timeline_map(&timeline, 30, 7, &library);
	cr_expect_eq(comm_at(&timeline, 9, 20), 11);
	cr_expect_eq(user_module(&timeline, 7, 25, 0x1000), 1, "a new thread unmaps nothing");
	cr_expect_eq(module_at(&timeline, timeline_find(&timeline, 7, 9, 35).space, 0x3000), 2);
	timeline_deinit(&timeline);
}

/* perf tells of a process that runs already by a fork, and then of each of its mappings. */
Test(timeline, a_synthesized_fork_inherits_no_mappings)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_comm(&timeline, 0, 7, 7, (str_id){ 11 }, false);
	timeline_map(&timeline, 0, 7, &program);
	fork_task(&timeline, 0, 8, 8, 7, 7, true);
	timeline_map(&timeline, 0, 8, &library);
	cr_expect_eq(user_module(&timeline, 8, 5, 0x1000), 0);
	cr_expect_eq(user_module(&timeline, 8, 5, 0x3000), 2);
	cr_expect_eq(comm_at(&timeline, 8, 5), 11);
	timeline_deinit(&timeline);
}

Test(timeline, exec_replaces_all_mappings)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_map(&timeline, 10, 7, &program);
	timeline_map(&timeline, 20, 7, &library);
	timeline_comm(&timeline, 30, 7, 7, (str_id){ 12 }, true);
	timeline_map(&timeline, 40, 7, &other);

	cr_expect_eq(user_module(&timeline, 7, 29, 0x3000), 2);
	cr_expect_eq(replaced_module(&timeline, 7, 29, 0x3000), 0, "there was no exec yet");
	cr_expect_eq(user_module(&timeline, 7, 30, 0x3000), 0);
	cr_expect_eq(replaced_module(&timeline, 7, 30, 0x3000), 2);
	cr_expect_eq(user_module(&timeline, 7, 40, 0x1000), 3);
	cr_expect_eq(user_module(&timeline, 7, 40, 0x3000), 0);
	cr_expect_eq(replaced_module(&timeline, 7, 40, 0x1000), 1);
	cr_expect_eq(comm_at(&timeline, 7, 30), 12);

	timeline_comm(&timeline, 50, 7, 7, (str_id){ 13 }, true);
	cr_expect_eq(replaced_module(&timeline, 7, 50, 0x1000), 3, "the exec before is forgotten");
	cr_expect_eq(replaced_module(&timeline, 7, 49, 0x1000), 1);
	timeline_deinit(&timeline);
}

Test(timeline, a_plain_rename_replaces_nothing)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_map(&timeline, 10, 7, &program);
	timeline_comm(&timeline, 20, 7, 7, (str_id){ 12 }, false);
	cr_expect_eq(user_module(&timeline, 7, 20, 0x1000), 1);

	timeline.keeps_maps_on_exec = true;
	timeline_comm(&timeline, 30, 7, 7, (str_id){ 13 }, true);
	cr_expect_eq(user_module(&timeline, 7, 30, 0x1000), 1, "as perf does");
	cr_expect_eq(comm_at(&timeline, 7, 30), 13);
	timeline_deinit(&timeline);
}

/* A number that was another process's before brings nothing of that one along. */
Test(timeline, pids_are_used_again)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_map(&timeline, 10, 9, &program);
	timeline_map(&timeline, 11, 9, &library);
	timeline_comm(&timeline, 12, 9, 9, (str_id){ 12 }, true);
	timeline_map(&timeline, 13, 9, &library);
	timeline_map(&timeline, 15, 7, &other);
	timeline_comm(&timeline, 15, 7, 7, (str_id){ 11 }, false);
	fork_task(&timeline, 20, 9, 9, 7, 7, false);

	cr_expect_eq(user_module(&timeline, 9, 19, 0x3000), 2);
	cr_expect_eq(user_module(&timeline, 9, 20, 0x3000), 0);
	cr_expect_eq(user_module(&timeline, 9, 20, 0x1000), 3);
	cr_expect_eq(comm_at(&timeline, 9, 19), 12);
	cr_expect_eq(comm_at(&timeline, 9, 20), 11);
	cr_expect_eq(replaced_module(&timeline, 9, 19, 0x1000), 1);
	cr_expect_eq(replaced_module(&timeline, 9, 20, 0x1000), 0,
		     "what the earlier process replaced");

	/* From a parent nothing is known of. */
	fork_task(&timeline, 30, 9, 9, 1234, 1234, false);
	cr_expect_eq(user_module(&timeline, 9, 30, 0x1000), 0);
	timeline_deinit(&timeline);
}

Test(timeline, the_kernel_maps_and_unmaps)
{
	struct timeline timeline;

	timeline_init(&timeline);
	timeline_kernel_map(&timeline, 10, &driver);
	timeline_kernel_unmap(&timeline, 20, driver.start, driver.end);
	timeline_kernel_map(&timeline, 30, &driver);
	cr_expect_eq(kernel_module(&timeline, 9), 0);
	cr_expect_eq(kernel_module(&timeline, 10), 4);
	cr_expect_eq(kernel_module(&timeline, 20), 0);
	cr_expect_eq(kernel_module(&timeline, 29), 0);
	cr_expect_eq(kernel_module(&timeline, 30), 4);
	cr_expect_eq(user_module(&timeline, 0, 30, driver.start), 0);
	timeline_deinit(&timeline);
}

/* Between from_ns and until_ns nothing changes, and just outside something does, or time ends. */
Test(timeline, a_moment_holds_for_its_whole_span)
{
	struct random random = { 99 };
	struct timeline timeline;

	timeline_init(&timeline);
	for (uint64_t time_ns = 1; time_ns < 400; time_ns += random_below(&random, 3)) {
		uint32_t tid = random_below(&random, 3);
		struct mapping mapping = {
			time_ns * 16, time_ns * 16 + 16, 0, { 1 }, MAPPING_SOLID
		};

		switch (random_below(&random, 5)) {
		case 0:
			timeline_comm(&timeline, time_ns, tid, tid,
				      (str_id){ random_below(&random, 3) }, tid == 1);
			break;
		case 1:
			timeline_map(&timeline, time_ns, tid, &mapping);
			break;
		case 2:
			timeline_kernel_map(&timeline, time_ns, &mapping);
			break;
		case 3:
			fork_task(&timeline, time_ns, tid, tid, 2 - tid, 2 - tid, false);
			break;
		}
	}
	for (uint32_t tid = 0; tid < 4; tid++) {
		for (uint64_t time_ns = 0; time_ns < 410; time_ns++) {
			struct timeline_moment now = timeline_find(&timeline, tid, tid, time_ns);
			struct timeline_moment next =
				timeline_find(&timeline, tid, tid, time_ns + 1);
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
	timeline_deinit(&timeline);
	assert_no_leaks();
}
