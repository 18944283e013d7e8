/* SPDX-License-Identifier: MIT */
/*
 * Whether the user's filters (--comm, --tid, --pid, --cpu) select a thread. All threads are paired,
 * and filters select samples only when these are counted. Intervals that are missing have no
 * sample, so warnings about them require this filter.
 */
#ifndef OFFCPU_PAIRING_FILTER_H
#define OFFCPU_PAIRING_FILTER_H

#include "process/process_state.h"
#include "profile/selection/selection.h"

struct pairing_filter {
	const struct selection *selection; /* NULL if all threads are selected */
	const struct process_state *state;
};

/* cpu: as in a row, CPU number plus 1; if it is 0, all CPUs are selected. */
bool pairing_filter_has(const struct pairing_filter *filter, uint32_t tid, uint16_t cpu,
			uint64_t time_ns);

#endif
