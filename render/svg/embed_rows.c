/* SPDX-License-Identifier: MIT */
#include "render/svg/embed_rows.h"

#include "base/saturate.h"
#include "profile/missing.h"

/* What is known while rows are written. */
struct walk {
	struct embed_rows *to;
	uint32_t mark_frame;
	uint32_t depth; /* of the row written last */
	uint64_t row_count, gap_row;
	uint64_t *left; /* by row that is kept: what of it was left out; with sides that of after */
	uint64_t *left_before;
	VEC(uint64_t) ends; /* of a chart, by depth: where the next row would be without a gap */
	struct {            /* of a chart: a mark that may still grow */
		uint32_t depth; /* 0: there is none */
		uint64_t begin, width;
		uint64_t left, left_before;
	} mark;
};

void embed_rows_init(struct embed_rows *rows)
{
	sink_init_memory(&rows->rows);
	sink_init_memory(&rows->gaps);
}

void embed_rows_deinit(struct embed_rows *rows)
{
	sink_deinit(&rows->rows);
	sink_deinit(&rows->gaps);
}

static void write_number(struct sink *sink, uint64_t value)
{
	if (sink->used)
		sink_char(sink, ',');
	sink_u64(sink, value);
}

/* Levels between the row before and the parent of a row at depth come first. */
static void write_row(struct walk *walk, uint32_t depth, uint32_t frame, uint64_t self)
{
	struct embed_rows *to = walk->to;

	write_number(&to->rows, walk->depth + 1 - depth);
	write_number(&to->rows, numbering_of(to->frames, frame));
	write_number(&to->rows, self);
	walk->depth = depth;
	walk->row_count++;
}

/* What rows have only where there are two sides. */
static void write_sides(struct walk *walk, uint64_t before, uint32_t colour, uint32_t confidence)
{
	write_number(&walk->to->rows, before);
	write_number(&walk->to->rows, colour);
	write_number(&walk->to->rows, confidence);
}

static bool is_kept(const struct walk *walk, uint32_t row)
{
	return walk->to->profile->stacks.at[row].total >= walk->to->least;
}

/* What of each row was left out, counted where the kept part of its stack ends. */
static void count_left(struct walk *walk)
{
	const struct profile *profile = walk->to->profile;
	const struct embed_sides *sides = walk->to->sides;

	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];
		uint64_t *left = &walk->left[stack->parent];

		if (is_kept(walk, i)) {
			i++;
			continue;
		}
		*left = saturate_add(*left, sides ? sides->total[1][i] : stack->total);
		if (sides) {
			uint64_t *left_before = &walk->left_before[stack->parent];

			*left_before = saturate_add(*left_before, sides->total[0][i]);
		}
		i = stack->end;
	}
}

static void write_mark(struct walk *walk, uint32_t depth, uint64_t left, uint64_t left_before)
{
	const struct embed_sides *sides = walk->to->sides;

	write_row(walk, depth, walk->mark_frame, left);
	if (sides)
		write_sides(walk, left_before, sides->colour_left, 0);
}

static void write_left(struct walk *walk, uint32_t row)
{
	uint64_t before = walk->to->sides ? walk->left_before[row] : 0;

	if (walk->left[row] || before)
		write_mark(walk, walk->to->profile->stacks.at[row].depth + 1, walk->left[row],
			   before);
}

static void write_kept(struct walk *walk, uint32_t row)
{
	const struct stack *stack = &walk->to->profile->stacks.at[row];
	const struct embed_sides *sides = walk->to->sides;

	write_row(walk, stack->depth, stack->frame.i, sides ? sides->self[1][row] : stack->self);
	if (sides)
		write_sides(walk, sides->self[0][row], sides->colour[row], sides->confidence[row]);
}

static void write_graph(struct walk *walk)
{
	const struct profile *profile = walk->to->profile;
	size_t count = profile->stacks.count;

	walk->left = memory_zalloc(count, sizeof(*walk->left));
	walk->left_before =
		walk->to->sides ? memory_zalloc(count, sizeof(*walk->left_before)) : NULL;
	count_left(walk);
	write_left(walk, 0);
	for (uint32_t i = 1; i < count;) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_kept(walk, i)) {
			i = stack->end;
			continue;
		}
		write_kept(walk, i);
		write_left(walk, i);
		i++;
	}
	memory_free(walk->left);
	memory_free(walk->left_before);
}

/* A row of a chart is about to be written: two numbers where it does not begin where the one before ends. */
static void place(struct walk *walk, uint32_t depth, uint64_t begin, uint64_t width)
{
	uint64_t end = walk->ends.at[depth];

	if (begin > end) {
		write_number(&walk->to->gaps, walk->row_count - walk->gap_row);
		write_number(&walk->to->gaps, begin - end);
		walk->gap_row = walk->row_count;
	}
	walk->ends.at[depth] = saturate_add(begin, width);
	walk->ends.count = depth + 1;
	vec_push(&walk->ends, begin);
}

static void end_mark(struct walk *walk)
{
	if (!walk->mark.depth)
		return;
	place(walk, walk->mark.depth, walk->mark.begin, walk->mark.width);
	write_mark(walk, walk->mark.depth, walk->mark.left, walk->mark.left_before);
	walk->mark.depth = 0;
}

/* Adds a row of a chart that was left out to the mark before it, or begins another. */
static void add_to_mark(struct walk *walk, uint32_t row)
{
	const struct stack *stack = &walk->to->profile->stacks.at[row];
	const struct embed_sides *sides = walk->to->sides;
	uint64_t begin = walk->to->profile->begins.at[row];
	uint64_t end = saturate_add(walk->mark.begin, walk->mark.width);

	if (walk->mark.depth != stack->depth || begin - end >= walk->to->least) {
		end_mark(walk);
		memset(&walk->mark, 0, sizeof(walk->mark));
		walk->mark.depth = stack->depth;
		walk->mark.begin = begin;
	}
	walk->mark.width = saturate_add(walk->mark.width, stack->total);
	walk->mark.left =
		saturate_add(walk->mark.left, sides ? sides->total[1][row] : stack->total);
	if (sides)
		walk->mark.left_before = saturate_add(walk->mark.left_before, sides->total[0][row]);
}

static void write_chart(struct walk *walk)
{
	const struct profile *profile = walk->to->profile;

	vec_push(&walk->ends, 0);
	vec_push(&walk->ends, 0);
	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_kept(walk, i)) {
			add_to_mark(walk, i);
			i = stack->end;
			continue;
		}
		end_mark(walk);
		place(walk, stack->depth, profile->begins.at[i], stack->total);
		write_kept(walk, i);
		i++;
	}
	end_mark(walk);
	vec_free(&walk->ends);
}

void embed_rows_write(struct embed_rows *rows)
{
	struct walk walk = {
		.to = rows,
		.mark_frame = missing_left_out_frame(rows->profile),
	};

	if (rows->profile->begins.count)
		write_chart(&walk);
	else
		write_graph(&walk);
}
