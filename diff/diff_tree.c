/* SPDX-License-Identifier: MIT */
#include "diff/diff_tree.h"

#include "base/hash.h"
#include "base/saturate.h"
#include "profile/frame_table.h"
#include "profile/tree/function_sums.h"
#include "profile/tree/tree.h"

#define NODE_NONE UINT32_MAX
/* How many siblings are looked at before the table of all is. */
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
	/* The root is found by no name. */
	*tree = (struct diff_tree){
		.profile = profile,
		.column_count = column_count,
		.id_count = 1,
	};
	idtable_init(&tree->ids);
	diff_frames_init(&tree->frames, profile, alignment);
	add_node(tree, 0, 0);
}

/* Has all nodes in the table. */
static void index_nodes(struct diff_tree *tree)
{
	for (; tree->id_count < tree->nodes.count; tree->id_count++) {
		const struct diff_node *node = &tree->nodes.at[tree->id_count];

		idtable_add(&tree->ids, hash_pair(node->parent, node->frame), tree->id_count);
	}
}

static uint32_t take_node(struct diff_tree *tree, uint32_t parent, uint32_t frame)
{
	struct idtable_probe probe;
	uint32_t id;

	index_nodes(tree);
	probe = idtable_find(&tree->ids, hash_pair(parent, frame));
	while ((id = idtable_next(&tree->ids, &probe)) != IDTABLE_NONE)
		if (tree->nodes.at[id].parent == parent && tree->nodes.at[id].frame == frame)
			return id;
	return add_node(tree, parent, frame);
}

/* A row of what is being added. */
struct place {
	uint32_t node;
	uint32_t
		next; /* where the next of the rows on it is looked for: a node on this one, or its end */
};

/* Looks among the nodes of the first capture, from where the row before it was found. */
static uint32_t find_near(const struct diff_tree *tree, const struct place *below, uint32_t frame)
{
	const struct diff_node *nodes = tree->nodes.at;
	uint32_t id = below->next;

	for (int i = 0; i < NEAR_MAX && id < nodes[below->node].end; i++, id = nodes[id].end)
		if (nodes[id].frame == frame)
			return id;
	return NODE_NONE;
}

static uint32_t node_on(struct diff_tree *tree, struct place *below, uint32_t frame)
{
	uint32_t id = find_near(tree, below, frame);

	if (id == NODE_NONE)
		id = take_node(tree, below->node, frame);
	if (tree->nodes.at[id].end)
		below->next = tree->nodes.at[id].end;
	return id;
}

/* Adds the first profile's rows, which all differ, as they stand. */
static void add_rows(struct diff_tree *tree, const struct profile *from, const uint32_t *frames)
{
	vec_reserve(&tree->nodes, from->stacks.count);
	vec_reserve(&tree->self, from->stacks.count * tree->column_count);
	for (size_t i = 1; i < from->stacks.count; i++)
		add_node(tree, from->stacks.at[i].parent, frames[from->stacks.at[i].frame.i]);
	for (size_t i = 0; i < from->stacks.count; i++)
		tree->nodes.at[i].end = from->stacks.at[i].end;
}

/* Adds what rows weigh in each block of time, to where they were placed. */
static void add_parts(struct diff_tree *tree, const struct profile *from,
		      const struct place *places)
{
	for (size_t i = 0; i < from->stack_bins.count; i++) {
		const struct stack_bin *part = &from->stack_bins.at[i];

		vec_push(&tree->parts, (struct binned_weight){
					       .row = places[part->row].node,
					       .column = tree->time_bin_count + part->time_bin,
					       .weight = part->weight,
				       });
	}
	tree->time_bin_count += from->time_bin_count;
}

/* What functions come to in the union: of several frames of one name as far as that is known. */
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
	uint32_t *frames = diff_frames_take(&tree->frames, from, is_before);
	struct place *places = memory_alloc(from->stacks.count, sizeof(*places));

	/* They differ, unless names that differed are one now, or none. */
	if (is_first && tree->profile->frames.count == from->frames.count)
		add_rows(tree, from, frames);
	for (size_t i = 0; i < from->stacks.count; i++) {
		const struct stack *stack = &from->stacks.at[i];
		struct place *below = &places[stack->parent];
		uint32_t frame = i ? frames[stack->frame.i] : DIFF_FRAME_NONE;
		uint64_t *self;

		/* What is left out stands for what it stood on. */
		if (!i)
			places[i] = (struct place){ 0, 1 };
		else if (frame == DIFF_FRAME_NONE)
			places[i] = *below;
		else
			places[i].node = node_on(tree, below, frame);
		if (frame != DIFF_FRAME_NONE)
			places[i].next = places[i].node + 1;
		self = &tree->self.at[(size_t)places[i].node * tree->column_count + column];
		*self = saturate_add(*self, stack->self);
	}
	add_parts(tree, from, places);
	if (diff_run_has_exact(from, &tree->frames.alignment))
		add_known(tree, from, frames, column);
	memory_free(places);
	memory_free(frames);
}

struct ranked {
	struct text name;
	uint32_t frame;
};

static int compare_names(const void *a, const void *b)
{
	return frame_name_compare(((const struct ranked *)a)->name,
				  ((const struct ranked *)b)->name);
}

/* By frame: its place among all in order of names. */
static uint32_t *rank_frames(const struct profile *profile)
{
	size_t count = profile->frames.count;
	struct ranked *ranked = memory_alloc(count, sizeof(*ranked));
	uint32_t *ranks = memory_alloc(count, sizeof(*ranks));

	for (uint32_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){ profile_frame_name(profile, (frame_id){ i }), i };
	if (count)
		qsort(ranked, count, sizeof(*ranked), compare_names);
	for (uint32_t i = 0; i < count; i++)
		ranks[ranked[i].frame] = i;
	memory_free(ranked);
	return ranks;
}

/* Sorts nodes by their keys, which are below key_count, and leaves those of equal keys in order. */
static void sort_by(const uint32_t *keys, size_t key_count, const uint32_t *from, uint32_t *to,
		    size_t count)
{
	uint32_t *begins = memory_zalloc(key_count + 1, sizeof(*begins));

	for (size_t i = 0; i < count; i++)
		begins[keys[from[i]] + 1]++;
	for (size_t key = 0; key < key_count; key++)
		begins[key + 1] += begins[key];
	for (size_t i = 0; i < count; i++)
		to[begins[keys[from[i]]]++] = from[i];
	memory_free(begins);
}

/* The nodes but the root, those of each parent together and in order of their names. */
static uint32_t *sort_nodes(const struct diff_tree *tree)
{
	size_t count = tree->nodes.count;
	uint32_t *ranks = rank_frames(tree->profile);
	uint32_t *keys = memory_alloc(count, sizeof(*keys));
	uint32_t *nodes = memory_alloc(count, sizeof(*nodes));
	uint32_t *sorted = memory_alloc(count, sizeof(*sorted));

	for (uint32_t i = 0; i < count; i++) {
		keys[i] = i ? ranks[tree->nodes.at[i].frame] : 0;
		nodes[i] = i;
	}
	sort_by(keys, tree->profile->frames.count, nodes + 1, sorted, count - 1);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = tree->nodes.at[i].parent;
	sort_by(keys, count, sorted, nodes, count - 1);
	memory_free(ranks);
	memory_free(keys);
	memory_free(sorted);
	return nodes;
}

struct open_node {
	uint32_t node;
	uint32_t next; /* of its children, in sorted */
};

/* Makes the rows in preorder; returns the node of each. */
static uint32_t *make_rows(struct diff_tree *tree)
{
	size_t count = tree->nodes.count;
	uint32_t *sorted = sort_nodes(tree);
	uint32_t *first = memory_zalloc(count + 1, sizeof(*first)); /* child, in sorted, by node */
	uint32_t *node_of_row = memory_zalloc(count, sizeof(*node_of_row));
	struct tree rows;
	VEC(struct open_node) open = { 0 };

	for (size_t i = 1; i < count; i++)
		first[tree->nodes.at[i].parent + 1]++;
	for (size_t i = 0; i < count; i++)
		first[i + 1] += first[i];
	tree_init(&rows, tree->profile);
	vec_push(&open, (struct open_node){ 0, first[0] });
	while (open.count) {
		uint32_t node = open.at[open.count - 1].node;
		uint32_t next = open.at[open.count - 1].next;

		if (next == first[node + 1]) {
			open.count--;
			continue;
		}
		open.at[open.count - 1].next++;
		tree_close(&rows, open.count);
		node_of_row[tree->profile->stacks.count] = sorted[next];
		tree_open(&rows, tree->nodes.at[sorted[next]].frame);
		vec_push(&open, (struct open_node){ sorted[next], first[sorted[next]] });
	}
	tree_finish(&rows);
	vec_free(&open);
	memory_free(first);
	memory_free(sorted);
	return node_of_row;
}

/* The parts in the order of rows; those of a row stay in theirs. */
static binned_weights sort_parts(const struct diff_tree *tree, const uint32_t *node_of_row)
{
	size_t count = tree->nodes.count;
	uint32_t *rows; /* by node */
	size_t *begins;
	binned_weights sorted = { 0 };

	if (!tree->parts.count)
		return sorted;
	rows = memory_alloc(count, sizeof(*rows));
	begins = memory_zalloc(count + 1, sizeof(*begins));
	vec_reserve(&sorted, tree->parts.count);
	sorted.count = tree->parts.count;
	for (uint32_t row = 0; row < count; row++)
		rows[node_of_row[row]] = row;
	for (size_t i = 0; i < tree->parts.count; i++)
		begins[rows[tree->parts.at[i].row] + 1]++;
	for (size_t row = 0; row < count; row++)
		begins[row + 1] += begins[row];
	for (size_t i = 0; i < tree->parts.count; i++) {
		struct binned_weight part = tree->parts.at[i];

		part.row = rows[part.row];
		sorted.at[begins[part.row]++] = part;
	}
	memory_free(rows);
	memory_free(begins);
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

void diff_tree_finish(struct diff_tree *tree, uint64_t **self_ret, uint64_t **total_ret,
		      binned_weights *parts_ret)
{
	uint32_t columns = tree->column_count;
	size_t count = tree->nodes.count;
	uint32_t *node_of_row = make_rows(tree);
	uint64_t *self = memory_alloc(count * columns, sizeof(*self));
	uint64_t *total = memory_alloc(count * columns, sizeof(*total));

	for (size_t row = 0; row < count; row++)
		memcpy(self + row * columns, tree->self.at + (size_t)node_of_row[row] * columns,
		       columns * sizeof(*self));
	memcpy(total, self, count * columns * sizeof(*self));
	for (size_t row = count; row-- > 1;) {
		uint64_t *parent = total + (size_t)tree->profile->stacks.at[row].parent * columns;

		for (uint32_t i = 0; i < columns; i++)
			parent[i] = saturate_add(parent[i], total[row * columns + i]);
	}
	*parts_ret = sort_parts(tree, node_of_row);
	memory_free(node_of_row);
	vec_free(&tree->parts);
	vec_free(&tree->nodes);
	vec_free(&tree->self);
	diff_frames_deinit(&tree->frames);
	idtable_deinit(&tree->ids);
	*self_ret = self;
	*total_ret = total;
}
