/* SPDX-License-Identifier: MIT */
#include "offcpu/single_intervals.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define INTERVALS 2000
#define STACKS    20
#define LISTED    50

static void choose_all(struct single_intervals *singles, const struct interval *intervals,
		       size_t begin, size_t end)
{
	struct callchain_key key = { .comm = 0 };
	struct event event = { .kind = EVENT_SAMPLE };

	for (size_t i = begin; i < end; i++) {
		struct ingested_sample sample = {
			.event = &event,
			.key = &key,
			.interval = &intervals[i],
		};

		(void)!single_intervals_choose(singles, &sample, i % STACKS, (uint32_t)i);
	}
}

/*
 * The longest interval, of equally long ones the earliest. The step is STACKS for one stack, and 1
 * for all stacks.
 */
static size_t longest_of(const struct interval *intervals, size_t first, size_t step)
{
	size_t best = first;

	for (size_t i = first; i < INTERVALS; i += step)
		if (intervals[i].duration_ns > intervals[best].duration_ns ||
		    (intervals[i].duration_ns == intervals[best].duration_ns &&
		     intervals[i].begin_ns < intervals[best].begin_ns))
			best = i;
	return best;
}

static bool has(const struct single_intervals *parts, size_t count, size_t interval)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < parts[i].rows.count; k++)
			if (parts[i].rows.at[k].interval == interval)
				return true;
	return false;
}

/* The same intervals are chosen for any number of workers. */
Test(single_intervals, longest_of_each_stack_and_of_all_are_chosen)
{
	static struct interval intervals[INTERVALS];

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct random random = { seed };
		size_t worker_count = 1 + seed % 4;
		struct single_intervals parts[4];
		size_t chosen_count = 0;

		for (size_t i = 0; i < INTERVALS; i++)
			intervals[i] = (struct interval){
				.begin_ns = random_u64(&random) % 1000,
				/* Few values, so that there are ties. */
				.duration_ns = 1 + random_u64(&random) % (seed % 2 ? 300 : 1000000),
			};
		for (size_t i = 0; i < worker_count; i++) {
			single_intervals_init(&parts[i], LISTED);
			choose_all(&parts[i], intervals, INTERVALS * i / worker_count,
				   INTERVALS * (i + 1) / worker_count);
			chosen_count += parts[i].rows.count;
		}
		for (size_t i = 0; i < STACKS; i++)
			cr_expect(has(parts, worker_count, longest_of(intervals, i, STACKS)),
				  "seed %lu, stack %zu", (unsigned long)seed, i);
		/* The intervals of the list, one after the other. */
		for (size_t i = 0; i < LISTED; i++) {
			size_t longest = longest_of(intervals, 0, 1);

			cr_expect(has(parts, worker_count, longest), "seed %lu, %zu",
				  (unsigned long)seed, i);
			intervals[longest].duration_ns = 0;
		}
		cr_expect_lt(chosen_count, INTERVALS / 2);
		for (size_t i = 0; i < worker_count; i++)
			single_intervals_deinit(&parts[i]);
	}
	assert_no_leaks();
}
