/* SPDX-License-Identifier: MIT */
#include "profile/tree/build.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/sink.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"
#include "tests/support/random.h"

/* One line for each row: a blank for each level, the name, and self/total. */
static const char *tree_text(const struct profile *profile, struct sink *sink)
{
	sink->used = 0;
	for (size_t i = 0; i < profile->stacks.count; i++) {
		const struct stack *row = &profile->stacks.at[i];

		for (uint32_t k = 0; k < row->depth; k++)
			sink_char(sink, ' ');
		if (i)
			sink_text(sink, profile_frame_name(profile, row->frame));
		else
			sink_puts(sink, "all");
		sink_printf(sink, " %" PRIu64 "/%" PRIu64 "\n", row->self, row->total);
	}
	sink_char(sink, '\0');
	return sink->buffer;
}

static void check_shape(const struct profile *profile)
{
	const struct stack *stacks = profile->stacks.at;

	cr_assert_eq(stacks[0].end, profile->stacks.count);
	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *parent = &stacks[stacks[i].parent];
		uint64_t below = stacks[i].self;

		cr_assert_lt(stacks[i].parent, i);
		cr_assert_eq(stacks[i].depth, parent->depth + 1);
		cr_assert(stacks[i].end > i && stacks[i].end <= parent->end);
		for (uint32_t k = i + 1; k < stacks[i].end; k = stacks[k].end) {
			cr_assert_eq(stacks[k].parent, i);
			below += stacks[k].total;
		}
		cr_assert_eq(stacks[i].total, below);
	}
}

Test(build, stacks_become_a_tree_in_order_of_names)
{
	struct profile_maker maker;
	struct sink sink;

	profile_maker_init(&maker);
	sink_init_memory(&sink);
	profile_maker_stack(&maker, "app;main;write", 3);
	profile_maker_stack(&maker, "app;main;parse;read", 4);
	profile_maker_stack(&maker, "app;main", 1);
	profile_maker_stack(&maker, "app;main;parse;read", 5);
	profile_maker_stack(&maker, "bash;main", 2);
	profile_maker_stack(&maker, "app;main;main;main", 7);
	profile_maker_stack(&maker, "app", 6);
	profile_maker_build(&maker, NULL);
	cr_expect_str_eq(tree_text(&maker.profile, &sink), "all 0/28\n"
							   " app 6/26\n"
							   "  main 1/20\n"
							   "   main 0/7\n"
							   "    main 7/7\n"
							   "   parse 0/9\n"
							   "    read 9/9\n"
							   "   write 3/3\n"
							   " bash 0/2\n"
							   "  main 2/2\n");
	check_shape(&maker.profile);
	cr_expect_eq(maker.profile.view_sample_count, 7);
	cr_expect_str_eq(strings_text(maker.profile.strings, maker.profile.event_name), "cycles");
	cr_expect_eq(maker.profile.unit, UNIT_EVENTS);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* Stacks are inverted below their group, and only after that truncated. */
Test(build, reversed_stacks)
{
	static const char *const expected[] = {
		"all 0/17\n"
		" app 6/15\n"
		"  main 1/1\n"
		"  read 0/5\n"
		"   parse 0/5\n"
		"    main 5/5\n"
		"  write 0/3\n"
		"   main 3/3\n"
		" bash 0/2\n"
		"  read 2/2\n",

		"all 0/17\n"
		" app 6/15\n"
		"  main 1/1\n"
		"  read 0/5\n"
		"   parse 5/5\n"
		"  write 0/3\n"
		"   main 3/3\n"
		" bash 0/2\n"
		"  read 2/2\n",
	};

	for (uint32_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct view view = { .grouping = GROUPING_BY_COMM,
					   .selection.depth_max = i ? 2 : 0,
					   .is_reversed = true };
		struct profile_maker maker;
		struct sink sink;

		profile_maker_init(&maker);
		sink_init_memory(&sink);
		profile_maker_stack(&maker, "app;main;write", 3);
		profile_maker_stack(&maker, "app;main;parse;read", 5);
		profile_maker_stack(&maker, "app;main", 1);
		profile_maker_stack(&maker, "bash;read", 2);
		profile_maker_stack(&maker, "app", 6);
		profile_maker_build(&maker, &view);
		cr_expect_str_eq(tree_text(&maker.profile, &sink), expected[i], "%s, not %s",
				 sink.buffer, expected[i]);
		check_shape(&maker.profile);
		cr_expect(maker.profile.is_reversed);
		sink_deinit(&sink);
		profile_maker_deinit(&maker);
	}
}

/* Siblings are in the order of "name;", since a name can be a prefix of another. */
Test(build, beginnings_of_names)
{
	struct profile_maker maker;
	struct sink sink;

	profile_maker_init(&maker);
	sink_init_memory(&sink);
	profile_maker_stack(&maker, "a;read", 1);
	profile_maker_stack(&maker, "a;read<int>", 1);
	profile_maker_stack(&maker, "a;read2", 1);
	profile_maker_stack(&maker, "a;read_all", 1);
	profile_maker_stack(&maker, "a;read 3", 1);
	profile_maker_build(&maker, NULL);
	cr_expect_str_eq(tree_text(&maker.profile, &sink), "all 0/5\n"
							   " a 0/5\n"
							   "  read 3 1/1\n"
							   "  read2 1/1\n"
							   "  read 1/1\n"
							   "  read<int> 1/1\n"
							   "  read_all 1/1\n");
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

/*
 * Frames of equal names share a row. The row has a module only if all of its frames have that
 * module.
 */
Test(build, equal_names_of_several_modules)
{
	struct profile_maker maker;
	const struct stack *stacks;
	struct sink sink;
	module_id app, lib, jit;

	profile_maker_init(&maker);
	sink_init_memory(&sink);
	app = profile_maker_module(&maker, MODULE_FILE, "/bin/app");
	lib = profile_maker_module(&maker, MODULE_FILE, "/lib/lib.so");
	jit = profile_maker_module(&maker, MODULE_ANONYMOUS, "//anon");
	cr_assert(app.i == 1 && lib.i == 2 && jit.i == 3);
	profile_maker_stack(&maker, "a;init|1;f|1", 1);
	profile_maker_stack(&maker, "a;init|2;f|1", 2);
	profile_maker_stack(&maker, "a;init|3;g|3", 4);
	profile_maker_stack(&maker, "a;main|2;init|2", 8);
	profile_maker_build(&maker, NULL);
	cr_expect_str_eq(tree_text(&maker.profile, &sink), "all 0/15\n"
							   " a 0/15\n"
							   "  init 0/7\n"
							   "   f 3/3\n"
							   "   g 4/4\n"
							   "  main 0/8\n"
							   "   init 8/8\n");
	check_shape(&maker.profile);
	stacks = maker.profile.stacks.at;
	cr_expect_eq(maker.profile.frames.at[stacks[2].frame.i].module.i, 0);
	cr_expect_eq(maker.profile.frames.at[stacks[3].frame.i].module.i, app.i);
	cr_expect_eq(maker.profile.frames.at[stacks[4].frame.i].module.i, jit.i);
	cr_expect_eq(maker.profile.frames.at[stacks[4].frame.i].kind, FRAME_JIT);
	cr_expect_eq(maker.profile.frames.at[stacks[6].frame.i].module.i, lib.i);
	cr_expect_eq(maker.profile.frames.at[stacks[1].frame.i].kind, FRAME_GROUP);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

static void make_events(struct profile_maker *maker)
{
	profile_maker_init(maker);
	profile_maker_stack(maker, "app;main", 100);
	profile_maker_event(maker, "faults", UNIT_EVENTS);
	profile_maker_stack(maker, "app;main", 3);
	profile_maker_stack(maker, "app;parse", 4);
	/* The same event on another kind of CPU. */
	profile_maker_event(maker, "cycles", UNIT_EVENTS);
	profile_maker_stack(maker, "app;main", 50);
	profile_maker_event(maker, "task-clock", UNIT_NANOSECONDS);
	profile_maker_event(maker, "context-switches", UNIT_EVENTS);
	profile_maker_stack(maker, "app;wait", 1);
	maker->profile.events.at[0].first_time_ns = 500;
	maker->profile.events.at[1].first_time_ns = 400;
	maker->profile.events.at[2].first_time_ns = 300;
	maker->profile.events.at[4].first_time_ns = 600;
}

Test(build, one_event_of_several)
{
	static const struct {
		struct view view;
		const char *event, *tree;
		enum weight_unit unit;
		uint64_t samples;
	} rows[] = {
		{ { .grouping = GROUPING_BY_COMM },
		  "cycles",
		  "all 0/150\n app 0/150\n  main 150/150\n",
		  UNIT_EVENTS,
		  2 },
		{ { .grouping = GROUPING_BY_COMM, .event_pattern = "faults" },
		  "faults",
		  "all 0/7\n app 0/7\n  main 3/3\n  parse 4/4\n",
		  UNIT_EVENTS,
		  2 },
		{ { .grouping = GROUPING_BY_COMM,
		    .event_pattern = "faults",
		    .weighing.kind = WEIGHING_SAMPLES },
		  "faults",
		  "all 0/2\n app 0/2\n  main 1/1\n  parse 1/1\n",
		  UNIT_SAMPLES,
		  2 },
		{ { .grouping = GROUPING_BY_COMM, .weighing.kind = WEIGHING_SAMPLES },
		  "cycles",
		  "all 0/2\n app 0/2\n  main 2/2\n",
		  UNIT_SAMPLES,
		  2 },
		{ { .grouping = GROUPING_BY_COMM, .event_pattern = "task-clock" },
		  "task-clock",
		  "all 0/0\n",
		  UNIT_NANOSECONDS,
		  0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct sink sink;

		sink_init_memory(&sink);
		make_events(&maker);
		profile_maker_build(&maker, &rows[i].view);
		cr_expect_str_eq(tree_text(&maker.profile, &sink), rows[i].tree, "row %zu", i);
		cr_expect_str_eq(strings_text(maker.profile.strings, maker.profile.event_name),
				 rows[i].event, "row %zu", i);
		cr_expect_eq(maker.profile.unit, rows[i].unit, "row %zu", i);
		cr_expect_eq(maker.profile.view_sample_count, rows[i].samples, "row %zu", i);
		profile_maker_deinit(&maker);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

Test(build, events_there_are_not)
{
	struct build_options options = { 0 };
	struct view view = { .event_pattern = "misses", .grouping = GROUPING_BY_COMM };
	struct profile_maker maker;
	struct resolved *workers[1] = { &maker.resolved };
	struct error err;

	make_events(&maker);
	cr_expect_not(
		build_profile(&maker.profile, &maker.locations, workers, 1, &view, &options, &err));
	cr_expect_eq(err.code, ERROR_NO_MATCH);
	cr_expect_not_null(strstr(err.text, "has no event \"misses\""), "%s", err.text);
	maker.profile.events.count = 0;
	view.event_pattern = NULL;
	cr_expect_not(
		build_profile(&maker.profile, &maker.locations, workers, 1, &view, &options, &err));
	cr_expect_eq(err.code, ERROR_CORRUPT);
	cr_expect_str_eq(err.text, "has no samples; check whether anything was recorded");
	maker.profile.partial_reason = "the file is truncated";
	cr_expect_not(
		build_profile(&maker.profile, &maker.locations, workers, 1, &view, &options, &err));
	cr_expect_str_eq(err.text, "no samples found: the file is truncated");
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

static void random_stack(struct random *random, char *stack, size_t size)
{
	static const char *const names[] = { "f", "f2", "f_", "g<int>", "g", "h h" };
	uint32_t depth = random_below(random, 12);
	size_t length = (size_t)snprintf(stack, size, "comm%u", random_below(random, 2));

	for (uint32_t i = 0; i < depth; i++)
		length += (size_t)snprintf(stack + length, size - length, ";%s|%u",
					   names[random_below(random, 6)],
					   1 + random_below(random, 2));
}

/* Compares the modules of rows, since rows can have equal names. */
static void check_frames(const struct profile *a, const struct profile *b)
{
	cr_assert_eq(a->stacks.count, b->stacks.count);
	for (size_t i = 0; i < a->stacks.count; i++) {
		const struct frame *of_a = &a->frames.at[a->stacks.at[i].frame.i];
		const struct frame *of_b = &b->frames.at[b->stacks.at[i].frame.i];

		cr_assert_eq(of_a->module.i, of_b->module.i, "row %zu", i);
	}
}

enum {
	WORKERS = 3,
	STACKS = 3000
};

/* Makes the same stacks for one worker and for several. */
static void deal_stacks(struct profile_maker *one, struct profile_maker *several,
			struct resolved *parts)
{
	struct random random = { 77 };
	char stack[200];

	profile_maker_init(one);
	profile_maker_init(several);
	for (int i = 0; i < 2; i++) {
		profile_maker_module(one, MODULE_FILE, i ? "/a" : "/b");
		profile_maker_module(several, MODULE_FILE, i ? "/a" : "/b");
	}
	for (int i = 0; i < WORKERS; i++) {
		for (int k = 0; k < STACKS; k++) {
			random_stack(&random, stack, sizeof(stack));
			profile_maker_stack(one, stack, (uint64_t)k);
			profile_maker_stack(several, stack, (uint64_t)k);
		}
		parts[i] = several->resolved;
		resolved_init(&several->resolved);
	}
}

/*
 * The tree is the same however stacks are divided among workers, and however many threads build it.
 */
Test(build, workers_are_merged)
{
	static const unsigned threads[] = { 0, 1, 2, 3, 7 };

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		struct build_options options = { .thread_count = threads[i] };
		struct resolved parts[WORKERS];
		struct resolved *workers[WORKERS] = { &parts[0], &parts[1], &parts[2] };
		struct profile_maker one, several;
		struct sink of_one, of_several;
		struct error err;

		sink_init_memory(&of_one);
		sink_init_memory(&of_several);
		deal_stacks(&one, &several, parts);
		profile_maker_build(&one, NULL);
		cr_assert(build_profile(&several.profile, &several.locations, workers, WORKERS,
					&view_default, &options, &err));
		cr_expect_str_eq(tree_text(&one.profile, &of_one),
				 tree_text(&several.profile, &of_several));
		check_shape(&several.profile);
		check_frames(&one.profile, &several.profile);
		cr_expect_eq(several.profile.view_sample_count, WORKERS * STACKS);
		cr_expect_eq(several.profile.stacks.at[0].total,
			     WORKERS * STACKS * (STACKS - 1) / 2);
		for (int k = 0; k < WORKERS; k++)
			resolved_deinit(&parts[k]);
		profile_maker_deinit(&one);
		profile_maker_deinit(&several);
		sink_deinit(&of_one);
		sink_deinit(&of_several);
	}
	assert_no_leaks();
}
