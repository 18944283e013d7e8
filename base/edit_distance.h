/* SPDX-License-Identifier: MIT */
/*
 * How far apart two names are: the letters that have to be left out, added, replaced or swapped with
 * their neighbour to make one of the other (Damerau and Levenshtein, optimal string alignment).
 *
 *     flmae, flame    1        Main, main    0: case does not count
 */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

#include "base/strings.h"

/* Of longer names only so many bytes are compared. */
#define EDIT_DISTANCE_BYTES_MAX 64u

uint32_t edit_distance(struct text a, struct text b);

/* A letter of ASCII in lower case; any other byte as it is. */
static inline char edit_distance_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
