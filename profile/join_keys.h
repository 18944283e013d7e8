/* SPDX-License-Identifier: MIT */
/*
 * Tables as lists of keys. A text that counts by key has no functions; the parts of a key are the frames of its
 * stack, and what is listed and compared is the key:
 *
 *     bash;7  12         bash, 7  12
 *     vim     3          vim      3
 */
#ifndef PROFILE_JOIN_KEYS_H
#define PROFILE_JOIN_KEYS_H

#include "profile/profile.h"

/* Makes each stack one frame, where what is shown is a table or has no frame but groups. */
void profile_join_keys(struct profile *profile);

#endif
