/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define TWO_FRAMES "\t 20 parse+0x9 (/bin/app)\n\t 10 main+0x40 (/bin/app)\n"
/* Addresses are as wide as perf prints them. */
#define WIDE_FRAMES "\t              20 parse+0x9\n\t              10 main+0x40\n"

Test(perf_script, what_the_perl_script_gets_wrong)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* The last sample, without an empty line, and without the end of its line. */
		{ "app 17 5.1: cycles: \n" TWO_FRAMES, "app;main;parse 1\n" },
		{ "app 17 5.1: cycles: \n\t 10 main (/bin/app)", "app;main 1\n" },
		/* Comms of one letter, with a number at the end, padded, or with a character that
		 * separates frames. */
		{ "t 17 5.1: cycles: \n" TWO_FRAMES, "t;main;parse 1\n" },
		{ "foo 12 345 [000] 5.1: cycles: \n" TWO_FRAMES, "foo_12;main;parse 1\n" },
		{ "         app 17 5.1: cycles: \n" TWO_FRAMES, "app;main;parse 1\n" },
		{ "a;b 17 5.1: cycles: \n" TWO_FRAMES, "a:b;main;parse 1\n" },
		{ "VM:  123 VCPU:001 app 17 5.1: cycles: \n" TWO_FRAMES, "app;main;parse 1\n" },
		/* Samples of a single line, alone and among others. */
		{ "app 17 5.1: 7 cycles:  10 main+0x40 (/bin/app)\n"
		  "app 17 5.2: 5 cycles:  20 parse ([unknown])\n",
		  "app;main 7\napp;parse 5\n" },
		{ "app 17 5.1: 7 cycles:  10 main+0x40 (/bin/app)\n"
		  "app 17 5.2: 5 cycles: \n" TWO_FRAMES,
		  "app;main 7\napp;main;parse 5\n" },
		/* Other fields in the line. */
		{ "app 17 5.1: 7 cycles:      558354896240     7fcece6ef110 main+0x4 (/bin/app)\n",
		  "app;main 7\n" },
		/* Payloads of tracepoints are not frames, and their events are told apart. */
		{ "app 17 5.1: cycles: \n" TWO_FRAMES
		  "\napp 17 5.2: sched:sched_switch: prev_comm=app ==> next_comm=b\n" TWO_FRAMES,
		  "app;main;parse 1\n" },
		{ "app 17 5.200000: syscalls:sys_enter_read: fd: 0x3, count: 1\n", "app 1\n" },
		/* CRLF. */
		{ "app 17 5.1: cycles: \r\n\t 10 main (/bin/app)\r\n\r\n"
		  "app 17 5.1: cycles: \r\n\t 10 main (/bin/app)\r\n",
		  "app;main 2\n" },
		/* A walk over frame pointers read one word too many. */
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "\t 37 [unknown] ([unknown])\n",
		  "app;main;parse 1\n" },
		{ "app 17 5.1: cycles: \n" TWO_FRAMES
		  "\t 37 [unknown] ([unknown])\n\t               0 [unknown] ([unknown])\n",
		  "app;main;parse 1\n" },
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "\t 1000 [unknown] ([unknown])\n",
		  "app;[unknown];main;parse 1\n" },
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "\t 37 [unknown] (/bin/app)\n",
		  "app;[app];main;parse 1\n" },
		{ "app 17 5.1: cycles: \n\t 0 [unknown] ([unknown])\n", "app;[unknown] 1\n" },
		{ "app 17 5.100000: cycles: \n\tmain\n\t[unknown]\n", "app;[unknown];main 1\n" },
		{ "app 17 5.100000: cycles: \n\tmain\n\tadd\n", "app;[unknown];main 1\n" },
		/* Modules. */
		{ "app 17 5.1: cycles: \n\t 10 main+0x4 (/usr/bin/x (deleted))\n"
		  "\t 10 [unknown] (/path with blanks/x)\n",
		  "app;[x];main 1\n" },
		/* Names. */
		{ "app 17 5.1: cycles: \n\t 10 A::operator->() const+0x4 (/x)\n",
		  "app;A::operator-> 1\n" },
		{ "app 17 5.1: cycles: \n\t 10 call::<fn() -> T> (/x)\n",
		  "app;call::<fn() -> T> 1\n" },
		{ "app 17 5.1: cycles: \n\t 10 foo::{lambda(int)#1}::operator()(int) const (/x)\n",
		  "app;foo::{lambda(int)#1}::operator() 1\n" },
		{ "app 17 5.1: cycles: \n\t 10 std::function<void (int)>::f(int) (/x)\n",
		  "app;std::function<void (int)>::f 1\n" },
		{ "app 17 5.1: cycles: \n\t 10 operator< (/x)\n\t 20 net/http.(*Client).Do (/x)\n",
		  "app;net/http.(*Client).Do;operator< 1\n" },
		/* Periods without an event, and side-band records without a colon. */
		{ "app 17 5.1:    250 \n" TWO_FRAMES, "app;main;parse 250\n" },
		{ "app 17 5.0: PERF_RECORD_FORK(18:18):(17:17)\n"
		  "app 17 5.1: PERF_RECORD_SWITCH OUT preempt\n"
		  "app 17 5.1: cycles: \n" TWO_FRAMES,
		  "app;main;parse 1\n" },
		{ " 1234 [000] 5.000001: cycles: \n" TWO_FRAMES, ":1234;main;parse 1\n" },
		/* Without a time, and perhaps without an event or a comm. */
		{ "  17 cycles: \n" TWO_FRAMES, ":17;main;parse 1\n" },
		{ "cycles: \n" TWO_FRAMES, "[unknown];main;parse 1\n" },
		{ "[001] cycles: \n" TWO_FRAMES, "[unknown];main;parse 1\n" },
		{ "app 16/17 \n" WIDE_FRAMES "\nb 1    18 \n" WIDE_FRAMES,
		  "app;main;parse 1\nb_1;main;parse 1\n" },
		{ "app 17 [001] \n" WIDE_FRAMES, "app;main;parse 1\n" },
		{ " 16/17 \n" WIDE_FRAMES, ":17;main;parse 1\n" },
		{ "    0 U     cycles:                20 f (x)\n 1234 cycles:                20 f (x)\n",
		  ":1234;f 1\nswapper;f 1\n" },
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "    0 U     5.000002: cycles: \n" TWO_FRAMES,
		  "app;main;parse 1\nswapper;main;parse 1\n" },
		/* Other output that ends in a number is not a sample. */
		{ "app 17 5.1: cycles: \n\t              20 parse (/x)\nread 12\n"
		  "\t              10 main (/x)\n",
		  "app;main;parse 1\n" },
		{ "jit 17 5.1: cycles: \n\t 10 [unknown] (/memfd:jit (deleted))\n",
		  "jit;[memfd:jit (deleted)] 1\n" },
		{ "jit 17 5.1: cycles: \n\t 10 [unknown] (/tmp/perf-17.map)\n",
		  "jit;[perf-17.map] 1\n" },
		{ "java 17 5.1: cycles: \n\t 10 Ljava/lang/Thread;::run (/tmp/perf-17.map)\n",
		  "java;java/lang/Thread:::run 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* No empty line follows other fields. */
Test(perf_script, ignores_fields_behind_frames)
{
	static const char *const fields[] = {
		"               0\n",
		"        12345000\n",
		"        12345000 N/A 2M\n",
		" N/A 4K\n",
		" 0x401136/0x401149/P/-/-/4 \n",
		"[unknown]([kernel.kallsyms])/main(/bin/app)/P/-/-/4/ \n",
		" ABI:2    AX:0x0    BX:0x3 \n",
		" ilen: 3 insn: 48 89 c3\n",
	};
	char input[1024];

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		snprintf(input, sizeof(input),
			 "app 17 5.1: cycles: \n" TWO_FRAMES "%s"
			 "4K 17 5.2: cycles: \n" TWO_FRAMES "%s"
			 "               a 17     5.3: cycles: \n",
			 fields[i], fields[i]);
		text_session_expect_whole(input, "4K;main;parse 1\na 1\napp;main;parse 1\n");
	}
	assert_no_leaks();
}

Test(perf_script, frames_keep_what_they_are)
{
	static const struct {
		const char *frame;
		enum frame_kind kind;
	} rows[] = {
		{ "f ([kernel.kallsyms])", FRAME_KERNEL },
		{ "f ([kernel.kallsyms]_text)", FRAME_KERNEL },
		{ "[unknown] ([kernel.kallsyms])", FRAME_KERNEL },
		{ "f ([ext4])", FRAME_KERNEL },
		{ "f (/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz)", FRAME_KERNEL },
		{ "f (/usr/lib/debug/boot/vmlinux-5.4.0)", FRAME_KERNEL },
		{ "f (bpf_prog_6deef7357e7b4530_f)", FRAME_KERNEL },
		{ "f ([vdso])", FRAME_USER },
		{ "f ([vsyscall])", FRAME_USER },
		{ "f ([heap])", FRAME_USER },
		{ "f ([unknown])", FRAME_USER },
		{ "f (/usr/lib/libkonsole.so)", FRAME_USER },
		{ "f (/tmp/perf-17.map)", FRAME_JIT },
		{ "[unknown] (/tmp/perf-17.map)", FRAME_USER },
		{ "f (inlined)", FRAME_INLINED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;
		char input[200];
		const struct profile *profile = &test.session.profile;

		snprintf(input, sizeof(input), "app 17 5.1: cycles: \n\t 10 %s\n", rows[i].frame);
		text_session_open(&test, input, strlen(input), NULL);
		cr_assert_eq(profile->frames.at[profile->stacks.at[2].frame.i].kind, rows[i].kind,
			     "%s", rows[i].frame);
		text_session_close(&test);
	}
}

/* If only some samples have a period, weights are numbers of samples. */
Test(perf_script, counts_samples_when_some_have_no_period)
{
	static const char *const inputs[] = {
		"app 17 5.1: cycles: \n" TWO_FRAMES "\napp 17 5.2: 250 cycles: \n" TWO_FRAMES,
		"app 17 5.1: 250 cycles: \n" TWO_FRAMES "\napp 17 5.2: cycles: \n" TWO_FRAMES,
	};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++) {
		struct text_session test;

		text_session_open(&test, inputs[i], strlen(inputs[i]), NULL);
		cr_assert_eq(test.session.profile.events.count, 1, "%zu", i);
		cr_expect_eq(test.session.profile.events.at[0].unit, UNIT_SAMPLES, "%zu", i);
		cr_expect_eq(test.session.profile.events.at[0].period_sum, 2, "%zu", i);
		cr_expect_eq(test.session.profile.stacks.at[0].total, 2, "%zu", i);
		text_session_close(&test);
	}
}

#define TWO_ADDRESSES "\t              20 parse (/x)\n\t              10 main (/x)\n"

Test(perf_script, counts_what_it_skips)
{
	static const struct {
		const char *input;
		uint64_t skipped, line, samples;
	} rows[] = {
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "\n", 0, 0, 1 },
		{ "# comment\n\napp 17 5.1: cycles: \n" TWO_FRAMES "\n", 0, 0, 1 },
		/* A line from another stream does not end a stack. */
		{ "app 17 5.1: cycles: \n\t 20 parse (/x)\nnoise\n\t 10 main (/x)\n\n", 1, 3, 1 },
		{ "noise\nmore\napp 17 5.1: cycles: \n" TWO_FRAMES, 2, 1, 1 },
		/* Two captures, one after the other. */
		{ "app 17 5.1: cycles: \n\t 20 parse (/x)\n# ========\n# hostname : b\n"
		  "app 17 5.1: cycles: \n\t 20 parse (/x)\n",
		  0, 0, 2 },
		/* Frames that belong to no sample. */
		{ "app 17 5.1: cycles: \n" TWO_FRAMES "\n" TWO_FRAMES, 2, 5, 1 },
		{ "app 17 5.1: PERF_RECORD_COMM: app:17/17\napp 17 5.1: cycles: \n" TWO_FRAMES, 0,
		  0, 1 },
		/* A period above 64 bits. */
		{ "app 17 5.1: 18446744073709551616 cycles: \n" TWO_FRAMES
		  "\napp 17 5.1: 18446744073709551615 cycles: \n" TWO_FRAMES,
		  1, 1, 1 },
		{ "app 17 99999999999999999999999 cycles: \n" TWO_FRAMES
		  "\napp 17 5.1: 1 cycles: \n" TWO_FRAMES,
		  1, 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], rows[i].skipped, "%s",
			     rows[i].input);
		cr_assert_eq(test.session.profile.first_skipped_line, rows[i].line, "%s",
			     rows[i].input);
		cr_assert_eq(test.session.profile.sample_count, rows[i].samples, "%s",
			     rows[i].input);
		text_session_close(&test);
	}
}

/* A capture of several slices, with a stack of many lines in between. */
static void write_large(struct sink *sink)
{
	for (unsigned i = 0; i < 60000; i++) {
		sink_printf(sink, "app %u [%03u] %u.%06u: %u cycles: \n", 17 + i % 5, i % 4,
			    i / 1000, i % 1000, 1 + i % 3);
		for (unsigned k = 0; k < (i == 30000 ? 100000u : 3u); k++)
			sink_printf(sink, "\t%16x f%u (/bin/app)\n", i % 50 + k, (i + k) % 50);
		sink_char(sink, '\n');
	}
}

Test(perf_script, says_the_same_for_any_number_of_threads)
{
	struct text_session one;
	struct text_session three;
	struct sink input;
	struct text text;

	sink_init_memory(&input);
	write_large(&input);
	text = sink_memory(&input);
	text_session_open(&one, text.at, text.length, NULL);
	text_session_open(&three, text.at, text.length,
			  &(struct session_options){ .thread_count = 3, .ignores_host = true });
	cr_assert_gt(three.session.capture.slices.count, 2);
	cr_assert_eq(one.session.profile.sample_count, 60000);
	cr_assert(text_equal(sink_memory(&one.folded), sink_memory(&three.folded)));
	text_session_close(&one);
	text_session_close(&three);
	sink_deinit(&input);
}

#define WINDOW_SAMPLES 4500

/* The line after a header shows that it is one, even if the header is the last line of a window. */
Test(perf_script, windows_end_anywhere)
{
	static const char *const headers[] = { "app 16/17 ", "cycles:", "app cycles:",
					       "   17 cycles:", "app 16/17 5.000001: cycles:" };

	for (size_t i = 0; i < ARRAY_SIZE(headers) * 64; i++) {
		struct text_session test;
		struct sink input;

		sink_init_memory(&input);
		/* The first line has another length each time, so that windows end elsewhere. */
		sink_printf(&input, "#%*s\n", (int)(i / ARRAY_SIZE(headers)) + 1, "");
		for (unsigned k = 0; k < WINDOW_SAMPLES; k++)
			sink_printf(&input, "%s\n" TWO_ADDRESSES "\n",
				    headers[i % ARRAY_SIZE(headers)]);
		text_session_open(&test, input.buffer, input.used, NULL);
		cr_expect_eq(test.session.profile.sample_count, WINDOW_SAMPLES, "%zu: %" PRIu64, i,
			     test.session.profile.sample_count);
		cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 0, "%zu", i);
		text_session_close(&test);
		sink_deinit(&input);
	}
}

Test(perf_script, survives_lines_that_never_end)
{
	struct text_session test;
	size_t size = (size_t)40 << 20;
	char *bytes = memory_alloc(size, 1);
	static const char first[] = "app 17 5.1: cycles: \n\t 10 main (/x)\n\n";
	static const char last[] = "\nb 17 5.1: cycles: \n\t 10 main (/x)\n";

	memset(bytes, 'x', size);
	memcpy(bytes, first, sizeof(first) - 1);
	memcpy(bytes + size - (sizeof(last) - 1), last, sizeof(last) - 1);
	text_session_open(&test, bytes, size, NULL);
	cr_assert_str_eq(test.folded.buffer, "app;main 1\nb;main 1\n");
	cr_assert_eq(test.session.profile.losses[LOSS_LONG_LINES], 1);
	cr_assert_eq(test.session.profile.first_skipped_line, 4);
	text_session_close(&test);
	memory_free(bytes);
}
