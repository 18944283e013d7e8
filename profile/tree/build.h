/* SPDX-License-Identifier: MIT */
/*
 * From named locations to the finished profile: frames, then the tree of all stacks.
 *
 *     locations ─▶ frames, numbered by name ─▶ unfold: stacks as runs of frames
 *                                               │ sample_sort
 *                                               ▼
 *     stack_tree: neighbours share their rows: a prefix tree in preorder, children in order of name
 *
 * Sorting whole stacks and comparing neighbours needs no hash of (parent, frame), touches memory
 * in order, and gives siblings the order outputs want.
 */
#ifndef PROFILE_TREE_BUILD_H
#define PROFILE_TREE_BUILD_H

#include "base/error.h"
#include "profile/frames.h"
#include "profile/grouping.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/resolve.h"
#include "profile/weighing.h"

struct build_options {
	const char *event_pattern; /* NULL: that of the first sample in time */
	unsigned thread_count;
	const struct weighing *weighing; /* NULL: by period */
	bool is_reversed; /* above what they stand on, stacks begin with the innermost frame */
	const struct selection *selection;
	const struct grouping *grouping; /* NULL: by comm */
	const struct strings *values;    /* that the grouping tells apart; NULL: it does not */
	struct frame_naming naming;
	bool keeps_sample_counts; /* of each row */
	uint32_t time_bin_count; /* 0: samples are not binned by time */
};

/*
 * Builds profile->frames and profile->stacks from the resolved stacks of all workers. Their
 * locations are named; they are emptied, to make room. False when there is no event of that name.
 */
bool build_profile(struct profile *profile, const struct locations *locations,
		   struct resolved *const *workers, size_t worker_count,
		   const struct build_options *options, struct error *err) WARN_UNUSED;

#endif
