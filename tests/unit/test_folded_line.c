/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_line.h"

#include <criterion/criterion.h>

Test(folded_line, splits_only_what_a_stack_does_not_share)
{
	/* The frames of each line, and how many it shares with the line before. */
	static const struct {
		const char *line;
		uint32_t shared;
		const char *frames[5];
	} rows[] = {
		{ "app;main;parse", 0, { "app", "main", "parse" } },
		{ "app;main;parse;scan", 3, { "app", "main", "parse", "scan" } },
		{ "app;main;parse;scan", 4, { "app", "main", "parse", "scan" } },
		{ "app;main;parsed", 2, { "app", "main", "parsed" } },
		{ "app;main", 2, { "app", "main" } },
		{ "app;main;", 2, { "app", "main", "" } },
		{ "app;main;;x", 3, { "app", "main", "", "x" } },
		{ "app;mai;x", 1, { "app", "mai", "x" } },
		{ "ap", 0, { "ap" } },
		{ "", 0, { "" } },
		{ "", 1, { "" } },
		{ ";", 1, { "", "" } },
		{ "one name that is longer than a word;b",
		  0,
		  { "one name that is longer than a word", "b" } },
		{ "one name that is longer than a worm;b",
		  0,
		  { "one name that is longer than a worm", "b" } },
		{ "one name that is longer than a worm;c",
		  1,
		  { "one name that is longer than a worm", "c" } },
	};
	struct folded_stack stack = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t count = 0;

		cr_assert_eq(folded_stack_split(&stack, text_of(rows[i].line)), rows[i].shared,
			     "%s", rows[i].line);
		for (; count < 5 && rows[i].frames[count]; count++)
			cr_assert(text_is(stack.frames.at[count], rows[i].frames[count]), "%s",
				  rows[i].line);
		cr_assert_eq(stack.frames.count, count, "%s", rows[i].line);
	}
	folded_stack_forget(&stack);
	cr_assert_eq(folded_stack_split(&stack, text_of("one name that is longer than a worm;c")),
		     0);
	folded_stack_deinit(&stack);
}
