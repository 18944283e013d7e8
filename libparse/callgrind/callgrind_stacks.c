/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_stacks.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/scan.h"
#include "libparse/callgrind/callgrind_name.h"

void callgrind_stacks_init(struct callgrind_stacks *stacks)
{
	*stacks = (struct callgrind_stacks){ .depth_max = 0 };
	strings_init(&stacks->strings);
	callgrind_contexts_init(&stacks->contexts);
	idtable_init(&stacks->node_table);
	idtable_init(&stacks->frame_table);
}

void callgrind_stacks_deinit(struct callgrind_stacks *stacks)
{
	strings_deinit(&stacks->strings);
	callgrind_contexts_deinit(&stacks->contexts);
	vec_free(&stacks->nodes);
	vec_free(&stacks->frames);
	vec_free(&stacks->pending);
	idtable_deinit(&stacks->node_table);
	idtable_deinit(&stacks->frame_table);
}

static uint32_t intern_node(struct callgrind_stacks *stacks, uint32_t parent, str_id name)
{
	uint64_t hash = hash_pair(parent, name.i);
	struct idtable_probe probe = idtable_find(&stacks->node_table, hash);
	uint32_t index = (uint32_t)stacks->nodes.count;
	struct callgrind_node node = { .parent = parent, .root = index, .depth = 1, .name = name };
	uint32_t found;

	while ((found = idtable_next(&stacks->node_table, &probe)) != IDTABLE_NONE)
		if (stacks->nodes.at[found].parent == parent &&
		    stacks->nodes.at[found].name.i == name.i)
			return found;
	if (index == LIMIT_CALLGRIND_NODES)
		return CALLGRIND_NONE;
	if (parent != CALLGRIND_NONE) {
		node.root = stacks->nodes.at[parent].root;
		node.depth = stacks->nodes.at[parent].depth + 1;
	}
	idtable_add(&stacks->node_table, hash, index);
	vec_push(&stacks->nodes, node);
	return index;
}

uint32_t callgrind_stacks_add(struct callgrind_stacks *stacks, struct text name)
{
	str_id text = strings_intern(&stacks->strings, name.at, name.length);

	if (stacks->contexts.rows.count >= LIMIT_CALLGRIND_NODES)
		return CALLGRIND_NONE;
	return callgrind_contexts_add(&stacks->contexts, text);
}

void callgrind_stacks_use(struct callgrind_stacks *stacks, uint32_t context, str_id module)
{
	struct callgrind_context *used = &stacks->contexts.rows.at[context];

	used->is_used = true;
	if (!used->module.i)
		used->module = module;
	used->has_two_modules |= module.i && used->module.i != module.i;
}

void callgrind_stacks_use_callee(struct callgrind_stacks *stacks, uint32_t context)
{
	struct callgrind_context *used = &stacks->contexts.rows.at[context];

	used->is_used = used->is_called = true;
}

/* Adds the functions of a context below the node of its caller. */
static bool add_node(struct callgrind_stacks *stacks, struct callgrind_context *context)
{
	uint32_t node = CALLGRIND_NONE;

	if (context->caller != CALLGRIND_NONE)
		node = stacks->contexts.rows.at[context->caller].node;
	callgrind_contexts_list(&stacks->contexts, context, &stacks->strings);
	for (size_t i = stacks->contexts.functions.count; i--;) {
		node = intern_node(stacks, node, stacks->contexts.functions.at[i]);
		if (node == CALLGRIND_NONE)
			return false;
	}
	context->node = node;
	return true;
}

/* Adds the nodes of a context and of its callers. Callers have shorter texts. */
static bool add_stack(struct callgrind_stacks *stacks, uint32_t index)
{
	struct callgrind_context *rows = stacks->contexts.rows.at;

	for (; index != CALLGRIND_NONE && rows[index].node == CALLGRIND_NONE;
	     index = rows[index].caller)
		vec_push(&stacks->pending, index);
	for (; stacks->pending.count; stacks->pending.count--)
		if (!add_node(stacks, &rows[stacks->pending.at[stacks->pending.count - 1]]))
			return false;
	return true;
}

static void use_node(struct callgrind_stacks *stacks, const struct callgrind_context *context)
{
	struct callgrind_node *node = &stacks->nodes.at[context->node];

	stacks->has_levels |= node->has_context;
	node->has_context = true;
	if (!context->is_used)
		return;
	node->is_used = true;
	node->is_called |= context->is_called;
	if (node->depth > stacks->depth_max)
		stacks->depth_max = node->depth;
	if (!node->module.i)
		node->module = context->module;
	node->has_two_modules |= context->has_two_modules ||
				 (context->module.i && node->module.i != context->module.i);
}

/*
 * In a file without callers, an apostrophe can be part of a function. Names have callers if one of
 * them is the caller of another, or if all names have callers. All have callers if only the costs
 * of some functions were recorded.
 */
static bool add_nodes(struct callgrind_stacks *stacks)
{
	bool all_have_callers = true;

	for (size_t i = 0; i < stacks->contexts.rows.count; i++) {
		const struct callgrind_context *context = &stacks->contexts.rows.at[i];

		if (!add_stack(stacks, (uint32_t)i))
			return false;
		use_node(stacks, context);
		stacks->has_callers |= context->caller != CALLGRIND_NONE || context->part_count > 1;
		all_have_callers &= stacks->nodes.at[context->node].depth > 1;
	}
	stacks->has_callers |= all_have_callers;
	return true;
}

static void find_roots(struct callgrind_stacks *stacks)
{
	struct callgrind_node *nodes = stacks->nodes.at;

	for (size_t i = 0; i < stacks->nodes.count; i++) {
		struct callgrind_node *root = &nodes[nodes[i].root];

		if (nodes[i].is_used && nodes[i].depth < stacks->depth_max && !root->is_called)
			root->is_complete = true;
	}
}

/* All functions of one name. */
struct of_name {
	str_id module; /* STR_EMPTY: unknown */
	bool has_two_modules;
	bool has_function;
	str_id function; /* the name without parameters */
};

static void find_modules(const struct callgrind_stacks *stacks, struct of_name *of_names)
{
	for (size_t i = 0; i < stacks->nodes.count; i++) {
		const struct callgrind_node *node = &stacks->nodes.at[i];
		struct of_name *of_name = &of_names[node->name.i];

		if (!of_name->module.i)
			of_name->module = node->module;
		of_name->has_two_modules |= node->has_two_modules ||
					    (node->module.i && node->module.i != of_name->module.i);
	}
}

static void find_function(struct callgrind_stacks *stacks, struct callgrind_node *node,
			  struct of_name *of_name)
{
	struct text name = strings_get(&stacks->strings, node->name);

	if (!of_name->has_function) {
		name = callgrind_name_of_function(name);
		of_name->function = strings_intern(&stacks->strings, name.at, name.length);
		of_name->has_function = true;
	}
	node->function = of_name->function;
}

bool callgrind_stacks_is_address(struct text name, uint64_t *ret)
{
	return text_has_prefix(name, "0x") && scan_hex(&name, ret) && !name.length;
}

static bool is_outermost(const struct callgrind_stacks *stacks, const struct callgrind_node *node,
			 str_id module)
{
	uint64_t ignored;

	return node->depth == 1 && node->is_complete && module.i &&
	       !text_is(strings_get(&stacks->strings, module), CALLGRIND_NO_FILE) &&
	       callgrind_stacks_is_address(strings_get(&stacks->strings, node->function), &ignored);
}

uint32_t callgrind_stacks_frame(struct callgrind_stacks *stacks, uint32_t index, str_id module)
{
	const struct callgrind_node *node = &stacks->nodes.at[index];
	struct callgrind_frame frame = { node->function, module,
					 is_outermost(stacks, node, module) };
	uint64_t hash = hash_pair(hash_pair(frame.name.i, module.i), frame.is_outermost);
	struct idtable_probe probe = idtable_find(&stacks->frame_table, hash);
	uint32_t found;

	while ((found = idtable_next(&stacks->frame_table, &probe)) != IDTABLE_NONE) {
		const struct callgrind_frame *row = &stacks->frames.at[found];

		if (row->name.i == frame.name.i && row->module.i == module.i &&
		    row->is_outermost == frame.is_outermost)
			return found;
	}
	idtable_add(&stacks->frame_table, hash, (uint32_t)stacks->frames.count);
	vec_push(&stacks->frames, frame);
	stacks->name_bytes += strings_get(&stacks->strings, frame.name).length;
	stacks->name_bytes += strings_get(&stacks->strings, module).length;
	return (uint32_t)stacks->frames.count - 1;
}

static void find_frames(struct callgrind_stacks *stacks)
{
	struct of_name *of_names = memory_zalloc(stacks->strings.rows.count, sizeof(*of_names));

	find_modules(stacks, of_names);
	for (size_t i = 0; i < stacks->nodes.count; i++) {
		struct callgrind_node *node = &stacks->nodes.at[i];
		struct of_name *of_name = &of_names[node->name.i];
		str_id module = STR_EMPTY;

		find_function(stacks, node, of_name);
		if (node->module.i && !node->has_two_modules)
			module = node->module;
		else if (!of_name->has_two_modules)
			module = of_name->module;
		node->frame = callgrind_stacks_frame(stacks, (uint32_t)i, module);
	}
	memory_free(of_names);
}

bool callgrind_stacks_finish(struct callgrind_stacks *stacks)
{
	callgrind_contexts_find_callers(&stacks->contexts, &stacks->strings);
	if (!add_nodes(stacks))
		return false;
	find_roots(stacks);
	find_frames(stacks);
	return true;
}
