/* SPDX-License-Identifier: MIT */
/*
 * Finds the process of each perf map if PIDs do not identify it. In containers, several processes
 * have PID 1, and the capture contains only their PIDs on the host. A map lists addresses. kiln
 * compares these addresses with the sampled addresses of each process:
 *
 *                          9154's 40 addresses   9156's 33
 *     c1/tmp/perf-1.map            40                0        ▶ map of 9154
 *     c2/tmp/perf-1.map             0               33        ▶ map of 9156
 *
 * A map is assigned to a process if it has nearly all addresses of this process, and few addresses
 * of any other. No other map may have many addresses of the process. If no map is assigned,
 * locations stay without names, and the reason suggests an option.
 */
#ifndef SYMBOLISE_JIT_MAP_OWNERS_H
#define SYMBOLISE_JIT_MAP_OWNERS_H

#include "symbolise/source.h"

struct map_owner {
	uint32_t pid;
	const struct index_file *map; /* NULL if there is no map; see reason */
	struct text reason;
};

struct map_owners {
	struct arena arena;
	VEC(struct map_owner) rows;
};

void map_owners_init(struct map_owners *owners);
void map_owners_deinit(struct map_owners *owners);

/* Searches the offered maps for each naming without a map by PID. */
void map_owners_find(struct map_owners *owners, const struct naming_context *context,
		     const struct naming *namings, size_t count);

/*
 * Returns the map found for a process. Returns NULL if PIDs identify the map, or if no map was
 * searched for.
 */
const struct map_owner *map_owners_get(const struct map_owners *owners, uint32_t pid);

#endif
