/* SPDX-License-Identifier: MIT */
/*
 * Writes the rows of the embedded profile as a JSON object with a list for each column. Lists
 * compress better than rows, and frames compress better if they are encoded relative to their
 * callers:
 *
 *     stack                  up    frame                             known    self
 *     main                   0     0: a frame that is new                     5
 *       parse                0     0                                          2
 *         sort               0     0                                          7
 *       write                2     0                                          1
 *         sort               0     1: known from elsewhere           2        3
 *     main, of another root  3     0
 *       parse                0     0
 *         sort               0     2: the first callee of parse so far
 *
 * up is the number of levels between the previous row and this row's parent. New frames are
 * numbered from 0. `known` contains the numbers of the known frames that had not yet appeared below
 * the caller. From 2 on, a number counts the frames that have appeared below the caller, in order
 * of appearance.
 */
#ifndef RENDER_SVG_EMBED_COLUMNS_H
#define RENDER_SVG_EMBED_COLUMNS_H

#include "base/idtable.h"
#include "base/sink.h"
#include "base/vec.h"

/* A frame below its caller. The caller UINT32_MAX is the root. */
struct embed_callee {
	uint32_t caller, frame;
	uint32_t place; /* among the frames below this caller */
};

enum embed_column {
	EMBED_UP,
	EMBED_FRAME,
	EMBED_KNOWN,
	EMBED_SELF,
	/* in a comparison, where self belongs to the after side */
	EMBED_BEFORE,
	EMBED_COLOUR,
	EMBED_CONFIDENCE,
	EMBED_COLUMN_COUNT,
};

struct embed_columns {
	struct sink lists[EMBED_COLUMN_COUNT];
	uint32_t frame_count; /* frames that rows have */
	VEC(uint32_t) path;   /* the frames of the last row, root first */
	VEC(uint32_t) counts; /* by caller + 1 (0 is the root): the number of frames below it */
	VEC(struct embed_callee) callees;
	struct idtable callee_ids; /* rows of callees */
};

void embed_columns_init(struct embed_columns *columns);
void embed_columns_deinit(struct embed_columns *columns);

/*
 * Adds a row in preorder. depth: 1 for children of the root. frame: new frames must be numbered in
 * the order of rows, from 0.
 */
void embed_columns_add(struct embed_columns *columns, uint32_t depth, uint32_t frame,
		       uint64_t self);

/* Adds the other columns of a comparison to the last row. */
void embed_columns_add_sides(struct embed_columns *columns, uint64_t before, uint32_t colour,
			     uint32_t confidence);

/* Writes the object. */
void embed_columns_write(const struct embed_columns *columns, struct sink *sink);

#endif
