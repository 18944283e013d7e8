/* SPDX-License-Identifier: MIT */
#include "profile/selection/marks.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define S(seconds) ((uint64_t)((seconds)*1000.0) * 1000000)

/* 2026-11-22T10:30:00Z */
#define DATE_S 1795343400

static bool parse(const char *text, struct marks *ret)
{
	struct error err;

	return marks_parse(ret, text_of(text), "marks", &err);
}

Test(marks, lines_of_many_formats)
{
	static const struct {
		const char *line;
		enum selection_time_kind kind;
		uint64_t first_ns, last_ns;
		const char *label;
	} rows[] = {
		{ "5669.5", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5), "" },
		{ "  5669.5 slow request \r", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5),
		  "slow request" },
		{ "5669.5,slow, very", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5), "slow, very" },
		{ "5669.5;\"slow\"", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5), "slow" },
		{ "5669.5 5670 a", SELECTION_TIME_CLOCK, S(5669.5), S(5670), "a" },
		{ "5669.5,5670,a", SELECTION_TIME_CLOCK, S(5669.5), S(5670), "a" },
		{ "5669.5\t5670", SELECTION_TIME_CLOCK, S(5669.5), S(5670), "" },
		{ "5669.5 5xx", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5), "5xx" },
		{ "+1.5 a", SELECTION_TIME_FROM_FIRST, S(1.5), S(1.5), "a" },
		{ "5669.5 200 OK", SELECTION_TIME_CLOCK, S(5669.5), S(5669.5), "200 OK" },
		{ "10:30:00,500 7 retries", SELECTION_TIME_OF_DAY, S(37800.5), S(37800.5),
		  "7 retries" },
		{ "10:30:00.5 a", SELECTION_TIME_OF_DAY, S(37800.5), S(37800.5), "a" },
		{ "10:30:00,500 a", SELECTION_TIME_OF_DAY, S(37800.5), S(37800.5), "a" },
		{ "10:30:00Z a", SELECTION_TIME_OF_UTC_DAY, S(37800), S(37800), "a" },
		{ "[10:30:00Z] a", SELECTION_TIME_OF_UTC_DAY, S(37800), S(37800), "a" },
		{ "2026-11-22T10:30:00Z a", SELECTION_TIME_UTC, S(DATE_S), S(DATE_S), "a" },
		{ "2026-11-22 10:30:00,250Z a", SELECTION_TIME_UTC, S(DATE_S + .25),
		  S(DATE_S + .25), "a" },
		{ "2026-11-22 10:30:00Z, 2026-11-22 11:30:01+01:00, a", SELECTION_TIME_UTC,
		  S(DATE_S), S(DATE_S + 1), "a" },
		{ "1795343400250 a", SELECTION_TIME_UTC, S(DATE_S + .25), S(DATE_S + .25), "a" },
		{ "1795343400250000 a", SELECTION_TIME_UTC, S(DATE_S + .25), S(DATE_S + .25), "a" },
		{ "1795343400250000000", SELECTION_TIME_UTC, S(DATE_S + .25), S(DATE_S + .25), "" },
	};

	setenv("TZ", "UTC", 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct marks marks;
		const struct mark *mark;

		cr_assert(parse(rows[i].line, &marks), "%s", rows[i].line);
		mark = &marks.rows.at[0];
		cr_expect_eq(mark->period.first.kind, rows[i].kind, "%s", rows[i].line);
		cr_expect_eq(mark->period.first.ns, rows[i].first_ns, "%s", rows[i].line);
		cr_expect_eq(mark->period.last.ns, rows[i].last_ns, "%s", rows[i].line);
		cr_expect(text_is(mark->label, rows[i].label), "%s: \"%.*s\"", rows[i].line,
			  (int)mark->label.length, mark->label.at);
		marks_deinit(&marks);
	}
	assert_no_leaks();
}

Test(marks, header_names_the_columns)
{
	static const char *const texts[] = {
		"\xef\xbb\xbfid,Time,Message,end\n7,5,\"a, \"\"b\"\"\",6\n8,7,,\n",
		"id;begin;label;end\n7;5;\"a, \"\"b\"\"\";6\n8;7\n",
		"#comment\n\nid\ttimestamp\tlabel\tto\n7\t5\t\"a, \"\"b\"\"\"\t6\n8\t7\t\t\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct marks marks;

		cr_assert(parse(texts[i], &marks), "%s", texts[i]);
		cr_assert_eq(marks.rows.count, 2);
		cr_expect_eq(marks.unknown_count, 0);
		cr_expect_eq(marks.rows.at[0].period.first.ns, S(5));
		cr_expect_eq(marks.rows.at[0].period.last.ns, S(6));
		cr_expect(text_is(marks.rows.at[0].label, "a, \"\"b\"\""));
		cr_expect_eq(marks.rows.at[1].period.first.ns, S(7));
		cr_expect_eq(marks.rows.at[1].period.last.ns, S(7));
		marks_deinit(&marks);
	}
	assert_no_leaks();
}

Test(marks, other_lines_are_counted)
{
	struct marks marks;

	cr_assert(parse("5\nsoon\n6 5 reversed\n99999999999999999999 later\n7\n", &marks));
	cr_expect_eq(marks.rows.count, 3);
	cr_expect_eq(marks.rows.at[1].period.last.ns, S(6));
	cr_expect(text_is(marks.rows.at[1].label, "5 reversed"));
	cr_expect_eq(marks.rows.at[2].line, 5);
	cr_expect_eq(marks.unknown_count, 2);
	cr_expect_eq(marks.unknown_line, 2);
	cr_expect_str_eq(marks.unknown_text, "soon");
	marks_deinit(&marks);
	cr_expect_not(parse("", &marks));
	marks_deinit(&marks);
	cr_expect_not(parse("who,what\na,b\n", &marks));
	cr_expect_eq(marks.unknown_count, 2);
	marks_deinit(&marks);
	assert_no_leaks();
}

/* Random bytes: nothing beyond their end is read. */
Test(marks, random_bytes)
{
	static const char alphabet[] = "0123456789:.-+TZ ,;\"[]\t\ntimedabel";
	struct random random = { 7 };

	for (unsigned i = 0; i < 20000; i++) {
		size_t length = random_below(&random, 60);
		char *text = memory_alloc(length, 1);
		struct marks marks;
		struct error ignored;

		for (size_t k = 0; k < length; k++)
			text[k] = alphabet[random_below(&random, sizeof(alphabet) - 1)];
		(void)!marks_parse(&marks, (struct text){ text, (uint32_t)length }, "marks",
				   &ignored);
		marks_deinit(&marks);
		memory_free(text);
	}
	assert_no_leaks();
}
