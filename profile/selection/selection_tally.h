/* SPDX-License-Identifier: MIT */
/*
 * What became of the samples that a selection was asked about, so that an empty answer can be explained: how many
 * there were, how many meet each criterion by itself, and, of a criterion that none meets, what there was instead.
 *
 *     --comm worker9 --cpu 3     looked at 1200, taken 0
 *                                comm: met by 0, candidates worker-1, worker-2, main
 *                                cpu:  met by 300
 */
#ifndef PROFILE_SELECTION_SELECTION_TALLY_H
#define PROFILE_SELECTION_SELECTION_TALLY_H

#include "profile/selection/selection.h"

struct selection_tally {
	uint64_t sample_count, taken_count;
	uint64_t met_counts[SELECTION_CRITERIA]; /* of the samples that were not taken */
	/* Names, and numbers written out; NULL: none were needed. */
	struct strings *candidates[SELECTION_CRITERIA];
	uint64_t first_time_ns, last_time_ns; /* of all samples; first > last: none has a time */
};

void selection_tally_init(struct selection_tally *tally);
void selection_tally_deinit(struct selection_tally *tally);

/* Whether the sample is taken, which is noted. */
bool selection_tally_take(struct selection_tally *tally, const struct selection *selection,
			  const struct selection_subject *subject);

void selection_tally_merge(struct selection_tally *tally, const struct selection_tally *more);

#endif
