/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define HEADING(ticks)                                                              \
	"\tThu May  2 10:00 2024 Time and Allocation Profiling Report  (Final)\n\n" \
	"\t   app +RTS -P -RTS\n\n\ttotal time  =  0.02 secs   (" ticks " ticks @ 1000 us)\n\n"
#define FLAT \
	"COST CENTRE MODULE SRC    %time %alloc  ticks     bytes\n\nf M M.hs:1:1 9.0 9.0 9 9\n\n\n"
#define TABLE \
	"COST CENTRE MODULE SRC    no.  entries  %time %alloc   %time %alloc  ticks     bytes\n\n"
#define OLD "COST CENTRE MODULE no.  entries  %time %alloc   %time %alloc\n\n"

Test(ghc_prof, reads_stacks)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ HEADING("9") FLAT TABLE
		  "MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       800\n"
		  " f          M      M.hs:1 13   0   10.0    0.1   100.0  100.0      4       0\n"
		  "  g h       M.N    M.hs:2 14   0   10.0    0.1   100.0  100.0      1       0\n"
		  " k          M      M.hs:3 15   0   10.0    0.1   100.0  100.0      0       0\n"
		  "  g h       M.N    M.hs:2 16   0   10.0    0.1   100.0  100.0      2       0\n",
		  "app;MAIN.MAIN 2\napp;MAIN.MAIN;M.f 4\napp;MAIN.MAIN;M.f;M.N.g h 1\n"
		  "app;MAIN.MAIN;M.k;M.N.g h 2\n" },
		/* Without SRC and counts, and columns that are aligned by characters; no program. */
		{ OLD "MAIN        MAIN    1   0    0.0    0.1   100.0  100.0\n"
		      " \xc3\xa9\xc3\xa9         M       2   7   10.0    0.1   100.0  100.0\n"
		      "  f(1)      M       3   7    0.5    0.1   100.0  100.0\n",
		  "[program];MAIN.MAIN;M.\xc3\xa9\xc3\xa9 10\n"
		  "[program];MAIN.MAIN;M.\xc3\xa9\xc3\xa9;M.f(1) 0.5\n" },
		/* Two profiles. */
		{ HEADING("2") TABLE
		  "MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       0\n\n" HEADING(
			  "3") TABLE
		  "MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      3       0\n",
		  "app;MAIN.MAIN 5\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(ghc_prof, skips_rows_that_it_cannot_place)
{
	/* A level is missing; a name reaches into the next column; a number is no number or too large;
	 * a tab; children of such rows; and a short row. */
	static const char input[] = HEADING("0") TABLE
		"MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       0\n"
		"  f         M      M.hs:1 13   0   10.0    0.1   100.0  100.0      4       0\n"
		" ffffffffffffM     M.hs:1 13   0   10.0    0.1   100.0  100.0      4       0\n"
		"  g         M      M.hs:1 13   0   10.0    0.1   100.0  100.0      4       0\n"
		" h          M      M.hs:1 13   0   10.0    0.1   100.0  100.0      x       0\n"
		" h          M      M.hs:1 13   0   10.0    0.1   100.0  100.0      1 99999999999999999999\n"
		" \th        M      M.hs:1 13   0   10.0    0.1   100.0  100.0      4       0\n"
		" i          M      1 2 3\n"
		" j\n"
		" k          M      M.hs:1 13   0   10.0    0.1   100.0  100.0      1       0\n";

	text_session_expect_skips(input, "app;MAIN.MAIN 2\napp;MAIN.MAIN;M.k 1\n", 8);
	assert_no_leaks();
}

/* Lines after an empty line are rows of the table, or other text. */
Test(ghc_prof, reads_rows_between_empty_lines)
{
	static const char input[] = HEADING("0") TABLE
		"MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       0\n\n"
		" k          M      M.hs:1 13   0   10.0    0.1   100.0  100.0      1       0\n\n"
		"The end.\n";

	text_session_expect_skips(input, "app;MAIN.MAIN 2\napp;MAIN.MAIN;M.k 1\n", 0);
	assert_no_leaks();
}

Test(ghc_prof, missing_ticks_are_partial)
{
	static const struct {
		const char *input;
		bool is_partial;
	} rows[] = {
		{ HEADING("2") TABLE
		  "MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       0\n",
		  false },
		{ HEADING("3") TABLE
		  "MAIN        MAIN   <a b>  12   0   10.0    0.1   100.0  100.0      2       0\n",
		  true },
		/* Percentages are rounded, so their sum proves nothing. */
		{ HEADING("3") OLD "MAIN        MAIN    1   0    9.0    0.1   100.0  100.0\n",
		  false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_expect_eq(test.session.profile.partial_reason != NULL, rows[i].is_partial,
			     "row %zu", i);
		text_session_close(&test);
	}
	assert_no_leaks();
}
