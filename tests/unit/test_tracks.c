/* SPDX-License-Identifier: MIT */
#include "timeline/tracks.h"

#include <criterion/criterion.h>

static void add(struct tracks *tracks, uint32_t tid, uint64_t time_ns, uint32_t duration_ns,
		uint32_t stack)
{
	struct track key = { .pid = 7, .tid = tid, .cpu = EVENT_NO_CPU };

	track_add(tracks_find(tracks, &key), &(struct track_sample){
						     .time_ns = time_ns,
						     .weight = 1,
						     .stack = stack,
						     .duration_ns = duration_ns,
					     });
}

Test(tracks, stacks_share_callers)
{
	static const uint32_t parse[] = { 5, 6 };
	static const uint32_t read[] = { 5, 7 };
	struct tracks tracks;
	uint32_t frames[2];

	tracks_init(&tracks);
	cr_expect_eq(tracks_stack(&tracks, parse, 0), 0);
	cr_expect_eq(tracks_stack(&tracks, parse, 2), 2);
	cr_expect_eq(tracks_stack(&tracks, read, 2), 3);
	cr_expect_eq(tracks_stack(&tracks, parse, 1), 1);
	cr_expect_eq(tracks_depth(&tracks, 3), 2);
	cr_expect_eq(tracks_frames(&tracks, 3, frames, 2), 2);
	cr_expect_eq(frames[0], 5);
	cr_expect_eq(frames[1], 7);
	cr_expect_eq(tracks_frames(&tracks, 3, frames, 1), 1);
	cr_expect_eq(frames[0], 5);
	tracks_deinit(&tracks);
}

Test(tracks, samples_are_sorted_and_do_not_overlap)
{
	struct tracks tracks;
	const struct track *track;

	tracks_init(&tracks);
	add(&tracks, 9, 50, 10, 1);
	add(&tracks, 8, 100, 40, 2);
	add(&tracks, 8, 90, 40, 3);
	add(&tracks, 8, 100, 40, 4);
	add(&tracks, 8, 200, 500, 5);
	tracks_finish(&tracks);
	cr_assert_eq(tracks.rows.count, 2);
	track = &tracks.rows.at[0];
	cr_expect_eq(track->tid, 8);
	cr_assert_eq(track->samples.count, 4);
	cr_expect_eq(track->samples.at[0].stack, 3);
	cr_expect_eq(track->samples.at[1].stack, 2);
	cr_expect_eq(track->samples.at[2].stack, 4);
	cr_expect_eq(track_begin_ns(track, 0), 50);
	cr_expect_eq(track_begin_ns(track, 1), 90);
	cr_expect_eq(track_begin_ns(track, 2), 100);
	cr_expect_eq(track_begin_ns(track, 3), 100);
	tracks_deinit(&tracks);
}

Test(tracks, a_duration_before_time_0)
{
	struct tracks tracks;

	tracks_init(&tracks);
	add(&tracks, 1, 5, 10, 0);
	cr_expect_eq(track_begin_ns(&tracks.rows.at[0], 0), 0);
	tracks_deinit(&tracks);
}
