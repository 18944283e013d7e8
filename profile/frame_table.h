/* SPDX-License-Identifier: MIT */
/*
 * Interns frames: frames with equal name, module and kind are one frame. Also defines the order of
 * names in stack trees.
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

/* Moves the table's rows to profile->frames, and empties the table. */
void frame_table_finish(struct frame_table *table, struct profile *profile);

/* Returns the id of a frame; adds the frame if it is new. */
uint32_t frame_table_intern(struct frame_table *table, const struct frame *frame);

/*
 * Keeps only the properties that a frame shares with a second frame of the same name. If they are
 * in different builds of a DSO, the frame is in one of these builds.
 */
void frame_merge(struct frame *frame, const struct frame *other, const struct modules *modules);

/* Whether any pattern matches a frame name, with or without an annotation such as _[k]. */
bool frame_name_fits(struct text name, const name_patterns *patterns);

/*
 * Compares names as if each were followed by ";", so that stacks sort like folded lines. Numbers
 * and histogram buckets (profile/bucket.h) sort numerically, all at the position of the name "0".
 */
int frame_name_compare(struct text a, struct text b);

/* Selects which frames of the same name get different ranks. */
enum frame_rank_key {
	FRAME_RANK_NAME,   /* none */
	FRAME_RANK_MODULE, /* frames in different modules, which are sorted by path */
	FRAME_RANK_EACH,   /* all */
};

/* Ranks frames by name. Returns an array of ranks, indexed by frame, that the caller frees. */
uint32_t *frame_ranks(const struct strings *strings, const struct modules *modules,
		      const struct frame *frames, size_t count, enum frame_rank_key key);

#endif
