/* SPDX-License-Identifier: MIT */
/*
 * Groups spikes of the same kind with the same most conspicuous function, and determines whether
 * they are periodic:
 *
 *     compact      |  |  |  |     |  |      every 500 ms ± 3 ms, 20 ms wide
 *     flush                 ||              not periodic
 *
 * Rayleigh's test decides whether the times are periodic or uniformly distributed. The test uses
 * the phases of the times, at the period that fits the gaps best.
 */
#ifndef TIMELINE_SPIKE_GROUPS_H
#define TIMELINE_SPIKE_GROUPS_H

#include "timeline/spikes.h"

/* The minimum number of spikes for a period to be computed. */
#define SPIKE_PERIOD_COUNT 4

struct spike_group {
	enum spike_kind kind;
	uint32_t frame;      /* UINT32_MAX if no function is conspicuous */
	VEC(size_t) members; /* indexes of spikes, in time order */
	double log_p_value;  /* sum over the spikes */
	uint64_t width;      /* median, in bins */
	bool is_periodic;
	/* in bins; deviation: standard deviation of the times from multiples of the period */
	double period, deviation;
};

struct spike_groups {
	VEC(struct spike_group) at; /* by log_p_value: the most significant first */
};

void spike_groups_init(struct spike_groups *groups, const struct spikes *spikes);
void spike_groups_deinit(struct spike_groups *groups);

#endif
