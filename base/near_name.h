/* SPDX-License-Identifier: MIT */
/*
 * Suggestions for a name that does not exist. near_name finds the option or command that the user
 * probably meant. nearest lists up to three names from a capture that resemble the given name:
 *
 *     near_name    flmae      of  fold, flame, diff             flame
 *     nearest      worker9    of  worker-1, worker-2, main      worker-1, worker-2, main
 *
 * Both ignore case.
 */
#ifndef BASE_NEAR_NAME_H
#define BASE_NEAR_NAME_H

#include "base/strings.h"

/* Only the first 64 bytes of longer names are compared. */
#define EDIT_DISTANCE_BYTES_MAX 64u

/*
 * The edit distance of two names: how many insertions, deletions, replacements and swaps of
 * neighbouring letters turn one into the other (Damerau-Levenshtein, optimal string alignment).
 */
uint32_t edit_distance(struct text a, struct text b);

struct near_name {
	struct text wanted;
	struct text found; /* borrowed; .at is NULL if no candidate is near */
	uint32_t distance; /* distance of `found`; if no name is near, the allowed distance + 1 */
};

/*
 * Allows one typing error for every three letters, and at most three errors, so that short words do
 * not all resemble each other.
 */
struct near_name near_name_of(struct text wanted);

/* Remembers the candidate if it is nearer than all previous ones. */
void near_name_offer(struct near_name *near, struct text candidate);

/* Longer lists would not help the user. */
#define NEAREST_MAX 3

struct nearest {
	struct {
		struct text name; /* borrowed from the caller of nearest_offer */
		uint64_t distance;
	} at[NEAREST_MAX]; /* sorted by distance, then by name */
	size_t count;
};

/*
 * Considers a name at this distance from the wanted name. Ignores names that are already in the
 * list.
 */
void nearest_offer(struct nearest *nearest, struct text name, uint64_t distance);

/*
 * The edit distance, increased if neither name contains the other. If one name contains the other,
 * the two are therefore always nearer than other pairs.
 */
uint64_t nearest_distance(struct text wanted, struct text name);

#endif
