/* SPDX-License-Identifier: MIT */
/*
 * What nodes and frames of a union tree weigh on both sides, before its rows are made: for whoever decides what is
 * compared with what.
 */
#ifndef DIFF_DIFF_GRAPH_H
#define DIFF_DIFF_GRAPH_H

#include "diff/diff_scale.h"
#include "diff/diff_tree.h"

struct diff_graph {
	const struct diff_tree *tree;
	size_t frame_count;
	uint64_t sample_count[DIFF_SIDES]; /* a guess where a capture does not say it */
	uint64_t *node_self[DIFF_SIDES], *node_total[DIFF_SIDES]; /* by node */
	uint64_t *self[DIFF_SIDES];                               /* by frame, and so is the next */
	uint64_t *total[DIFF_SIDES]; /* of recursion through other functions more than it is */
};

/* runs: one of each column. The tree is kept by the caller, and does not change. */
void diff_graph_init(struct diff_graph *graph, const struct diff_tree *tree,
		     const struct diff_run *runs);
void diff_graph_deinit(struct diff_graph *graph);

/* Of all. */
static inline uint64_t diff_graph_whole(const struct diff_graph *graph, enum diff_side side)
{
	return graph->node_total[side][0];
}

/* Whether a frame is on this side and not on the other. */
static inline bool diff_graph_is_only(const struct diff_graph *graph, uint32_t frame,
				      enum diff_side side)
{
	return graph->total[side][frame] && !graph->total[!side][frame];
}

/* The share of its side that a frame has; of a frame of one side. */
static inline double diff_graph_share(const struct diff_graph *graph, uint32_t frame,
				      enum diff_side side)
{
	return (double)graph->total[side][frame] / (double)diff_graph_whole(graph, side);
}

#endif
