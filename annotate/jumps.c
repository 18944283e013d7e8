/* SPDX-License-Identifier: MIT */
#include "annotate/jumps.h"

#include "base/arithmetic.h"

/* The parts of arrows in a cell of a lane. */
enum jump_cell {
	CELL_UP = 1,    /* the arrow continues to the row above */
	CELL_DOWN = 2,  /* the arrow continues to the row below */
	CELL_RIGHT = 4, /* the arrow continues to the instruction */
};

/* The ends of arrows at a row. */
enum jump_end {
	END_SOURCE = 1,
	END_TARGET = 2,
};

static const struct annotated_instruction *
row_of(const struct annotation *annotation, const struct annotated_function *function, uint32_t row)
{
	return &annotation->instructions.at[function->instruction_first + row];
}

static int compare_starts(const void *a, const void *b)
{
	const struct code_loop *left = a, *right = b;

	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return (left->last < right->last) - (left->last > right->last);
}

static int compare_heat(const void *a, const void *b)
{
	const struct code_loop *left = a, *right = b;
	uint32_t left_length = left->last - left->first;
	uint32_t right_length = right->last - right->first;

	for (uint32_t i = 0; i < ANNOTATION_EVENTS_MAX; i++)
		if (left->counts[i].weight != right->counts[i].weight)
			return left->counts[i].weight > right->counts[i].weight ? -1 : 1;
	if (left_length != right_length)
		return left_length < right_length ? -1 : 1;
	return (left->first > right->first) - (left->first < right->first);
}

/*
 * Maximum number of passes over a loop's code. A further pass is needed if a backward jump reached
 * new code.
 */
#define REACH_PASSES_MAX 4

/*
 * Follows the code from the first row of a loop. Returns whether a further pass can reach more
 * rows.
 */
static bool reach(const struct annotation *annotation, const struct annotated_function *function,
		  const struct code_loop *loop, bool *is_reached)
{
	bool has_changed = false;

	for (uint32_t i = loop->first; i < loop->last; i++) {
		const struct annotated_instruction *row = row_of(annotation, function, i);
		uint32_t target = row->target_row;

		if (!is_reached[i])
			continue;
		if (!row->ends_flow)
			is_reached[i + 1] = true;
		if (target < loop->first || target > loop->last)
			continue;
		has_changed |= target < i && !is_reached[target];
		is_reached[target] = true;
	}
	return has_changed;
}

/*
 * Whether execution can get from the target of a backward jump to the jump itself. Execution cannot
 * do so if the jump only leads back from code that the compiler moved to the end of the function.
 */
static bool is_loop(const struct annotation *annotation, const struct annotated_function *function,
		    const struct code_loop *loop, bool *is_reached, uint32_t *steps_left)
{
	memset(is_reached + loop->first, 0, (size_t)loop->last - loop->first + 1);
	is_reached[loop->first] = true;
	for (int i = 0; i < REACH_PASSES_MAX; i++) {
		uint32_t steps = loop->last - loop->first + 1;

		if (*steps_left < steps)
			return true;
		*steps_left -= steps;
		if (!reach(annotation, function, loop, is_reached))
			break;
	}
	return is_reached[loop->last];
}

/*
 * Keeps only the longest of several loops with the same start, because several jumps can lead to
 * one start.
 */
static void join_loops(code_loop_list *loops)
{
	size_t kept = 0;

	if (loops->count)
		qsort(loops->at, loops->count, sizeof(*loops->at), compare_starts);
	for (size_t i = 0; i < loops->count; i++)
		if (!kept || loops->at[kept - 1].first != loops->at[i].first)
			loops->at[kept++] = loops->at[i];
	loops->count = kept;
}

/*
 * Sums the counts of one event in each loop. before: scratch buffer for the sums over the
 * instructions before each row.
 */
static void sum_loops(const struct annotation *annotation,
		      const struct annotated_function *function, uint32_t event,
		      struct annotation_count *before, code_loop_list *loops)
{
	before[0] = (struct annotation_count){ 0 };
	for (uint32_t i = 0; i < function->instruction_count; i++) {
		const struct annotation_count *count =
			&annotation_counts(annotation, function->instruction_first + i)[event];

		before[i + 1].sample_count =
			saturate_add(before[i].sample_count, count->sample_count);
		before[i + 1].weight = saturate_add(before[i].weight, count->weight);
	}
	for (size_t i = 0; i < loops->count; i++) {
		struct code_loop *loop = &loops->at[i];
		const struct annotation_count *end = &before[loop->last + 1];
		const struct annotation_count *begin = &before[loop->first];

		loop->counts[event] = (struct annotation_count){
			.sample_count = end->sample_count - begin->sample_count,
			.weight = end->weight - begin->weight,
		};
	}
}

static bool has_samples(const struct code_loop *loop)
{
	for (uint32_t i = 0; i < ANNOTATION_EVENTS_MAX; i++)
		if (loop->counts[i].sample_count)
			return true;
	return false;
}

void code_loops_find(const struct annotation *annotation, const struct annotated_function *function,
		     code_loop_list *ret)
{
	struct annotation_count *before =
		memory_alloc((size_t)function->instruction_count + 1, sizeof(*before));
	bool *is_reached = memory_zalloc((size_t)function->instruction_count + 1, sizeof(bool));
	uint32_t steps_left = LIMIT_LOOP_STEPS;
	size_t kept = 0;

	ret->count = 0;
	for (uint32_t i = 0; i < function->instruction_count; i++) {
		struct code_loop loop = { .first = row_of(annotation, function, i)->target_row,
					  .last = i };

		if (loop.first <= i &&
		    is_loop(annotation, function, &loop, is_reached, &steps_left))
			vec_push(ret, loop);
	}
	memory_free(is_reached);
	join_loops(ret);
	for (uint32_t event = 0; event < annotation->event_count; event++)
		sum_loops(annotation, function, event, before, ret);
	for (size_t i = 0; i < ret->count; i++)
		if (has_samples(&ret->at[i]))
			ret->at[kept++] = ret->at[i];
	ret->count = kept;
	if (kept)
		qsort(ret->at, kept, sizeof(*ret->at), compare_heat);
	memory_free(before);
}

struct jump {
	uint32_t source, target;
};

static uint32_t top_of(const struct jump *jump)
{
	return jump->source < jump->target ? jump->source : jump->target;
}

static uint32_t bottom_of(const struct jump *jump)
{
	return jump->source < jump->target ? jump->target : jump->source;
}

/* Short arrows get the lanes next to the code. */
static int compare_jumps(const void *a, const void *b)
{
	const struct jump *left = a, *right = b;
	uint32_t left_length = bottom_of(left) - top_of(left);
	uint32_t right_length = bottom_of(right) - top_of(right);

	if (left_length != right_length)
		return left_length < right_length ? -1 : 1;
	return (left->source > right->source) - (left->source < right->source);
}

static unsigned char *cell_at(const struct jump_arrows *arrows, uint32_t row, uint32_t lane)
{
	return &arrows->cells[(size_t)row * JUMP_LANES_MAX + lane];
}

static bool is_free(const struct jump_arrows *arrows, const struct jump *jump, uint32_t lane)
{
	for (uint32_t row = top_of(jump); row <= bottom_of(jump); row++)
		if (*cell_at(arrows, row, lane))
			return false;
	return true;
}

static void place(struct jump_arrows *arrows, const struct jump *jump)
{
	uint32_t lane = 0;

	while (lane < JUMP_LANES_MAX && !is_free(arrows, jump, lane))
		lane++;
	if (lane == JUMP_LANES_MAX)
		return;
	if (arrows->lane_count <= lane)
		arrows->lane_count = lane + 1;
	for (uint32_t row = top_of(jump); row <= bottom_of(jump); row++)
		*cell_at(arrows, row, lane) =
			(unsigned char)((row > top_of(jump) ? CELL_UP : 0) |
					(row < bottom_of(jump) ? CELL_DOWN : 0) |
					(row == jump->source || row == jump->target ? CELL_RIGHT
										    : 0));
	arrows->ends[jump->source] |= END_SOURCE;
	arrows->ends[jump->target] |= END_TARGET;
}

void jump_arrows_init(struct jump_arrows *arrows, const struct annotation *annotation,
		      const struct annotated_function *function)
{
	VEC(struct jump) jumps = { .at = NULL };

	*arrows = (struct jump_arrows){
		.row_count = function->instruction_count,
		.cells = memory_zalloc((size_t)function->instruction_count + 1, JUMP_LANES_MAX),
		.ends = memory_zalloc((size_t)function->instruction_count + 1, 1),
	};
	for (uint32_t i = 0; i < function->instruction_count; i++) {
		struct jump jump = { i, row_of(annotation, function, i)->target_row };

		if (jump.target != ANNOTATION_NONE && jump.target != i &&
		    bottom_of(&jump) - top_of(&jump) <= JUMP_ROWS_MAX)
			vec_push(&jumps, jump);
	}
	if (jumps.count)
		qsort(jumps.at, jumps.count, sizeof(*jumps.at), compare_jumps);
	for (size_t i = 0; i < jumps.count; i++)
		place(arrows, &jumps.at[i]);
	vec_free(&jumps);
}

void jump_arrows_deinit(struct jump_arrows *arrows)
{
	memory_free(arrows->cells);
	memory_free(arrows->ends);
}

static const char *shape_of(unsigned char cell, bool is_crossed)
{
	static const char *const shapes[] = {
		[0] = " ",
		[CELL_UP | CELL_DOWN] = "│",
		[CELL_DOWN | CELL_RIGHT] = "┌",
		[CELL_UP | CELL_RIGHT] = "└",
	};

	if (!is_crossed)
		return shapes[cell];
	return !cell ? "─" : cell == (CELL_UP | CELL_DOWN) ? "┼" : cell & CELL_UP ? "┴" : "┬";
}

void jump_arrows_write(const struct jump_arrows *arrows, uint32_t row, struct sink *sink)
{
	bool is_crossed = false;

	for (uint32_t lane = arrows->lane_count; lane-- > 0;) {
		unsigned char cell = *cell_at(arrows, row, lane);

		sink_puts(sink, shape_of(cell, is_crossed));
		is_crossed |= cell & CELL_RIGHT;
	}
	if (!arrows->lane_count)
		return;
	sink_puts(sink, arrows->ends[row] & END_TARGET   ? "▶"
			: arrows->ends[row] & END_SOURCE ? "─"
							 : " ");
}
