/* SPDX-License-Identifier: MIT */
/*
 * Joins table keys. In a text table, the frames of a stack are the parts of a key, not functions.
 * Tables and comparisons list whole keys:
 *
 *     bash;7  12         bash, 7  12
 *     vim     3          vim      3
 */
#ifndef PROFILE_JOIN_KEYS_H
#define PROFILE_JOIN_KEYS_H

#include "profile/profile.h"

/*
 * If the profile shows a table, or has only group frames, replaces each stack with a single frame.
 */
void profile_join_keys(struct profile *profile);

#endif
