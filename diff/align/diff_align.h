/* SPDX-License-Identifier: MIT */
/*
 * Matches functions whose names differ. Runs after all captures have been added to the union tree.
 * Each step works on the tree that the previous step produced:
 *
 *     inlined functions that one side lacks   folded into callers     diff_inlines.c
 *     spellings of a name                     joined                  diff_aliases.c
 *     threads that are the other's functions  joined                  diff_roots.c
 *     threads with the same role              paired                  diff_roots.c
 *     renamed functions                       suggested, or paired    diff_renamed.c
 *     different unwinding                     reported                diff_unwinding.c
 */
#ifndef DIFF_ALIGN_DIFF_ALIGN_H
#define DIFF_ALIGN_DIFF_ALIGN_H

#include "diff/align/diff_alignment.h"
#include "diff/diff_tree.h"

/*
 * `runs` contains one run for each column. Both sides must have a weight above 0. If the inlined
 * functions of a run are folded, its has_exact_functions becomes false. The caller frees
 * ret->pairs.
 */
void diff_align(struct diff_tree *tree, struct diff_run *runs, struct diff_aligned *ret);

/* The weights of nodes and frames of the union tree on both sides. */
struct diff_graph {
	const struct diff_tree *tree;
	size_t frame_count;
	uint64_t sample_count[DIFF_SIDES]; /* estimated if captures do not report it */
	uint64_t *node_self[DIFF_SIDES], *node_total[DIFF_SIDES]; /* by node */
	uint64_t *self[DIFF_SIDES];                               /* by frame */
	uint64_t *total[DIFF_SIDES]; /* by frame; too large for indirectly recursive functions */
};

static inline struct text diff_graph_name(const struct diff_graph *graph, uint32_t frame)
{
	return profile_frame_name(graph->tree->profile, (frame_id){ frame });
}

static inline uint64_t diff_graph_whole(const struct diff_graph *graph, enum diff_side side)
{
	return graph->node_total[side][0];
}

/* Whether only this side has the frame. */
static inline bool diff_graph_is_only(const struct diff_graph *graph, uint32_t frame,
				      enum diff_side side)
{
	return graph->total[side][frame] && !graph->total[!side][frame];
}

/* The frame's share of the weight of its side. */
static inline double diff_graph_share(const struct diff_graph *graph, uint32_t frame,
				      enum diff_side side)
{
	return (double)graph->total[side][frame] / (double)diff_graph_whole(graph, side);
}

/* Orders frames that only one side has: by weight, then by name. */
int diff_graph_compare_only(const struct diff_graph *graph, uint32_t left, uint32_t right);

/*
 * A step maps frames to other frames: to[frame] is the frame that replaces `frame`, or
 * DIFF_FRAME_NONE if `frame` is dropped from stacks (diff_tree_remap). At first, each frame is
 * mapped to itself. The step lists its matches in aligned, and returns false if no frame changes.
 */
typedef bool diff_align_step(const struct diff_graph *graph, const struct diff_alignment *alignment,
			     struct diff_aligned *aligned, uint32_t *to);

diff_align_step diff_inlines_map, diff_aliases_map, diff_groups_map, diff_roots_map,
	diff_renamed_map, diff_unwinding_compare;

/*
 * Appends the key of a name, which must be aligned (diff_name.h) and not empty. All spellings of a
 * function have the same key.
 */
void diff_alias_write(struct sink *sink, struct text name);

/*
 * Appends the name without template arguments and parameters. False if the name has no template
 * arguments.
 */
bool diff_alias_write_bare(struct sink *sink, struct text name);

#endif
