/* SPDX-License-Identifier: MIT */
/*
 * Which perf map is whose, where no number says so: in containers several processes call themselves 1,
 * and the capture has none of these numbers. A map lists addresses, and a process has sampled ones:
 *
 *                          9154's 40 addresses   9156's 33
 *     c1/tmp/perf-1.map            40                0        ▶ 9154's
 *     c2/tmp/perf-1.map             0               33        ▶ 9156's
 *
 * A map is taken for a process's own when it has nearly all of its addresses, no other map has many of
 * them, and the map has not many of any other process. Else nothing is named, and the reason says what
 * the user can say.
 */
#ifndef SYMBOLISE_JIT_MAP_OWNERS_H
#define SYMBOLISE_JIT_MAP_OWNERS_H

#include "symbolise/source.h"

struct map_owner {
	uint32_t pid;
	const struct index_file *map; /* NULL: none; the reason says why */
	struct text reason;
};

struct map_owners {
	struct arena arena;
	VEC(struct map_owner) rows;
};

void map_owners_init(struct map_owners *owners);
void map_owners_deinit(struct map_owners *owners);

/* Goes through the maps on offer, for those of the namings that have none by number. */
void map_owners_find(struct map_owners *owners, const struct naming_context *context,
		     const struct naming *namings, size_t count);

/* NULL: a number says which map is the process's, or no map could be it. */
const struct map_owner *map_owners_get(const struct map_owners *owners, uint32_t pid);

#endif
