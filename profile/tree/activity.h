/* SPDX-License-Identifier: MIT */
/*
 * What threads mostly did in stacks where they both ran and waited: a function in which they wait shows as
 * that, though once in a while a sample was taken there just before.
 *
 *     all ─ main ─ read ─ [blocked]  980      main: several, for 20 % of it ran elsewhere
 *                │      └ copy         2      read: waits
 *                └ parse             240      parse: runs
 */
#ifndef PROFILE_TREE_ACTIVITY_H
#define PROFILE_TREE_ACTIVITY_H

#include "profile/frame_table.h"
#include "profile/profile.h"

/* Gives rows whose frame is of several activities, but nearly all of one, a frame of that. frames is what
 * the profile's will be, and grows. */
void activity_settle(struct profile *profile, struct frame_table *frames);

#endif
