/* SPDX-License-Identifier: MIT */
/*
 * Values of samples that a grouping tells apart and that are no numbers of 32 bits: cgroups, and
 * fields of tracepoints. Together they are one text, which has a number in the key of a chain.
 *
 *     --by cgroup,id      "/system.slice/cron.service\0id=257\0"     values 12
 *
 * Every worker numbers the texts it meets; the numbers are made those of all afterwards.
 */
#ifndef PROFILE_SAMPLE_VALUES_H
#define PROFILE_SAMPLE_VALUES_H

#include "profile/callchains.h"
#include "profile/grouping.h"
#include "process/process_state.h"
#include "profile/profile.h"

struct sample_values {
	const struct process_state *state;
	const struct grouping *grouping;
	uint32_t level_count; /* of the grouping's levels, those that are such values */
	const struct field *
		*fields; /* level_count for each event; NULL: it has none, or a cgroup */
	struct strings texts;
	struct sink line;
	VEC(uint32_t) of_all; /* by number: the number among those of all workers */
};

/* grouping may be NULL. */
void sample_values_init(struct sample_values *values, const struct process_state *state,
			const struct profile *profile, const struct grouping *grouping);
void sample_values_deinit(struct sample_values *values);

/* Puts a sample's values into its key. */
void sample_values_take(struct sample_values *values, const struct event_sample *sample,
			struct callchain_key *key);

/* Numbers what is new in from among all. */
void sample_values_merge(struct strings *all, struct sample_values *from);

/* The index-th value of a text. */
struct text sample_values_part(struct text text, uint32_t index);

#endif
