/* SPDX-License-Identifier: MIT */
#include "libparse/text_lines.h"

#include <criterion/criterion.h>

#include "libparse/text.h"
#include "tests/support/leaks.h"

/* Splits bytes line by line. Returns the beginning of the first other line. */
static const char *split_slowly(text_lines *lines, const char *at, const char *end)
{
	const char *next = at;
	struct text line;

	while (at < end && *at == '\t' && text_next_line(&next, end, false, &line)) {
		vec_push(lines, line);
		at = next;
	}
	return at;
}

static void expect_same(const char *bytes, size_t size_bytes)
{
	/* A block of its own size, in which the address sanitizer notices reads after the end. */
	char *copy = memory_alloc(size_bytes, 1);
	text_lines expected = { 0 };
	text_lines lines = { 0 };
	const char *stop;

	memcpy(copy, bytes, size_bytes);
	stop = text_lines_split(&lines, copy, copy + size_bytes, '\t');
	cr_assert_eq(stop, split_slowly(&expected, copy, copy + size_bytes));
	cr_assert_eq(lines.count, expected.count);
	for (size_t i = 0; i < lines.count; i++) {
		cr_assert_eq(lines.at[i].at, expected.at[i].at);
		cr_assert_eq(lines.at[i].length, expected.at[i].length);
	}
	vec_free(&lines);
	vec_free(&expected);
	memory_free(copy);
}

Test(text_lines, end_at_the_first_other_line)
{
	static const char bytes[] = "\ta\n\tb\r\n\t\n\r\n\tc\n";
	text_lines lines = { 0 };
	const char *stop = text_lines_split(&lines, bytes, bytes + sizeof(bytes) - 1, '\t');

	cr_assert_eq(stop - bytes, 9);
	cr_assert_eq(lines.count, 3);
	cr_assert(text_is(lines.at[0], "\ta"));
	cr_assert(text_is(lines.at[1], "\tb"));
	cr_assert(text_is(lines.at[2], "\t"));
	vec_free(&lines);
	assert_no_leaks();
}

Test(text_lines, are_not_split_without_a_newline)
{
	static const char bytes[] = "\ta\n\tb";
	text_lines lines = { 0 };

	cr_assert_eq(text_lines_split(&lines, bytes, bytes, '\t'), bytes);
	cr_assert_eq(text_lines_split(&lines, bytes + 1, bytes + 5, '\t'), bytes + 1);
	cr_assert_eq(lines.count, 0);
	cr_assert_eq(text_lines_split(&lines, bytes, bytes + 5, '\t'), bytes + 3);
	cr_assert_eq(lines.count, 1);
	vec_free(&lines);
	assert_no_leaks();
}

/* Each length of the input, with newlines, CRs and other lines at any place in a block. */
Test(text_lines, are_those_of_the_simple_loop)
{
	static const char letters[] = "\n\n\r\t\tab..........";
	char bytes[700];
	uint32_t random = 1;

	for (unsigned round = 0; round < 4000; round++) {
		size_t size_bytes = round % sizeof(bytes);
		bool has_tab = true;

		for (size_t i = 0; i < size_bytes; i++) {
			random = random * 1664525u + 1013904223u;
			bytes[i] = letters[(random >> 16) % (sizeof(letters) - 1)];
			/* Most lines begin with a tab, so that blocks are long. */
			if (has_tab && random >> 24 < 250)
				bytes[i] = '\t';
			has_tab = bytes[i] == '\n';
		}
		expect_same(bytes, size_bytes);
	}
	assert_no_leaks();
}
