/* SPDX-License-Identifier: MIT */
#include "profile/tree/activity.h"

#include "base/saturate.h"

/* Nearly all is all but one part in so many. */
#define SHARE 10

static bool is_wait(enum frame_kind kind)
{
	return kind == FRAME_BLOCKED || kind == FRAME_PREEMPTED || kind == FRAME_RUN_QUEUE;
}

/* How much of each row threads waited, which the marks stacks end in tell. */
static uint64_t *sum_waits(const struct profile *profile, const struct frame_table *frames)
{
	const struct stack *stacks = profile->stacks.at;
	uint64_t *waits = memory_zalloc(profile->stacks.count, sizeof(*waits));

	for (size_t i = profile->stacks.count; i-- > 1;) {
		uint64_t *parent = &waits[stacks[i].parent];

		if (is_wait(frames->rows.at[stacks[i].frame.i].kind))
			waits[i] = stacks[i].total;
		*parent = saturate_add(*parent, waits[i]);
	}
	return waits;
}

void activity_settle(struct profile *profile, struct frame_table *frames)
{
	uint64_t *waits = sum_waits(profile, frames);

	for (size_t i = 1; i < profile->stacks.count; i++) {
		struct stack *row = &profile->stacks.at[i];
		struct frame frame = frames->rows.at[row->frame.i];

		if (frame.activity != FRAME_SEVERAL)
			continue;
		if (waits[i] <= row->total / SHARE)
			frame.activity = FRAME_RUNS;
		else if (row->total - waits[i] <= row->total / SHARE)
			frame.activity = FRAME_WAITS;
		row->frame.i = frame_table_intern(frames, &frame);
	}
	memory_free(waits);
}
