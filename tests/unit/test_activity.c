/* SPDX-License-Identifier: MIT */
#include "profile/tree/build.h"

#include <criterion/criterion.h>

#include "profile/tree/stack_tree.h"
#include "tests/support/leaks.h"

/* all ─ f ─ [blocked] of waits, and f also runs: the activity of f. */
static enum frame_activity settled(uint64_t waits, uint64_t runs)
{
	struct frame_table frames;
	enum frame_activity result;
	struct profile profile;
	uint32_t f;
	uint32_t blocked;

	profile_init(&profile);
	frame_table_init(&frames);
	f = frame_table_intern(&frames,
			       &(struct frame){ .kind = FRAME_USER, .activity = FRAME_SEVERAL });
	blocked = frame_table_intern(&frames, &(struct frame){ .kind = FRAME_BLOCKED });
	stack_tree_add_row(&profile, 0, 0);
	stack_tree_add_row(&profile, 1, f)->self = runs;
	stack_tree_add_row(&profile, 2, blocked)->self = waits;
	stack_tree_finish(&profile);
	build_settle_activity(&profile, &frames);
	result = frames.rows.at[profile.stacks.at[1].frame.i].activity;
	cr_expect_eq(profile.stacks.at[2].frame.i, blocked);
	frame_table_deinit(&frames);
	profile_deinit(&profile);
	return result;
}

Test(activity, what_is_nearly_all_of_one)
{
	cr_expect_eq(settled(980, 2), FRAME_WAITS);
	cr_expect_eq(settled(90, 10), FRAME_WAITS);
	cr_expect_eq(settled(80, 20), FRAME_SEVERAL);
	cr_expect_eq(settled(20, 80), FRAME_SEVERAL);
	cr_expect_eq(settled(10, 90), FRAME_RUNS);
	cr_expect_eq(settled(0, UINT64_MAX), FRAME_RUNS);
	assert_no_leaks();
}
