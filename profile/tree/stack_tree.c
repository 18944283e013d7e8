/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_tree.h"

#include "base/arithmetic.h"
#include "base/workers.h"

/* With fewer stacks, starting a thread is not worth while. */
#define RUN_STACKS_MIN 1024
/*
 * Each thread gets several runs, because runs with equal numbers of stacks can have very different
 * numbers of rows.
 */
#define RUNS_PER_THREAD 4

/* Finds the parent of a row among the previous rows. */
static void set_parent(struct stack *rows, uint32_t row)
{
	uint32_t parent = row ? row - 1 : 0;

	while (parent && rows[parent].depth >= rows[row].depth)
		parent = rows[parent].parent;
	rows[row].parent = parent;
}

struct stack *stack_tree_add_row(struct profile *profile, uint32_t depth, uint32_t frame)
{
	uint32_t row = (uint32_t)profile->stacks.count;

	vec_push(&profile->stacks, (struct stack){ .frame = { frame }, .depth = depth });
	set_parent(profile->stacks.at, row);
	return &profile->stacks.at[row];
}

void stack_tree_finish(struct profile *profile)
{
	struct stack *rows = profile->stacks.at;

	for (uint32_t i = (uint32_t)profile->stacks.count; i-- > 0;) {
		struct stack *row = &rows[i];
		struct stack *parent = &rows[row->parent];

		/*
		 * This loop visits the last child first, and this child sets the end. A row without
		 * children ends at the next row.
		 */
		row->end = row->end ? row->end : i + 1;
		row->total = saturate_add(row->total, row->self);
		if (!i)
			return;
		parent->end = parent->end ? parent->end : row->end;
		parent->total = saturate_add(parent->total, row->total);
	}
}

void stack_tree_chart_init(struct stack_tree_chart *chart, struct profile *profile)
{
	*chart = (struct stack_tree_chart){ .profile = profile };
	stack_tree_add_row(profile, 0, 0);
	vec_push(&profile->begins, 0);
	vec_push(&chart->open, 0);
}

void stack_tree_chart_deinit(struct stack_tree_chart *chart)
{
	vec_free(&chart->open);
}

void stack_tree_chart_move(struct stack_tree_chart *chart, uint64_t begin, uint32_t depth)
{
	chart->weight_before = begin;
	if (chart->open.count > (size_t)depth + 1)
		chart->open.count = (size_t)depth + 1;
}

void stack_tree_chart_add(struct stack_tree_chart *chart, const uint32_t *frames, uint32_t count,
			  uint64_t weight)
{
	struct profile *profile = chart->profile;
	uint32_t depth = 0;
	uint64_t *self;

	while (depth < count && depth + 1 < chart->open.count &&
	       profile->stacks.at[chart->open.at[depth + 1]].frame.i == frames[depth])
		depth++;
	chart->open.count = depth + 1;
	for (; depth < count; depth++) {
		vec_push(&chart->open, (uint32_t)profile->stacks.count);
		stack_tree_add_row(profile, depth + 1, frames[depth]);
		vec_push(&profile->begins, chart->weight_before);
	}
	self = &profile->stacks.at[chart->open.at[count]].self;
	*self = saturate_add(*self, weight);
	chart->weight_before = saturate_add(chart->weight_before, weight);
}

/*
 * A stack that shares rows with the previous stack, although some frames in these rows differ,
 * because frames with the same rank share a row.
 */
struct met_stack {
	const struct sorted_stack *stack;
	uint32_t leaf; /* row */
};

/* A range of stacks that one thread processes. All stacks with the same leaf are in one run. */
struct stack_run {
	size_t begin, end; /* stacks */
	uint32_t first_row;
	uint64_t row_count;
	VEC(struct met_stack) met; /* in stack order */
	uint64_t sample_count;
};

struct forest {
	struct profile *profile;
	const uint32_t *rank;
	const struct sorted_stack *stacks;
	size_t stack_count;
	uint32_t *common; /* number of rows that each stack shares with the previous one */
	struct stack_run *runs;
	size_t run_count;
};

/* Like stack_common_depth, but frames with the same rank share a row. */
static uint32_t common_rows(const struct forest *forest, size_t index)
{
	const struct sorted_stack *stack = &forest->stacks[index];
	const struct sorted_stack *before = stack - 1;
	const uint32_t *rank = forest->rank;
	uint32_t depth = 0;

	if (!index)
		return 0;
	for (;;) {
		depth = stack_common_depth(stack, before, depth);
		if (depth == stack->count || depth == before->count ||
		    rank[stack->frames[depth]] != rank[before->frames[depth]])
			return depth;
		depth++;
	}
}

static void count_rows(void *context, size_t index)
{
	struct forest *forest = context;
	struct stack_run *run = &forest->runs[index];

	for (size_t i = run->begin; i < run->end; i++) {
		forest->common[i] = common_rows(forest, i);
		run->row_count += forest->stacks[i].count - forest->common[i];
	}
}

/* Adds the stack's weight to its leaf, the last row that was made. */
static void weigh_leaf(const struct forest *forest, size_t index, uint32_t leaf)
{
	const struct sorted_stack *stack = &forest->stacks[index];
	struct profile *profile = forest->profile;
	uint64_t *self = &profile->stacks.at[leaf].self;

	*self = saturate_add(*self, stack->weight);
	profile_count_samples(profile, leaf, stack->sample_count);
	if (profile->time_bin_count)
		profile->stack_bins.at[index] = (struct stack_bin){
			.row = leaf,
			.time_bin = stack->time_bin,
			.cpu = stack->cpu,
			.weight = stack->weight,
		};
}

static void make_rows(void *context, size_t index)
{
	const struct forest *forest = context;
	struct stack *rows = forest->profile->stacks.at;
	struct stack_run *run = &forest->runs[index];
	uint32_t next = run->first_row;

	for (size_t i = run->begin; i < run->end; i++) {
		const struct sorted_stack *stack = &forest->stacks[i];

		for (uint32_t depth = forest->common[i]; depth < stack->count; depth++)
			rows[next++] = (struct stack){ .frame = { stack->frames[depth] },
						       .depth = depth + 1 };
		if (i && stack_common_depth(stack, stack - 1, 0) < forest->common[i])
			vec_push(&run->met, (struct met_stack){ stack, next - 1 });
		weigh_leaf(forest, i, next - 1);
		run->sample_count = saturate_add(run->sample_count, stack->sample_count);
	}
}

/*
 * Merges the frames that share rows. Frames with the same name are in any order, so partly merged
 * frames differ between runs. Merged frames are therefore apart: their ids follow those of `own`.
 */
static void merge_frames(const struct forest *forest, const struct frame_table *own,
			 struct stack_run *run, struct frame_table *merged)
{
	struct stack *rows = forest->profile->stacks.at;
	uint32_t own_count = (uint32_t)own->rows.count;

	for (size_t i = 0; i < run->met.count; i++) {
		const struct met_stack *met = &run->met.at[i];

		for (uint32_t row = met->leaf; row; row = rows[row].parent) {
			uint32_t id = rows[row].frame.i;
			uint32_t other = met->stack->frames[rows[row].depth - 1];
			struct frame frame;

			if (id == other)
				continue;
			frame = id < own_count ? own->rows.at[id] : merged->rows.at[id - own_count];
			frame_merge(&frame, &own->rows.at[other], forest->profile->modules);
			rows[row].frame.i = own_count + frame_table_intern(merged, &frame);
		}
	}
	vec_free(&run->met);
}

/* Adds the merged frames that rows have, in the order of rows. */
static void take_merged(struct profile *profile, struct frame_table *own,
			const struct frame_table *merged)
{
	uint32_t own_count = (uint32_t)own->rows.count;

	if (!merged->rows.count)
		return;
	for (size_t row = 1; row < profile->stacks.count; row++) {
		uint32_t *id = &profile->stacks.at[row].frame.i;

		if (*id >= own_count)
			*id = frame_table_intern(own, &merged->rows.at[*id - own_count]);
	}
}

static void merge_all_frames(const struct forest *forest, struct frame_table *own)
{
	struct frame_table merged;

	frame_table_init(&merged);
	for (size_t i = 0; i < forest->run_count; i++)
		merge_frames(forest, own, &forest->runs[i], &merged);
	take_merged(forest->profile, own, &merged);
	frame_table_deinit(&merged);
}

/*
 * Returns the index of the stack after the last stack of a run. Stacks with the same leaf stay in
 * one run.
 */
static size_t end_of_run(const struct forest *forest, size_t index)
{
	size_t end = forest->stack_count * (index + 1) / forest->run_count;

	while (end < forest->stack_count && common_rows(forest, end) == forest->stacks[end].count)
		end++;
	return end;
}

static void divide(struct forest *forest, unsigned thread_count)
{
	size_t count = forest->stack_count / RUN_STACKS_MIN + 1;

	if (thread_count < 2)
		count = 1;
	else if (count > (size_t)thread_count * RUNS_PER_THREAD)
		count = (size_t)thread_count * RUNS_PER_THREAD;
	forest->run_count = count;
	forest->runs = memory_zalloc(count, sizeof(*forest->runs));
	for (size_t i = 0; i < count; i++) {
		forest->runs[i].begin = i ? forest->runs[i - 1].end : 0;
		forest->runs[i].end = end_of_run(forest, i);
	}
}

/* Allocates the rows of all runs and the root. */
static void make_room(struct forest *forest)
{
	struct profile *profile = forest->profile;
	uint64_t row_count = 1;

	for (size_t i = 0; i < forest->run_count; i++) {
		forest->runs[i].first_row = (uint32_t)row_count;
		row_count += forest->runs[i].row_count;
	}
	/* Row numbers have 32 bits. */
	if (row_count > UINT32_MAX)
		memory_exhausted(SIZE_MAX);
	vec_reserve(&profile->stacks, (size_t)row_count);
	profile->stacks.count = (size_t)row_count;
	profile->stacks.at[0] = (struct stack){ 0 };
	profile_count_samples(profile, 0, 0);
	if (!profile->time_bin_count)
		return;
	vec_reserve(&profile->stack_bins, forest->stack_count);
	profile->stack_bins.count = forest->stack_count;
}

void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count)
{
	struct forest forest = {
		.profile = profile,
		.rank = frames->rank,
		.stacks = stacks,
		.stack_count = count,
		.common = memory_alloc(count, sizeof(*forest.common)),
	};

	divide(&forest, thread_count);
	workers_run(thread_count, forest.run_count, count_rows, &forest);
	make_room(&forest);
	workers_run(thread_count, forest.run_count, make_rows, &forest);
	for (uint32_t row = 0; row < profile->stacks.count; row++)
		set_parent(profile->stacks.at, row);
	stack_tree_finish(profile);
	merge_all_frames(&forest, &frames->table);
	for (size_t i = 0; i < forest.run_count; i++)
		profile->view_sample_count =
			saturate_add(profile->view_sample_count, forest.runs[i].sample_count);
	memory_free(forest.runs);
	memory_free(forest.common);
}
