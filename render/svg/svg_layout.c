/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_layout.h"

#include "base/arithmetic.h"

/* Millionths of a pixel in a tenth of a pixel. */
#define MILLIONTHS 100000

/*
 * Levels are folded from the first level whose frames have less than a 200th of the total. For
 * levels that do not fit into a window 800 pixels high, less than a 40th suffices. Folding fewer
 * than FOLD_LEVELS_MIN levels is not worth it. The viewer has the same numbers.
 */
#define FOLD_SHARE      200
#define FOLD_SHARE_HIGH 40
#define FOLD_LEVEL_HIGH 34
#define FOLD_LEVELS_MIN 8

struct scale {
	uint64_t total;
	uint32_t width;
	bool is_rounded;
};

static uint32_t position(const struct scale *scale, uint64_t units)
{
	struct ratio ratio;

	/* A part can exceed the whole only if sums were saturated. */
	if (units > scale->total)
		units = scale->total;
	ratio = ratio_of(units, scale->width, scale->total);
	/* Halves are rounded up. */
	return (uint32_t)ratio.quotient +
	       (scale->is_rounded && ratio.remainder >= scale->total - scale->total / 2);
}

/* Returns the weight of a rectangle that is minimum_width wide. */
static uint64_t least_weight(const struct scale *scale, uint64_t minimum_width)
{
	struct ratio least =
		ratio_of(scale->total, minimum_width, (uint64_t)scale->width * MILLIONTHS);

	return least.quotient + (least.remainder != 0);
}

void svg_layout_init(struct svg_layout *layout, const struct profile *profile, uint64_t total,
		     uint32_t width, uint64_t minimum_width, bool is_rounded)
{
	const struct stack *stacks = profile->stacks.at;
	struct scale scale = { .total = total, .width = width, .is_rounded = is_rounded };
	uint64_t least;
	VEC(uint64_t) begins = { 0 }; /* by depth: where the next rectangle begins */

	*layout = (struct svg_layout){ 0 };
	if (!profile->stacks.count || !total)
		return;
	least = least_weight(&scale, minimum_width);
	vec_push(&begins, 0);
	for (uint32_t row = 0; row < profile->stacks.count;) {
		const struct stack *stack = &stacks[row];
		uint64_t begin =
			profile->begins.count ? profile->begins.at[row] : begins.at[stack->depth];
		struct layout_rect rect = { .row = row, .depth = stack->depth };

		rect.x = position(&scale, begin);
		begins.at[stack->depth] = saturate_add(begin, row ? stack->total : total);
		rect.width = position(&scale, begins.at[stack->depth]) - rect.x;
		if (stack->total < least && row) {
			layout->dropped_count += stack->end - row;
			row = stack->end;
			continue;
		}
		begins.count = stack->depth + 1;
		vec_push(&begins, begin);
		if (stack->depth >= layout->depth_count)
			layout->depth_count = stack->depth + 1;
		vec_push(&layout->rects, rect);
		row++;
	}
	vec_free(&begins);
}

static uint64_t weight_of(const struct profile *profile, const struct layout_rect *rect,
			  uint64_t total)
{
	return rect->row ? profile->stacks.at[rect->row].total : total;
}

/* Returns the lowest level to fold. *ret becomes the weight of its frames. */
static uint32_t find_fold(const struct svg_layout *layout, const struct profile *profile,
			  uint64_t total, uint64_t *ret)
{
	uint64_t *weights = memory_zalloc(layout->depth_count, sizeof(*weights));
	uint32_t depth;

	*ret = 0;
	for (size_t i = 0; i < layout->rects.count; i++) {
		const struct layout_rect *rect = &layout->rects.at[i];

		weights[rect->depth] =
			saturate_add(weights[rect->depth], weight_of(profile, rect, total));
	}
	for (depth = 0; depth < layout->depth_count; depth++) {
		*ret = weights[depth];
		if (*ret < total / FOLD_SHARE ||
		    (depth >= FOLD_LEVEL_HIGH && *ret < total / FOLD_SHARE_HIGH))
			break;
	}
	memory_free(weights);
	return depth;
}

void svg_layout_fold(struct svg_layout *layout, const struct profile *profile, uint64_t total)
{
	uint64_t weight;
	uint32_t first = find_fold(layout, profile, total, &weight);
	size_t count = 0;

	if (layout->depth_count < first + FOLD_LEVELS_MIN)
		return;
	for (size_t i = 0; i < layout->rects.count; i++)
		if (layout->rects.at[i].depth <= first)
			layout->rects.at[count++] = layout->rects.at[i];
	layout->rects.count = count;
	layout->fold = (struct svg_fold){ layout->depth_count - first, weight };
	layout->depth_count = first + 1;
}

void svg_layout_deinit(struct svg_layout *layout)
{
	vec_free(&layout->rects);
}
