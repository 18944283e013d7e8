/* SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"
#include "profile/tree/stack_tree.h"

/* Insertion sort is used for up to this many items. */
#define SMALL_COUNT 16

/* The frame of a node depends on its text and on the variant of its root. */
static void find_frames(struct trie_order *order, const struct frames *frames,
			const uint32_t *locations)
{
	const struct trie *trie = order->trie;
	size_t count = trie->nodes.count;
	uint32_t *roots = memory_alloc(count, sizeof(*roots));

	order->places = memory_zalloc(count + 1, sizeof(*order->places));
	for (size_t i = 0; i < count; i++) {
		const struct trie_node *node = &trie->nodes.at[i];
		const struct frame_run *of_location;

		if (node->parent == TRIE_NONE) {
			roots[i] = node->text;
			continue;
		}
		roots[i] = roots[node->parent];
		of_location = order->roots.at[roots[i]].of_location;
		order->places[i].frame =
			frames->in_runs.at[of_location[locations[node->text]].first];
	}
	memory_free(roots);
}

/* Gathers the children of each parent, in order of first appearance. */
static void gather_children(struct trie_order *order, const uint32_t *rank)
{
	const struct trie *trie = order->trie;
	size_t count = trie->nodes.count;
	uint32_t sum = 0;

	order->children = memory_alloc(count, sizeof(*order->children));
	for (size_t i = 0; i < count; i++)
		if (trie->nodes.at[i].parent != TRIE_NONE)
			order->places[trie->nodes.at[i].parent].begin++;
	for (size_t i = 0; i <= count; i++) {
		sum += order->places[i].begin;
		order->places[i].begin = sum;
	}
	/*
	 * Fill backwards, so that each `begin` moves from the end of the children to the first
	 * child.
	 */
	for (size_t i = count; i-- > 0;) {
		uint32_t parent = trie->nodes.at[i].parent;

		if (parent != TRIE_NONE)
			order->children[--order->places[parent].begin] =
				(uint64_t)rank[order->places[i].frame] << 32 | i;
	}
}

static int compare_children(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static bool is_sorted(const uint64_t *children, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (children[i - 1] > children[i])
			return false;
	return true;
}

static void insertion_sort(uint64_t *children, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t moving = children[i];
		size_t to = i;

		for (; to && children[to - 1] > moving; to--)
			children[to] = children[to - 1];
		children[to] = moving;
	}
}

void trie_order_make(struct trie_order *order, const struct frames *frames,
		     const uint32_t *locations)
{
	find_frames(order, frames, locations);
	gather_children(order, frames->rank);
	for (size_t i = 0; i < order->trie->nodes.count; i++) {
		uint64_t *children = order->children + order->places[i].begin;
		size_t count = order->places[i + 1].begin - order->places[i].begin;

		if (count <= SMALL_COUNT)
			insertion_sort(children, count);
		else if (!is_sorted(children, count))
			qsort(children, count, sizeof(*children), compare_children);
	}
}

void trie_order_deinit(struct trie_order *order)
{
	vec_free(&order->roots);
	memory_free(order->places);
	memory_free(order->children);
}

/* A node, or a group frame of a root, that becomes a row or is added to one. */
struct trie_item {
	uint32_t rank;
	uint32_t depth; /* depth of the row; 0 means the root of the tree */
	uint32_t order;
	uint32_t index; /* index of a node; for a group frame, of a root */
};

struct trie_walk {
	struct profile *profile;
	struct frames *frames;
	const struct trie_order *orders;
	size_t order_count;
	struct trie_tree_options options;
	VEC(struct trie_item) todo; /* used as a stack: the last item is next */
	VEC(struct trie_item) row;  /* the items of the current row */
};

static const struct trie_root_frames *root_of(const struct trie_walk *walk,
					      const struct trie_item *item)
{
	return &walk->orders[item->order].roots.at[item->index];
}

static uint32_t frame_of(const struct trie_walk *walk, const struct trie_item *item)
{
	if (item->depth <= walk->options.group_count)
		return item->depth ? root_of(walk, item)->groups[item->depth - 1] : 0;
	return walk->orders[item->order].places[item->index].frame;
}

/* Returns the node of an item, or TRIE_NONE for a group frame that is below another group frame. */
static uint32_t node_of(const struct trie_walk *walk, const struct trie_item *item)
{
	if (item->depth > walk->options.group_count)
		return item->index;
	return item->depth == walk->options.group_count
		       ? walk->orders[item->order].trie->roots.at[item->index].node
		       : TRIE_NONE;
}

/* Pushes the children of an item, the last child first. */
static void push_children(struct trie_walk *walk, const struct trie_item *item)
{
	const struct trie_order *order = &walk->orders[item->order];
	uint32_t node = node_of(walk, item);
	struct trie_item child = { .depth = item->depth + 1, .order = item->order };

	if (node == TRIE_NONE) {
		child.index = item->index;
		child.rank = walk->frames->rank[frame_of(walk, &child)];
		vec_push(&walk->todo, child);
		return;
	}
	for (uint32_t i = order->places[node + 1].begin; i-- > order->places[node].begin;) {
		child.index = (uint32_t)order->children[i];
		/*
		 * The children before this one are read first, which gives the prefetch enough
		 * time.
		 */
		__builtin_prefetch(&order->places[child.index]);
		__builtin_prefetch(&order->trie->nodes.at[child.index]);
		child.rank = (uint32_t)(order->children[i] >> 32);
		vec_push(&walk->todo, child);
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct trie_item *left = a;
	const struct trie_item *right = b;

	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	if (left->order != right->order)
		return left->order > right->order ? -1 : 1;
	return (left->index < right->index) - (left->index > right->index);
}

/* Pushes the children of all items of the current row, sorted together. */
static void push_all_children(struct trie_walk *walk)
{
	size_t first = walk->todo.count;

	for (size_t i = 0; i < walk->row.count; i++)
		push_children(walk, &walk->row.at[i]);
	if (walk->row.count > 1 && walk->todo.count > first + 1)
		qsort(walk->todo.at + first, walk->todo.count - first, sizeof(*walk->todo.at),
		      compare_items);
}

/* Pops all items of the next row. */
static void take_row(struct trie_walk *walk)
{
	struct trie_item next = walk->todo.at[walk->todo.count - 1];

	walk->row.count = 0;
	while (walk->todo.count) {
		struct trie_item item = walk->todo.at[walk->todo.count - 1];

		if (item.rank != next.rank || item.depth != next.depth)
			break;
		vec_push(&walk->row, item);
		walk->todo.count--;
	}
}

static void add_counts(struct trie_walk *walk, const struct trie_item *item, struct stack *row)
{
	uint32_t node = node_of(walk, item);
	const struct trie_node *counted;

	if (node == TRIE_NONE)
		return;
	counted = &walk->orders[item->order].trie->nodes.at[node];
	row->self = saturate_add(row->self, walk->options.counts_samples ? counted->sample_count
									 : counted->period_sum);
	profile_count_samples(walk->profile, (size_t)(row - walk->profile->stacks.at),
			      counted->sample_count);
	walk->profile->view_sample_count =
		saturate_add(walk->profile->view_sample_count, counted->sample_count);
}

/* Returns the frame of a row: frames of the same name share a row, in any order. */
static uint32_t merged_frame(struct trie_walk *walk)
{
	struct frame_table *table = &walk->frames->table;
	uint32_t first = frame_of(walk, &walk->row.at[0]);
	struct frame merged;
	bool differ = false;

	for (size_t i = 1; i < walk->row.count; i++) {
		uint32_t other = frame_of(walk, &walk->row.at[i]);

		if (other == first)
			continue;
		/* Few rows read their frames, which are anywhere in the table. */
		if (!differ)
			merged = table->rows.at[first];
		frame_merge(&merged, &table->rows.at[other], walk->frames->modules);
		differ = true;
	}
	return differ ? frame_table_intern(table, &merged) : first;
}

static void make_row(struct trie_walk *walk)
{
	uint32_t depth = walk->row.at[0].depth;
	struct stack *row;

	row = depth ? stack_tree_add_row(walk->profile, depth, merged_frame(walk))
		    : &walk->profile->stacks.at[0];
	for (size_t i = 0; i < walk->row.count; i++)
		add_counts(walk, &walk->row.at[i], row);
}

static void push_roots(struct trie_walk *walk)
{
	for (size_t i = 0; i < walk->order_count; i++)
		for (size_t k = 0; k < walk->orders[i].roots.count; k++)
			if (walk->orders[i].roots.at[k].is_shown)
				vec_push(&walk->todo, (struct trie_item){ .order = (uint32_t)i,
									  .index = (uint32_t)k });
}

/* Reserves memory for as many rows as there can be, in large pages, because nodes rarely share rows. */
static void make_room(struct trie_walk *walk)
{
	size_t count = 1;

	for (size_t i = 0; i < walk->order_count; i++)
		count += walk->orders[i].trie->nodes.count +
			 walk->orders[i].roots.count * walk->options.group_count;
	vec_reserve(&walk->profile->stacks, count);
}

void trie_tree_build(struct profile *profile, struct frames *frames,
		     const struct trie_order *orders, size_t order_count,
		     const struct trie_tree_options *options)
{
	struct trie_walk walk = {
		.profile = profile,
		.frames = frames,
		.orders = orders,
		.order_count = order_count,
		.options = *options,
	};

	make_room(&walk);
	stack_tree_add_row(profile, 0, 0);
	push_roots(&walk);
	while (walk.todo.count) {
		take_row(&walk);
		make_row(&walk);
		push_all_children(&walk);
	}
	stack_tree_finish(profile);
	vec_free(&walk.todo);
	vec_free(&walk.row);
}
