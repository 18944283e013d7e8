/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_stacks.h"

#include "base/hash.h"
#include "base/memory.h"
#include "libparse/callgrind/callgrind_name.h"

void callgrind_stacks_init(struct callgrind_stacks *stacks)
{
	*stacks = (struct callgrind_stacks){ .depth_max = 0 };
	strings_init(&stacks->strings);
	idtable_init(&stacks->node_table);
	idtable_init(&stacks->frame_table);
}

void callgrind_stacks_deinit(struct callgrind_stacks *stacks)
{
	strings_deinit(&stacks->strings);
	vec_free(&stacks->nodes);
	vec_free(&stacks->frames);
	vec_free(&stacks->parts);
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

uint32_t callgrind_stacks_add_parts(struct callgrind_stacks *stacks)
{
	uint32_t node = CALLGRIND_NONE;

	for (size_t i = stacks->parts.count; i--;) {
		node = intern_node(stacks, node, stacks->parts.at[i]);
		if (node == CALLGRIND_NONE)
			break;
	}
	return node;
}

uint32_t callgrind_stacks_add(struct callgrind_stacks *stacks, struct text name)
{
	struct callgrind_name parts = callgrind_name_of(name);
	struct text part;

	stacks->parts.count = 0;
	while (callgrind_name_next(&parts, &part))
		vec_push(&stacks->parts, strings_intern(&stacks->strings, part.at, part.length));
	return callgrind_stacks_add_parts(stacks);
}

static struct callgrind_node *use(struct callgrind_stacks *stacks, uint32_t index)
{
	struct callgrind_node *node = &stacks->nodes.at[index];

	node->is_used = true;
	if (node->depth > stacks->depth_max)
		stacks->depth_max = node->depth;
	return node;
}

void callgrind_stacks_use(struct callgrind_stacks *stacks, uint32_t node, str_id module)
{
	struct callgrind_node *used = use(stacks, node);

	if (!used->module.i)
		used->module = module;
	used->has_two_modules |= module.i && used->module.i != module.i;
}

void callgrind_stacks_use_callee(struct callgrind_stacks *stacks, uint32_t node)
{
	use(stacks, node)->is_called = true;
}

uint32_t callgrind_stacks_frame(struct callgrind_stacks *stacks, str_id name, str_id module)
{
	uint64_t hash = hash_pair(name.i, module.i);
	struct idtable_probe probe = idtable_find(&stacks->frame_table, hash);
	uint32_t index = (uint32_t)stacks->frames.count;
	uint32_t found;

	while ((found = idtable_next(&stacks->frame_table, &probe)) != IDTABLE_NONE)
		if (stacks->frames.at[found].name.i == name.i &&
		    stacks->frames.at[found].module.i == module.i)
			return found;
	idtable_add(&stacks->frame_table, hash, index);
	vec_push(&stacks->frames, (struct callgrind_frame){ name, module });
	return index;
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

/* The DSO of all functions of one name. */
struct module_of_name {
	str_id module; /* STR_EMPTY: unknown */
	bool has_two;
};

static void find_modules(const struct callgrind_stacks *stacks, struct module_of_name *of_names)
{
	for (size_t i = 0; i < stacks->nodes.count; i++) {
		const struct callgrind_node *node = &stacks->nodes.at[i];
		struct module_of_name *of_name = &of_names[node->name.i];

		if (!of_name->module.i)
			of_name->module = node->module;
		of_name->has_two |= node->has_two_modules ||
				    (node->module.i && node->module.i != of_name->module.i);
	}
}

void callgrind_stacks_finish(struct callgrind_stacks *stacks)
{
	struct module_of_name *of_names =
		memory_zalloc(stacks->strings.rows.count, sizeof(*of_names));

	find_roots(stacks);
	find_modules(stacks, of_names);
	for (size_t i = 0; i < stacks->nodes.count; i++) {
		struct callgrind_node *node = &stacks->nodes.at[i];
		const struct module_of_name *of_name = &of_names[node->name.i];
		str_id module = STR_EMPTY;

		if (node->module.i && !node->has_two_modules)
			module = node->module;
		else if (!of_name->has_two)
			module = of_name->module;
		node->frame = callgrind_stacks_frame(stacks, node->name, module);
	}
	memory_free(of_names);
}
