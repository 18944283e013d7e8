/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/call_tree.h"

#include "base/hash.h"
#include "base/saturate.h"
#include "libparse/spooled.h"

#define NONE UINT32_MAX

void call_tree_init(struct call_tree *tree, struct spooled *spooled)
{
	*tree = (struct call_tree){ .spooled = spooled };
	idtable_init(&tree->nodes_of);
	idtable_init(&tree->tasks_of);
	vec_push(&tree->nodes, (struct call_node){ .child = NONE, .sibling = NONE });
}

void call_tree_deinit(struct call_tree *tree)
{
	for (size_t i = 0; i < tree->tasks.count; i++)
		vec_free(&tree->tasks.at[i].open);
	vec_free(&tree->tasks);
	vec_free(&tree->nodes);
	idtable_deinit(&tree->nodes_of);
	idtable_deinit(&tree->tasks_of);
}

static uint32_t find_node(struct call_tree *tree, uint32_t parent, uint32_t name)
{
	uint64_t hash = hash_u64(((uint64_t)parent << 32 | name) ^ hash_secret());
	struct idtable_probe probe = idtable_find(&tree->nodes_of, hash);
	struct call_node node;
	uint32_t id;

	while ((id = idtable_next(&tree->nodes_of, &probe)) != IDTABLE_NONE)
		if (tree->nodes.at[id].parent == parent && tree->nodes.at[id].name == name)
			return id;
	id = (uint32_t)tree->nodes.count;
	idtable_add(&tree->nodes_of, hash, id);
	node = (struct call_node){
		.parent = parent,
		.name = name,
		.child = NONE,
		.sibling = tree->nodes.at[parent].child,
		.depth = tree->nodes.at[parent].depth + 1,
	};
	vec_push(&tree->nodes, node);
	tree->nodes.at[parent].child = id;
	return id;
}

uint32_t call_tree_task(struct call_tree *tree, struct text name)
{
	str_id id = { spooled_intern_frame(tree->spooled, name) };
	uint64_t hash = hash_u64(id.i ^ hash_secret());
	struct idtable_probe probe = idtable_find(&tree->tasks_of, hash);
	struct call_task *task;
	const char *dash = name.length ? memrchr(name.at, '-', name.length) : NULL;
	uint32_t found;
	uint32_t comm;

	while ((found = idtable_next(&tree->tasks_of, &probe)) != IDTABLE_NONE)
		if (tree->tasks.at[found].name.i == id.i)
			return found;
	found = (uint32_t)tree->tasks.count;
	idtable_add(&tree->tasks_of, hash, found);
	vec_push(&tree->tasks, (struct call_task){ .name = id });
	if (dash && dash > name.at)
		name.length = (uint32_t)(dash - name.at);
	comm = spooled_intern_frame(tree->spooled, name);
	tree->spooled->frames.at[comm].kind = SPOOLED_GROUP;
	task = &tree->tasks.at[found];
	vec_push(&task->open, (struct call_open){ .node = find_node(tree, 0, comm) });
	return found;
}

bool call_tree_begin(struct call_tree *tree, uint32_t task, struct text name)
{
	struct call_task *at = &tree->tasks.at[task];
	uint32_t frame = spooled_intern_frame(tree->spooled, name);
	uint32_t node;

	if (at->open.count >= LIMIT_SPOOLED_DEPTH)
		return false;
	if (tree->spooled->frames.at[frame].kind == SPOOLED_KIND_COUNT)
		tree->spooled->frames.at[frame].kind = SPOOLED_KERNEL;
	node = find_node(tree, at->open.at[at->open.count - 1].node, frame);
	vec_push(&at->open, (struct call_open){ .node = node });
	return true;
}

bool call_tree_end(struct call_tree *tree, uint32_t task, uint64_t duration_ns)
{
	struct call_task *at = &tree->tasks.at[task];
	struct call_open call;
	struct call_open *above;
	struct call_node *node;

	if (at->open.count < 2)
		return false;
	call = at->open.at[--at->open.count];
	above = &at->open.at[at->open.count - 1];
	above->children_ns = saturate_add(above->children_ns, duration_ns);
	node = &tree->nodes.at[call.node];
	node->count++;
	if (duration_ns > call.children_ns)
		node->self_ns = saturate_add(node->self_ns, duration_ns - call.children_ns);
	return true;
}

void call_tree_cut(struct call_tree *tree, uint32_t task, uint32_t level)
{
	struct call_task *at = &tree->tasks.at[task];

	while (at->open.count > (size_t)level + 1)
		at->open.count--;
}

void call_tree_finish(struct call_tree *tree)
{
	const struct call_node *nodes = tree->nodes.at;
	uint32_t i = nodes[0].child;

	while (i != NONE) {
		struct spooled_row row = { nodes[i].depth, nodes[i].name, { nodes[i].self_ns, 0 } };

		tree->spooled->samples.after =
			saturate_add(tree->spooled->samples.after, nodes[i].count);
		/* call_tree_begin refused deeper calls. */
		if (spooled_push(tree->spooled, &row) && nodes[i].child != NONE) {
			i = nodes[i].child;
			continue;
		}
		while (nodes[i].sibling == NONE && nodes[i].parent)
			i = nodes[i].parent;
		i = nodes[i].sibling;
	}
}
