/* SPDX-License-Identifier: MIT */
#include "diff/diff_graph.h"

#include "base/saturate.h"

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

/* Functions that only stacks have which a flame graph lacks are there all the same. */
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

void diff_graph_init(struct diff_graph *graph, const struct diff_tree *tree,
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

void diff_graph_deinit(struct diff_graph *graph)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		memory_free(graph->node_self[side]);
		memory_free(graph->node_total[side]);
		memory_free(graph->self[side]);
		memory_free(graph->total[side]);
	}
}
