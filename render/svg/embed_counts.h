/* SPDX-License-Identifier: MIT */
/*
 * The numbers of rows by weight, which show from which weight on rows fit into the embedded
 * profile. Rows are visited only once, however many limits are tried.
 *
 *     weight     1     2 .. 3    4 .. 7
 *     rows       900   80        20          100 rows fit: those that weigh at least 2
 */
#ifndef RENDER_SVG_EMBED_COUNTS_H
#define RENDER_SVG_EMBED_COUNTS_H

#include "profile/profile.h"

/* Weights are classified by their power of two and the three bits below the highest. */
#define EMBED_COUNTS_BITS    3
#define EMBED_COUNTS_CLASSES (64 << EMBED_COUNTS_BITS)

/* By weight class. */
struct embed_counts {
	uint64_t of_rows[EMBED_COUNTS_CLASSES];    /* of the row itself */
	uint64_t of_parents[EMBED_COUNTS_CLASSES]; /* of rows with children, by their own class */
	/* of rows with children, by the class of their lightest child */
	uint64_t of_narrowest[EMBED_COUNTS_CLASSES];
};

/* Counts the rows of the profile's stack tree. */
void embed_counts_make(const struct profile *profile, struct embed_counts *ret);

/*
 * Returns the minimum weight with which at most about row_count rows are kept, including markers
 * for those that are left out. 0 keeps all rows.
 */
uint64_t embed_counts_minimum(const struct embed_counts *counts, uint64_t row_count);

#endif
