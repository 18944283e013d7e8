/* SPDX-License-Identifier: MIT */
#include "render/svg/embed_rows.h"

#include "base/arithmetic.h"
#include "profile/missing.h"

/* State while the rows are written. */
struct row_writer {
	struct embed_rows *to;
	uint32_t mark_frame;
	uint64_t row_count, gap_row;
	uint64_t *left; /* by kept row: weight left out below it, of the AFTER side */
	uint64_t *left_before;
	/* flame chart, by depth: where the next row begins if there is no gap */
	VEC(uint64_t) ends;
	struct {                /* flame chart: the marker to which rows can still be added */
		uint32_t depth; /* 0 if none */
		uint64_t begin, width;
		uint64_t left, left_before;
	} mark;
};

void embed_rows_init(struct embed_rows *rows)
{
	embed_columns_init(&rows->columns);
	sink_init_memory(&rows->gaps);
}

void embed_rows_deinit(struct embed_rows *rows)
{
	embed_columns_deinit(&rows->columns);
	sink_deinit(&rows->gaps);
}

static void write_number(struct sink *sink, uint64_t value)
{
	if (sink->used)
		sink_char(sink, ',');
	sink_u64(sink, value);
}

static void write_row(struct row_writer *writer, uint32_t depth, uint32_t frame, uint64_t self)
{
	struct embed_rows *to = writer->to;

	embed_columns_add(&to->columns, depth, numbering_of(to->frames, frame), self);
	writer->row_count++;
}

static bool is_kept(const struct row_writer *writer, uint32_t row)
{
	const struct profile *profile = writer->to->profile;
	bool is_lane = profile->lanes.count && profile->stacks.at[row].parent == 0;

	return profile->stacks.at[row].total >= writer->to->least || is_lane;
}

/* Adds up the weight left out below each row that is kept. */
static void count_left(struct row_writer *writer)
{
	const struct profile *profile = writer->to->profile;
	const struct embed_sides *sides = writer->to->sides;

	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];
		uint64_t *left = &writer->left[stack->parent];

		if (is_kept(writer, i)) {
			i++;
			continue;
		}
		*left = saturate_add(*left, sides ? sides->total[1][i] : stack->total);
		if (sides) {
			uint64_t *left_before = &writer->left_before[stack->parent];

			*left_before = saturate_add(*left_before, sides->total[0][i]);
		}
		i = stack->end;
	}
}

static void write_mark(struct row_writer *writer, uint32_t depth, uint64_t left,
		       uint64_t left_before)
{
	const struct embed_sides *sides = writer->to->sides;

	write_row(writer, depth, writer->mark_frame, left);
	if (sides)
		embed_columns_add_sides(&writer->to->columns, left_before, sides->colour_left, 0);
}

static void write_left(struct row_writer *writer, uint32_t row)
{
	uint64_t before = writer->to->sides ? writer->left_before[row] : 0;

	if (writer->left[row] || before)
		write_mark(writer, writer->to->profile->stacks.at[row].depth + 1, writer->left[row],
			   before);
}

static void write_kept(struct row_writer *writer, uint32_t row)
{
	const struct stack *stack = &writer->to->profile->stacks.at[row];
	const struct embed_sides *sides = writer->to->sides;

	write_row(writer, stack->depth, stack->frame.i, sides ? sides->self[1][row] : stack->self);
	if (sides)
		embed_columns_add_sides(&writer->to->columns, sides->self[0][row],
					sides->colour[row], sides->confidence[row]);
}

static void write_graph(struct row_writer *writer)
{
	const struct profile *profile = writer->to->profile;
	size_t count = profile->stacks.count;

	writer->left = memory_zalloc(count, sizeof(*writer->left));
	writer->left_before =
		writer->to->sides ? memory_zalloc(count, sizeof(*writer->left_before)) : NULL;
	count_left(writer);
	write_left(writer, 0);
	for (uint32_t i = 1; i < count;) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_kept(writer, i)) {
			i = stack->end;
			continue;
		}
		write_kept(writer, i);
		write_left(writer, i);
		i++;
	}
	memory_free(writer->left);
	memory_free(writer->left_before);
}

/* Writes a gap if the row does not begin where its left sibling ends. */
static void write_gap(struct row_writer *writer, uint32_t depth, uint64_t begin, uint64_t width)
{
	uint64_t end = writer->ends.at[depth];

	if (begin > end) {
		write_number(&writer->to->gaps, writer->row_count - writer->gap_row);
		write_number(&writer->to->gaps, begin - end);
		writer->gap_row = writer->row_count;
	}
	writer->ends.at[depth] = saturate_add(begin, width);
	writer->ends.count = depth + 1;
	vec_push(&writer->ends, begin);
}

static void end_mark(struct row_writer *writer)
{
	if (!writer->mark.depth)
		return;
	write_gap(writer, writer->mark.depth, writer->mark.begin, writer->mark.width);
	write_mark(writer, writer->mark.depth, writer->mark.left, writer->mark.left_before);
	writer->mark.depth = 0;
}

/* Adds a left-out row of a flame chart to the current marker, or starts a new one. */
static void add_to_mark(struct row_writer *writer, uint32_t row)
{
	const struct stack *stack = &writer->to->profile->stacks.at[row];
	const struct embed_sides *sides = writer->to->sides;
	uint64_t begin = writer->to->profile->begins.at[row];
	uint64_t end = saturate_add(writer->mark.begin, writer->mark.width);

	if (writer->mark.depth != stack->depth || begin - end >= writer->to->least) {
		end_mark(writer);
		memset(&writer->mark, 0, sizeof(writer->mark));
		writer->mark.depth = stack->depth;
		writer->mark.begin = begin;
	}
	writer->mark.width = saturate_add(writer->mark.width, stack->total);
	writer->mark.left =
		saturate_add(writer->mark.left, sides ? sides->total[1][row] : stack->total);
	if (sides)
		writer->mark.left_before =
			saturate_add(writer->mark.left_before, sides->total[0][row]);
}

static void write_chart(struct row_writer *writer)
{
	const struct profile *profile = writer->to->profile;

	vec_push(&writer->ends, 0);
	vec_push(&writer->ends, 0);
	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_kept(writer, i)) {
			add_to_mark(writer, i);
			i = stack->end;
			continue;
		}
		end_mark(writer);
		write_gap(writer, stack->depth, profile->begins.at[i], stack->total);
		write_kept(writer, i);
		i++;
	}
	end_mark(writer);
	vec_free(&writer->ends);
}

void embed_rows_write(struct embed_rows *rows)
{
	struct row_writer writer = {
		.to = rows,
		.mark_frame = missing_left_out_frame(rows->profile),
	};

	if (rows->profile->begins.count)
		write_chart(&writer);
	else
		write_graph(&writer);
}
