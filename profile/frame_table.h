/* SPDX-License-Identifier: MIT */
/*
 * Frames by what they are: equal names, modules and kinds are one frame. Also the order of names
 * in every tree of stacks.
 */
#ifndef PROFILE_FRAME_TABLE_H
#define PROFILE_FRAME_TABLE_H

#include "base/idtable.h"
#include "base/name_pattern.h"
#include "profile/profile.h"

struct frame_table {
	VEC(struct frame) rows;
	struct idtable ids;
};

void frame_table_init(struct frame_table *table);
void frame_table_deinit(struct frame_table *table);

/* The number of this frame, added when new. */
uint32_t frame_table_intern(struct frame_table *table, const struct frame *frame);

/*
 * The frame that stands for two of equal name that are not the same: it belongs to no module in
 * particular. It does not matter in which order several are merged.
 */
uint32_t frame_table_merge(struct frame_table *table, uint32_t a, uint32_t b);

/* Whether any of the patterns fits the name of a frame, with _[k] or its like behind it or without. */
bool frame_name_fits(struct text name, const name_patterns *patterns);

/*
 * Below 0, 0 or above: names compare as if ";" followed, which is how whole folded lines do. Numbers and
 * rows of histograms (profile/bucket.h) are in numeric order, where "0" would be.
 */
int frame_name_compare(struct text a, struct text b);

#endif
