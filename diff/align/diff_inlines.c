/* SPDX-License-Identifier: MIT */
/*
 * One side has inlined functions, and the other, such as an SVG by flamegraph.pl, has none:
 *
 *     before                         after
 *      main 1                         main 6
 *       parse (inlined) 5              scan 4
 *        scan 4
 *
 * Inlined functions are then folded into their callers. However, inlined functions are kept if the
 * same callers call functions with these names on the other side, which then has the functions, but
 * does not mark them as inlined.
 */
#include "diff/align/diff_align.h"

#include "base/arithmetic.h"
#include "base/hash.h"

struct call {
	uint32_t caller, callee;
};

struct call_set {
	VEC(struct call) calls;
	struct idtable ids;
};

static bool is_inlined(const struct diff_graph *graph, uint32_t frame)
{
	return graph->tree->profile->frames.at[frame].kind == FRAME_INLINED;
}

static bool has_inlined(const struct diff_graph *graph, enum diff_side side)
{
	for (uint32_t i = 0; i < graph->frame_count; i++)
		if (is_inlined(graph, i) && graph->total[side][i])
			return true;
	return false;
}

static uint64_t hash_call(struct call call)
{
	return hash_pair(call.caller, call.callee);
}

static bool has_call(const struct call_set *set, struct call call)
{
	struct idtable_probe probe = idtable_find(&set->ids, hash_call(call));
	uint32_t id;

	while ((id = idtable_next(&set->ids, &probe)) != IDTABLE_NONE)
		if (set->calls.at[id].caller == call.caller &&
		    set->calls.at[id].callee == call.callee)
			return true;
	return false;
}

static struct call call_of(const struct diff_graph *graph, uint32_t node, const uint32_t *plain)
{
	const struct diff_node *nodes = graph->tree->nodes.at;
	uint32_t parent = nodes[node].parent;

	return (struct call){ parent ? plain[nodes[parent].frame] : DIFF_FRAME_NONE,
			      plain[nodes[node].frame] };
}

/*
 * The call from the caller's caller. A build that does not inline a function may compile it without
 * a frame pointer, if it calls nothing. Frame pointers then lead past its caller.
 */
static struct call call_past_caller(const struct diff_graph *graph, uint32_t node,
				    const uint32_t *plain)
{
	const struct diff_node *nodes = graph->tree->nodes.at;
	struct call call = call_of(graph, node, plain);

	if (nodes[node].parent)
		call.caller = call_of(graph, nodes[node].parent, plain).caller;
	return call;
}

/* Lists the calls of a side; only_leaves: only those of functions that call nothing. */
static void list_calls(const struct diff_graph *graph, enum diff_side side, const uint32_t *plain,
		       bool only_leaves, struct call_set *set)
{
	*set = (struct call_set){ .calls = { 0 } };
	idtable_init(&set->ids);
	for (uint32_t i = 1; i < graph->tree->nodes.count; i++) {
		struct call call = call_of(graph, i, plain);
		uint64_t total = graph->node_total[side][i];

		if (!total || (only_leaves && graph->node_self[side][i] != total) ||
		    has_call(set, call))
			continue;
		idtable_add(&set->ids, hash_call(call), (uint32_t)set->calls.count);
		vec_push(&set->calls, call);
	}
}

static void call_set_deinit(struct call_set *set)
{
	vec_free(&set->calls);
	idtable_deinit(&set->ids);
}

/* Whether the other side has less than half of this side's inlined calls, by weight. */
static bool is_mismatch(const struct diff_graph *graph, enum diff_side side, const uint32_t *plain)
{
	const struct diff_node *nodes = graph->tree->nodes.at;
	uint64_t found = 0;
	uint64_t sum = 0;
	struct call_set calls;
	struct call_set leaves;

	list_calls(graph, !side, plain, false, &calls);
	list_calls(graph, !side, plain, true, &leaves);
	for (uint32_t i = 1; i < graph->tree->nodes.count; i++) {
		uint64_t weight = graph->node_total[side][i];

		/*
		 * Only the outermost inlined functions count, because the other side may lack the
		 * callers of nested ones.
		 */
		if (!weight || !is_inlined(graph, nodes[i].frame) ||
		    (nodes[i].parent && is_inlined(graph, nodes[nodes[i].parent].frame)))
			continue;
		sum = saturate_add(sum, weight);
		if (has_call(&calls, call_of(graph, i, plain)) ||
		    has_call(&leaves, call_past_caller(graph, i, plain)))
			found = saturate_add(found, weight);
	}
	call_set_deinit(&calls);
	call_set_deinit(&leaves);
	return found < sum / 2;
}

bool diff_inlines_map(const struct diff_graph *graph, const struct diff_alignment *alignment,
		      struct diff_aligned *aligned, uint32_t *to)
{
	bool before = has_inlined(graph, DIFF_BEFORE);
	enum diff_side side = before ? DIFF_BEFORE : DIFF_AFTER;
	bool is_changed = false;

	for (uint32_t i = 0; i < graph->frame_count; i++) {
		if (is_inlined(graph, i))
			to[i] = diff_frames_plain(&graph->tree->frames, i);
		is_changed |= to[i] != i;
	}
	aligned->folds_inlined = alignment->mends && before != has_inlined(graph, DIFF_AFTER) &&
				 is_mismatch(graph, side, to);
	if (!aligned->folds_inlined)
		return is_changed;
	aligned->inlined_side = side;
	for (uint32_t i = 0; i < graph->frame_count; i++)
		if (is_inlined(graph, i))
			to[i] = DIFF_FRAME_NONE;
	return true;
}
