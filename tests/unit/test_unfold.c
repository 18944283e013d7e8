/* SPDX-License-Identifier: MIT */
#include "profile/tree/unfold.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/sink.h"
#include "profile/grouping.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

/* More stacks than are unfolded together, and more nodes than are in one word. */
#define MANY 200u

struct fixture {
	struct profile_maker maker;
	struct resolved resolved;
	struct frames frames;
	struct unfolding unfolding;
	struct grouping grouping;
	location_id locations[8]; /* f0, f1, ... */
};

static void begin(struct fixture *fixture)
{
	static const struct frame_naming plain;
	struct profile_maker *maker = &fixture->maker;

	*fixture = (struct fixture){ .grouping = { .by = { GROUP_COMM }, .count = 1 } };
	profile_maker_init(maker);
	maker->profile.events.at[0].is_shown = true;
	for (uint32_t i = 0; i < ARRAY_SIZE(fixture->locations); i++) {
		char stack[16];

		snprintf(stack, sizeof(stack), "app;f%u", i);
		profile_maker_stack(maker, stack, 1);
		fixture->locations[i] = maker->resolved.stacks.at[i].leaf;
	}
	resolved_init(&fixture->resolved);
	resolved_key(&fixture->resolved, &maker->resolved.keys.at[0]);
	frames_init(&fixture->frames, maker->profile.strings, maker->profile.modules,
		    &maker->locations, &plain);
	for (uint32_t i = 0; i < maker->locations.rows.count; i++)
		for (int k = 0; k < FRAME_SEVERAL; k++)
			frames_of_location(&fixture->frames, (location_id){ i },
					   (struct frame_variant){ false, (enum frame_activity)k });
	fixture->unfolding = (struct unfolding){
		.profile = &maker->profile,
		.frames = &fixture->frames,
		.grouping = &fixture->grouping,
		.transform.frames = &fixture->frames,
	};
}

static void end(struct fixture *fixture)
{
	frames_deinit(&fixture->frames);
	resolved_deinit(&fixture->resolved);
	profile_maker_deinit(&fixture->maker);
}

static uint32_t call(struct fixture *fixture, uint32_t parent, uint32_t function)
{
	return callers_add(&fixture->resolved.callers, parent, fixture->locations[function]);
}

static void push(struct fixture *fixture, uint32_t callers, location_id leaf, uint64_t weight)
{
	vec_push(&fixture->resolved.stacks, (struct resolved_stack){ .callers = callers,
								     .leaf = leaf,
								     .sample_count = 1,
								     .period_sum = weight });
}

/* "app;f0;f1 2x 30\n" for each stack; !f1 if f1 is on the stack of a waker. */
static void write_rows(struct fixture *fixture, struct sink *sink)
{
	uint32_t group = frames_of_comm(&fixture->frames, &fixture->resolved.keys.at[0]).frame;
	struct unfolded_groups groups = { (uint32_t[]){ 0 }, &group, (bool[]){ false } };
	struct unfolded unfolded;

	sink->used = 0;
	unfolded_init(&unfolded);
	unfold(&fixture->unfolding, &fixture->resolved, &groups, &unfolded);
	for (size_t i = 0; i < unfolded.rows.count; i++) {
		const struct sorted_stack *row = &unfolded.rows.at[i];

		for (uint32_t k = 0; k < row->count; k++) {
			const struct frame *frame = &fixture->frames.table.rows.at[row->frames[k]];

			sink_printf(sink, "%s%s%s", k ? ";" : "",
				    frame->activity == FRAME_WAKES ? "!" : "",
				    strings_text(fixture->maker.profile.strings, frame->name));
		}
		sink_printf(sink, " %" PRIu64 "x %" PRIu64 "\n", row->sample_count, row->weight);
	}
	sink_char(sink, '\0');
	unfolded_deinit(&unfolded);
}

static void expect(struct fixture *fixture, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	write_rows(fixture, &sink);
	cr_expect_str_eq(sink.buffer, expected, "%s, not %s", sink.buffer, expected);
	sink_deinit(&sink);
}

/* Whether a frame is a caller or a leaf, and whether callers are one node or several. */
Test(unfold, equal_stacks_are_added)
{
	struct fixture fixture;
	uint32_t f0, f1, other, again;

	begin(&fixture);
	f0 = call(&fixture, CALLERS_NONE, 0);
	f1 = call(&fixture, f0, 1);
	other = call(&fixture, f0, 2);
	for (uint32_t i = 0; i < MANY; i++)
		call(&fixture, other, 3);
	again = call(&fixture, call(&fixture, CALLERS_NONE, 0), 1);
	push(&fixture, f0, fixture.locations[1], 1);
	push(&fixture, f1, LOCATION_NONE, 10);
	push(&fixture, other, fixture.locations[1], 100);
	push(&fixture, again, LOCATION_NONE, 1000);
	push(&fixture, CALLERS_NONE, LOCATION_NONE, UINT64_MAX);
	push(&fixture, CALLERS_NONE, LOCATION_NONE, 7);
	expect(&fixture, "app;f0;f1 3x 1011\napp;f0;f2;f1 1x 100\napp 2x 18446744073709551615\n");
	fixture.unfolding.counts_samples = true;
	expect(&fixture, "app;f0;f1 3x 3\napp;f0;f2;f1 1x 1\napp 2x 2\n");
	end(&fixture);
	assert_no_leaks();
}

Test(unfold, many_stacks)
{
	struct fixture fixture;
	uint32_t node = CALLERS_NONE;

	begin(&fixture);
	for (uint32_t i = 0; i < MANY; i++) {
		node = call(&fixture, i % 10 ? node : CALLERS_NONE, i % 2);
		push(&fixture, node, fixture.locations[2], 1);
	}
	expect(&fixture, "app;f0;f2 20x 20\n"
			 "app;f0;f1;f2 20x 20\n"
			 "app;f0;f1;f0;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f1;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f1;f0;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f1;f0;f1;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f1;f0;f1;f0;f2 20x 20\n"
			 "app;f0;f1;f0;f1;f0;f1;f0;f1;f0;f1;f2 20x 20\n");
	end(&fixture);
	assert_no_leaks();
}

/* Stacks that differ only below the maximum depth become equal. */
Test(unfold, depth)
{
	struct fixture fixture;
	uint32_t f1;

	begin(&fixture);
	f1 = call(&fixture, call(&fixture, CALLERS_NONE, 0), 1);
	push(&fixture, f1, fixture.locations[2], 1);
	push(&fixture, f1, fixture.locations[3], 10);
	push(&fixture, call(&fixture, f1, 4), fixture.locations[5], 100);
	push(&fixture, CALLERS_NONE, fixture.locations[0], 1000);
	fixture.unfolding.transform.depth_max = 2;
	expect(&fixture, "app;f0;f1 3x 111\napp;f0 1x 1000\n");
	fixture.unfolding.transform.depth_max = 1;
	expect(&fixture, "app;f0 4x 1111\n");
	end(&fixture);
	assert_no_leaks();
}

/* Frames from a separator on belong to the stack of a waker; after it, there can be another one. */
Test(unfold, wakers)
{
	struct fixture fixture;
	uint32_t f0, first, second;

	begin(&fixture);
	fixture.maker.locations.rows.at[fixture.locations[7].i].kind = LOCATION_SEPARATOR;
	fixture.unfolding.has_wakers = true;
	f0 = call(&fixture, CALLERS_NONE, 0);
	first = call(&fixture, call(&fixture, f0, 7), 1);
	second = call(&fixture, call(&fixture, first, 7), 2);
	push(&fixture, f0, fixture.locations[3], 1);
	push(&fixture, first, fixture.locations[3], 1);
	push(&fixture, second, fixture.locations[3], 1);
	expect(&fixture,
	       "app;f0;f3 1x 1\napp;f0;!f7;!f1;!f3 1x 1\napp;f0;!f7;!f1;!f7;!f2;!f3 1x 1\n");
	end(&fixture);
	assert_no_leaks();
}
