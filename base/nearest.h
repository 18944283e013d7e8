/* SPDX-License-Identifier: MIT */
/*
 * The names that are most like one that was asked for and is not there. Case counts for nothing, and what stands
 * around a part that is the same for little:
 *
 *     asked for    of                          nearest
 *     worker9      worker-1, worker-2, main    worker-1, worker-2, main
 *     Parse        parse_header, pause         parse_header, pause
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/strings.h"

/* More are no help. */
#define NEAREST_MAX 3

struct nearest {
	struct {
		struct text name; /* borrowed from who offered it */
		uint64_t distance;
	} at[NEAREST_MAX]; /* the nearest first; equally near ones in the order of their names */
	size_t count;
};

/* Considers a name, at this distance from what was asked for. One that is there already is not added. */
void nearest_offer(struct nearest *nearest, struct text name, uint64_t distance);

/* How far a name is from the one that was asked for, by the letters that would have to change; of long names the
 * beginnings are compared. */
uint64_t nearest_distance(struct text wanted, struct text name);

#endif
