/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_tree.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/arena.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define FRAMES_MAX 16
#define DEPTH_MAX  40

/*
 * Frame i is named "a" + rank[i], in module i: frames of equal rank have equal names. The second half
 * is the kernel's.
 */
struct tree {
	struct profile profile;
	struct frames frames;
	uint32_t rank[FRAMES_MAX];
};

static void tree_init(struct tree *tree, uint32_t rank_count)
{
	*tree = (struct tree){ 0 };
	profile_init(&tree->profile);
	frame_table_init(&tree->frames.table);
	modules_intern(tree->profile.modules, &(struct module){ .kind = MODULE_NONE });
	for (uint32_t i = 0; i < FRAMES_MAX; i++) {
		char name = (char)('a' + i % rank_count);
		char path = (char)('A' + i);

		modules_intern(tree->profile.modules,
			       &(struct module){
				       .kind = MODULE_FILE,
				       .path = strings_intern(tree->profile.strings, &path, 1) });
		tree->rank[i] = i % rank_count;
		frame_table_intern(
			&tree->frames.table,
			&(struct frame){ .name = strings_intern(tree->profile.strings, &name, 1),
					 .module = { i + 1 },
					 .kind = i < FRAMES_MAX / 2 ? FRAME_USER : FRAME_KERNEL });
	}
	tree->frames.rank = tree->rank;
}

static void tree_deinit(struct tree *tree)
{
	frame_table_deinit(&tree->frames.table);
	profile_deinit(&tree->profile);
}

/*
 * One line for each row: a blank for each level, the name, whether it has a module, self/total, and
 * end.
 */
static const char *tree_text(const struct tree *tree, struct sink *sink)
{
	sink->used = 0;
	for (size_t i = 0; i < tree->profile.stacks.count; i++) {
		const struct stack *row = &tree->profile.stacks.at[i];
		const struct frame *frame = &tree->frames.table.rows.at[row->frame.i];

		for (uint32_t k = 0; k < row->depth; k++)
			sink_char(sink, ' ');
		sink_printf(sink, "%s%s %" PRIu64 "/%" PRIu64 " %u\n",
			    i ? strings_text(tree->profile.strings, frame->name) : "all",
			    !i || frame->module.i ? "" : "*", row->self, row->total, row->end);
	}
	sink_char(sink, '\0');
	return sink->buffer;
}

#define STACK(weight_, ...)                                                            \
	{                                                                              \
		.frames = (const uint32_t[]){ __VA_ARGS__ },                           \
		.count = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), \
		.sample_count = 1, .weight = (weight_)                                 \
	}
#define STACK_EMPTY(weight_)                           \
	{                                              \
		.sample_count = 1, .weight = (weight_) \
	}

Test(stack_tree, rows)
{
	/* Frames 0 to 7 are a to h in one module each; 8 to 15 are the same names in others. */
	const struct {
		const char *what;
		struct sorted_stack stacks[4];
		size_t count;
		const char *expected;
	} rows[] = {
		{ "no stacks", { STACK_EMPTY(0) }, 0, "all 0/0 1\n" },
		{ "a stack without frames", { STACK_EMPTY(5) }, 1, "all 5/5 1\n" },
		{ "one stack", { STACK(5, 0, 1) }, 1, "all 0/5 3\n a 0/5 3\n  b 5/5 3\n" },
		{ "equal stacks share rows",
		  { STACK(5, 0, 1), STACK(6, 0, 1) },
		  2,
		  "all 0/11 3\n a 0/11 3\n  b 11/11 3\n" },
		{ "a stack that others begin with",
		  { STACK_EMPTY(9), STACK(1, 0), STACK(2, 0, 0), STACK(3, 0, 0, 0) },
		  4,
		  "all 9/15 4\n a 1/6 4\n  a 2/5 4\n   a 3/3 4\n" },
		{ "siblings, and one name at two depths",
		  { STACK(1, 0, 1), STACK(2, 0, 2), STACK(3, 1), STACK(4, 1, 1) },
		  4,
		  "all 0/10 6\n a 0/3 4\n  b 1/1 3\n  c 2/2 4\n b 3/7 6\n  b 4/4 6\n" },
		{ "frames of one name share a row, which has no module",
		  { STACK(1, 0, 1), STACK(2, 8, 9, 2), STACK(4, 8, 9, 3) },
		  3,
		  "all 0/7 5\n a* 0/7 5\n  b* 1/7 5\n   c 2/2 4\n   d 4/4 5\n" },
		{ "weights saturate",
		  { STACK(UINT64_MAX, 0, 1), STACK(7, 0, 1), STACK(8, 0, 2) },
		  3,
		  "all 0/18446744073709551615 4\n a 0/18446744073709551615 4\n"
		  "  b 18446744073709551615/18446744073709551615 3\n  c 8/8 4\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct tree tree;
		struct sink sink;

		tree_init(&tree, 8);
		sink_init_memory(&sink);
		stack_tree_build(&tree.profile, &tree.frames, rows[i].stacks, rows[i].count, 1);
		cr_expect_str_eq(tree_text(&tree, &sink), rows[i].expected, "%s:\n%s", rows[i].what,
				 sink.buffer);
		cr_expect_eq(tree.profile.view_sample_count, rows[i].count, "%s", rows[i].what);
		sink_deinit(&sink);
		tree_deinit(&tree);
	}
	assert_no_leaks();
}

/* Frames of equal names come in any order, but the profile always gets the same frames. */
Test(stack_tree, the_order_of_equal_names_makes_no_difference)
{
	const struct sorted_stack stacks[] = { STACK(1, 0, 1), STACK(2, 4, 1), STACK(4, 8, 1),
					       STACK(8, 12, 13) };
	static const uint32_t orders[][ARRAY_SIZE(stacks)] = {
		{ 0, 1, 2, 3 },
		{ 2, 3, 0, 1 },
		{ 3, 1, 0, 2 },
		{ 0, 2, 1, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct sorted_stack ordered[ARRAY_SIZE(stacks)];
		struct frame_table *table;
		struct sink sink;
		struct tree tree;

		for (size_t k = 0; k < ARRAY_SIZE(stacks); k++)
			ordered[k] = stacks[orders[i][k]];
		sink_init_memory(&sink);
		tree_init(&tree, 4);
		table = &tree.frames.table;
		stack_tree_build(&tree.profile, &tree.frames, ordered, ARRAY_SIZE(stacks), 1);
		cr_expect_str_eq(tree_text(&tree, &sink), "all 0/15 3\n a* 0/15 3\n  b* 15/15 3\n");
		cr_assert_eq(table->rows.count, FRAMES_MAX + 2, "order %zu: %zu", i,
			     table->rows.count);
		cr_expect_eq(tree.profile.stacks.at[1].frame.i, FRAMES_MAX, "order %zu", i);
		cr_expect_eq(table->rows.at[FRAMES_MAX].kind, FRAME_USER, "order %zu", i);
		tree_deinit(&tree);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

struct shape {
	const char *what;
	uint32_t shared;    /* frames that all stacks begin with */
	uint32_t depth_max; /* of the rest */
	uint32_t ranks;
};

/* Makes sorted stacks in the arena. */
static struct sorted_stack *make_stacks(const struct tree *tree, const struct shape *shape,
					size_t count, struct arena *arena)
{
	struct sorted_stack *stacks = memory_alloc(count, sizeof(*stacks));
	struct random random = { 3 };

	for (size_t i = 0; i < count; i++) {
		uint32_t depth = shape->shared + random_below(&random, shape->depth_max + 1);
		uint32_t *frames =
			arena_alloc(arena, (depth + 1) * sizeof(*frames), _Alignof(uint32_t));

		for (uint32_t k = 0; k < depth; k++)
			frames[k] = k < shape->shared ? 0 : random_below(&random, FRAMES_MAX);
		stacks[i] = (struct sorted_stack){
			.frames = frames,
			.count = depth,
			.time_bin = random_below(&random, 3),
			.sample_count = 1 + random_below(&random, 3),
			.weight = 1 + random_below(&random, 100),
		};
	}
	stack_sort(stacks, count, tree->rank);
	return stacks;
}

static void build(struct tree *tree, const struct sorted_stack *stacks, size_t count,
		  unsigned thread_count)
{
	tree->profile.keeps_sample_counts = true;
	tree->profile.time_bin_count = 3;
	stack_tree_build(&tree->profile, &tree->frames, stacks, count, thread_count);
}

static void expect_same(const struct tree *a, const struct tree *b, const char *what)
{
	struct sink text_a, text_b;

	sink_init_memory(&text_a);
	sink_init_memory(&text_b);
	cr_expect(strcmp(tree_text(a, &text_a), tree_text(b, &text_b)) == 0, "%s: rows", what);
	cr_expect_eq(a->profile.view_sample_count, b->profile.view_sample_count, "%s", what);
	cr_assert_eq(a->profile.stack_bins.count, b->profile.stack_bins.count, "%s", what);
	for (size_t i = 0; i < a->profile.stack_bins.count; i++) {
		const struct stack_bin *bin_a = &a->profile.stack_bins.at[i];
		const struct stack_bin *bin_b = &b->profile.stack_bins.at[i];

		cr_assert(bin_a->row == bin_b->row && bin_a->time_bin == bin_b->time_bin &&
				  bin_a->weight == bin_b->weight,
			  "%s: bin %zu", what, i);
	}
	for (size_t i = 0; i < a->profile.stacks.count; i++)
		cr_assert_eq(profile_sample_count(&a->profile, i),
			     profile_sample_count(&b->profile, i), "%s: row %zu", what, i);
	sink_deinit(&text_a);
	sink_deinit(&text_b);
}

/*
 * With several threads, runs begin in the middle of open rows. No row, weight or bin depends on
 * this.
 */
Test(stack_tree, threads_make_no_difference)
{
	static const struct shape shapes[] = {
		{ "short stacks", 0, 3, FRAMES_MAX },
		{ "names in two modules", 0, 6, FRAMES_MAX / 2 },
		{ "a deep common beginning", DEPTH_MAX - 2, 2, FRAMES_MAX / 2 },
		{ "all equal", DEPTH_MAX, 0, FRAMES_MAX },
		{ "no frames", 0, 0, FRAMES_MAX },
	};
	static const size_t counts[] = { 1023, 1024, 1025, 9000 };
	static const unsigned threads[] = { 2, 3, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(shapes) * ARRAY_SIZE(counts); i++) {
		const struct shape *shape = &shapes[i % ARRAY_SIZE(shapes)];
		size_t count = counts[i / ARRAY_SIZE(shapes)];
		struct sorted_stack *stacks;
		struct arena arena;
		struct tree serial;

		arena_init(&arena);
		tree_init(&serial, shape->ranks);
		stacks = make_stacks(&serial, shape, count, &arena);
		build(&serial, stacks, count, 1);
		for (size_t k = 0; k < ARRAY_SIZE(threads); k++) {
			struct tree parallel;

			tree_init(&parallel, shape->ranks);
			build(&parallel, stacks, count, threads[k]);
			expect_same(&serial, &parallel, shape->what);
			tree_deinit(&parallel);
		}
		tree_deinit(&serial);
		memory_free(stacks);
		arena_deinit(&arena);
	}
	assert_no_leaks();
}
