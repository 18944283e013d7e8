/* SPDX-License-Identifier: MIT */
/*
 * Joins the keys of tables. A text table has no functions: the parts of a key are the frames of a stack. Tables
 * and comparisons list whole keys:
 *
 *     bash;7  12         bash, 7  12
 *     vim     3          vim      3
 */
#ifndef PROFILE_JOIN_KEYS_H
#define PROFILE_JOIN_KEYS_H

#include "profile/profile.h"

/* Makes each stack one frame if the profile shows a table, or has only group frames. */
void profile_join_keys(struct profile *profile);

#endif
