/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/svg/layout.h"
#include "tests/support/profile_maker.h"

static const struct box *box_of_row(const struct layout *layout, uint32_t row)
{
	for (size_t i = 0; i < layout->boxes.count; i++)
		if (layout->boxes.at[i].row == row)
			return &layout->boxes.at[i];
	return NULL;
}

/* Children lie inside their parents, siblings one behind the other, none over another. */
static void expect_nested(const struct layout *layout, const struct profile *profile)
{
	for (size_t i = 1; i < layout->boxes.count; i++) {
		const struct box *box = &layout->boxes.at[i];
		const struct box *parent = box_of_row(layout, profile->stacks.at[box->row].parent);

		cr_assert(parent, "row %u has a box and its parent none", box->row);
		cr_expect_geq(box->x, parent->x);
		cr_expect_leq(box->x + box->width, parent->x + parent->width);
		cr_expect_eq(box->depth, parent->depth + 1);
		for (size_t k = 1; k < i; k++) {
			const struct box *other = &layout->boxes.at[k];

			if (other->depth == box->depth)
				cr_expect_leq(other->x + other->width, box->x);
		}
	}
}

Test(layout, boxes_share_the_width_by_weight)
{
	struct profile_maker maker;
	struct layout layout;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;main;parse", 30);
	profile_maker_stack(&maker, "app;main", 10);
	profile_maker_stack(&maker, "bash", 60);
	profile_maker_build(&maker, NULL);
	layout_init(&layout, &maker.profile, 1000, 0, false);
	cr_assert_eq(layout.boxes.count, 5);
	cr_expect_eq(layout.depth_count, 4);
	cr_expect_eq(layout.dropped_count, 0);
	cr_expect_eq(box_of_row(&layout, 0)->width, 1000);
	cr_expect_eq(box_of_row(&layout, 1)->width, 400); /* app */
	cr_expect_eq(box_of_row(&layout, 3)->width, 300); /* parse */
	cr_expect_eq(box_of_row(&layout, 4)->x, 400);     /* bash */
	expect_nested(&layout, &maker.profile);
	layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(layout, narrow_boxes_go_with_what_stands_on_them)
{
	struct profile_maker maker;
	struct layout layout;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;rare;deep;deeper", 1);
	profile_maker_stack(&maker, "app;usual", 999);
	profile_maker_build(&maker, NULL);
	layout_init(&layout, &maker.profile, 1000, 200000, false);
	cr_expect_eq(layout.boxes.count, 3);
	cr_expect_eq(layout.dropped_count, 3);
	cr_expect_eq(layout.depth_count, 3);
	/* What is left stays where it was. */
	cr_expect_eq(layout.boxes.at[2].x, 1);
	layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(layout, many_boxes_meet)
{
	struct profile_maker maker;
	struct layout layout;
	uint32_t at = 0;

	profile_maker_init(&maker);
	for (int i = 0; i < 777; i++) {
		char stack[32];

		snprintf(stack, sizeof(stack), "app%03d", i);
		profile_maker_stack(&maker, stack, 1000000007u + (uint64_t)i * i);
	}
	profile_maker_build(&maker, NULL);
	layout_init(&layout, &maker.profile, 11680, 0, false);
	for (size_t i = 1; i < layout.boxes.count; i++) {
		cr_expect_eq(layout.boxes.at[i].x, at);
		at += layout.boxes.at[i].width;
	}
	cr_expect_eq(at, 11680);
	layout_deinit(&layout);
	profile_maker_deinit(&maker);
}

Test(layout, nothing_of_nothing)
{
	struct profile_maker maker;
	struct layout layout;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	layout_init(&layout, &maker.profile, 1000, 1000, false);
	cr_expect_eq(layout.boxes.count, 0);
	layout_deinit(&layout);
	profile_maker_deinit(&maker);
}
