/* SPDX-License-Identifier: MIT */
/* System calls in the output of strace and perf trace, line by line. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "libparse/calls/call_line.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

struct call_log {
	struct sink lines;
	uint64_t skipped_count;
};

static void write_text(struct sink *sink, struct text text)
{
	sink_text(sink, text.at ? text : text_of("-"));
	sink_char(sink, ' ');
}

static void on_event(void *context, const struct event *event)
{
	static const char *const phases[] = { "enter ", "exit ", "whole ", "sum " };
	struct call_log *log = context;
	const struct event_syscall *call;

	if (event->kind == EVENT_LOSS)
		log->skipped_count += event->loss.count;
	if (event->kind != EVENT_SAMPLE)
		return;
	call = event->sample.text->syscall;
	sink_puts(&log->lines, phases[call->phase]);
	write_text(&log->lines, call->name);
	write_text(&log->lines, event->sample.text->comm);
	write_text(&log->lines, call->error);
	if (event->sample.present & SAMPLE_HAS_TID)
		sink_printf(&log->lines, "tid %u ", event->sample.tid);
	if (event->has_time)
		sink_printf(&log->lines, "at %" PRIu64 " ", event->time_ns);
	if (call->duration_ns != EVENT_SYSCALL_NO_DURATION)
		sink_printf(&log->lines, "for %" PRIu64 " ", call->duration_ns);
	if (call->phase == EVENT_SYSCALL_SUM)
		sink_printf(&log->lines, "%" PRIu64 "/%" PRIu64 " max %" PRIu64 " ",
			    call->error_count, call->call_count, call->longest_ns);
	sink_char(&log->lines, '\n');
}

/* Reads a text in this format, and compares the calls and the number of skipped lines. */
static void expect(const struct input_format *format, const char *text, const char *calls,
		   uint64_t skipped_count)
{
	struct capture_reading reading = { .first_formats = formats_of_calls };
	struct call_log log = { .skipped_count = 0 };
	struct event_sink sink = { .context = &log, .on_event = on_event };
	struct memory_file file;
	struct capture capture;
	struct error err;

	sink_init_memory(&log.lines);
	memory_file_open(&file, text, strlen(text));
	cr_assert(capture_open_as(&capture, file.path, &reading, &err), "%s", err.text);
	cr_expect_eq(capture.format, format, "%s", capture.format->name);
	cr_expect(capture_read_all_samples(&capture, 1, &sink, 1, &err), "%s", err.text);
	cr_expect(text_is(sink_memory(&log.lines), calls), "%.*s",
		  (int)sink_memory(&log.lines).length, sink_memory(&log.lines).at);
	cr_expect_eq(log.skipped_count, skipped_count, "%.200s", text);
	capture_close(&capture);
	memory_file_close(&file);
	sink_deinit(&log.lines);
	assert_no_leaks();
}

static void expect_strace(const char *text, const char *calls)
{
	expect(&strace_format, text, calls, 0);
}

Test(call_texts, strace_prefixes)
{
	expect_strace("close(3) = 0\n", "whole close - - \n");
	expect_strace("12 close(3) = 0\n", "whole close - - tid 12 \n");
	expect_strace("[pid    12] close(3) = 0\n", "whole close - - tid 12 \n");
	expect_strace("12<cat> close(3) = 0\n", "whole close cat - tid 12 \n");
	expect_strace("00:00:01 close(3) = 0\n", "whole close - - at 1000000000 \n");
	expect_strace("7 00:01:00.000002 close(3) = 0 <0.000003>\n",
		      "whole close - - tid 7 at 60000002000 for 3000 \n");
	expect_strace("1795479532.000001 close(3) = 0\n",
		      "whole close - - at 1795479532000001000 \n");
	/* With -r, the time since the previous line is not a timestamp. */
	expect_strace("12      0.000415 close(3) = 0 <0.000003>\n",
		      "whole close - - tid 12 for 3000 \n");
}

Test(call_texts, strace_results)
{
	expect_strace("open(\"a) = 5\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.5>\n",
		      "whole open - ENOENT for 500000000 \n");
	expect_strace("nanosleep({tv_sec=1}, 0x7f) = ? ERESTART_RESTARTBLOCK (Interrupted)\n",
		      "whole nanosleep - ERESTART_RESTARTBLOCK \n");
	expect_strace("poll([{fd=3}], 1, 10)           = 0 (Timeout)\n", "whole poll - - \n");
	expect_strace("getpid() = 7\nexit_group(0)                     = ?\n"
		      "--- SIGCHLD {si_signo=SIGCHLD} ---\n+++ exited with 0 +++\n",
		      "whole getpid - - \n");
}

Test(call_texts, strace_parts)
{
	expect_strace("7 10:00:00 read(3,  <unfinished ...>\n"
		      "8 10:00:01 close(3) = 0\n"
		      "7 10:00:03.5 <... read resumed>\"a\", 1) = 1 <3.5>\n",
		      "enter read - - tid 7 at 36000000000000 \n"
		      "whole close - - tid 8 at 36001000000000 \n"
		      "exit read - - tid 7 at 36000000000000 for 3500000000 \n");
	expect_strace("clone3({flags=0, exit_signal=0}strace: Process 14 attached\n"
		      " => {parent_tid=[14]}, 88) = 14 <0.000120>\n"
		      "[pid 14] clone(child_stack=0x1strace: Process 15 attached\n"
		      ", flags=0) = 15\n",
		      "whole clone3 - - for 120000 \nwhole clone - - tid 14 \n");
}

Test(call_texts, strace_other_lines)
{
	expect(&strace_format, "close(3) = 0\nhello world\nread(3,\n = 4\n12 13\n",
	       "whole close - - \n", 4);
	/* The table of -C. */
	expect(&strace_format,
	       "close(3) = 0\n% time     seconds  usecs/call     calls    errors syscall\n"
	       "------ ----------- ----------- --------- --------- ----------------\n"
	       "100.00    0.000054          54         1           close\n",
	       "whole close - - \n", 0);
}

Test(call_texts, strace_summaries)
{
	expect(&strace_summary_format,
	       "hello\n% time     seconds  usecs/call     calls    errors syscall\n"
	       "------ ----------- ----------- --------- --------- ----------------\n"
	       " 33.96    0.000054          54         1           execve\n"
	       " 66.04    0.000105          52         2         1 open\n"
	       "oops\n"
	       "------ ----------- ----------- --------- --------- ----------------\n"
	       "100.00    0.000159          53         3         1 total\n",
	       "sum execve - - for 54000 0/1 max 0 \nsum open - - for 105000 1/2 max 0 \n", 2);
	expect(&strace_summary_format,
	       "syscall              calls    errors     seconds  longest\n"
	       "---------------- --------- --------- ----------- --------\n"
	       "execve                   1              0.000346 0.000346\n"
	       "open                     3         2    0.000400 0.000300\n",
	       "sum execve - - for 346000 0/1 max 346000 \n"
	       "sum open - - for 400000 2/3 max 300000 \n",
	       0);
}

Test(call_texts, perf_trace)
{
	expect(&perf_trace_format,
	       "         ? (         ): ls/19  ... [continued]: execve())        = 0\n"
	       "     0.146 ( 0.002 ms): ls/19 brk()                            = 0x5604\n"
	       "     0.430 ( 0.005 ms): (sd pam)/9 access(filename: 0xb4)      = -1 ENOENT (No)\n"
	       "  1304.000 (         ): cat/12 read(fd: 0<pipe:[5]>, count: 9)       ...\n"
	       "  1305.000 ( 0.500 ms): sched:sched_switch(prev_comm: a)\n"
	       "  1304.000 ( 7.000 ms): cat/12  ... [continued]: read())       = 9\n"
	       "  1400.000 ( 0.001 ms): close(fd: 3)                           = 0\n"
	       "  1401.000 (         ): exit_group()                           = ?\n",
	       "exit execve ls - tid 19 \n"
	       "whole brk ls - tid 19 at 146000 for 2000 \n"
	       "whole access (sd pam) ENOENT tid 9 at 430000 for 5000 \n"
	       "enter read cat - tid 12 at 1304000000 \n"
	       "exit read cat - tid 12 at 1304000000 for 7000000 \n"
	       "whole close - - at 1400000000 for 1000 \n",
	       0);
	/* perf prints no result if it does not know the thread that the call returned. */
	expect(&perf_trace_format,
	       "         ? (         ): sh/21  ... [continued]: clone())         = \n"
	       "     0.002 ( 0.006 ms): sh/21 getppid()                         = \n",
	       "exit clone sh - tid 21 \n"
	       "whole getppid sh - tid 21 at 2000 for 6000 \n",
	       0);
	expect(&perf_trace_format, "     0.146 ( 0.002 ms): ls/19 brk() = 0\nhello\n",
	       "whole brk ls - tid 19 at 146000 for 2000 \n", 1);
}

/* Other commands refuse these formats, and name the command that reads them. */
/* Texts of several slices: each call is read once. */
Test(call_texts, long_texts)
{
	static const struct {
		const struct input_format *format;
		const char *line;
	} rows[] = {
		{ &strace_format, "1 1700000000.5 close(3) = 0\n" },
		{ &perf_trace_format, "   1.000 ( 0.002 ms): app/7 close(fd: 3) = 0\n" },
	};
	const size_t count = (size_t)5 << 16;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct capture_reading reading = { .first_formats = formats_of_calls };
		struct call_log log = { .skipped_count = 0 };
		struct event_sink sink = { .context = &log, .on_event = on_event };
		struct memory_file file;
		struct capture capture;
		size_t line_count = 0;
		struct error err;
		struct sink text;

		sink_init_memory(&text);
		sink_init_memory(&log.lines);
		for (size_t k = 0; k < count; k++)
			sink_puts(&text, rows[i].line);
		memory_file_open(&file, text.buffer, text.used);
		cr_assert(capture_open_as(&capture, file.path, &reading, &err), "%s", err.text);
		cr_expect_eq(capture.format, rows[i].format);
		cr_expect_gt(capture.slices.count, 1);
		cr_expect(capture_read_all_samples(&capture, 1, &sink, 1, &err), "%s", err.text);
		for (size_t k = 0; k < log.lines.used; k++)
			line_count += log.lines.buffer[k] == '\n';
		cr_expect_eq(line_count, count, "%zu: %zu", i, line_count);
		cr_expect_eq(log.skipped_count, 0);
		capture_close(&capture);
		memory_file_close(&file);
		sink_deinit(&log.lines);
		sink_deinit(&text);
	}
	assert_no_leaks();
}

Test(call_texts, are_for_one_command)
{
	static const char text[] = "12 close(3) = 0\n";
	struct capture_reading reading = { .format = &strace_format };
	struct memory_file file;
	struct capture capture;
	struct error err;

	memory_file_open(&file, text, strlen(text));
	cr_expect_not(capture_open(&capture, file.path, &err));
	cr_expect_not_null(strstr(err.text, "kiln syscalls"), "%s", err.text);
	cr_expect_not(capture_open_as(&capture, file.path, &reading, &err));
	cr_expect_not_null(strstr(err.text, "kiln syscalls"), "%s", err.text);
	memory_file_close(&file);
	assert_no_leaks();
}

/* With -r and -t a line has two times; numbers after these are not read as times. */
Test(call_texts, no_more_than_two_times)
{
	struct sink line;

	sink_init_memory(&line);
	sink_puts(&line, "close(3) = 0\n");
	for (int i = 0; i < 200000; i++)
		sink_puts(&line, "0.1 ");
	sink_puts(&line, "close(4) = 0\n");
	sink_char(&line, '\0');
	expect(&strace_format, sink_memory(&line).at, "whole close - - \n", 0);
	sink_deinit(&line);
}
