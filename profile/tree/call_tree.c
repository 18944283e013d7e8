/* SPDX-License-Identifier: MIT */
#include "profile/tree/call_tree.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "base/memory.h"

struct call_tree_builder {
	struct call_tree *tree;
	struct idtable ids;     /* of nodes, by parent and frame */
	uint32_t *first_frames; /* by frame: the first one with the same name */
};

/*
 * Returns, by frame, the first frame with the same name. A group, such as a thread, is not a
 * function of the same name.
 */
static uint32_t *find_first_frames(const struct profile *profile)
{
	const struct frame *frames = profile->frames.at;
	uint32_t *firsts = memory_alloc(profile->frames.count, sizeof(*firsts));
	/* By name, for groups and others; 0 if there was none yet, otherwise the frame plus 1. */
	uint32_t(*of_names)[2] = memory_zalloc(profile->strings->rows.count, sizeof(*of_names));

	for (uint32_t i = 0; i < profile->frames.count; i++) {
		uint32_t *first = &of_names[frames[i].name.i][frames[i].kind == FRAME_GROUP];

		if (!*first)
			*first = i + 1;
		firsts[i] = *first - 1;
	}
	memory_free(of_names);
	return firsts;
}

static void merge_module(const struct profile *profile, struct call_node *node, module_id module)
{
	if (node->module.i != module.i && modules_get(profile->modules, node->module)->path.i !=
						  modules_get(profile->modules, module)->path.i)
		node->module = (module_id){ 0 };
}

static uint32_t child_of(struct call_tree_builder *builder, uint32_t parent, frame_id frame)
{
	struct call_tree *tree = builder->tree;
	module_id module = tree->profile->frames.at[frame.i].module;
	uint32_t first = builder->first_frames[frame.i];
	uint64_t hash = hash_pair(parent, first);
	struct idtable_probe probe = idtable_find(&builder->ids, hash);
	uint32_t id;

	while ((id = idtable_next(&builder->ids, &probe)) != IDTABLE_NONE) {
		if (tree->nodes.at[id].parent == parent && tree->nodes.at[id].frame.i == first) {
			merge_module(tree->profile, &tree->nodes.at[id], module);
			return id;
		}
	}
	id = (uint32_t)tree->nodes.count;
	vec_push(&tree->nodes, (struct call_node){
				       .frame = { first },
				       .module = module,
				       .parent = parent,
				       .first_child = CALL_NODE_NONE,
				       .next = CALL_NODE_NONE,
				       .depth = tree->nodes.at[parent].depth + 1,
			       });
	idtable_add(&builder->ids, hash, id);
	return id;
}

static void add_weight(struct call_tree_builder *builder, uint32_t node,
		       const struct stack *weights)
{
	struct call_node *to = &builder->tree->nodes.at[node];

	to->self = saturate_add(to->self, weights->self);
	to->total = saturate_add(to->total, weights->total);
}

/*
 * Adds the rows below a row, whose node has this id. Rows are in preorder, so parents come first.
 */
static void add_callees(struct call_tree_builder *builder, uint32_t row, uint32_t node,
			uint32_t *nodes_of_rows)
{
	const struct stack *stacks = builder->tree->profile->stacks.at;

	nodes_of_rows[row] = node;
	add_weight(builder, node, &stacks[row]);
	for (uint32_t i = row + 1; i < stacks[row].end; i++) {
		nodes_of_rows[i] =
			child_of(builder, nodes_of_rows[stacks[i].parent], stacks[i].frame);
		add_weight(builder, nodes_of_rows[i], &stacks[i]);
	}
}

static void add_callers(struct call_tree_builder *builder, uint32_t row, uint32_t node)
{
	const struct stack *stacks = builder->tree->profile->stacks.at;
	const struct stack *weights = &stacks[row];

	add_weight(builder, node, weights);
	for (row = weights->parent; row; row = stacks[row].parent) {
		node = child_of(builder, node, stacks[row].frame);
		add_weight(builder, node, weights);
	}
}

/* Returns, by frame, whether its name is one of the functions. The caller frees the array. */
static bool *find_functions(const struct profile *profile, const name_patterns *functions)
{
	bool *fits = memory_zalloc(profile->frames.count, sizeof(*fits));

	for (uint32_t i = 0; i < profile->frames.count; i++)
		fits[i] =
			name_patterns_fit(functions, profile_frame_name(profile, (frame_id){ i }));
	return fits;
}

static void add_functions(struct call_tree_builder *builder, enum call_tree_kind kind,
			  const bool *fits)
{
	const struct profile *profile = builder->tree->profile;
	uint32_t *ends = memory_zalloc(profile->frames.count, sizeof(*ends));
	uint32_t *nodes_of_rows = memory_alloc(profile->stacks.count, sizeof(*nodes_of_rows));

	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		frame_id frame = profile->stacks.at[i].frame;

		if (!fits[frame.i] || !stack_is_outermost(profile->stacks.at, i,
							  &ends[builder->first_frames[frame.i]]))
			continue;
		if (kind == CALL_TREE_CALLERS)
			add_callers(builder, i, child_of(builder, 0, frame));
		else
			add_callees(builder, i, child_of(builder, 0, frame), nodes_of_rows);
	}
	memory_free(nodes_of_rows);
	memory_free(ends);
}

/*
 * Adds the weight of a row to a node, unless a row above it has already been added to the same
 * node.
 */
static void add_once(struct call_tree_builder *builder, uint32_t node, uint32_t row)
{
	const struct stack *stacks = builder->tree->profile->stacks.at;

	if (stack_is_outermost(stacks, row, &builder->tree->nodes.at[node].end))
		builder->tree->nodes.at[node].total =
			saturate_add(builder->tree->nodes.at[node].total, stacks[row].total);
	builder->tree->nodes.at[node].self =
		saturate_add(builder->tree->nodes.at[node].self, stacks[row].self);
}

static void add_pairs(struct call_tree_builder *builder, enum call_tree_kind kind, const bool *fits)
{
	const struct profile *profile = builder->tree->profile;
	const struct stack *stacks = profile->stacks.at;

	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		uint32_t parent = stacks[i].parent;
		frame_id caller = stacks[parent].frame;
		frame_id callee = stacks[i].frame;

		if (fits[callee.i])
			add_once(builder, child_of(builder, 0, callee), i);
		if (parent && kind == CALL_TREE_CALLERS && fits[callee.i])
			add_once(builder, child_of(builder, child_of(builder, 0, callee), caller),
				 i);
		if (parent && kind == CALL_TREE_CALLEES && fits[caller.i])
			add_once(builder, child_of(builder, child_of(builder, 0, caller), callee),
				 i);
	}
}

static void add_everything(struct call_tree_builder *builder)
{
	const struct profile *profile = builder->tree->profile;
	uint32_t *nodes_of_rows = memory_alloc(profile->stacks.count, sizeof(*nodes_of_rows));

	if (profile->stacks.count)
		add_callees(builder, 0, 0, nodes_of_rows);
	memory_free(nodes_of_rows);
}

static int compare_nodes(const void *a, const void *b, void *context)
{
	const struct call_tree *tree = context;
	const struct call_node *left = &tree->nodes.at[*(const uint32_t *)a];
	const struct call_node *right = &tree->nodes.at[*(const uint32_t *)b];
	int order;

	if (left->total != right->total)
		return left->total > right->total ? -1 : 1;
	order = text_compare(profile_frame_name(tree->profile, left->frame),
			     profile_frame_name(tree->profile, right->frame));
	return order ? order : (left->frame.i > right->frame.i) - (left->frame.i < right->frame.i);
}

/*
 * Links the children of each node. Prepends nodes from the lightest to the heaviest, so that the
 * heaviest is first.
 */
static void link_children(struct call_tree *tree)
{
	uint32_t count = (uint32_t)tree->nodes.count;
	uint32_t *order = memory_alloc(count, sizeof(*order));

	for (uint32_t i = 1; i < count; i++)
		order[i - 1] = i;
	if (count > 2)
		qsort_r(order, count - 1, sizeof(*order), compare_nodes, tree);
	for (uint32_t i = count - 1; i--;) {
		struct call_node *node = &tree->nodes.at[order[i]];
		struct call_node *parent = &tree->nodes.at[node->parent];

		node->next = parent->first_child;
		parent->first_child = order[i];
	}
	memory_free(order);
}

static void tree_open(struct call_tree_builder *builder, struct call_tree *tree,
		      const struct profile *profile)
{
	*tree = (struct call_tree){ .profile = profile };
	builder->tree = tree;
	builder->first_frames = find_first_frames(profile);
	idtable_init(&builder->ids);
	vec_push(&tree->nodes, (struct call_node){ .parent = CALL_NODE_NONE,
						   .first_child = CALL_NODE_NONE,
						   .next = CALL_NODE_NONE });
}

static void tree_close(struct call_tree_builder *builder)
{
	link_children(builder->tree);
	idtable_deinit(&builder->ids);
	memory_free(builder->first_frames);
}

void call_tree_init(struct call_tree *tree, const struct profile *profile, enum call_tree_kind kind,
		    const name_patterns *functions)
{
	struct call_tree_builder builder;
	bool *fits;

	tree_open(&builder, tree, profile);
	if (kind == CALL_TREE_WHOLE) {
		add_everything(&builder);
	} else {
		fits = find_functions(profile, functions);
		add_functions(&builder, kind, fits);
		memory_free(fits);
	}
	tree_close(&builder);
}

void call_tree_init_direct(struct call_tree *tree, const struct profile *profile,
			   enum call_tree_kind kind, const name_patterns *functions)
{
	struct call_tree_builder builder;
	bool *fits = find_functions(profile, functions);

	tree_open(&builder, tree, profile);
	add_pairs(&builder, kind, fits);
	memory_free(fits);
	tree_close(&builder);
}

void call_tree_deinit(struct call_tree *tree)
{
	vec_free(&tree->nodes);
}
