/* SPDX-License-Identifier: MIT */
#include "libparse/dump/thread_dump.h"

#include <criterion/criterion.h>

#include "libparse/dump/dumps.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define HEADING "prio=5 os_prio=0 tid=0x00007f56 nid="

Test(thread_dump, reads_java)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* A name with quotes, locks, threads without a stack, and text around threads. */
		{ "2026-11-26 12:40:16\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n"
		  "Threads class SMR info:\n_java_thread_list=0x00007f55d0002360, length=2, elements={\n"
		  "0x00007f5658017f10, 0x00007f56580f7d00\n}\n\n"
		  "\"a \"b\"\" #9 daemon " HEADING "0x4227 runnable  [0x00007f55e69fd000]\n"
		  "   java.lang.Thread.State: RUNNABLE\n"
		  "\tat a.B$$Lambda$1/0x00007f55.run(Unknown Source)\n"
		  "\t- locked <0x0000000> (a java.lang.Object)\n"
		  "\tat java.lang.Thread.run(java.base@17.0.15/Thread.java:840)\n\n"
		  "   Locked ownable synchronizers:\n\t- None\n\n"
		  "\"VM Thread\" os_prio=0 cpu=1ms tid=0x7f nid=0x421b runnable  \n\n"
		  "JNI global refs: 2, weak refs: 0\n\nHeap\n garbage-first heap\n",
		  "a_\"b\";java.lang.Thread.run;a.B$$Lambda$1/0x00007f55.run 1\n" },
		/* Two dumps, of JDK 6 and JDK 19, without an empty line between threads. */
		{ "\"main\" prio=10 tid=0x00007f nid=0x2a7b runnable [0x7f]\n"
		  "\tat A.f(A.java:1)\n"
		  "\"main\" #1 [77] prio=5 cpu=1ms tid=0x00007f nid=77 runnable [0x7f]\r\n"
		  "\tat A.f(A.java:1)\r\n\r\n2026-11-26 12:40:17\nFull thread dump X:\n\n"
		  "\"main\" prio=10 tid=0x00007f nid=0x2a7b runnable [0x7f]\n\tat A.<init>(Native Method)\n",
		  "main;A.<init> 1\nmain;A.f 2\n" },
		/* The stacks of a deadlock are printed twice. */
		{ "\"x\" " HEADING "0x1 waiting for monitor entry [0x7f]\n\tat A.f(A.java:1)\n\n"
		  "Found one Java-level deadlock:\n=============================\n\"x\":\n"
		  "  waiting to lock monitor 0x7f (object 0x0, a A),\n  which is held by \"x\"\n\n"
		  "Java stack information for the threads listed above:\n"
		  "===================================================\n\"x\":\n\tat A.f(A.java:1)\n"
		  "\t- waiting to lock <0x0> (a A)\n\"y\":\n\tat A.f(A.java:1)\n\nFound 1 deadlock.\n",
		  "x;A.f 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(thread_dump, reads_goroutines)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ "panic: f(x) [recovered]\n\tpanic: g\n[signal SIGSEGV: segmentation violation]\n\n"
		  "goroutine 1 [running, locked to thread]:\npanic({0x4c2520, 0x580f60})\n"
		  "\t/go/panic.go:987 +0x3ba fp=0xc0 sp=0xc0 pc=0x43\n"
		  "runtime.panicmem(...)\n\t/go/panic.go:260\n"
		  "main.(*waiter[...]).wait(0x0?, {0x1, 0x2}, ...)\n\t/w.go:19 +0x36\n"
		  "created by main.main in goroutine 1\n\t/w.go:28 +0x55\n\n"
		  "goroutine 7 gp=0xc0000061c0 m=nil [sleep, 5 minutes]:\n"
		  "\tgoroutine running on other thread; stack unavailable\ncreated by main.main\n\t/w.go:28 +0x55\n\n"
		  "rax    0xca\nrflags 0x286\nexit status 2\n",
		  "[goroutines];main.(*waiter[...]).wait;runtime.panicmem;panic 1\n" },
		/* Frames that Go left out. */
		{ "SIGQUIT: quit\nPC=0x463041 m=0 sigcode=0\n\ngoroutine 18446744073709551615 [select (no cases)]:\n"
		  "main.f(0x1)\n\t/w.go:1 +0x1\n...23 frames elided...\nmain.g(0x1)\n\t/w.go:1 +0x1\n",
		  "[goroutines];main.g;...23 frames elided...;main.f 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* Lines that only resemble threads and frames. */
Test(thread_dump, skips_other_lines)
{
	static const char input[] =
		"java.lang.Exception: a(b)\n\tat A.log(A.java:1)\n"
		"\"main\" " HEADING
		"0x1 runnable [0x7f]\n\tat A.f(A.java:1)\nlogged (by another thread)\n"
		"\tat A.g(A.java:2)\n\n\tat A.log(A.java:1)\n\"main\" is a word\n";
	struct text_session test;

	text_session_expect(input, "main;A.g;A.f 1\n");
	text_session_open(&test, input, strlen(input), NULL);
	cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 4);
	text_session_close(&test);
	assert_no_leaks();
}

/*
 * The frames of an exception belong to no thread, and neither do those of Go's runtime on its own
 * stack.
 */
Test(thread_dump, leaves_out_other_stacks)
{
	text_session_expect("\"w\" " HEADING "0x1 x\n\tat A.f(A.java:1)\n"
			    "java.lang.IllegalStateException: x\n\tat Log.g(Log.java:1)\n"
			    "Caused by: java.io.IOException: y\n\tat Log.h(Log.java:2)\n",
			    "w;A.f 1\n");
	text_session_expect("\"w\" " HEADING "0x1 x\n\tat A.f(A.java:1)\n"
			    "[ERROR] org.x.ClientError$NotFound: 404\n\tat Log.g(Log.java:1)\n",
			    "w;A.f 1\n");
	text_session_expect_whole(
		"fatal error: x\n\nruntime stack:\nruntime.throw({0x4c, 0x58})\n"
		"\t/go/panic.go:1077 +0x5c\n\ngoroutine 1 [running]:\n"
		"type:.eq.struct { F uintptr; a int }(0x1)\n\t/w.go:2 +0x1\n"
		"main.main()\n\t/w.go:1 +0x1\n",
		"[goroutines];main.main;type:.eq.struct { F uintptr: a int } 1\n");
	assert_no_leaks();
}

Test(thread_dump, keeps_modules_and_inlining)
{
	static const struct {
		const char *input, *module;
		enum frame_kind kind;
	} rows[] = {
		{ "\"m\" " HEADING "0x1 x\n\tat A.f(java.base@17.0.15/A.java:1)\n", "java.base",
		  FRAME_USER },
		{ "\"m\" " HEADING "0x1 x\n\tat A.f(app//A.java:1)\n", "app", FRAME_USER },
		{ "\"m\" " HEADING "0x1 x\n\tat A.f(A@B.java:1)\n", "", FRAME_USER },
		{ "goroutine 1 [running]:\nmain.f(...)\n", "", FRAME_INLINED },
		{ "goroutine 1 [running]:\n...3 frames elided...\n", "", FRAME_MARK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;
		const struct profile *profile = &test.session.profile;
		const struct frame *frame;

		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_eq(profile->stacks.count, 3);
		frame = &profile->frames.at[profile->stacks.at[2].frame.i];
		cr_expect_eq(frame->kind, rows[i].kind, "row %zu", i);
		cr_expect_str_eq(strings_text(profile->strings,
					      modules_get(profile->modules, frame->module)->path),
				 rows[i].module, "row %zu", i);
		text_session_close(&test);
	}
	assert_no_leaks();
}
