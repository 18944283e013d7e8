/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_remap.h"

#include "base/hash.h"
#include "base/saturate.h"

struct remapping {
	struct diff_tree *tree;
	const uint32_t *to;
	struct idtable ids; /* of the new nodes, by parent and frame */
	uint32_t *node_of;  /* by old node: the new one */
	uint32_t count;     /* of new nodes */
};

/* The new node of a frame on a parent. A new node is never behind the old one it is made of. */
static uint32_t take_node(struct remapping *remapping, uint32_t parent, uint32_t frame)
{
	struct diff_node *nodes = remapping->tree->nodes.at;
	uint64_t hash = hash_pair(parent, frame);
	struct idtable_probe probe = idtable_find(&remapping->ids, hash);
	uint32_t id;

	while ((id = idtable_next(&remapping->ids, &probe)) != IDTABLE_NONE)
		if (nodes[id].parent == parent && nodes[id].frame == frame)
			return id;
	idtable_add(&remapping->ids, hash, remapping->count);
	nodes[remapping->count] = (struct diff_node){ .parent = parent, .frame = frame };
	return remapping->count++;
}

static void move_weights(struct diff_tree *tree, uint32_t from, uint32_t to, bool is_new)
{
	uint32_t columns = tree->column_count;
	uint64_t *source = tree->self.at + (size_t)from * columns;
	uint64_t *target = tree->self.at + (size_t)to * columns;

	if (source == target)
		return;
	for (uint32_t i = 0; i < columns; i++)
		target[i] = is_new ? source[i] : saturate_add(target[i], source[i]);
}

static void remap_nodes(struct remapping *remapping)
{
	struct diff_tree *tree = remapping->tree;

	remapping->count = 1;
	remapping->node_of[0] = 0;
	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		uint32_t parent = remapping->node_of[tree->nodes.at[i].parent];
		uint32_t frame = remapping->to[tree->nodes.at[i].frame];
		uint32_t count = remapping->count;

		remapping->node_of[i] =
			frame == DIFF_FRAME_NONE ? parent : take_node(remapping, parent, frame);
		move_weights(tree, i, remapping->node_of[i], remapping->count > count);
	}
	for (size_t i = 0; i < tree->parts.count; i++)
		tree->parts.at[i].row = remapping->node_of[tree->parts.at[i].row];
	tree->nodes.count = remapping->count;
	tree->self.count = (size_t)remapping->count * tree->column_count;
}

/* What two frames that are one now have in common. */
static void merge_frames(struct profile *profile, const uint32_t *to)
{
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		const struct frame *from = &profile->frames.at[i];
		struct frame *into;

		if (to[i] == i || to[i] == DIFF_FRAME_NONE)
			continue;
		into = &profile->frames.at[to[i]];
		if (into->module.i != from->module.i)
			into->module = (module_id){ 0 };
		if (from->kind < into->kind)
			into->kind = from->kind;
		into->is_named |= from->is_named;
	}
}

/* By frame: its new number, or DIFF_FRAME_NONE: nothing has it any more. */
static uint32_t *number_frames(const struct diff_tree *tree, const uint32_t *to)
{
	size_t count = tree->profile->frames.count;
	uint32_t *number = memory_alloc(count, sizeof(*number));
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++)
		number[i] = DIFF_FRAME_NONE;
	for (size_t i = 1; i < tree->nodes.count; i++)
		number[tree->nodes.at[i].frame] = 0;
	for (size_t i = 0; i < tree->known.count; i++)
		for (size_t frame = 0; frame < tree->known.at[i].frame_count; frame++)
			if (tree->known.at[i].sums[frame].total && to[frame] != DIFF_FRAME_NONE)
				number[to[frame]] = 0;
	for (size_t i = 0; i < count; i++)
		if (number[i] != DIFF_FRAME_NONE)
			number[i] = next++;
	return number;
}

static void move_frames(struct diff_tree *tree, const uint32_t *number)
{
	struct profile *profile = tree->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->frames.count; i++)
		if (number[i] != DIFF_FRAME_NONE)
			profile->frames.at[count++] = profile->frames.at[i];
	profile->frames.count = count;
	for (size_t i = 1; i < tree->nodes.count; i++)
		tree->nodes.at[i].frame = number[tree->nodes.at[i].frame];
}

/* What a function comes to is known of one that several became as far as it is of each. */
static void remap_known(struct diff_known *known, const uint32_t *to, const uint32_t *number,
			size_t frame_count)
{
	struct function_sum *sums = memory_zalloc(frame_count, sizeof(*sums));
	bool *has_total = memory_zalloc(frame_count, sizeof(*has_total));

	for (size_t i = 0; i < known->frame_count; i++) {
		uint32_t frame = to[i] == DIFF_FRAME_NONE ? DIFF_FRAME_NONE : number[to[i]];

		if (frame == DIFF_FRAME_NONE || !known->sums[i].total)
			continue;
		has_total[frame] = !sums[frame].total && known->has_total[i];
		sums[frame].self = saturate_add(sums[frame].self, known->sums[i].self);
		sums[frame].total = saturate_add(sums[frame].total, known->sums[i].total);
	}
	memory_free(known->sums);
	memory_free(known->has_total);
	*known = (struct diff_known){ known->column, frame_count, sums, has_total };
}

void diff_tree_remap(struct diff_tree *tree, const uint32_t *to)
{
	struct remapping remapping = {
		.tree = tree,
		.to = to,
		.node_of = memory_alloc(tree->nodes.count, sizeof(*remapping.node_of)),
	};
	uint32_t *number;

	idtable_init(&remapping.ids);
	remap_nodes(&remapping);
	merge_frames(tree->profile, to);
	number = number_frames(tree, to);
	move_frames(tree, number);
	for (size_t i = 0; i < tree->known.count; i++)
		remap_known(&tree->known.at[i], to, number, tree->profile->frames.count);
	memory_free(number);
	idtable_deinit(&remapping.ids);
	memory_free(remapping.node_of);
}
