/* SPDX-License-Identifier: MIT */
#include "session/source_file.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define LINE_COUNT  200u
#define TOUCHED_MAX 3

static const struct {
	uint32_t touched[TOUCHED_MAX];
	uint32_t ranges[TOUCHED_MAX][2]; /* that are written */
} rows[] = {
	{ { 100 }, { { 80, 120 } } },
	{ { 1 }, { { 1, 21 } } },
	{ { 200 }, { { 180, 200 } } },
	{ { 21 }, { { 1, 41 } } },
	{ { 100, 101 }, { { 80, 121 } } },
	{ { 50, 90 }, { { 30, 110 } } }, /* one line is near to both */
	{ { 50, 91 }, { { 30, 111 } } }, /* they meet */
	{ { 50, 92 }, { { 30, 70 }, { 72, 112 } } },
	{ { 1, 100, 200 }, { { 1, 21 }, { 80, 120 }, { 180, 200 } } },
};

/* Writes the lines "x1", "x2", ..., the last one with or without a line end. */
static void make_file(struct sink *file, bool is_ended)
{
	sink_init_memory(file);
	for (uint32_t i = 1; i <= LINE_COUNT; i++)
		sink_printf(file, "x%u\n", (unsigned)i);
	file->used -= is_ended ? 0 : 1;
}

static void check_row(size_t row, bool is_ended)
{
	size_t count = 0;
	struct sink file, wanted, got;
	uint32_t line_count, wanted_count = 0;

	make_file(&file, is_ended);
	sink_init_memory(&wanted);
	sink_init_memory(&got);
	while (count < TOUCHED_MAX && rows[row].touched[count])
		count++;
	for (size_t i = 0; i < TOUCHED_MAX && rows[row].ranges[i][0]; i++)
		for (uint32_t k = rows[row].ranges[i][0]; k <= rows[row].ranges[i][1]; k++) {
			sink_printf(&wanted, "%u\tx%u\n", (unsigned)k, (unsigned)k);
			wanted_count++;
		}
	cr_expect_eq(
		source_lines_write(sink_memory(&file), rows[row].touched, count, &got, &line_count),
		SOURCE_MATCHES);
	cr_expect_eq(line_count, wanted_count, "row %zu: %u lines", row, (unsigned)line_count);
	cr_expect(text_equal(sink_memory(&got), sink_memory(&wanted)), "row %zu: %.*s", row,
		  (int)got.used, got.buffer);
	sink_deinit(&file);
	sink_deinit(&wanted);
	sink_deinit(&got);
}

Test(source_lines, those_around_each_touched_one_are_written_once)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int is_ended = 0; is_ended < 2; is_ended++)
			check_row(i, is_ended);
	assert_no_leaks();
}

Test(source_lines, what_cannot_be_the_file_is_refused)
{
	static const struct {
		struct text file;
		uint32_t touched;
		enum source_match match;
	} files[] = {
		{ { "a\nb\n", 4 }, 2, SOURCE_MATCHES },
		{ { "a\nb\n", 4 }, 3, SOURCE_OTHER_VERSION },
		{ { "a\nb", 3 }, 2, SOURCE_MATCHES },
		{ { "a\nb", 3 }, UINT32_MAX, SOURCE_OTHER_VERSION },
		{ { "", 0 }, 1, SOURCE_OTHER_VERSION },
		{ { "\n", 1 }, 1, SOURCE_MATCHES },
		{ { "a\0b\n", 4 }, 1, SOURCE_NOT_TEXT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		uint32_t line_count;
		struct sink got;

		sink_init_memory(&got);
		cr_expect_eq(
			source_lines_write(files[i].file, &files[i].touched, 1, &got, &line_count),
			files[i].match, "row %zu", i);
		cr_expect_eq(got.used > 0, files[i].match == SOURCE_MATCHES, "row %zu", i);
		sink_deinit(&got);
	}
	assert_no_leaks();
}
