/* SPDX-License-Identifier: MIT */
/*
 * Interns frames: equal name, module and kind are one frame. Also defines the order of names in stack trees.
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

/* Makes its rows the frames of a profile, and empties it. */
void frame_table_finish(struct frame_table *table, struct profile *profile);

/* Returns the number of a frame; adds it if it is new. */
uint32_t frame_table_intern(struct frame_table *table, const struct frame *frame);

/* Gives a frame what it has in common with another one of equal name. */
void frame_merge(struct frame *frame, const struct frame *other);

/*
 * Returns the frame for two different frames of equal name; if their modules differ it has none. The order of
 * several merges does not matter.
 */
uint32_t frame_table_merge(struct frame_table *table, uint32_t a, uint32_t b);

/* Whether any pattern matches a frame name, with or without an annotation such as _[k]. */
bool frame_name_fits(struct text name, const name_patterns *patterns);

/*
 * Compares names as if ";" followed, like whole folded lines. Numbers and histogram buckets (profile/bucket.h)
 * are in numeric order, at the position of "0".
 */
int frame_name_compare(struct text a, struct text b);

/* Which frames of equal name have different ranks. */
enum frame_rank_key {
	FRAME_RANK_NAME,   /* none */
	FRAME_RANK_MODULE, /* those of different modules */
	FRAME_RANK_EACH,   /* all */
};

/* Ranks frames in order of their names. Returns ranks by frame; the caller frees them. */
uint32_t *frame_ranks(const struct strings *strings, const struct frame *frames, size_t count,
		      enum frame_rank_key key);

#endif
