/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc.h"

#include <criterion/criterion.h>

#include "libparse/bcc/bcc_frame.h"
#include "libparse/ftrace/kernel_entry.h"
#include "tests/support/expected_frame.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

/* Folds all events, with the event at the root and with _[k] suffixes. */
static void open_all(struct text_session *test, const char *input, size_t size_bytes,
		     const struct snapshot_choice *choice)
{
	const struct view view = {
		.event_pattern = "*",
		.grouping = { .by = { GROUP_EVENT, GROUP_COMM }, .count = 2 },
		.naming.is_annotated = true,
	};
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &view,
		.format_options = choice,
	};

	text_session_open(test, input, size_bytes, &options);
}

struct row {
	const char *input, *folded;
	enum weight_unit unit;
};

static void expect_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text_session test;

		open_all(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.unit, rows[i].unit, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 0, "%s",
			     rows[i].input);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(bcc, reads_profile)
{
	static const struct row rows[] = {
		{ "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n"
		  "    vfs_read+0x91\n    entry_SYSCALL_64_fastpath+0x18\n    read+0xe [libc.so.6]\n"
		  "    main\n    -                dd x (25036)\n        4\n\n"
		  "    [unknown]\n    -                cp (9036)\n        1\n\n",
		  "samples;cp;[unknown] 1\n"
		  "samples;dd x;main;read;entry_SYSCALL_64_fastpath_[k];vfs_read_[k] 4\n",
		  UNIT_SAMPLES },
		/* The options -d and -A; a missed stack, a sample without a stack, CRLF, no final
		 * line end. */
		{ "Sampling at 49 Hertz\r\n\r\n    0xffffffff81415af0 vfs_read [kernel]\r\n    --\r\n"
		  "    0x7f195de8e24a read [libc.so.6]\r\n    -                dd (7)\r\n        4\r\n\r\n"
		  "    [Missed Kernel Stack]\r\n    main\r\n    -                dd (7)\r\n        2\r\n\r\n"
		  "    -                dd (7)\r\n        1",
		  "samples;dd 1\nsamples;dd;main;[Missed Kernel Stack] 2\nsamples;dd;read;-;vfs_read_[k] 4\n",
		  UNIT_SAMPLES },
		/* libbpf-tools, -v. */
		{ "Sampling at 49 Hertz\n\n    #0 0xffffffff81415af0 vfs_read+0x91\n"
		  "    #1 0x00007f195de8e24a read+0xe (/lib/libc.so.6+0x2724a)\n"
		  "    -                dd (7)\n        4\n",
		  "samples;dd;read;vfs_read_[k] 4\n", UNIT_SAMPLES },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
}

Test(bcc, reads_waits)
{
	static const struct row rows[] = {
		{ "Tracing off-CPU time (us) of PID 7 by user + kernel stack for 2 secs.\n\n"
		  "    schedule\n    entry_SYSCALL_64_fastpath\n    --\n    read\n    main\n"
		  "    -                bash (7)\n        94\n\n",
		  "off-CPU time;bash;main;read;-;entry_SYSCALL_64_fastpath_[k];schedule_[k] 94000\n",
		  UNIT_NANOSECONDS },
		/* In the first version of offcputime, the comm follows the last frame. */
		{ "Tracing off-CPU time (us) of all threads by kernel stack... Hit Ctrl-C to end.\n^C\n"
		  "    schedule\n    ret_from_fork\n    jbd2/xvda1-8\n        986\n",
		  "off-CPU time;jbd2/xvda1-8;ret_from_fork_[k];schedule_[k] 986000\n",
		  UNIT_NANOSECONDS },
		/* libbpf-tools print no headline: stacks are waits if all of them are in the
		 * scheduler. */
		{ "    __schedule\n    schedule\n    do_syscall_64\n    read\n    -                a (7)\n"
		  "        12\n\n",
		  "off-CPU time;a;read;do_syscall_64_[k];schedule_[k];__schedule_[k] 12000\n",
		  UNIT_NANOSECONDS },
		{ "    __schedule\n    schedule\n    -                a (7)\n        12\n\n"
		  "    main\n    -                a (7)\n        3\n",
		  "samples;a;main 3\nsamples;a;schedule;__schedule 12\n", UNIT_SAMPLES },
		{ "Tracing blocked time (us) by user + kernel off-CPU and waker stack for 5 secs.\n\n"
		  "    waker:           make 99\n    main\n    write\n    -\n    vfs_write\n    try_to_wake_up\n"
		  "    --               --\n    schedule\n    vfs_read\n    -\n    read\n    main\n"
		  "    target:          app 7\n        56529\n\n",
		  "blocked time;app;main;read;-;vfs_read;schedule;--;try_to_wake_up;vfs_write;-;write;main;make "
		  "56529000\n",
		  UNIT_NANOSECONDS },
		/* As it was before. */
		{ "    waker:           swapper/0\n    ffffffff8137897c blk_mq_complete_request\n"
		  "    -                -\n    ffffffff81785085 schedule\n    target:          cksum\n"
		  "        9\n",
		  "off-CPU time;cksum;schedule_[k];--;blk_mq_complete_request_[k];swapper/0 9000\n",
		  UNIT_NANOSECONDS },
		{ "Tracing blocked time (us) by kernel stack... Hit Ctrl-C to end.\n^C\n"
		  "    target:          vmstat\n    ffffffff810df082 hrtimer_wakeup\n"
		  "    ffffffff8178adee xen_do_callback [xen]\n    waker:           swapper/1\n"
		  "        4000415\n",
		  "blocked time;swapper/1;xen_do_callback_[k];hrtimer_wakeup_[k];vmstat 4000415000\n",
		  UNIT_NANOSECONDS },
		/* libbpf-tools. */
		{ "Tracing blocked time (us) by kernel stack\n\n\ttarget:          busy x\n"
		  "\tffffffffc0025dbb try_to_wake_up\n\t          waker: cc 12\n\t1053\n",
		  "blocked time;cc;try_to_wake_up_[k];busy x 1053000\n", UNIT_NANOSECONDS },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
}

Test(bcc, reads_stackcount)
{
	static const struct row rows[] = {
		{ "Tracing 1 functions for \"t:block:*\"... Hit Ctrl-C to end.\n\n"
		  "  submit_bio\n  do_syscall_64\n    --\n  read\n  main\n    12\n\nDetaching...\n",
		  "t:block:*;main;read;-;do_syscall_64_[k];submit_bio_[k] 12\n", UNIT_SAMPLES },
		{ "Tracing 1 functions for \"f\"...\n\n  f+0x1 [vmlinux]\n    tar [4711]\n    3\n\n",
		  "f;tar;f_[k] 3\n", UNIT_SAMPLES },
		/* Names that Python 3 prints as bytes. */
		{ "Tracing 1 functions for \"b'submit_bio'\"... Hit Ctrl-C to end.\n^C\n"
		  "  b'submit_bio'\n  b'entry_SYSCALL_64_after_hwframe'\n    --\n"
		  "  b'write+0x14 [libc.so.6]'\n  b'[unknown]'\n    b'cp x' [4711]\n    3\n\n",
		  "submit_bio;cp x;[unknown];write;-;entry_SYSCALL_64_after_hwframe_[k];submit_bio_[k] 3\n",
		  UNIT_SAMPLES },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
}

Test(bcc, reads_memleak)
{
	static const char input[] =
		"Attaching to pid 7, Ctrl+C to quit.\n"
		"[11:16:33] Top 10 stacks with outstanding allocations:\n"
		"\t80 bytes in 5 allocations from stack\n\t\t0x00007f195de8e24a\tmain+0x6d [allocs]\n"
		"[11:16:34] Top 10 stacks with outstanding allocations:\n"
		"\taddr = 0x7f195de8e24a size = 16\n"
		"\t160 bytes in 10 allocations from stack\n\t\tf+0x6d [allocs]\n\t\tmain+0x9 [allocs]\n"
		"\t16 bytes in 1 allocations from stack\n\t\tg+0x6d [allocs]";
	static const struct snapshot_choice first = { .kind = SNAPSHOTS_NUMBER, .number = 1 };
	struct text_session test;

	open_all(&test, input, strlen(input), NULL);
	/* Samples count allocations; weights are in bytes. */
	cr_assert_str_eq(test.folded.buffer, "memleak;g 16\nmemleak;main;f 160\n");
	cr_assert_eq(test.session.profile.unit, UNIT_BYTES);
	cr_assert_eq(test.session.profile.sample_count, 11);
	text_session_close(&test);
	open_all(&test, input, strlen(input), &first);
	cr_assert_str_eq(test.folded.buffer, "memleak;main 80\n");
	text_session_close(&test);
}

/* Lines of other kinds are not misread; they are counted as skipped. */
Test(bcc, survives_noise)
{
	static const struct {
		const char *input, *folded;
		uint64_t skipped, first_line;
	} rows[] = {
		{ "Sampling at 9 Hertz\n\n    f\nLost 12 events\n    main\n    -                a (7)\n"
		  "        4\n\n",
		  "samples;a;main;f 4\n", 1, 4 },
		/* A block without an end, a number that is too large, and one that is too large in
		 * nanoseconds. */
		{ "    f\n    -                a (7)\n        4\n\n    g\n    -                a (7)\n\n",
		  "samples;a;f 4\n", 1, 5 },
		{ "    f\n    -                a (7)\n        4\n\n    g\n        18446744073709551616\n",
		  "samples;a;f 4\n", 1, 5 },
		{ "Tracing off-CPU time (us)\n\n    f\n    -                a (7)\n        4\n\n"
		  "    g\n    -                a (7)\n        18446744073709551615\n",
		  "off-CPU time;a;f 4000\n", 1, 7 },
		{ "noise\nWARNING: 3 stack traces could not be displayed.\n    f\n"
		  "    -                a (7)\n        4\n",
		  "samples;a;f 4\n", 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		open_all(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], rows[i].skipped, "%s",
			     rows[i].input);
		cr_assert_eq(test.session.profile.first_skipped_line, rows[i].first_line, "%s",
			     rows[i].input);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(bcc, survives_long_lines)
{
	static const char block[] =
		"    f\0x\n    \xff\xfe\n    -                a (7)\n        4\n\n";
	struct text_session test;
	struct sink sink;

	sink_init_memory(&sink);
	sink_bytes(&sink, block, sizeof(block) - 1);
	sink_puts(&sink, "    ");
	for (uint32_t i = 0; i < 10u << 20; i++)
		sink_puts(&sink, "0123456789");
	sink_puts(&sink, "\n\n");
	/* A block of 20 MB that does not end. */
	for (uint32_t i = 0; i < 3u << 20; i++)
		sink_puts(&sink, "    f\n");
	sink_puts(&sink, "\n");
	sink_bytes(&sink, block, sizeof(block) - 1);
	open_all(&test, sink.buffer, sink.used, NULL);
	cr_assert_str_eq(test.folded.buffer, "samples;a;\xff\xfe;f?x 8\n");
	cr_assert(test.session.profile.losses[LOSS_LONG_LINES] > 1);
	text_session_close(&test);
	sink_deinit(&sink);
}

Test(bcc, keeps_delimiters_of_folded_stacks)
{
	text_session_expect("dd;read;-;entry_SYSCALL_64_[k];vfs_read_[k] 4\n"
			    "a;schedule;--;wake_[k];b 12\ndd;[Missed User Stack] 3\n",
			    "a;schedule;--;wake_[k];b 12\ndd;[Missed User Stack] 3\n"
			    "dd;read;-;entry_SYSCALL_64_[k];vfs_read_[k] 4\n");
}

Test(bcc, reads_frames)
{
	static const struct expected_frame rows[] = {
		{ .raw = "vfs_read", .name = "vfs_read", .module = "" },
		{ .raw = "add", .name = "add", .module = "" },
		{ .raw = "vfs_read+0x91\n",
		  .name = "vfs_read",
		  .module = "",
		  .offset = 0x91,
		  .is_kernel = true },
		{ .raw = "read+0xe [libc.so.6]",
		  .name = "read",
		  .module = "libc.so.6",
		  .offset = 14 },
		{ .raw = "f(int) [a b]", .name = "f(int)", .module = "a b" },
		{ .raw = "operator new[](unsigned long)",
		  .name = "operator new[](unsigned long)",
		  .module = "" },
		{ .raw = "operator+", .name = "operator+", .module = "" },
		{ .raw = "x+0xffffffffffffffffff", .name = "x+0xffffffffffffffffff", .module = "" },
		{ .raw = "f [kernel]", .name = "f", .module = "", .is_kernel = true },
		{ .raw = "f_[k]", .name = "f", .module = "", .is_kernel = true },
		{ .raw = "[unknown]", .name = "", .module = "" },
		{ .raw = "[unknown] [libx.so]", .name = "", .module = "libx.so" },
		{ .raw = "0x7f195de8e24a read+0xe [libc.so.6]",
		  .name = "read",
		  .module = "libc.so.6",
		  .address = 0x7f195de8e24a,
		  .offset = 14 },
		{ .raw = "0x7f195de8e24a\tread+0xe [libc.so.6]",
		  .name = "read",
		  .module = "libc.so.6",
		  .address = 0x7f195de8e24a,
		  .offset = 14 },
		{ .raw = "ffffffff81415af0 vfs_read",
		  .name = "vfs_read",
		  .module = "",
		  .address = 0xffffffff81415af0 },
		{ .raw = "#12 0x7f195de8e24a read+0xe (/lib/libc.so.6+0x2724a)",
		  .name = "read",
		  .module = "/lib/libc.so.6",
		  .address = 0x7f195de8e24a,
		  .offset = 14 },
		{ .raw = "3 [<00007f195de8e24a>] read+0xe [libc.so.6]",
		  .name = "read",
		  .module = "libc.so.6",
		  .address = 0x7f195de8e24a,
		  .offset = 14 },
		{ .raw = "3 [<00007f195de8e24a>] <null sym>",
		  .name = "",
		  .module = "",
		  .address = 0x7f195de8e24a },
		{ .raw = "b'read+0xe [libc.so.6]'",
		  .name = "read",
		  .module = "libc.so.6",
		  .offset = 14 },
		{ .raw = "0x7f195de8e24a b\"f('x')\"",
		  .name = "f('x')",
		  .module = "",
		  .address = 0x7f195de8e24a },
		{ .raw = "b'entry_SYSCALL_64'\n",
		  .name = "entry_SYSCALL_64",
		  .module = "",
		  .is_kernel = true },
		{ .raw = " b'make'", .name = "make", .module = "", .is_exact = true },
		{ .raw = "b'", .name = "b'", .module = "" },
		{ .raw = "b''", .name = "b''", .module = "" },
		{ .raw = "b'x\"", .name = "b'x\"", .module = "" },
		{ .raw = " --", .name = "--", .module = "", .is_exact = true },
		{ .raw = "\tmake", .name = "make", .module = "", .is_exact = true },
		{ .raw = "", .name = "", .module = "" },
		{ .raw = "]", .name = "]", .module = "" },
		{ .raw = "#", .name = "#", .module = "" },
		{ .raw = "[<", .name = "[<", .module = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expected_frame_check(&rows[i], bcc_read_frame);
}

Test(bcc, knows_histograms)
{
	static const char input[] =
		"Tracing block device I/O... Hit Ctrl-C to end.\n^C\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 0        |                                        |\n"
		"         2 -> 3          : 12       |****                                    |\n"
		"\ndisk = b'vda'\n"
		"     usecs               : count    distribution\n"
		"         2 -> 3          : 5        |****                                    |\n"
		"         4 -> 7          : 1        |                                        |\r\n"
		"\nnoise\n\ncpu = 3\n"
		"     runqlen       : count     distribution\n"
		"        0          : 7         |***|\n"
		"        1          : 18446744073709551616         |***|\n"
		"\navg = 12 usecs, total: 24 usecs, count: 2\n12:00:01\n"
		"disk = b'vda'\n"
		"     usecs               : count    distribution\n"
		"         2 -> 3          : 2        |****";
	static const struct snapshot_choice last = { .kind = SNAPSHOTS_LAST };
	struct text_session test;

	open_all(&test, input, strlen(input), NULL);
	cr_assert_str_eq(test.folded.buffer, "runqlen;cpu = 3;0 7\nusecs;disk = vda;2 -> 3 7\n"
					     "usecs;disk = vda;4 -> 7 1\nusecs;usecs;2 -> 3 12\n");
	cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 2);
	text_session_close(&test);
	open_all(&test, input, strlen(input), &last);
	cr_assert_str_eq(test.folded.buffer, "runqlen;cpu = 3;0 7\nusecs;disk = vda;2 -> 3 2\n"
					     "usecs;usecs;2 -> 3 12\n");
	text_session_close(&test);
}

/* A row that begins with a number of ten digits has no leading blank. */
Test(bcc, keeps_rows_behind_empty_lines)
{
	text_session_expect_whole(
		"Tracing read() latency... Hit Ctrl-C to end.\n^C[02:16:40]\n\n"
		"     nsecs               : count     distribution\n"
		"         8 -> 15         : 1        |*|\n"
		"        16 -> 31         : 2        |**|\n"
		"\n"
		"       512 -> 1023       : 3        |***|\n"
		" 536870912 -> 1073741823 : 4        |****|\n"
		"1073741824 -> 2147483647 : 5        |****|\n"
		"\navg = 12 nsecs, total: 24 nsecs, count: 2\n\n03:40:49:\nDetaching...\n",
		"nsecs;8 -> 15 1\nnsecs;16 -> 31 2\nnsecs;512 -> 1023 3\n"
		"nsecs;536870912 -> 1073741823 4\nnsecs;1073741824 -> 2147483647 5\n");
}

/* Only argdist can print cumulative counts at each interval: with -c. */
Test(bcc, tells_sums_of_argdist)
{
	static const struct row rows[] = {
		{ "[02:16:39]\n[02:16:40]\nr:c:read()\n"
		  "     retval              : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n         2 -> 3          : 1        |*|\n"
		  "[02:16:41]\nr:c:read()\n"
		  "     retval              : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n         2 -> 3          : 2        |*|\n",
		  "retval;r:c:read();0 -> 1 3\nretval;r:c:read();2 -> 3 2\n", UNIT_SAMPLES },
		/* The map was cleared in between, although the second total is larger. */
		{ "[02:16:40]\n     $latency            : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n         2 -> 3          : 1        |*|\n"
		  "[02:16:41]\n     $latency            : count     distribution\n"
		  "         0 -> 1          : 2        |*|\n         2 -> 3          : 9        |*|\n",
		  "$latency;$latency;0 -> 1 5\n$latency;$latency;2 -> 3 10\n", UNIT_SAMPLES },
		/* Other tools always clear their maps. */
		{ "02:16:40\n     usecs               : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n"
		  "02:16:41\n     usecs               : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n",
		  "usecs;usecs;0 -> 1 6\n", UNIT_SAMPLES },
		/* The mean (AVG) is not part of the key. */
		{ "Remote Address = 10.0.0.1 [AVG 170]\n"
		  "     usecs               : count     distribution\n"
		  "         0 -> 1          : 3        |*|\n\n"
		  "Remote Address = 10.0.0.1 [AVG 65]\n"
		  "     usecs               : count     distribution\n"
		  "         0 -> 1          : 1        |*|\n",
		  "usecs;Remote Address = 10.0.0.1;0 -> 1 4\n", UNIT_SAMPLES },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
}
