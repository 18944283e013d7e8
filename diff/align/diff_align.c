/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_align.h"

#include "diff/align/diff_aliases.h"
#include "diff/align/diff_inlines.h"
#include "diff/align/diff_remap.h"
#include "diff/align/diff_renamed.h"
#include "diff/align/diff_roots.h"
#include "diff/align/diff_unwinding.h"

static bool map_inlines(const struct diff_graph *graph, const struct diff_alignment *alignment,
			struct diff_aligned *aligned, uint32_t *to)
{
	return diff_inlines_map(graph, alignment->mends, aligned, to);
}

static bool map_aliases(const struct diff_graph *graph, const struct diff_alignment *alignment,
			struct diff_aligned *aligned, uint32_t *to)
{
	return alignment->mends && alignment->naming >= DIFF_NAMING_ALIGNED &&
	       alignment->key == DIFF_KEY_FUNCTION && diff_aliases_map(graph, aligned, to);
}

static bool map_roots(const struct diff_graph *graph, const struct diff_alignment *alignment,
		      struct diff_aligned *aligned, uint32_t *to)
{
	return alignment->pairs_roots && diff_roots_map(graph, aligned, to);
}

static bool map_renamed(const struct diff_graph *graph, const struct diff_alignment *alignment,
			struct diff_aligned *aligned, uint32_t *to)
{
	return alignment->finds_renames && alignment->key == DIFF_KEY_FUNCTION &&
	       diff_renamed_map(graph, alignment->applies_renames, aligned, to);
}

static bool note_unwinding(const struct diff_graph *graph, const struct diff_alignment *alignment,
			   struct diff_aligned *aligned, uint32_t *to)
{
	(void)to;
	if (alignment->mends && alignment->key == DIFF_KEY_FUNCTION)
		diff_unwinding_compare(graph, aligned);
	return false;
}

/* Each sees what the one before it made of the tree. */
static bool (*const steps[])(const struct diff_graph *, const struct diff_alignment *,
			     struct diff_aligned *, uint32_t *) = {
	map_inlines, map_aliases, map_roots, map_renamed, note_unwinding,
};

/* What is folded is its callers', and who called it in stacks that are not there is not known. */
static void forget_functions(const struct diff_tree *tree, struct diff_run *runs,
			     enum diff_side side)
{
	for (uint32_t i = 0; i < tree->column_count; i++)
		runs[i].has_exact_functions &= runs[i].side != side;
}

void diff_align(struct diff_tree *tree, struct diff_run *runs, struct diff_aligned *ret)
{
	struct diff_graph graph;

	*ret = (struct diff_aligned){ 0 };
	diff_graph_init(&graph, tree, runs);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		uint32_t *to = memory_alloc(graph.frame_count, sizeof(*to));

		if (steps[i](&graph, &tree->frames.alignment, ret, to)) {
			diff_graph_deinit(&graph);
			diff_tree_remap(tree, to);
			diff_graph_init(&graph, tree, runs);
		}
		memory_free(to);
	}
	diff_graph_deinit(&graph);
	if (ret->folds_inlined)
		forget_functions(tree, runs, ret->inlined_side);
}
