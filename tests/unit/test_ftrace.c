/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/ftrace.h"

#include <criterion/criterion.h>

#include "libparse/ftrace/ftrace_line.h"
#include "libparse/ftrace/function_call.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

Test(ftrace, parses_lines)
{
	static const struct {
		const char *line, *comm, *rest;
		uint32_t pid, tid, cpu;
		uint64_t time_ns;
	} rows[] = {
		{ "  sleep-5937    [000] d..2. 35911.808690: sched_switch: a=1", "sleep",
		  "sched_switch: a=1", 5937, 5937, 0, 35911808690000 },
		{ "Web [1] x-y-7 (   5) [012] .... 1.000000001: f <-g", "Web [1] x-y", "f <-g", 5,
		  7, 12, 1000000001 },
		{ "<idle>-0 (-----) [001] 2.5: f <-g", "<idle>", "f <-g", 0, 0, 1, 2500000000 },
		{ "a-1 [001] .... 77: f <-g", "a", "f <-g", 1, 1, 1, 0 },
		/* If there are several buffers, trace-cmd writes the name of the buffer first. */
		{ "  io:            sleep-5937  [000] 35911.808690: sched_switch: a=1", "sleep",
		  "sched_switch: a=1", 5937, 5937, 0, 35911808690000 },
		{ "trace.dat:   kworker/0:1: x-7  [012] 1.000000001: f <-g", "kworker/0:1: x",
		  "f <-g", 7, 7, 12, 1000000001 },
		/* A comm, not a buffer. */
		{ "            io: sleep-7  [012] 1.000000001: f <-g", "io: sleep", "f <-g", 7, 7,
		  12, 1000000001 },
		/* perf script, and nothing. */
		{ "perf 5937 [000] 35911.808690: cycles:", NULL, NULL, 0, 0, 0, 0 },
		{ ":-1 14828/-1 [001] 1.0: f:", NULL, NULL, 0, 0, 0, 0 },
		{ ":-1    -1 [001] 1.0: f:", NULL, NULL, 0, 0, 0, 0 },
		{ "a-1 [001] .... x: f", NULL, NULL, 0, 0, 0, 0 },
		{ "a-1 [] 1.0: f", NULL, NULL, 0, 0, 0, 0 },
		{ "-1 [001] 1.0: f", NULL, NULL, 0, 0, 0, 0 },
		{ "a-99999999999 [001] 1.0: f", NULL, NULL, 0, 0, 0, 0 },
		{ "[[[[[[[[[[[[", NULL, NULL, 0, 0, 0, 0 },
		{ "", NULL, NULL, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ftrace_line line;
		bool good = ftrace_line_parse(text_of(rows[i].line), &line);

		cr_assert_eq(good, rows[i].comm != NULL, "%s", rows[i].line);
		if (!good)
			continue;
		cr_expect(text_is(line.comm, rows[i].comm), "%s", rows[i].line);
		cr_expect(text_is(line.rest, rows[i].rest), "%s", rows[i].line);
		cr_expect_eq(line.pid, rows[i].pid, "%s", rows[i].line);
		cr_expect_eq(line.tid, rows[i].tid, "%s", rows[i].line);
		cr_expect_eq(line.cpu, rows[i].cpu, "%s", rows[i].line);
		cr_expect_eq(line.time_ns, rows[i].time_ns, "%s", rows[i].line);
	}
}

Test(ftrace, parses_calls)
{
	static const struct {
		const char *line;
		bool is_call;
		enum function_call_kind kind;
		const char *task, *name;
		uint32_t cpu, level;
		uint64_t duration_ns;
	} rows[] = {
		{ " 0)               |  sys_open() {", true, FUNCTION_CALL_BEGIN, "", "sys_open", 0,
		  0, 0 },
		{ " 1)   0.513 us    |      getname();", true, FUNCTION_CALL_LEAF, "", "getname", 1,
		  2, 513 },
		{ " 1) + 12.382 us   |    }", true, FUNCTION_CALL_END, "", "", 1, 1, 12382 },
		{ " 1) $ 1234567.8 us |  } /* sys_open */", true, FUNCTION_CALL_END, "", "", 1, 0,
		  1234567800 },
		{ " 12)   a b-c-812   | ! 100.5 us |    f(fd=3, p=0x0) {", true,
		  FUNCTION_CALL_BEGIN, "a b-c-812", "f", 12, 1, 100500 },
		{ "35911.808690 |   1)   bash-812    |   0.513 us    |  f(); /* = 0x0 */", true,
		  FUNCTION_CALL_LEAF, "bash-812", "f", 1, 0, 513 },
		{ " 0)  bash-812   =>  sleep-90  ", true, FUNCTION_CALL_SWITCH, "", "sleep-90", 0,
		  0, 0 },
		{ " 0)   ==========> |", true, FUNCTION_CALL_NOTE, "", "", 0, 0, 0 },
		{ " 0)               |  /* sched_wakeup: comm=f() { */", true, FUNCTION_CALL_NOTE,
		  "", "", 0, 0, 0 },
		{ " ls-23 [001] 5.678: funcgraph_entry:     0.513 us   |    getname();", true,
		  FUNCTION_CALL_LEAF, "ls-23", "getname", 1, 1, 513 },
		{ " ls-23 [001] ..... 5.678: funcgraph_exit:     ! 200.5 us  |  }", true,
		  FUNCTION_CALL_END, "ls-23", "", 1, 0, 200500 },
		{ " ls-23 [001] 5.678: sched_switch: a=1", false, 0, NULL, NULL, 0, 0, 0 },
		{ "a) b |", false, 0, NULL, NULL, 0, 0, 0 },
		{ "main;f(1) 2", false, 0, NULL, NULL, 0, 0, 0 },
		{ "", false, 0, NULL, NULL, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct function_call call;
		bool good = function_call_parse(text_of(rows[i].line), &call);

		cr_assert_eq(good, rows[i].is_call, "%s", rows[i].line);
		if (!good)
			continue;
		cr_expect_eq(call.kind, rows[i].kind, "%s", rows[i].line);
		cr_expect(text_is(call.task, rows[i].task), "%s", rows[i].line);
		cr_expect(text_is(call.name, rows[i].name), "%s", rows[i].line);
		cr_expect_eq(call.cpu, rows[i].cpu, "%s", rows[i].line);
		cr_expect_eq(call.level, rows[i].level, "%s", rows[i].line);
		cr_expect_eq(call.duration_ns, rows[i].duration_ns, "%s", rows[i].line);
	}
}

#define SWITCH(cpu, from, to)                           \
	" ------------------------------------------\n" \
	" " cpu ")   " from "   =>  " to "   \n"        \
	" ------------------------------------------\n\n"

Test(ftrace, sums_up_calls)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* A task that is switched out during a call, and in again on another CPU. */
		{ "# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n"
		  "# |     |   |                     |   |   |   |\n" SWITCH(
			  "0", "x-1",
			  "bash-812") " 0)               |  vfs_read() {\n"
				      " 0)   0.500 us    |    verify();\n" SWITCH("0", "bash-812", "sleep-90") " 0)   2.000 us    |  nap();\n" SWITCH(
					      "1", "y-1",
					      "bash-812") " 1)               |    copy() {\n"
							  " 1)   0.250 us    |      verify();\n"
							  " 1)   1.250 us    |    }\n"
							  " 1) + 10.000 us   |  }\n",
		  "bash;vfs_read 8250\nbash;vfs_read;copy 1000\nbash;vfs_read;copy;verify 250\n"
		  "bash;vfs_read;verify 500\nsleep;nap 2000\n" },
		/* The task is unknown; one call has no end, another no beginning. */
		{ " 3)   9.000 us    |    }\n"
		  " 3)               |  a() {\n"
		  " 3)               |    b() {\n"
		  " 3)   1.000 us    |  c();\r\n"
		  "noise\n"
		  " 3)   2.000 us    |  }",
		  "cpu_3;c 1000\n" },
		/* trace-cmd. */
		{ "cpus=2\n"
		  " ls-23 [001] 5.1: funcgraph_entry:               |  open() {\n"
		  " ls-24 [001] 5.2: funcgraph_entry:    0.5 us     |  close();\n"
		  " ls-23 [000] 5.3: funcgraph_entry:    0.5 us     |    name();\n"
		  " ls-23 [000] 5.4: funcgraph_exit:     1.5 us     |  }\n",
		  "ls;close 500\nls;open 1000\nls;open;name 500\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* The calls around such a call keep their callers. */
Test(ftrace, counts_calls_with_a_corrupt_duration)
{
	static const char input[] = " 3)               |  a() {\n"
				    " 3)   1.000 xs    |    b();\n"
				    " 3)   1.000 us    |    c();\n"
				    " 3) d..1. |   4.000 us    |  }\n"
				    " 3)   1.2345 us   |  e();\n";

	text_session_expect_skips(input, "cpu_3;a 3000\ncpu_3;a;c 1000\n", 2);
	assert_no_leaks();
}

Test(ftrace, reads_events_and_functions)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ "# tracer: function\n#\n"
		  "   bash-12    [000] ..... 5.1: vfs_read <-ksys_read\n"
		  "   bash-12    [000] ..... 5.2: ext4_f [ext4] <-vfs_read\n"
		  "   bash-12    [000] ..... 5.3: vfs_read <-ksys_read",
		  "bash;ksys_read;vfs_read 2\nbash;vfs_read;ext4_f 1\n" },
		{ "  bash-12 [000] 5.1: function:             vfs_read <-- ksys_read\n",
		  "bash;ksys_read;vfs_read 1\n" },
		/* A line of another CPU between an event and its stack; an event without a stack. */
		{ "  a-1 [000] d..2. 5.1: sched_switch: prev_comm=a ==> next_comm=b\n"
		  "  c-3 [001] d..2. 5.2: sched_switch: prev_comm=c ==> next_comm=d\n"
		  "  a-1 [000] d..2. 5.3: <stack trace>\n"
		  " => trace_event_raw_event_sched_switch\n => __schedule+0x1/0x20\n"
		  " => schedule [mod]\r\n"
		  "  c-3 [001] d..2. 5.4: sched_switch: prev_comm=c ==> next_comm=d\nnoise\n",
		  "a;schedule;__schedule 1\nc 2\n" },
	};
	static const char user_stack[] =
		"  a-1 [000] d..2. 5.1: sched_waking: comm=b pid=2\n"
		"  a-1 [000] d..2. 5.2: <stack trace>\n => try_to_wake_up\n => futex_wake\n"
		"  a-1 [000] d..2. 5.3: <user stack trace>\n =>  <00007f1234567890>\n"
		" => /lib/libc.so.6[+0x9123]\n";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	text_session_expect_whole(user_stack, "a;futex_wake;try_to_wake_up 1\n");
	assert_no_leaks();
}

Test(ftrace, counts_lost_events)
{
	static const struct {
		const char *line;
		uint64_t lost_count;
	} rows[] = {
		{ "CPU:1 [LOST 4711 EVENTS]", 4711 },
		{ "CPU:12 [LOST EVENTS]\r", 1 },
		{ "CPU:1 [17 EVENTS DROPPED]", 17 },
		{ "CPU:0 [EVENTS DROPPED]", 1 },
		{ "# entries-in-buffer/entries-written: 147/1626   #P:2", 1479 },
		{ "# entries-in-buffer/entries-written: 147/147   #P:2", 0 },
		{ "# entries-in-buffer/entries-written: 147/0   #P:2", 0 },
		{ "# entries-in-buffer/entries-written: 147/", 0 },
		{ "CPU:1 [EVENTS]", 0 },
		{ "CPU:x [LOST EVENTS]", 0 },
		{ "CPU:1 [LOST x EVENTS]", 0 },
		{ "CPU:1]", 0 },
		{ "CPU:]", 0 },
		{ "CPU:1 LOST", 0 },
	};
	static const char *const inputs[] = {
		"# tracer: nop\n# entries-in-buffer/entries-written: 2/32   #P:2\n"
		"  bash-12 [001] ..... 5.1: vfs_read <-ksys_read\nCPU:1 [LOST EVENTS]\n",
		"# entries-in-buffer/entries-written: 2/12   #P:2\n"
		" 1)   9.000 us    |  vfs_read();\nCPU:1 [20 EVENTS DROPPED]\n"
		"CPU:0 [EVENTS DROPPED]\n 1)   9.000 us    |  vfs_read();\n",
	};
	struct text_session test;
	uint64_t lost_count;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool is_lost = ftrace_line_is_lost(text_of(rows[i].line), &lost_count);

		cr_expect_eq(is_lost, rows[i].lost_count > 0, "%s", rows[i].line);
		if (is_lost)
			cr_expect_eq(lost_count, rows[i].lost_count, "%s", rows[i].line);
	}
	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++) {
		text_session_open(&test, inputs[i], strlen(inputs[i]), NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_RECORDS], 31, "%s", inputs[i]);
		cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 0, "%s", inputs[i]);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/*
 * Stacks of other CPUs may come between an event and its stack: all those of a machine with 32 other
 * CPUs, but not of more.
 */
Test(ftrace, finds_stacks_after_those_of_other_cpus)
{
	static const struct {
		unsigned event_count, frame_count;
		const char *folded;
	} rows[] = {
		{ 31, 30, "a;own 1\n" },
		{ 32, 1, "a 1\n" },
		{ 1, 1022, "a;own 1\n" },
		{ 1, 1023, "a 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct view view = view_default;
		struct session_options options = { .thread_count = 1,
						   .ignores_host = true,
						   .view = &view };
		struct text_session test;
		struct sink input;

		view.event_pattern = "first";
		sink_init_memory(&input);
		sink_puts(&input, "# tracer: nop\n  a-1 [000] d..2. 5.1: first: x=1\n");
		for (unsigned k = 1; k <= rows[i].event_count; k++) {
			sink_printf(&input, "  b-2 [%03u] d..2. 5.2: %s\n", k,
				    k % 2 ? "<stack trace>" : "second: x=1");
			for (unsigned f = 0; k % 2 && f < rows[i].frame_count; f++)
				sink_puts(&input, " => other\n");
		}
		sink_puts(&input, "  a-1 [000] d..2. 5.3: <stack trace>\n => own\n");
		text_session_open(&test, input.buffer, input.used, &options);
		cr_expect_str_eq(test.folded.buffer, rows[i].folded, "row %zu: %s", i,
				 test.folded.buffer);
		text_session_close(&test);
		sink_deinit(&input);
	}
	assert_no_leaks();
}

/* Calls without an end, and stacks without a task, take no more time than others. */
Test(ftrace, is_not_led_astray)
{
	struct text_session test;
	struct sink input;

	sink_init_memory(&input);
	sink_puts(&input, "# tracer: function_graph\n 0)   1.000 us    |  first();\n");
	for (int i = 0; i < 50000; i++) {
		sink_puts(&input, " 0)  |  ");
		for (int level = 0; level < (i < 100 ? i : 100); level++)
			sink_puts(&input, "  ");
		sink_puts(&input, "f() {\n");
	}
	text_session_open(&test, input.buffer, input.used, NULL);
	cr_expect_str_eq(test.folded.buffer, "cpu_0;first 1000\n");
	text_session_close(&test);
	sink_deinit(&input);
}

/* If the next line shows that a record has ended, it is not part of that record. */
Test(ftrace, survives_lines_that_never_end)
{
	static const char *const heads[] = {
		"# tracer: function\n  app-7 [001] ..... 1.5: f <-g\n",
		"# tracer: function_graph\n 0)   1.000 us    |  g();\n",
	};
	static const char *const folded[] = { "app;g;f 1\n", "cpu_0;g 1000\n" };
	size_t size = (size_t)40 << 20;
	char *bytes = memory_alloc(size, 1);

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct text_session test;

		memset(bytes, 'x', size);
		memcpy(bytes, heads[i], strlen(heads[i]));
		text_session_open(&test, bytes, size, NULL);
		cr_expect_str_eq(test.folded.buffer, folded[i]);
		cr_expect_eq(test.session.profile.losses[LOSS_LONG_LINES], 1);
		cr_expect_eq(test.session.profile.first_skipped_line, 3);
		text_session_close(&test);
	}
	memory_free(bytes);
}
