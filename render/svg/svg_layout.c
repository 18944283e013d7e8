/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_layout.h"

#include "base/arithmetic.h"

/* Millionths of a pixel in a tenth. */
#define MILLIONTHS 100000

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

/* The weight of a rectangle that is minimum_width wide. */
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

void svg_layout_deinit(struct svg_layout *layout)
{
	vec_free(&layout->rects);
}
