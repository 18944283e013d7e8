/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

/* Folds all events, with the event at the root. */
static void open_all(struct text_session *test, const char *input,
		     const struct snapshot_choice *choice)
{
	const struct view view = {
		.event_pattern = "*",
		.grouping = { .by = { GROUP_EVENT, GROUP_COMM }, .count = 2 },
	};
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &view,
		.format_options = choice,
	};

	text_session_open(test, input, strlen(input), &options);
}

static const struct {
	const char *input, *folded;
	enum weight_unit unit;
	uint64_t sample_count;
} rows[] = {
	{ "Tracing 3 functions for \"vfs_*\"... Hit Ctrl-C to end.\n^C\n"
	  "FUNC                                    COUNT\nvfs_open       2\noperator new       40\nDetaching...\n",
	  "COUNT;operator new 40\nCOUNT;vfs_open 2\n", UNIT_SAMPLES, 42 },
	{ "Tracing... Ctrl-C to end.\n\nADDR             FUNC                          COUNT\n"
	  "ffffffff811f3c01 vfs_read                        7\n",
	  "COUNT;vfs_read 7\n", UNIT_SAMPLES, 7 },
	/* Names that Python 3 prints as bytes. */
	{ "FUNC                                    COUNT\nb'vfs_open'       2\nDetaching...\n",
	  "COUNT;vfs_open 2\n", UNIT_SAMPLES, 2 },
	/* With an interval, each table is cleared after it is printed; the time is above it, here
	 * after ^C. */
	{ "Tracing syscalls, printing top 10... Ctrl+C to quit.\n[09:41:32]\n"
	  "SYSCALL                   COUNT        TIME (us)\n"
	  "futex                        16      3415860.022\n[unknown: 321]                3            4.9657\n\n"
	  "^C[09:41:33]\nSYSCALL                   COUNT        TIME (us)\n"
	  "futex                         1            1.000\n",
	  "TIME;[unknown: 321] 4965\nTIME;futex 3415861022\n", UNIT_NANOSECONDS, 20 },
	{ "SYSCALL                   COUNT        TIME (ms)\nfutex                         1            1.5\n",
	  "TIME;futex 1500000\n", UNIT_NANOSECONDS, 1 },
	/* Keys of several columns. */
	{ "PID    COMM               COUNT\n4711   app x                3\n4712   app x                5\n",
	  "COUNT;app x;4711 3\nCOUNT;app x;4712 5\n", UNIT_SAMPLES, 8 },
	{ "COMM             PID     COUNT\napp x            4711    3\n", "COUNT;app x;4711 3\n",
	  UNIT_SAMPLES, 3 },
	{ "PID      TID      KVM_EXIT_REASON                     COUNT\n"
	  "^C77  78  EXIT_REASON_HLT                     12\n77  79  EXIT_REASON_HLT                     1\n",
	  "COUNT;EXIT_REASON_HLT;77;78 12\nCOUNT;EXIT_REASON_HLT;77;79 1\n", UNIT_SAMPLES, 13 },
	{ "TIDS     KVM_EXIT_REASON                     COUNT\n78  EXIT_REASON_HLT    12\n",
	  "COUNT;EXIT_REASON_HLT;78 12\n", UNIT_SAMPLES, 12 },
	{ "Tracing hard irq event time... Hit Ctrl-C to end.\n^C\nHARDIRQ                    TOTAL_usecs\n"
	  "eth0                             11441\r\ntimer 0                           1558\r\n",
	  "TOTAL_usecs;eth0 11441000\nTOTAL_usecs;timer 0 1558000\n", UNIT_NANOSECONDS, 2 },
	{ "TYPE                           # ALLOCS      # BYTES\nblock size 64                        22         1408\n",
	  "BYTES;block size 64 1408\n", UNIT_BYTES, 22 },
	{ "METHOD                                              # CALLS\nio/App.<init>                                            2\n",
	  "CALLS;io/App.<init> 2\n", UNIT_SAMPLES, 2 },
	{ "PPC HCALL              COUNT          MIN (us)          MAX (us)          AVG (us)\n"
	  "H_IPI                     32             0.808             7.730             2.329\n",
	  "COUNT;H_IPI 32\n", UNIT_SAMPLES, 32 },
	/* argdist: the count is the first column, and a heading names the table. With -c, counts
	 * are cumulative. */
	{ "[06:47:18]\nwrite by process\n\tCOUNT      EVENT\n\t3          $PID = 8889\n"
	  "[06:47:19]\nwrite by process\n\tCOUNT      EVENT\n\t9          $PID = 8889\n\t7          $PID = 1, x = 2\n"
	  "p:c:free()\n\tCOUNT      EVENT\n\t5          total calls\n",
	  "COUNT;p:c:free();total calls 5\nCOUNT;write by process;$PID = 1, x = 2 7\n"
	  "COUNT;write by process;$PID = 8889 9\n",
	  UNIT_SAMPLES, 21 },
	{ "[06:47:18]\nw\n\tCOUNT      EVENT\n\t3          a\n\t5          b\n"
	  "[06:47:19]\nw\n\tCOUNT      EVENT\n\t2          a\n\t9          b\n",
	  "COUNT;w;a 5\nCOUNT;w;b 14\n", UNIT_SAMPLES, 19 },
};

Test(bcc_table, reads_tables)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;
		const struct profile *profile = &test.session.profile;

		open_all(&test, rows[i].input, NULL);
		cr_expect_str_eq(test.session.capture.format->name, "bcc-table", "%s",
				 rows[i].input);
		cr_expect_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_expect_eq(profile->unit, rows[i].unit, "%s", rows[i].input);
		cr_expect_eq(profile->sample_count, rows[i].sample_count, "%s", rows[i].input);
		cr_expect_eq(profile->losses[LOSS_SKIPPED_LINES], 0, "%s", rows[i].input);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(bcc_table, takes_the_interval_that_is_asked_for)
{
	static const char input[] = "FUNC   COUNT\na   1\n\nFUNC   COUNT\na   2\nb   3\n";
	static const struct snapshot_choice second = { .kind = SNAPSHOTS_NUMBER, .number = 2 };
	struct text_session test;

	open_all(&test, input, &second);
	cr_assert_str_eq(test.folded.buffer, "COUNT;a 2\nCOUNT;b 3\n");
	text_session_close(&test);
}

/* Lines that are not rows are counted, and the table continues. An empty line ends the table. */
Test(bcc_table, counts_what_it_skips)
{
	static const char input[] =
		"noise\nFUNC   COUNT\na   1\n[...]\nb   x\nc   18446744073709551616\n"
		"  7\nd   2\n\ne   3\n";
	struct text_session test;

	open_all(&test, input, NULL);
	cr_assert_str_eq(test.folded.buffer, "COUNT;a 1\nCOUNT;d 2\n");
	cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 6);
	text_session_close(&test);
}

static enum confidence confidence_in(const char *heading)
{
	return bcc_table_format.probe(span_of(heading, strlen(heading), 0, false)).confidence;
}

/* A table is read only if all of its columns are known. */
Test(bcc_table, requires_known_headings)
{
	static const char *const headings[] = {
		"",
		"COUNT",
		"FUNC",
		"PID    COMM",
		"PID    COMM     TYPE   COUNT",
		"TIME   PID      COMM   COUNT",
		"FUNC   COUNTED",
		"FUNC   COUNT    RATE",
		"func   count",
		"PID TID PID COMM COUNT",
		"ADDR ADDR ADDR ADDR ADDR ADDR ADDR FUNC COUNT",
	};

	for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
		cr_expect_eq(confidence_in(headings[i]), CONFIDENCE_NONE, "%s", headings[i]);
	cr_assert_eq(confidence_in("  FUNC\tCOUNT "), CONFIDENCE_LIKELY);
}
