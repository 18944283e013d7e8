/* SPDX-License-Identifier: MIT */
/*
 * Two profiles become one: the union of their trees, with sums where they have rows in common.
 * Strings, modules and frames of the second are given numbers of the first.
 *
 *     all 5            all 7             all 12
 *      app 5      +     app 3      =      app 8
 *       main 5           main 3            main 8
 *                       make 4            make 4
 *
 * Both trees are in preorder and sorted by the same rule, so one walk over both suffices.
 */
#ifndef PROFILE_TREE_MERGE_H
#define PROFILE_TREE_MERGE_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * Adds from to profile. What is told of one capture alone (host, command line) is kept where both
 * say the same. False when they show different events or units, which do not add up.
 */
bool profile_merge(struct profile *profile, const struct profile *from,
		   struct error *err) WARN_UNUSED;

#endif
