/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define HEADING "Analysis of sampling my app (pid 7) every 1 millisecond\n\nCall graph:\n"
#define END \
	"\nTotal number in stack (recursive counted multiple, when >=5):\n        5  f  (in a)\n"

Test(macos_sample, reads_call_graphs)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* A node's own weight is its count without those of its children. */
		{ HEADING
		  "    9 Thread_1\n    + 8 main  (in a) + 1  [0x1]\n    +   3 f  (in a) + 1  [0x2]\n"
		  "    +   ! 2 g  (in a) + 1  [0x3]\n    +   4 f  (in a) + 9  [0x4]\n" END,
		  "my_app 1\nmy_app;main 1\nmy_app;main;f 5\nmy_app;main;f;g 2\n" },
		/* Names of threads, and queues; the second thread has no children. */
		{ HEADING
		  "    2 Thread_1: a b   DispatchQueue_<multiple>\n      2 f  (in a) + 1  [0x1]\n"
		  "    3 Thread_2: c\n" END,
		  "a_b;f 2\nc 3\n" },
		/* Names with brackets and blanks; modules with brackets; code without a name. */
		{ HEADING
		  "    4 Thread_1\n      1 -[A(B) c:]  (in App (GPU)) + 1  [0x1]  a (b).m:3\n"
		  "      1 f(int (*)(int))  (in a) + 1,2,...  [0x1,0x2,...]\n"
		  "      1 g (.llvm.77)  (in a)  [0x1]\n"
		  "      1 ???  (in b.dylib)  load address 0x100 + 0x7  [0x107]\n" END,
		  "my_app;-[A(B) c:] 1\nmy_app;[b.dylib] 1\nmy_app;f 1\nmy_app;g 1\n" },
		/* Two reports, and a call graph without its heading. */
		{ HEADING "    1 Thread_1\n      1 f  (in a)\n" END
			  "Analysis of sampling b (pid 8) every\n"
			  "Call graph:\n    2 Thread_1\n      2 f  (in a)\n" END,
		  "b;f 2\nmy_app;f 1\n" },
		{ "Call graph:\n    2 Thread_5\n      2 f  (in a)\n" END, ":5;f 2\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(macos_sample, skips_nodes_that_contradict_others)
{
	static const struct {
		const char *input, *folded;
		uint64_t skipped;
	} rows[] = {
		/* A level is missing; children of a skipped node have no parent. */
		{ HEADING
		  "    5 Thread_1\n    +   5 f  (in a)\n    + 2 g  (in a)\n    +   x h  (in a)\n"
		  "    +     1 i  (in a)\n" END,
		  "my_app 3\nmy_app;g 2\n", 3 },
		/* More samples than the parent has, and more than fit. */
		{ HEADING
		  "    5 Thread_1\n      4 f  (in a)\n      2 g  (in a)\n        1 h  (in a)\n"
		  "    99999999999999999999 Thread_2\n      1 f  (in a)\n" END,
		  "my_app 1\nmy_app;f 4\n", 4 },
		/* Odd indentation, a line without a name, a function without a thread. */
		{ HEADING
		  "    + 5 f  (in a)\n    1 Thread_1\n     1 f  (in a)\n    + !:|\n    1 \nx\n",
		  "my_app 1\n", 5 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_skips(rows[i].input, rows[i].folded, rows[i].skipped);
	assert_no_leaks();
}

Test(macos_sample, a_graph_without_its_end_is_partial)
{
	static const char input[] = HEADING "    2 Thread_1\n      2 f  (in a)\n";
	struct text_session test;

	text_session_open(&test, input, strlen(input), NULL);
	cr_expect(test.session.profile.partial_reason);
	text_session_close(&test);
	text_session_open(&test, HEADING "    2 Thread_1\n" END,
			  strlen(HEADING "    2 Thread_1\n" END), NULL);
	cr_expect_not(test.session.profile.partial_reason);
	text_session_close(&test);
	assert_no_leaks();
}
