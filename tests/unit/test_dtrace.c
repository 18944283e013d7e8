/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define HEADING \
	"CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s\n\n"

Test(dtrace, reads_stacks)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ HEADING
		  "\n   unix`swtch+0x145\n   genunix`cv_wait+0x61\n   unix`thread_start+0x8\n    12\n\n"
		  "   unix`swtch+0x9\n   unix`thread_start+0x8\n     3\n",
		  "thread_start;cv_wait;swtch 12\nthread_start;swtch 3\n" },
		/* Keys, two stacks in one entry, and functions without a name. */
		{ "  app                17\n   unix`a+0x1\n\n   app`f(int)+0x2\n   0x104d08831\n    2\n"
		  "  b c\n   app`0x1234\n   app`g+0x1\n    5\n",
		  "app;[unknown];f;a 2\nb_c;g;[app] 5\n" },
		/* The outermost function has no name, and another name contains a plus sign. */
		{ HEADING
		  "   app`operator+=\n   app`operator++0x1f\n   unix`0xfffffffffb800c86\n    2\n",
		  "unix`0xfffffffffb800c86;operator+;operator+= 2\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(dtrace, counts_what_it_cannot_read)
{
	static const struct {
		const char *input, *folded;
		uint64_t skipped, lost;
	} rows[] = {
		/* A distribution is no count, so its stack is dropped; so is a stack without a count. */
		{ HEADING
		  "   app`f+0x1\n           value  ------------- Distribution ------------- count\n"
		  "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3\n\n   app`f+0x1\n"
		  "   app`main+0x1\n    2\n   app`g+0x1\n",
		  "main;f 2\n", 3, 0 },
		/* Messages about drops between frames; a number and a word without a stack; and a
		 * count that is too large. */
		{ HEADING "   app`f+0x1\ndtrace: 12 drops on CPU 0\n   app`main+0x1\n    2\n    7\n"
			  "dtrace: 3 aggregation drops on CPU 1\ntick\n   app`f+0x1\n"
			  "   app`main+0x1\n    99999999999999999999\n",
		  "main;f 2\n", 2, 15 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_expect(rows[i].input, rows[i].folded);
		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], rows[i].skipped,
			     "row %zu: %llu", i,
			     (unsigned long long)test.session.profile.losses[LOSS_SKIPPED_LINES]);
		cr_expect_eq(test.session.profile.losses[LOSS_RECORDS], rows[i].lost, "row %zu", i);
		text_session_close(&test);
	}
	assert_no_leaks();
}
