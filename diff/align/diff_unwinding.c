/* SPDX-License-Identifier: MIT */
/*
 * Detects that the sides were recorded in different ways: with and without the kernel, or with
 * frame pointers and with DWARF. Self weights of functions are then comparable, but totals are not.
 */
#include "diff/align/diff_align.h"

/*
 * If one side's kernel share is below this, the other side may have no kernel samples by chance.
 */
#define KERNEL_SHARE_MIN 0.02
/*
 * Depths differ if the stacks of the same functions differ by this factor, and by this many frames.
 */
#define DEPTH_RATIO_MIN 1.5
#define DEPTH_MORE_MIN  2
/*
 * Depths are compared only if the functions that both sides have make up at least this share of
 * each side.
 */
#define COMMON_SHARE_MIN 0.3

static double kernel_share(const struct diff_graph *graph, enum diff_side side)
{
	const struct frame *frames = graph->tree->profile->frames.at;
	double sum = 0;

	for (size_t i = 0; i < graph->frame_count; i++)
		if (frames[i].kind == FRAME_KERNEL)
			sum += (double)graph->self[side][i];
	return sum / (double)diff_graph_whole(graph, side);
}

static void compare_kernel(const struct diff_graph *graph, struct diff_aligned *aligned)
{
	double before = kernel_share(graph, DIFF_BEFORE);
	double after = kernel_share(graph, DIFF_AFTER);

	aligned->kernel_side = before > 0 ? DIFF_BEFORE : DIFF_AFTER;
	aligned->lacks_kernel = (before > KERNEL_SHARE_MIN && after <= 0) ||
				(after > KERNEL_SHARE_MIN && before <= 0);
}

/* Returns the number of functions in the stack of each node. */
static uint32_t *find_depths(const struct diff_graph *graph)
{
	const struct diff_tree *tree = graph->tree;
	uint32_t *depths = memory_alloc(tree->nodes.count, sizeof(*depths));

	depths[0] = 0;
	for (size_t i = 1; i < tree->nodes.count; i++) {
		const struct diff_node *node = &tree->nodes.at[i];

		depths[i] = depths[node->parent] +
			    (tree->profile->frames.at[node->frame].kind != FRAME_GROUP);
	}
	return depths;
}

/* Returns for each frame the sum of the depths of its stacks, weighted by self weight. */
static double *sum_depths(const struct diff_graph *graph, const uint32_t *depths,
			  enum diff_side side)
{
	double *sums = memory_zalloc(graph->frame_count, sizeof(*sums));

	for (size_t i = 1; i < graph->tree->nodes.count; i++)
		sums[graph->tree->nodes.at[i].frame] +=
			(double)graph->node_self[side][i] * depths[i];
	return sums;
}

/*
 * Computes the mean depth of the functions that both sides have. The weight of a function is the
 * smaller of its shares on both sides.
 */
static void compare_depths(const struct diff_graph *graph, struct diff_aligned *aligned)
{
	uint32_t *depths = find_depths(graph);
	double *sums[DIFF_SIDES];
	double common = 0;
	double *depth = aligned->depth;

	for (int side = 0; side < DIFF_SIDES; side++)
		sums[side] = sum_depths(graph, depths, (enum diff_side)side);
	for (size_t i = 0; i < graph->frame_count; i++) {
		double share[DIFF_SIDES];
		double smaller;

		for (int side = 0; side < DIFF_SIDES; side++)
			share[side] = (double)graph->self[side][i] /
				      (double)diff_graph_whole(graph, (enum diff_side)side);
		smaller = share[0] < share[1] ? share[0] : share[1];
		common += smaller;
		for (int side = 0; side < DIFF_SIDES && smaller > 0; side++)
			depth[side] += smaller * sums[side][i] / (double)graph->self[side][i];
	}
	for (int side = 0; side < DIFF_SIDES; side++) {
		depth[side] /= common > 0 ? common : 1;
		memory_free(sums[side]);
	}
	memory_free(depths);
	for (int side = 0; side < DIFF_SIDES; side++)
		aligned->has_other_depth |= common > COMMON_SHARE_MIN &&
					    depth[side] > DEPTH_RATIO_MIN * depth[!side] &&
					    depth[side] > depth[!side] + DEPTH_MORE_MIN;
}

/* Always returns false, because no frame changes. */
bool diff_unwinding_compare(const struct diff_graph *graph, const struct diff_alignment *alignment,
			    struct diff_aligned *aligned, uint32_t *to)
{
	(void)to;
	if (alignment->mends && alignment->key == DIFF_KEY_FUNCTION) {
		compare_kernel(graph, aligned);
		compare_depths(graph, aligned);
	}
	return false;
}
