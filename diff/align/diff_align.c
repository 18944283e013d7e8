/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_align.h"

#include "base/arithmetic.h"

static void sum_nodes(struct diff_graph *graph, const struct diff_run *runs)
{
	const struct diff_tree *tree = graph->tree;

	for (size_t i = 0; i < tree->nodes.count; i++)
		for (uint32_t column = 0; column < tree->column_count; column++) {
			uint64_t *self = &graph->node_self[runs[column].side][i];

			*self = saturate_add(*self, tree->self.at[i * tree->column_count + column]);
		}
	for (int side = 0; side < DIFF_SIDES; side++) {
		uint64_t *total = graph->node_total[side];

		memcpy(total, graph->node_self[side], tree->nodes.count * sizeof(*total));
		for (size_t i = tree->nodes.count; i-- > 1;) {
			uint64_t *parent = &total[tree->nodes.at[i].parent];

			*parent = saturate_add(*parent, total[i]);
		}
	}
}

static void sum_frames(struct diff_graph *graph)
{
	const struct diff_node *nodes = graph->tree->nodes.at;

	for (size_t i = 1; i < graph->tree->nodes.count; i++) {
		uint32_t frame = nodes[i].frame;
		bool is_inside_itself = nodes[i].parent && nodes[nodes[i].parent].frame == frame;

		for (int side = 0; side < DIFF_SIDES; side++) {
			uint64_t *self = &graph->self[side][frame];
			uint64_t *total = &graph->total[side][frame];

			*self = saturate_add(*self, graph->node_self[side][i]);
			if (!is_inside_itself)
				*total = saturate_add(*total, graph->node_total[side][i]);
		}
	}
}

/* Adds functions that occur only in stacks that an SVG does not show. */
static void add_known(struct diff_graph *graph, const struct diff_run *runs)
{
	for (size_t i = 0; i < graph->tree->known.count; i++) {
		const struct diff_known *known = &graph->tree->known.at[i];
		uint64_t *totals = graph->total[runs[known->column].side];

		for (size_t frame = 0; frame < known->frame_count; frame++)
			if (!totals[frame])
				totals[frame] = known->sums[frame].total;
	}
}

static void graph_init(struct diff_graph *graph, const struct diff_tree *tree,
		       const struct diff_run *runs)
{
	*graph = (struct diff_graph){ .tree = tree, .frame_count = tree->profile->frames.count };
	for (int side = 0; side < DIFF_SIDES; side++) {
		graph->node_self[side] = memory_zalloc(tree->nodes.count, sizeof(uint64_t));
		graph->node_total[side] = memory_zalloc(tree->nodes.count, sizeof(uint64_t));
		graph->self[side] = memory_zalloc(graph->frame_count, sizeof(uint64_t));
		graph->total[side] = memory_zalloc(graph->frame_count, sizeof(uint64_t));
	}
	for (uint32_t i = 0; i < tree->column_count; i++)
		graph->sample_count[runs[i].side] += runs[i].sample_count;
	sum_nodes(graph, runs);
	sum_frames(graph);
	add_known(graph, runs);
}

static void graph_deinit(struct diff_graph *graph)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		memory_free(graph->node_self[side]);
		memory_free(graph->node_total[side]);
		memory_free(graph->self[side]);
		memory_free(graph->total[side]);
	}
}

int diff_graph_compare_only(const struct diff_graph *graph, uint32_t left, uint32_t right)
{
	/* One of the two weights is 0, so the sum is the weight of the side that has the frame. */
	uint64_t left_weight = graph->total[DIFF_BEFORE][left] + graph->total[DIFF_AFTER][left];
	uint64_t right_weight = graph->total[DIFF_BEFORE][right] + graph->total[DIFF_AFTER][right];

	if (left_weight != right_weight)
		return left_weight > right_weight ? -1 : 1;
	return text_compare(diff_graph_name(graph, left), diff_graph_name(graph, right));
}

static diff_align_step *const steps[] = {
	diff_inlines_map, diff_aliases_map, diff_groups_map,
	diff_roots_map,   diff_renamed_map, diff_unwinding_compare,
};

/*
 * Discards exact sums of functions, because the sum of an inlined function cannot be divided among
 * the callers into which it is folded.
 */
static void forget_exact_functions(const struct diff_tree *tree, struct diff_run *runs,
				   enum diff_side side)
{
	for (uint32_t i = 0; i < tree->column_count; i++)
		runs[i].has_exact_functions &= runs[i].side != side;
}

void diff_align(struct diff_tree *tree, struct diff_run *runs, struct diff_aligned *ret)
{
	struct diff_graph graph;

	*ret = (struct diff_aligned){ 0 };
	graph_init(&graph, tree, runs);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		uint32_t *to = memory_alloc(graph.frame_count, sizeof(*to));

		for (uint32_t frame = 0; frame < graph.frame_count; frame++)
			to[frame] = frame;
		if (steps[i](&graph, &tree->frames.alignment, ret, to)) {
			graph_deinit(&graph);
			diff_tree_remap(tree, to);
			graph_init(&graph, tree, runs);
		}
		memory_free(to);
	}
	graph_deinit(&graph);
	if (ret->folds_inlined)
		forget_exact_functions(tree, runs, ret->inlined_side);
}
