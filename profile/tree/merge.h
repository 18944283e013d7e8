/* SPDX-License-Identifier: MIT */
/*
 * Merges two profiles into the union of their trees, with the sums of rows that are in both.
 * Strings, modules and frames of the second are renumbered.
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
 * Adds `from` to profile. The profile must not be read before its last part is added. Metadata such
 * as the host and the command line is kept if it is equal in both. Fails if the profiles show
 * different events or units, which cannot be added up. parts_modules: in both trees, siblings with
 * equal names in different modules are different rows.
 */
bool profile_merge(struct profile *profile, const struct profile *from, bool parts_modules,
		   struct error *err) WARN_UNUSED;

#endif
