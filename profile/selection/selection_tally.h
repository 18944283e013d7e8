/* SPDX-License-Identifier: MIT */
/*
 * Explains why a selection is empty: counts how many samples meet each criterion on its own and,
 * for a criterion that no sample meets, lists the values that samples have.
 *
 *     --comm worker9 --cpu 3     checked 1200, selected 0
 *                                comm: met by 0, candidates worker-1, worker-2, main
 *                                cpu:  met by 300
 */
#ifndef PROFILE_SELECTION_SELECTION_TALLY_H
#define PROFILE_SELECTION_SELECTION_TALLY_H

#include "profile/selection/selection.h"

/* Maximum number of distinct names or numbers that are kept to explain an empty selection. */
#define LIMIT_SELECTION_CANDIDATES 65536u

struct selection_tally {
	uint64_t sample_count, taken_count;
	uint64_t met_counts[SELECTION_CRITERIA]; /* counts of samples that are not selected */
	/* Names, and numbers as text; NULL if not needed. */
	struct strings *candidates[SELECTION_CRITERIA];
	VEC(bool) has_sample; /* by window; only if there are several, or marks */
	/* times of the first and last sample; first > last: no sample has a time */
	uint64_t first_time_ns, last_time_ns;
};

void selection_tally_init(struct selection_tally *tally);
void selection_tally_deinit(struct selection_tally *tally);

/* Returns whether the sample is selected, and counts it. */
bool selection_tally_count(struct selection_tally *tally, const struct selection *selection,
			   const struct selection_subject *subject);

void selection_tally_merge(struct selection_tally *tally, const struct selection_tally *more);

#endif
