/* SPDX-License-Identifier: MIT */
#include "profile/tree/flamegraph_tree.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

/* Writes one line for each frame of the SVG, indented by depth: its name, left edge and width. */
static void write_rows(const struct profile *profile, struct sink *sink)
{
	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];

		for (uint32_t depth = 1; depth < stack->depth; depth++)
			sink_char(sink, ' ');
		sink_text(sink, profile_frame_name(profile, stack->frame));
		sink_printf(sink, " %" PRIu64 "+%" PRIu64, profile->begins.at[i], stack->total);
		if (profile->deltas.count && profile->deltas.at[i].is_known)
			sink_printf(sink, " %+" PRId64, profile->deltas.at[i].value);
		sink_char(sink, '\n');
	}
}

static void expect(const char *input, const struct flamegraph_tree_options *options,
		   const char *expected, uint64_t ignored_count)
{
	struct memory_file file;
	struct flamegraph_tree lines;
	struct error err;
	const char *path = file.path;
	struct sink sink;

	memory_file_open(&file, input, strlen(input));
	sink_init_memory(&sink);
	cr_assert(flamegraph_tree_read(&lines, &path, 1, options, &err), "%s", err.text);
	write_rows(&lines.profile, &sink);
	cr_expect(text_is(sink_memory(&sink), expected), "%s became\n%.*s", input,
		  (int)sink_memory(&sink).length, sink_memory(&sink).at);
	cr_expect_eq(lines.ignored_count, ignored_count, "%s", input);
	sink_deinit(&sink);
	flamegraph_tree_deinit(&lines);
	memory_file_close(&file);
}

struct row {
	const char *input, *expected;
	uint64_t ignored_count;
};

static void expect_all(const struct row *rows, size_t count,
		       const struct flamegraph_tree_options *options)
{
	for (size_t i = 0; i < count; i++)
		expect(rows[i].input, options, rows[i].expected, rows[i].ignored_count);
	assert_no_leaks();
}

Test(flamegraph_tree, lines_are_sorted_as_bytes_and_merged_with_the_one_before)
{
	static const struct row rows[] = {
		{ "b 2\na;x 1\na 3", "a 0+4\n x 3+1\nb 4+2\n", 0 },
		/* A name that sorts between two frames with equal names keeps them apart. */
		{ "a;foo 10\na;foo2;x 10\na;foo;y 10\n",
		  "a 0+30\n foo 0+10\n foo2 10+10\n  x 10+10\n foo 20+10\n  y 20+10\n", 0 },
		/* Empty frames at the end are dropped, as by Perl's split. */
		{ "a;;b;; 1\n;c 2\n", " 0+2\n c 0+2\na 2+1\n  2+1\n  b 2+1\n", 0 },
		{ "a;b 0\n", "a 0+0\n b 0+0\n", 0 },
		{ "nothing\n\na -1\n9\na 1\n", "a 0+1\n", 4 },
		{ "a 1.5\na .5\na 2\n", "a 0+3500000\n", 1 },
		{ "", "", 0 },
		/* Sums stop at the largest number. */
		{ "a 18446744073709551615\nb 18446744073709551615\n",
		  "a 0+18446744073709551615\nb 18446744073709551615+18446744073709551615\n", 0 },
	};
	const struct flamegraph_tree_options options = { .is_reversed = false };

	expect_all(rows, ARRAY_SIZE(rows), &options);
}

Test(flamegraph_tree, of_two_counts_the_last_is_drawn_and_the_leaf_has_the_difference)
{
	static const struct row rows[] = {
		{ "a;b 10 4\na;c 1 3\n", "a 0+7 +0\n b 0+4 -6\n c 4+3 +2\n", 0 },
		{ "a;b 1 2\na;c 3\n", "a 0+5 +0\n b 0+2 +1\n c 2+3\n", 0 },
	};
	const struct flamegraph_tree_options options = { .is_reversed = false };

	expect_all(rows, ARRAY_SIZE(rows), &options);
}

Test(flamegraph_tree, options_change_what_becomes_of_lines)
{
	static struct name_pattern base = { .kind = NAME_LITERAL, .text = { "b", 1 } };
	static const name_patterns bases = { .at = &base, .count = 1 };
	static const struct {
		struct flamegraph_tree_options options;
		struct row row;
	} rows[] = {
		{ { .is_reversed = true },
		  { "a;b;c 1\nd;c 2\n", "c 0+3\n b 0+1\n  a 0+1\n d 1+2\n", 0 } },
		{ { .keeps_order = true }, { "b 1\na 2\na 3\nb 4\n", "b 0+1\na 1+5\nb 6+4\n", 0 } },
		{ { .keeps_order = true, .is_last_first = true },
		  { "b 1\na 2\nc 3\n", "c 0+3\na 3+2\nb 5+1\n", 0 } },
		{ { .marks_wakers = true },
		  { "a;--;b;--;c 1\nd 2\n",
		    "a 0+1\n -- 0+1\n  b_[w] 0+1\n   -- 0+1\n    c_[w] 0+1\nd 1+2\n -- 1+2\n",
		    0 } },
		{ { .skips_comments = true }, { "# a 3\n\n  \na 1 \r\n", "a 0+1\n", 0 } },
		{ { .bases = &bases }, { "a;b;c 1\nb;d 2\ne 3\n", "b 0+3\n c 0+1\n d 1+2\n", 0 } },
		{ { .is_inferno = true }, { " a 1.9\na 2.9\n", "a 0+3\n", 0 } },
		{ { .is_inferno = true },
		  { "a;b  \t 1  3\na;;  2\n 7\n", "a 0+5\n  0+2\n   0+2\n b 2+3 +2\n", 1 } },
		{ { .is_inferno = true, .is_reversed = true },
		  { "a;b; c 1\n;d 2\n", "c 0+1\n b 0+1\n  a 0+1\nd 1+2\n  1+2\n", 0 } },
		/* The innermost. Empty frames at the ends of a stack do not count. */
		{ { .is_inferno = true, .bases = &bases },
		  { "a;b;x;b;c 1\nb;d 2\ne;f;b;a 3\ng;b 4\nh 5\n", "b 0+4\n a 0+3\n c 3+1\n", 0 } },
		{ { .is_inferno = true, .bases = &bases, .is_reversed = true },
		  { "a;b;c 1\n", "c 0+1\n b 0+1\n  a 0+1\n", 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_all(&rows[i].row, 1, &rows[i].options);
}
