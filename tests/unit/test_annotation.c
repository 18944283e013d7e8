/* SPDX-License-Identifier: MIT */
#include "annotate/annotation.h"

#include <criterion/criterion.h>

#include "annotate/hot_lines.h"
#include "annotate/jumps.h"

#define FIRST 0x100u
#define SIZE  4u

/*
 * An instruction of a test: the row that it jumps to, its source line, and its weight in each
 * event.
 */
struct planned {
	int target; /* -1: it does not jump */
	bool ends_flow;
	uint32_t line;
	uint64_t weights[2];
};

static void make(struct annotation *annotation, uint32_t event_count, const struct planned *rows,
		 size_t count)
{
	struct annotated_function *function;

	annotation_init(annotation);
	annotation->event_count = event_count;
	vec_push(&annotation->functions, (struct annotated_function){ .size_bytes = SIZE * count });
	function = &annotation->functions.at[0];
	for (size_t i = 0; i < count; i++)
		annotation_add_instruction(
			annotation, &(struct annotated_instruction){
					    .address = FIRST + SIZE * i,
					    .size_bytes = SIZE,
					    .is_jump = rows[i].target >= 0,
					    .has_target = rows[i].target >= 0,
					    .target = FIRST + SIZE * (uint64_t)rows[i].target,
					    .target_row = ANNOTATION_NONE,
					    .ends_flow = rows[i].ends_flow,
					    .at = { { 1 }, rows[i].line },
				    });
	annotation_link_jumps(annotation, function);
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < event_count; k++)
			if (rows[i].weights[k])
				annotation_add_samples(
					annotation, function, FIRST + SIZE * i, k,
					(struct annotation_count){ 1, rows[i].weights[k] });
}

Test(annotation, addresses)
{
	static const struct planned rows[] = { { .target = -1 },
					       { .target = -1 },
					       { .target = 0 } };
	struct annotation annotation;
	struct annotated_function *function;
	const struct annotation_count count = { 2, 10 };

	make(&annotation, 1, rows, ARRAY_SIZE(rows));
	function = &annotation.functions.at[0];
	annotation_add_samples(&annotation, function, FIRST, 0, count);
	annotation_add_samples(&annotation, function, FIRST + SIZE, 0, count);
	cr_expect_eq(function->between_count, 0);
	annotation_add_samples(&annotation, function, FIRST + SIZE + 1, 0, count);
	cr_expect_eq(function->between_count, 2);
	/* An address before the function: its samples are not counted. */
	annotation_add_samples(&annotation, function, FIRST - 1, 0, count);
	cr_expect_eq(annotation_counts(&annotation, 0)->sample_count, 2);
	cr_expect_eq(annotation_counts(&annotation, 1)->sample_count, 4);
	cr_expect_eq(annotation_counts(&annotation, 1)->weight, 20);
	cr_expect_eq(annotation_counts(&annotation, 2)->sample_count, 0);
	cr_expect_eq(annotation.instructions.at[2].target_row, 0);
	annotation_deinit(&annotation);
}

/* A jump into the middle of an instruction, or out of the function, has no row. */
Test(annotation, targets_without_row)
{
	static const struct planned rows[] = { { .target = -1 }, { .target = 0 }, { .target = 0 } };
	struct annotation annotation;

	make(&annotation, 1, rows, ARRAY_SIZE(rows));
	annotation.instructions.at[1].target = FIRST + 1;
	annotation.instructions.at[1].target_row = ANNOTATION_NONE;
	annotation.instructions.at[2].target = FIRST + SIZE * 3;
	annotation.instructions.at[2].target_row = ANNOTATION_NONE;
	annotation_link_jumps(&annotation, &annotation.functions.at[0]);
	cr_expect_eq(annotation.instructions.at[1].target_row, ANNOTATION_NONE);
	cr_expect_eq(annotation.instructions.at[2].target_row, ANNOTATION_NONE);
	annotation_deinit(&annotation);
}

Test(annotation, hot_lines)
{
	static const struct planned rows[] = {
		{ .target = -1, .line = 7, .weights = { 5, 1 } },
		{ .target = -1, .line = 8, .weights = { 9, 0 } },
		{ .target = -1, .line = 7, .weights = { 6, 0 } },
		{ .target = -1, .line = 9, .weights = { 0, 4 } },
		{ .target = -1, .line = 10 },
		{ .target = -1, .line = 0, .weights = { 100, 0 } },
	};
	struct annotation annotation;
	hot_line_list lines = { .at = NULL };

	make(&annotation, 2, rows, ARRAY_SIZE(rows));
	hot_lines_find(&annotation, &annotation.functions.at[0], &lines);
	cr_assert_eq(lines.count, 3);
	cr_expect_eq(lines.at[0].at.line, 7);
	cr_expect_eq(lines.at[0].counts[0].weight, 11);
	cr_expect_eq(lines.at[0].counts[1].weight, 1);
	cr_expect_eq(lines.at[0].counts[0].sample_count, 2);
	cr_expect_eq(lines.at[1].at.line, 8);
	cr_expect_eq(lines.at[2].at.line, 9);
	vec_free(&lines);
	annotation_deinit(&annotation);
}

/* An outer and an inner loop, and a jump back from code that was moved to the end. */
static const struct planned loops[] = {
	{ .target = -1, .weights = { 1 } },                    /* 0 */
	{ .target = -1, .weights = { 2 } },                    /* 1: outer begins */
	{ .target = 9 },                                       /* 2: to the moved code */
	{ .target = -1, .weights = { 10 } },                   /* 3: inner begins */
	{ .target = 3, .weights = { 20 } },                    /* 4: inner ends */
	{ .target = 1, .weights = { 3 } },                     /* 5: outer */
	{ .target = 1 },                                       /* 6: outer ends */
	{ .target = -1 },                                      /* 7 */
	{ .target = -1, .ends_flow = true, .weights = { 4 } }, /* 8: returns */
	{ .target = -1, .weights = { 5 } },                    /* 9 */
	{ .target = 8, .ends_flow = true },                    /* 10: back */
};

Test(annotation, loops)
{
	struct annotation annotation;
	code_loop_list found = { .at = NULL };

	make(&annotation, 1, loops, ARRAY_SIZE(loops));
	code_loops_find(&annotation, &annotation.functions.at[0], &found);
	cr_assert_eq(found.count, 2);
	cr_expect_eq(found.at[0].first, 1);
	cr_expect_eq(found.at[0].last, 6);
	cr_expect_eq(found.at[0].counts[0].weight, 35);
	cr_expect_eq(found.at[1].first, 3);
	cr_expect_eq(found.at[1].last, 4);
	cr_expect_eq(found.at[1].counts[0].weight, 30);
	cr_expect_eq(found.at[1].counts[0].sample_count, 2);
	vec_free(&found);
	annotation_deinit(&annotation);
}

Test(annotation, arrows)
{
	/* The two arrows to row 1 are in different lanes; short arrows are next to the code. */
	static const char drawn[] = "     \n"
				    " ┌┬─▶\n"
				    "┌┼┼──\n"
				    "│││┌▶\n"
				    "│││└─\n"
				    "││└──\n"
				    "│└───\n"
				    "│    \n"
				    "│  ┌▶\n"
				    "└──┼▶\n"
				    "   └─\n";
	struct annotation annotation;
	struct jump_arrows arrows;
	struct sink sink;

	make(&annotation, 1, loops, ARRAY_SIZE(loops));
	jump_arrows_init(&arrows, &annotation, &annotation.functions.at[0]);
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < arrows.row_count; i++) {
		jump_arrows_write(&arrows, i, &sink);
		sink_char(&sink, '\n');
	}
	cr_expect(text_is(sink_memory(&sink), drawn), "%.*s", (int)sink.used, sink.buffer);
	sink_deinit(&sink);
	jump_arrows_deinit(&arrows);
	annotation_deinit(&annotation);
}
