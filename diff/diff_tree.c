/* SPDX-License-Identifier: MIT */
#include "diff/diff_tree.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "profile/frame_table.h"
#include "profile/tree/function_sums.h"
#include "profile/tree/stack_tree.h"

#define NODE_NONE UINT32_MAX
/* Number of siblings that are compared before the table of all nodes is used. */
#define NEAR_MAX 8

static uint32_t add_node(struct diff_tree *tree, uint32_t parent, uint32_t frame)
{
	size_t count = tree->self.count + tree->column_count;

	vec_reserve(&tree->self, count);
	memset(tree->self.at + tree->self.count, 0, tree->column_count * sizeof(*tree->self.at));
	tree->self.count = count;
	vec_push(&tree->nodes, (struct diff_node){ .parent = parent, .frame = frame });
	return (uint32_t)tree->nodes.count - 1;
}

void diff_tree_init(struct diff_tree *tree, struct profile *profile,
		    const struct diff_alignment *alignment, uint32_t column_count)
{
	/* The root is created here; the table has no entry for it. */
	*tree = (struct diff_tree){
		.profile = profile,
		.column_count = column_count,
		.id_count = 1,
	};
	idtable_init(&tree->ids);
	diff_frames_init(&tree->frames, profile, alignment);
	add_node(tree, 0, 0);
}

/* Adds all nodes to the table. */
static void index_nodes(struct diff_tree *tree)
{
	for (; tree->id_count < tree->nodes.count; tree->id_count++) {
		const struct diff_node *node = &tree->nodes.at[tree->id_count];

		idtable_add(&tree->ids, hash_pair(node->parent, node->frame), tree->id_count);
	}
}

static uint32_t find_node(const struct diff_tree *tree, const struct idtable *ids, uint32_t parent,
			  uint32_t frame)
{
	struct idtable_probe probe = idtable_find(ids, hash_pair(parent, frame));
	uint32_t id;

	while ((id = idtable_next(ids, &probe)) != IDTABLE_NONE)
		if (tree->nodes.at[id].parent == parent && tree->nodes.at[id].frame == frame)
			return id;
	return NODE_NONE;
}

static uint32_t intern_node(struct diff_tree *tree, uint32_t parent, uint32_t frame)
{
	uint32_t id;

	index_nodes(tree);
	id = find_node(tree, &tree->ids, parent, frame);
	return id != NODE_NONE ? id : add_node(tree, parent, frame);
}

/* The node of a row of the profile that is being added. */
struct added_row {
	uint32_t node;
	uint32_t next; /* where to look for the row's next child: a child of node, or node's end */
};

/* Looks for a child among the nodes of the first capture, starting from the last child found. */
static uint32_t find_near(const struct diff_tree *tree, const struct added_row *parent,
			  uint32_t frame)
{
	const struct diff_node *nodes = tree->nodes.at;
	uint32_t id = parent->next;

	for (int i = 0; i < NEAR_MAX && id < nodes[parent->node].end; i++, id = nodes[id].end)
		if (nodes[id].frame == frame)
			return id;
	return NODE_NONE;
}

static uint32_t child_of(struct diff_tree *tree, struct added_row *parent, uint32_t frame)
{
	uint32_t id = find_near(tree, parent, frame);

	if (id == NODE_NONE)
		id = intern_node(tree, parent->node, frame);
	if (tree->nodes.at[id].end)
		parent->next = tree->nodes.at[id].end;
	return id;
}

/* Adds the rows of the first profile, which are all different and keep their order. */
static void add_rows(struct diff_tree *tree, const struct profile *from, const uint32_t *frames)
{
	vec_reserve(&tree->nodes, from->stacks.count);
	vec_reserve(&tree->self, from->stacks.count * tree->column_count);
	for (size_t i = 1; i < from->stacks.count; i++)
		add_node(tree, from->stacks.at[i].parent, frames[from->stacks.at[i].frame.i]);
	for (size_t i = 0; i < from->stacks.count; i++)
		tree->nodes.at[i].end = from->stacks.at[i].end;
}

/* Adds the weights of rows by time bin to their nodes. */
static void add_binned(struct diff_tree *tree, const struct profile *from,
		       const struct added_row *rows, uint32_t column)
{
	bool has_widths = from->bin_ns;

	for (size_t i = 0; i < from->stack_bins.count; i++) {
		const struct stack_bin *bin = &from->stack_bins.at[i];
		uint32_t counted =
			has_widths ? bin->time_bin % from->time_bin_parts : bin->time_bin;

		vec_push(&tree->binned,
			 (struct binned_weight){
				 .row = rows[bin->row].node,
				 .column = tree->time_bin_count + counted,
				 .run = column,
				 .time_bin = has_widths ? bin->time_bin / from->time_bin_parts : 0,
				 .weight = bin->weight,
			 });
	}
	if (diff_run_has_counted_bins(from))
		tree->time_bin_count += TIME_BINS;
}

/*
 * Adds the exact sums of functions. If several functions become one, their total together is known
 * only if they have the same name. The name's total may include a group, and is then too large.
 */
static void add_known(struct diff_tree *tree, const struct profile *from, const uint32_t *frames,
		      uint32_t column)
{
	size_t count = tree->profile->frames.count;
	struct diff_known known = {
		.column = column,
		.frame_count = count,
		.sums = memory_zalloc(count, sizeof(*known.sums)),
		.has_total = memory_zalloc(count, sizeof(*known.has_total)),
	};
	str_id *names = memory_zalloc(count, sizeof(*names));
	struct function_sums sums;

	function_sums_init(&sums, from, NULL);
	for (size_t i = 0; i < from->frames.count; i++) {
		str_id name = from->frames.at[i].name;
		uint32_t frame = frames[i];
		struct function_sum *sum;

		if (frame == DIFF_FRAME_NONE || !sums.of_frame[i].total)
			continue;
		sum = &known.sums[frame];
		known.has_total[frame] =
			!sum->total || (known.has_total[frame] && names[frame].i == name.i);
		names[frame] = name;
		sum->self = saturate_add(sum->self, sums.of_frame[i].self);
		sum->total = saturate_add(sum->total, sums.of_frame[i].total);
		if (sum->total > sums.total_of_name[name.i])
			sum->total = sums.total_of_name[name.i];
	}
	function_sums_deinit(&sums);
	memory_free(names);
	vec_push(&tree->known, known);
}

void diff_known_deinit(diff_known_list *known)
{
	for (size_t i = 0; i < known->count; i++) {
		memory_free(known->at[i].sums);
		memory_free(known->at[i].has_total);
	}
	vec_free(known);
}

void diff_tree_add(struct diff_tree *tree, const struct profile *from, uint32_t column,
		   bool is_before)
{
	bool is_first = tree->nodes.count == 1 && !tree->profile->frames.count;
	uint32_t *frames = diff_frames_intern(&tree->frames, from, is_before);
	struct added_row *rows = memory_alloc(from->stacks.count, sizeof(*rows));

	/* The shortcut requires that alignment neither joined nor dropped frames. */
	if (is_first && tree->profile->frames.count == from->frames.count)
		add_rows(tree, from, frames);
	for (size_t i = 0; i < from->stacks.count; i++) {
		const struct stack *stack = &from->stacks.at[i];
		struct added_row *parent = &rows[stack->parent];
		uint32_t frame = i ? frames[stack->frame.i] : DIFF_FRAME_NONE;
		uint64_t *self;

		/* The weight of an ignored frame is added to its caller. */
		if (!i)
			rows[i] = (struct added_row){ 0, 1 };
		else if (frame == DIFF_FRAME_NONE)
			rows[i] = *parent;
		else
			rows[i].node = child_of(tree, parent, frame);
		if (frame != DIFF_FRAME_NONE)
			rows[i].next = rows[i].node + 1;
		self = &tree->self.at[(size_t)rows[i].node * tree->column_count + column];
		*self = saturate_add(*self, stack->self);
	}
	add_binned(tree, from, rows, column);
	if (diff_run_has_exact(from, &tree->frames.alignment))
		add_known(tree, from, frames, column);
	memory_free(rows);
	memory_free(frames);
}

struct remapping {
	struct diff_tree *tree;
	const uint32_t *to;
	struct idtable ids; /* new nodes by parent and frame */
	uint32_t *node_of;  /* new node by old node */
	uint32_t count;     /* new nodes */
};

/*
 * The new node of a frame below a parent. The index of a new node is never larger than that of the
 * old node.
 */
static uint32_t intern_remapped(struct remapping *remapping, uint32_t parent, uint32_t frame)
{
	struct diff_tree *tree = remapping->tree;
	uint32_t id = find_node(tree, &remapping->ids, parent, frame);

	if (id != NODE_NONE)
		return id;
	idtable_add(&remapping->ids, hash_pair(parent, frame), remapping->count);
	tree->nodes.at[remapping->count] = (struct diff_node){ .parent = parent, .frame = frame };
	return remapping->count++;
}

static void move_weights(struct diff_tree *tree, uint32_t from, uint32_t to, bool is_new)
{
	uint32_t columns = tree->column_count;
	uint64_t *source = tree->self.at + (size_t)from * columns;
	uint64_t *target = tree->self.at + (size_t)to * columns;

	if (source == target)
		return;
	if (is_new)
		memcpy(target, source, columns * sizeof(*target));
	else
		saturate_add_all(target, source, columns);
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

		remapping->node_of[i] = frame == DIFF_FRAME_NONE
						? parent
						: intern_remapped(remapping, parent, frame);
		move_weights(tree, i, remapping->node_of[i], remapping->count > count);
	}
	for (size_t i = 0; i < tree->binned.count; i++)
		tree->binned.at[i].row = remapping->node_of[tree->binned.at[i].row];
	tree->nodes.count = remapping->count;
	tree->self.count = (size_t)remapping->count * tree->column_count;
}

static void merge_frames(struct profile *profile, const uint32_t *to)
{
	for (uint32_t i = 0; i < profile->frames.count; i++)
		if (to[i] != i && to[i] != DIFF_FRAME_NONE)
			frame_merge(&profile->frames.at[to[i]], &profile->frames.at[i],
				    profile->modules);
}

/*
 * Returns an array that maps frames to new ids, or to DIFF_FRAME_NONE if they are no longer used.
 */
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

/* Adds up the exact weights of functions that become one. */
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

/*
 * A stable counting sort of nodes by their keys, which are below key_count. Returns where the nodes
 * of each key end.
 */
static uint32_t *sort_by(const uint32_t *keys, size_t key_count, const uint32_t *from, uint32_t *to,
			 size_t count)
{
	uint32_t *places = memory_zalloc(key_count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		places[keys[from[i]] + 1]++;
	for (size_t key = 0; key < key_count; key++)
		places[key + 1] += places[key];
	for (size_t i = 0; i < count; i++)
		to[places[keys[from[i]]]++] = from[i];
	return places;
}

/*
 * Groups all nodes except the root by parent, in name order. Returns where the children of each
 * node end.
 */
static uint32_t *sort_nodes(const struct diff_tree *tree, uint32_t *sorted)
{
	const struct profile *profile = tree->profile;
	size_t count = tree->nodes.count;
	uint32_t *ranks = frame_ranks(profile->strings, profile->modules, profile->frames.at,
				      profile->frames.count, FRAME_RANK_EACH);
	uint32_t *keys = memory_alloc(count, sizeof(*keys));
	uint32_t *nodes = memory_alloc(count, sizeof(*nodes));
	uint32_t *ends;

	for (uint32_t i = 1; i < count; i++) {
		keys[i] = ranks[tree->nodes.at[i].frame];
		sorted[i - 1] = i;
	}
	memory_free(sort_by(keys, profile->frames.count, sorted, nodes, count - 1));
	for (uint32_t i = 1; i < count; i++)
		keys[i] = tree->nodes.at[i].parent;
	ends = sort_by(keys, count, nodes, sorted, count - 1);
	memory_free(ranks);
	memory_free(keys);
	memory_free(nodes);
	return ends;
}

/* A node that has no row yet. */
struct next_node {
	uint32_t node, depth;
};

/* Makes the rows in preorder; returns the node of each row. */
static uint32_t *make_rows(struct diff_tree *tree)
{
	size_t count = tree->nodes.count;
	uint32_t *sorted = memory_alloc(count, sizeof(*sorted));
	uint32_t *ends = sort_nodes(tree, sorted);
	uint32_t *node_of_row = memory_alloc(count, sizeof(*node_of_row));
	VEC(struct next_node) todo = { 0 };

	vec_push(&todo, (struct next_node){ 0, 0 });
	while (todo.count) {
		struct next_node next = todo.at[--todo.count];
		uint32_t begin = next.node ? ends[next.node - 1] : 0;

		node_of_row[tree->profile->stacks.count] = next.node;
		stack_tree_add_row(tree->profile, next.depth, tree->nodes.at[next.node].frame);
		for (uint32_t i = ends[next.node]; i-- > begin;)
			vec_push(&todo, (struct next_node){ sorted[i], next.depth + 1 });
	}
	stack_tree_finish(tree->profile);
	vec_free(&todo);
	memory_free(ends);
	memory_free(sorted);
	return node_of_row;
}

/* The binned weights in the order of rows. */
static binned_weights sort_binned(const struct diff_tree *tree, const uint32_t *node_of_row)
{
	size_t count = tree->binned.count;
	uint32_t *row_of_node = memory_alloc(tree->nodes.count, sizeof(*row_of_node));
	uint32_t *keys = memory_alloc(count, sizeof(*keys));
	uint32_t *order = memory_alloc(2 * count, sizeof(*order));
	binned_weights sorted = { 0 };

	for (uint32_t row = 0; row < tree->nodes.count; row++)
		row_of_node[node_of_row[row]] = row;
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = row_of_node[tree->binned.at[i].row];
		order[count + i] = i;
	}
	memory_free(sort_by(keys, tree->nodes.count, order + count, order, count));
	vec_reserve(&sorted, count);
	for (size_t i = 0; i < count; i++) {
		vec_push(&sorted, tree->binned.at[order[i]]);
		sorted.at[i].row = keys[order[i]];
	}
	memory_free(row_of_node);
	memory_free(keys);
	memory_free(order);
	return sorted;
}

void diff_tree_keep_columns(struct diff_tree *tree, uint32_t column_count)
{
	if (column_count == tree->column_count)
		return;
	for (size_t row = 0; row < tree->nodes.count; row++)
		memmove(tree->self.at + row * column_count,
			tree->self.at + row * tree->column_count,
			column_count * sizeof(*tree->self.at));
	tree->self.count = tree->nodes.count * column_count;
	tree->column_count = column_count;
}

void diff_tree_sum(const struct profile *profile, const uint64_t *self, uint64_t *total,
		   size_t columns)
{
	memcpy(total, self, profile->stacks.count * columns * sizeof(*self));
	for (size_t row = profile->stacks.count; row-- > 1;)
		saturate_add_all(total + profile->stacks.at[row].parent * columns,
				 total + row * columns, columns);
}

void diff_tree_finish(struct diff_tree *tree, uint64_t **self_ret, uint64_t **total_ret,
		      binned_weights *binned_ret)
{
	uint32_t columns = tree->column_count;
	size_t count = tree->nodes.count;
	uint32_t *node_of_row = make_rows(tree);
	uint64_t *self = memory_alloc(count * columns, sizeof(*self));
	uint64_t *total = memory_alloc(count * columns, sizeof(*total));

	for (size_t row = 0; row < count; row++)
		memcpy(self + row * columns, tree->self.at + (size_t)node_of_row[row] * columns,
		       columns * sizeof(*self));
	diff_tree_sum(tree->profile, self, total, columns);
	*binned_ret = tree->binned.count ? sort_binned(tree, node_of_row) : (binned_weights){ 0 };
	memory_free(node_of_row);
	vec_free(&tree->binned);
	vec_free(&tree->nodes);
	vec_free(&tree->self);
	diff_frames_deinit(&tree->frames);
	idtable_deinit(&tree->ids);
	*self_ret = self;
	*total_ret = total;
}
