/* SPDX-License-Identifier: MIT */
/*
 * Merges two profiles: the union of their trees, with the sums of rows in both. Strings, modules
 * and frames of the second are renumbered.
 *
 *     all 5            all 7             all 12
 *      app 5      +     app 3      =      app 8
 *       main 5           main 3            main 8
 *                       make 4            make 4
 *
 * Both trees are in preorder with siblings in the same order, so one walk over both suffices.
 */
#ifndef PROFILE_TREE_MERGE_H
#define PROFILE_TREE_MERGE_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * Adds `from` to profile. No output may read the profile before its last part is added. Metadata
 * such as host and command line is kept if both are equal. Fails if they show different events or
 * units, which do not add up.
 */
bool profile_merge(struct profile *profile, const struct profile *from,
		   struct error *err) WARN_UNUSED;

#endif
