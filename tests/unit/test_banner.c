/* SPDX-License-Identifier: MIT */
#include "libparse/banner.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

/* A terminal shows "^C" where the output continues: in front of a line, or on a line of its own. */
Test(banner, ignores_the_interrupt_of_a_terminal)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n"
		  "^C    read\n    main\n    -                dd (7)\n        4\n\n",
		  "dd;main;read 4\n" },
		{ "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n"
		  "    read\n^C\n    main\n^C^C    -                dd (7)\n        4\n\n",
		  "dd;main;read 4\n" },
		{ "[17:10:33] Top 1 stacks with outstanding allocations:\n"
		  "100 bytes in 10 allocations from stack\n\t0 [<00007f05944c098c>] grow+0x1c [a.so]\n"
		  "^C[17:10:35] Top 1 stacks with outstanding allocations:\n"
		  "300 bytes in 30 allocations from stack\n\t0 [<00007f05944c098c>] grow+0x1c [a.so]\n",
		  "grow 300\n" },
		{ "Tracing run queue latency... Hit Ctrl-C to end.\n"
		  "^C     usecs               : count    distribution\n"
		  "         0 -> 1          : 233      |***                 |\n^C\n"
		  "         2 -> 3          : 742      |************        |\n",
		  "usecs;0 -> 1 233\nusecs;2 -> 3 742\n" },
		{ "Tracing 2 functions for \"vfs_*\"... Hit Ctrl-C to end.\n"
		  "^CFUNC                          COUNT\nvfs_read                          5\n^C\n"
		  "vfs_write                         3\nDetaching...\n",
		  "vfs_read 5\nvfs_write 3\n" },
		{ "Attaching 1 probe...\n^C@[\n    read+5\n    main+9\n, dd]: 3\n@[\n    main+9\n, sh]: 4\n",
		  "dd;main;read 3\nsh;main 4\n" },
		{ "{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n"
		  "^C{\"type\": \"map\", \"data\": {\"@\": {\"dd\": 3, \"sh\": 4}}}\n",
		  "dd 3\nsh 4\n" },
		{ "^Cdd;main;read 3\ndd;main 1\n", "dd;main 1\ndd;main;read 3\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(banner, removes_only_interrupts)
{
	const char *const text = "^Cone\n^C\n^C\r\n\n ^Ctwo\n^";
	static const char *const lines[] = { "one", "", " ^Ctwo", "^" };
	const char *at = text;
	struct text line;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		cr_assert(banner_next_line(&at, text + strlen(text), true, &line));
		cr_assert(text_is(line, lines[i]), "%.*s", (int)line.length, line.at);
	}
	cr_assert_not(banner_next_line(&at, text + strlen(text), true, &line));
}
