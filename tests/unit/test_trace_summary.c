/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/ftrace.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define HEADING "\n Summary of events:\n\n"
#define COLUMNS                                                                       \
	"   syscall            calls  errors  total       min       avg       max\n"  \
	"                                     (msec)    (msec)    (msec)    (msec)\n" \
	"   --------------- --------  ------ -------- --------- --------- ---------\n"

Test(trace_summary, is_system_calls_of_threads)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ HEADING
		  " app (71), 132 events, 19.9%\n\n" COLUMNS
		  "   futex       1      0   209.850   209.850   209.850   209.850   0.00%\r\n"
		  "   openat      3      2     0.082     0.014     0.027     0.054  49.13%\n"
		  "\t\t\t\tENOENT: 2\n\n"
		  " my (odd) name (72), 7 events, 0.1%\n\n" COLUMNS
		  "   futex       1      0     1.000     1.000     1.000     1.000   0.00%\n",
		  "app;futex 209850000\napp;openat 82000\nmy (odd) name;futex 1000000\n" },
		/* from perf 4, without a column of errors */
		{ HEADING " app (71), 4 events, 19.9%\n\n"
			  "   read        2     0.500     0.2     0.3     0.4    0.00%\n",
		  "app;read 500000\n" },
		{ HEADING " total, 4 events\n\n   read   2   0   0.500   0.2   0.3   0.4   0.00%\n",
		  "total;read 500000\n" },
		/* no thread, no time, no number, too large a number, and other text */
		{ HEADING "   read   2   0   0.500   0.2\n app (71), 4 events, 1%\n"
			  "   stat   2   0   0.000   0.0\n   x   y   0.500\n"
			  "   huge   1   0   99999999999999999.000\n   tiny 1 0 0.0000001\n"
			  " b (7x), 4 events\n , 4 events\n   good   1   0   0.001\n",
		  "app;good 1000\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* Times are printed in microseconds. A row of less time is kept, with its number of calls. */
Test(trace_summary, keeps_calls_of_no_time)
{
	static const char input[] = HEADING " app (71), 4 events, 1%\n\n"
					    "   read   2   0   0.500   0.2\n"
					    "   getpid   7   0   0.000   0.000\n";
	struct text_session test;

	text_session_open(&test, input, strlen(input), NULL);
	cr_assert_eq(test.session.profile.sample_count, 9);
	cr_assert_str_eq(test.folded.buffer, "app;read 500000\n");
	text_session_close(&test);
}
