/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/svg/svg_layout.h"
#include "tests/support/profile_maker.h"

static const struct layout_rect *box_of_row(const struct svg_layout *layout, uint32_t row)
{
	for (size_t i = 0; i < layout->rects.count; i++)
		if (layout->rects.at[i].row == row)
			return &layout->rects.at[i];
	return NULL;
}

/* Children are inside their parents; siblings do not overlap. */
static void expect_nested(const struct svg_layout *layout, const struct profile *profile)
{
	for (size_t i = 1; i < layout->rects.count; i++) {
		const struct layout_rect *rect = &layout->rects.at[i];
		const struct layout_rect *parent =
			box_of_row(layout, profile->stacks.at[rect->row].parent);

		cr_assert(parent, "row %u has a box and its parent none", rect->row);
		cr_expect_geq(rect->x, parent->x);
		cr_expect_leq(rect->x + rect->width, parent->x + parent->width);
		cr_expect_eq(rect->depth, parent->depth + 1);
		for (size_t k = 1; k < i; k++) {
			const struct layout_rect *other = &layout->rects.at[k];

			if (other->depth == rect->depth)
				cr_expect_leq(other->x + other->width, rect->x);
		}
	}
}

Test(svg_layout, boxes_share_the_width_by_weight)
{
	struct profile_maker maker;
	struct svg_layout layout;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;main;parse", 30);
	profile_maker_stack(&maker, "app;main", 10);
	profile_maker_stack(&maker, "bash", 60);
	profile_maker_build(&maker, NULL);
	svg_layout_init(&layout, &maker.profile, maker.profile.stacks.at[0].total, 1000, 0, false);
	cr_assert_eq(layout.rects.count, 5);
	cr_expect_eq(layout.depth_count, 4);
	cr_expect_eq(layout.dropped_count, 0);
	cr_expect_eq(box_of_row(&layout, 0)->width, 1000);
	cr_expect_eq(box_of_row(&layout, 1)->width, 400); /* app */
	cr_expect_eq(box_of_row(&layout, 3)->width, 300); /* parse */
	cr_expect_eq(box_of_row(&layout, 4)->x, 400);     /* bash */
	expect_nested(&layout, &maker.profile);
	svg_layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(svg_layout, narrow_boxes_go_with_what_stands_on_them)
{
	struct profile_maker maker;
	struct svg_layout layout;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;rare;deep;deeper", 1);
	profile_maker_stack(&maker, "app;usual", 999);
	profile_maker_build(&maker, NULL);
	svg_layout_init(&layout, &maker.profile, maker.profile.stacks.at[0].total, 1000, 200000,
			false);
	cr_expect_eq(layout.rects.count, 3);
	cr_expect_eq(layout.dropped_count, 3);
	cr_expect_eq(layout.depth_count, 3);
	/* The remaining frames stay in place. */
	cr_expect_eq(layout.rects.at[2].x, 1);
	svg_layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(svg_layout, many_boxes_meet)
{
	struct profile_maker maker;
	struct svg_layout layout;
	uint32_t at = 0;

	profile_maker_init(&maker);
	for (int i = 0; i < 777; i++) {
		char stack[32];

		snprintf(stack, sizeof(stack), "app%03d", i);
		profile_maker_stack(&maker, stack, 1000000007u + (uint64_t)i * i);
	}
	profile_maker_build(&maker, NULL);
	svg_layout_init(&layout, &maker.profile, maker.profile.stacks.at[0].total, 11680, 0, false);
	for (size_t i = 1; i < layout.rects.count; i++) {
		cr_expect_eq(layout.rects.at[i].x, at);
		at += layout.rects.at[i].width;
	}
	cr_expect_eq(at, 11680);
	svg_layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(svg_layout, nothing_of_nothing)
{
	struct profile_maker maker;
	struct svg_layout layout;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	svg_layout_init(&layout, &maker.profile, maker.profile.stacks.at[0].total, 1000, 1000,
			false);
	cr_expect_eq(layout.rects.count, 0);
	svg_layout_deinit(&layout);
	profile_maker_deinit(&maker);
}
