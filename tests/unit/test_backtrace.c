/* SPDX-License-Identifier: MIT */
#include "libparse/dump/dumps.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

Test(backtrace, reads_dumps)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ "[New LWP 7]\n0x1 in x () at y.c:1\n\n"
		  "Thread 2 (Thread 0x7f58e2a0d6c0 (LWP 25417) \"a \"b\"\"):\n"
		  "#0  0x00007f58e2ae4d8a in sleep (seconds=5) from /lib/libc.so.6\n"
		  "#1  wait_here (s=s@entry=5,\n    t=7) at w.c:4\n"
		  "#2  0x000055bd64ca519b in ns::C<void (int)>::run (this=0x0) at w.c:5\r\n"
		  "#3  <signal handler called>\n"
		  "#4  0x0 in ?? ()\n"
		  "Backtrace stopped: previous frame inner to this frame (corrupt stack?)\n\n"
		  "Thread 1 (process 25415):\n"
		  "#0  main () at w.c:6\n[Inferior 1 (process 25415) detached]\n",
		  "[threads];main 1\n"
		  "a_\"b\";[unknown];<signal handler called>;ns::C<void (int)>::run;wait_here;sleep "
		  "1\n" },
		/* Several dumps, and a last line without a line end. */
		{ "PID 5 - process\nTID 5:\n#0  0x00007f read@@GLIBC_2.2.5\n#1  0x0055 - 1 main\n"
		  "PID 5 - process\nTID 5:\n#0  0x00007f - 1 read - /lib/libc.so.6\n    a.c:1:2\n"
		  "#1  0x0055 main\nTID 6:\n#0  0x00007f - /lib/libc.so.6\n#1  0x8888",
		  "[threads];[unknown];[libc.so.6] 1\n[threads];main;read 2\n" },
		/* Without lines for threads. */
		{ "#0  f (a=1) at a.c:3\n#1  0x1 in main () at a.c:9\n#0  f (a=2) at a.c:3\n"
		  "#1  0x1 in main () at a.c:9\n",
		  "[threads];main;f 2\n" },
		/* Names with brackets that never close, and operators. */
		{ "TID 1:\n#0  0x1 in std::operator<< <char> (a=1) at b.c:1\n"
		  "#1  0x1 in A::operator() (this=0x1) at b.c:2\n#2  0x1 in f<(g (x=1)\n",
		  "[threads];f<(g;A::operator();std::operator<< <char> 1\n" },
		/* Names of Rust that begin with a bracket; bt full. */
		{ "0x1 in poll (fds=0x1) at poll.c:29\n29\tpoll.c: No such file or directory.\n"
		  "Thread 1 (LWP 7 \"app\"):\n#0  0x1 in poll (fds=0x1) at poll.c:29\n"
		  "        nfds = 1\n#1  0x2 in <Box<F,A> as FnOnce<Fn (A)>>::call_once (self=...) at x.rs:1\n"
		  "No locals.\n#2  <&mut (A, B) as Run>::run (self=0x1) at x.rs:2\n#3  <signal handler called>\n"
		  "#4  0x3 in main () at x.rs:3\nNo symbol table info available.\n",
		  "app;main;<signal handler called>;<&mut (A, B) as Run>::run;"
		  "<Box<F,A> as FnOnce<Fn (A)>>::call_once;poll 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	text_session_expect_skips("TID 5:\n#0  0x1 f\n#1  0x2 main\nnoise\nTID 5:\n#0  0x2 main\n",
				  "[threads];main 1\n[threads];main;f 1\n", 1);
	assert_no_leaks();
}

Test(backtrace, keeps_threads_and_inlining)
{
	static const char input[] = "TID 7:\n#0  0x1 in f () from /lib/f.so\n#1  g () at a.c:1\n";
	struct text_session test;
	const struct profile *profile = &test.session.profile;

	text_session_open(&test, input, strlen(input), NULL);
	cr_assert_eq(profile->stacks.count, 4);
	cr_expect_eq(profile->frames.at[profile->stacks.at[2].frame.i].kind, FRAME_INLINED);
	cr_expect_eq(profile->frames.at[profile->stacks.at[3].frame.i].kind, FRAME_USER);
	cr_expect_str_eq(strings_text(profile->strings, profile->events.at[0].name), "stacks");
	text_session_close(&test);
}
