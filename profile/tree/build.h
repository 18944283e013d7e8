/* SPDX-License-Identifier: MIT */
/*
 * Builds a profile from symbolised locations: frames, then the tree of all stacks.
 *
 *     locations ─▶ frames, ranked by name ─▶ unfold: stacks as arrays of frames
 *                                             │ stack_sort
 *                                             ▼
 *     stack_tree: neighbours share rows: a prefix tree in preorder, siblings sorted by name
 *
 * Sorting whole stacks reads memory in order, sorts siblings, and does not need a hash of (parent,
 * frame).
 */
#ifndef PROFILE_TREE_BUILD_H
#define PROFILE_TREE_BUILD_H

#include "base/error.h"
#include "profile/exact_functions.h"
#include "profile/frames.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/tree/resolved.h"
#include "profile/time_bins.h"
#include "profile/view.h"

/*
 * Called when the event is chosen: returns the factor that converts its weights to nanoseconds, or
 * 0 if they are already nanoseconds. Fails if the weights are not times.
 */
typedef bool weight_scaler(void *context, const struct profile *profile, uint64_t *factor_ret,
			   struct error *err);

struct build_options {
	/*
	 * Names to show for the chosen event and weight; NULL means their own names.
	 */
	const char *event_name, *weight_name;
	weight_scaler *scale; /* if NULL, weights stay as they are */
	void *scale_context;
	unsigned thread_count;
	const struct strings *values; /* texts that stacks are grouped by; NULL if none */
	/* Sums of functions from the input, after exact_functions_locate. NULL if none. */
	const struct exact_functions *functions;
	const struct time_bins *time_bins; /* if NULL, samples are not binned by time */
};

/*
 * Completes a profile, which is constant from then on: builds profile->frames, stacks and exact
 * sums from the resolved stacks of all workers, and empties these to free memory. locations must be
 * symbolised. Fails if no event matches.
 */
bool build_profile(struct profile *profile, const struct locations *locations,
		   struct resolved *const *workers, size_t worker_count, const struct view *view,
		   const struct build_options *options, struct error *err) WARN_UNUSED;

/*
 * If a frame has several activities, but nearly all the weight of a row belongs to one of them, the
 * row gets a frame with only that activity. A function that blocks is therefore shown as blocked,
 * even if it ran in a few samples:
 *
 *     all ─ main ─ read ─ [blocked]  980      main: several, as parse ran for 20% of it
 *                │      └ copy         2      read: blocked
 *                └ parse             240      parse: ran
 *
 * Adds the new frames to `frames`, which become the profile's frames.
 */
void build_settle_activity(struct profile *profile, struct frame_table *frames);

#endif
