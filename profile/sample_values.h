/* SPDX-License-Identifier: MIT */
/*
 * Interns group values that do not fit in 32 bits: cgroups, tracepoint fields and labels. The
 * values of a sample are joined into one text, whose id is in the callchain key.
 *
 *     --by cgroup,id      "/system.slice/cron.service\0id=257\0"     values 12
 *
 * Each worker has its own ids; merging renumbers them.
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
	uint32_t level_count; /* number of grouping levels that have such values */
	/* level_count for each event; NULL if it is a cgroup, or not a field of the event */
	const struct field **fields;
	struct strings texts;
	struct sink line;
	VEC(uint32_t) of_all; /* by id: the id after merging */
};

/* grouping may be NULL. */
void sample_values_init(struct sample_values *values, const struct process_state *state,
			const struct profile *profile, const struct grouping *grouping);
void sample_values_deinit(struct sample_values *values);

/* Sets the values of a sample in its key. */
void sample_values_set(struct sample_values *values, const struct event_sample *sample,
		       struct callchain_key *key);

/* Adds the texts of `from` to `all`, and sets from->of_all. */
void sample_values_merge(struct strings *all, struct sample_values *from);

/* Returns the value with this index in a joined text. */
struct text sample_values_part(struct text text, uint32_t index);

#endif
