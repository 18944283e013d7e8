/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_tree.h"

#include "base/arithmetic.h"
#include "base/workers.h"

/* Fewer stacks are not worth a thread. */
#define RUN_STACKS_MIN 1024
/* Several for each thread, as runs of equally many stacks differ much in rows. */
#define RUNS_PER_THREAD 4

/* A row of an earlier run that is still open where this run begins. */
struct inherited_row {
	uint32_t row, end;
	uint64_t self, total; /* what this run adds to the row */
};

/* A different frame of the same rank in a row. */
struct met_frame {
	uint32_t row, frame;
};

/* Samples whose leaf is a row. */
struct row_count {
	uint32_t row;
	uint64_t count;
};

struct stack_run {
	size_t begin, end; /* stacks */
	uint64_t row_count;
	uint32_t first_row;
	uint32_t inherited_count;            /* how many are still open */
	VEC(struct inherited_row) inherited; /* by depth from the root */
	VEC(uint32_t) open;                  /* rows, by depth */
	VEC(struct met_frame) met;           /* in stack order */
	VEC(struct stack_bin) stack_bins;
	VEC(struct row_count) counts;
	uint64_t sample_count;
};

struct forest {
	struct profile *profile;
	struct stack *rows;
	const uint32_t *rank;
	const struct sorted_stack *stacks;
	uint32_t *common; /* by stack: how many frames it shares with the one before */
	struct stack_run *runs;
	size_t run_count;
};

/* Like stack_common_depth, but frames of the same rank share a row. */
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

/* Looks back for the rows that the first stack of a run shares with earlier ones. */
static void inherit(const struct forest *forest, struct stack_run *run)
{
	uint32_t missing = run->begin < run->end ? forest->common[run->begin] : 0;
	uint32_t row = run->first_row;

	run->inherited_count = missing + 1;
	vec_reserve(&run->open, run->inherited_count);
	run->open.count = run->inherited_count;
	run->open.at[0] = 0;
	for (size_t i = run->begin; missing;) {
		uint32_t common = forest->common[--i];

		row -= forest->stacks[i].count - common;
		for (; missing > common; missing--)
			run->open.at[missing] = row + (missing - 1 - common);
	}
	vec_reserve(&run->inherited, run->inherited_count);
	for (uint32_t i = 0; i < run->inherited_count; i++)
		vec_push(&run->inherited, (struct inherited_row){ .row = run->open.at[i] });
}

/* Closes rows until only open_count are open; next is the next row. */
static void close_rows(const struct forest *forest, struct stack_run *run, uint32_t open_count,
		       uint32_t next)
{
	while (run->open.count > open_count) {
		size_t depth = --run->open.count;

		if (depth < run->inherited_count)
			run->inherited.at[depth].end = next;
		else
			forest->rows[run->open.at[depth]].end = next;
	}
	if (run->inherited_count > open_count)
		run->inherited_count = open_count;
}

/* Notes frames of a stack that differ from those of the rows they share. */
static void meet(const struct forest *forest, struct stack_run *run, size_t index)
{
	const struct sorted_stack *stack = &forest->stacks[index];
	uint32_t common = forest->common[index];
	uint32_t depth = 0;

	while (common && (depth = stack_common_depth(stack, stack - 1, depth)) < common) {
		vec_push(&run->met,
			 (struct met_frame){ run->open.at[depth + 1], stack->frames[depth] });
		depth++;
	}
}

static void weigh_leaf(const struct forest *forest, struct stack_run *run,
		       const struct sorted_stack *stack)
{
	uint32_t row = run->open.at[stack->count];
	uint64_t *self = stack->count < run->inherited_count ? &run->inherited.at[stack->count].self
							     : &forest->rows[row].self;

	*self = saturate_add(*self, stack->weight);
	run->sample_count = saturate_add(run->sample_count, stack->sample_count);
	if (forest->profile->keeps_sample_counts)
		vec_push(&run->counts, (struct row_count){ row, stack->sample_count });
	if (forest->profile->time_bin_count)
		vec_push(&run->stack_bins, (struct stack_bin){
						   .row = row,
						   .time_bin = stack->time_bin,
						   .weight = stack->weight,
					   });
}

/* Adds up totals of a run's rows, then of the inherited ones, each a child of the one before. */
static void sum_up(const struct forest *forest, struct stack_run *run)
{
	for (uint32_t i = run->first_row + (uint32_t)run->row_count; i-- > run->first_row;) {
		struct stack *row = &forest->rows[i];
		uint64_t *below = row->parent < run->first_row
					  ? &run->inherited.at[row->depth - 1].total
					  : &forest->rows[row->parent].total;

		row->total = saturate_add(row->total, row->self);
		*below = saturate_add(*below, row->total);
	}
	for (size_t i = run->inherited.count; i-- > 0;) {
		struct inherited_row *row = &run->inherited.at[i];

		row->total = saturate_add(row->total, row->self);
		if (i)
			row[-1].total = saturate_add(row[-1].total, row->total);
	}
}

static void make_rows(void *context, size_t index)
{
	const struct forest *forest = context;
	struct stack_run *run = &forest->runs[index];
	uint32_t next = run->first_row;

	inherit(forest, run);
	for (size_t i = run->begin; i < run->end; i++) {
		const struct sorted_stack *stack = &forest->stacks[i];

		close_rows(forest, run, forest->common[i] + 1, next);
		meet(forest, run, i);
		vec_reserve(&run->open, (size_t)stack->count + 1);
		for (uint32_t k = forest->common[i]; k < stack->count; k++) {
			forest->rows[next] = (struct stack){
				.parent = run->open.at[k],
				.frame = { stack->frames[k] },
				.depth = k + 1,
			};
			run->open.at[run->open.count++] = next++;
		}
		weigh_leaf(forest, run, stack);
	}
	close_rows(forest, run, 0, next);
	sum_up(forest, run);
}

/* Adds what a run has for rows of earlier runs. */
static void settle(struct forest *forest, const struct stack_run *run, struct frame_table *table)
{
	struct profile *profile = forest->profile;

	for (size_t i = 0; i < run->inherited.count; i++) {
		const struct inherited_row *more = &run->inherited.at[i];
		struct stack *row = &forest->rows[more->row];

		row->end = more->end;
		row->self = saturate_add(row->self, more->self);
		row->total = saturate_add(row->total, more->total);
	}
	for (size_t i = 0; i < run->met.count; i++) {
		struct stack *row = &forest->rows[run->met.at[i].row];

		row->frame.i = frame_table_merge(table, row->frame.i, run->met.at[i].frame);
	}
	for (size_t i = 0; i < run->stack_bins.count; i++)
		vec_push(&profile->stack_bins, run->stack_bins.at[i]);
	for (size_t i = 0; i < run->counts.count; i++)
		profile_count_samples(profile, run->counts.at[i].row, run->counts.at[i].count);
	profile->view_sample_count = saturate_add(profile->view_sample_count, run->sample_count);
}

static void run_deinit(struct stack_run *run)
{
	vec_free(&run->inherited);
	vec_free(&run->open);
	vec_free(&run->met);
	vec_free(&run->stack_bins);
	vec_free(&run->counts);
}

static void divide(struct forest *forest, size_t stack_count, unsigned thread_count)
{
	size_t count = stack_count / RUN_STACKS_MIN + 1;

	if (thread_count < 2)
		count = 1;
	else if (count > (size_t)thread_count * RUNS_PER_THREAD)
		count = (size_t)thread_count * RUNS_PER_THREAD;
	forest->run_count = count;
	forest->runs = memory_zalloc(count, sizeof(*forest->runs));
	for (size_t i = 0; i < count; i++) {
		forest->runs[i].begin = stack_count * i / count;
		forest->runs[i].end = stack_count * (i + 1) / count;
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
	forest->rows = profile->stacks.at;
	forest->rows[0] = (struct stack){ 0 };
}

void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count)
{
	struct forest forest = {
		.profile = profile,
		.rank = frames->rank,
		.stacks = stacks,
		.common = memory_alloc(count, sizeof(*forest.common)),
	};

	divide(&forest, count, thread_count);
	workers_run(thread_count, forest.run_count, count_rows, &forest);
	make_room(&forest);
	workers_run(thread_count, forest.run_count, make_rows, &forest);
	for (size_t i = 0; i < forest.run_count; i++) {
		settle(&forest, &forest.runs[i], &frames->table);
		run_deinit(&forest.runs[i]);
	}
	memory_free(forest.runs);
	memory_free(forest.common);
}
