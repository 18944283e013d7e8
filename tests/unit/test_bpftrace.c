/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace.h"

#include <criterion/criterion.h>

#include "libparse/bpftrace/bpftrace_frame.h"
#include "render/text/folded.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

struct row {
	const char *input, *folded;
};

static void expect_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* Compares the folded lines of all events, which have _[k] suffixes. */
static void expect_all(const char *input, const struct snapshot_choice *choice, const char *folded)
{
	const struct view view = {
		.grouping = { .by = { GROUP_EVENT, GROUP_COMM }, .count = 2 },
		.naming.is_annotated = true,
	};
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &view,
		.format_options = choice,
	};
	struct text_session test;

	text_session_open(&test, input, strlen(input), &options);
	cr_assert_str_eq(test.folded.buffer, folded, "%s", input);
	text_session_close(&test);
}

Test(bpftrace, reads_keys)
{
	static const struct row rows[] = {
		/* Keys with stacks and words in any order. */
		{ "@[\n    a+1\n    b+2\n]: 3\n", "b;a 3\n" },
		{ "@[bash, \n    a+1\n    b+2\n]: 3\n", "bash;b;a 3\n" },
		{ "@[\n    a+1\n    b+2\n, bash]: 3\n", "bash;b;a 3\n" },
		{ "@[\n    k+1\n    do_syscall_64+2\n, \n    u+1\n    main+2\n, bash]: 3\n",
		  "bash;main;u;do_syscall_64;k 3\n" },
		{ "@[bash, 7, \n    k+1\n, \n    u+1\n, x y]: 3\n", "bash;7;x y;u;k 3\n" },
		/* The user stack may come first. */
		{ "@[\n    u+1\n    main+2\n, \n    k+1\n    ret_from_fork+2\n]: 3\n",
		  "main;u;ret_from_fork;k 3\n" },
		/* No stack, or an empty one, which some versions print as nothing and others as a line end. */
		{ "@[bash, 7]: 3\n", "bash;7 3\n" },
		{ "@[7, bash]: 3\n", "bash;7 3\n" },
		{ "@[, bash]: 9\n", "bash 9\n" },
		{ "@[bash, , \n    u+1\n]: 9\n", "bash;u 9\n" },
		{ "@[\n]: 4\n", "@ 4\n" },
		{ "@[bash, \n, \n        u+1\n]: 4\n", "bash;u 4\n" },
		{ "@[]: 9\n", "@ 9\n" },
		{ "@x: 9\n", "@x 9\n" },
		/* A comm that looks like something else; words with brackets. */
		{ "@[a]: 3]: 4\n", "a]: 3 4\n" },
		{ "@[(sd-pam, 7]: 4\n", "(sd-pam;7 4\n" },
		{ "@[(1, 2), f(int, char)]: 4\n", "(1, 2);f(int, char) 4\n" },
		/* Equal entries, printed for several processes, are added up. */
		{ "@[\n    a+1\n]: 3\n@[\n    a+1\n]: 3\n", "a 6\n" },
		/* CRLF, lost blanks, no final line end, and a tab. */
		{ "@[bash,\r\n    a+1\r\n,\r\n    b+1\r\n]: 3\r\n", "bash;b;a 3\n" },
		{ "@[\n    a+1\n]: 3", "a 3\n" },
		{ "@[\n\ta+1\n]: 18446744073709551615\n", "a 18446744073709551615\n" },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
}

/* stackcollapse-bpftrace.pl reads each of these differently, or not at all. */
Test(bpftrace, reads_what_the_script_does_not)
{
	static const struct row rows[] = {
		/* Maps that have a name. */
		{ "@reads[\n    a+1\n    b+2\n]: 3\n", "b;a 3\n" },
		/* A key before the stack. */
		{ "@[bash, \n    a+1\n]: 3\n", "bash;a 3\n" },
		/* Two stacks: the comma between them is not a frame. */
		{ "@[\n    a+1\n, \n    b+1\n]: 3\n", "b;a 3\n" },
		/* A wrong count does not consume the lines after it. */
		{ "@[\n    x+1\n]: -3\n@[\n    a+1\n]: 3\n", "a 3\n" },
		{ "@[\n    x+1\n]: count 2, average 4, total 8\n@b[\n    a+1\n]: 3\n", "x 8\n" },
		{ "@[\n    x+1\n]: \n[2, 4)   3 |@@ |\n[4, 8)   1 |@  |\n\n@b[\n    a+1\n]: 3\n",
		  "x;[2, 4) 3\nx;[4, 8) 1\n" },
		/* Offsets and addresses are not part of a name. */
		{ "@[\n\tffffffff814b08ed a+397\n\t7fd38111d829 b+25 (/lib/b.so)\n]: 3\n",
		  "b;a 3\n" },
		/* Equal stacks are one. */
		{ "@[\n    a+1\n    b+2\n]: 1\n@[\n    a+5\n    b+7\n]: 3\n", "b;a 4\n" },
		{ "@[\n]: 4\n@[\n    a+1\n]: 4\n", "@ 4\na 4\n" },
		{ "@[\n    f;g+1\n]: 4\n", "f:g 4\n" },
		{ "@[\n    a+1@src/a.c:3\n    [inlined] b@src/b.c:4\n    c+9@src/c.c:5\n]: 4\n",
		  "c;b;a 4\n" },
		{ "{\"type\": \"map\", \"data\": {\"@\": {\"\\n a+1\\n b+2\\n,bash\": 3}}}\n",
		  "bash;b;a 3\n" },
	};

	expect_rows(rows, ARRAY_SIZE(rows));
	expect_all("@[\n    a+1\n    entry_SYSCALL_64_after_hwframe+2\n, \n    b+1\n]: 3\n", NULL,
		   "@;b;entry_SYSCALL_64_after_hwframe_[k];a_[k] 3\n");
}

Test(bpftrace, reads_values)
{
	expect_all("@a[x]: count 3, average 2, total 6\n"
		   "@b[x]: { .count = 3, .average = 2, .total = 6 }\n"
		   "@bytes[x]: 7\n"
		   "@c: 5\n"
		   "@d[y]: (1, 2)\n@d[x]: text\n@d[z]: 0x7f12\n@e: 0\n"
		   "@h: \n(..., 0)      2 |@@ |\n[0]           1 |@  |\n[64K, 128K)   4 |@@@|\n\n"
		   "@l[a]:\n[0, 10)       1 |@  |\n[10, ...)     2 |@@ |\n\n"
		   "@l[b]:\n[0, 10)       4 |@  |\n\n"
		   "@t:\n              3        9\nhh:mm:ss  |____|\n"
		   "12:00:01  |  * | 4\n12:00:02  |    | -\n          v____v\n\n",
		   NULL,
		   "@a;x 3\n@b;x 3\n@bytes;x 1\n@c;@c 5\n@h;@h;(..., 0) 2\n@h;@h;[0] 1\n"
		   "@h;@h;[64K, 128K) 4\n@l;a;[0, 10) 1\n@l;a;[10, ...) 2\n@l;b;[0, 10) 4\n"
		   "@t;@t;12:00:01 4\n");
}

Test(bpftrace, knows_units_by_names)
{
	static const struct {
		const char *input, *folded;
		enum weight_unit unit;
	} rows[] = {
		{ "@[x]: 5\n", "x 5\n", UNIT_SAMPLES },
		{ "@status[x]: 5\n", "x 5\n", UNIT_SAMPLES },
		{ "@bytes[x]: 5\n", "x 5\n", UNIT_BYTES },
		{ "@read_ns[x]: 5\n", "x 5\n", UNIT_NANOSECONDS },
		{ "@us[x]: 5\n", "x 5000\n", UNIT_NANOSECONDS },
		{ "@off_ms[x]: 5\n", "x 5000000\n", UNIT_NANOSECONDS },
		{ "@[x]: count 3, average 2, total 6\n", "x 6\n", UNIT_EVENTS },
		{ "@usecs[x]:\n[2, 4)   3 |@|\n", "x;[2, 4) 3\n", UNIT_SAMPLES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.unit, rows[i].unit, "%s", rows[i].input);
		text_session_close(&test);
	}
}

/* Unknown lines are counted as skipped; bpftrace's own messages are not. */
Test(bpftrace, survives_noise)
{
	static const struct {
		const char *input, *folded;
		uint64_t skipped, first_line, lost;
	} rows[] = {
		{ "Attaching 1 probe...\n12:00:01\n\n^C\n@[\n    a+1\n]: 3\n\n", "a 3\n", 0, 0, 0 },
		{ "Attached 2 probes\nLost 12 events\n@[\n    a+1\n]: 3\nLost 3 events\n", "a 3\n",
		  0, 0, 15 },
		{ "@[x]: 1\nhello\n@[\n    a+1\nLost 12 events\nWARNING: y\n    b+1\n]: 3\n",
		  "b;a 3\nx 1\n", 3, 2, 0 },
		/* Truncated entries, bad counts. */
		{ "@[\n    a+1\n@[\n    b+1\n]: 3\n", "b 3\n", 1, 1, 0 },
		{ "@[\n    a+1\n]: 3\n@[\n    b+1\n", "a 3\n", 1, 4, 0 },
		{ "@[x]: 18446744073709551616\n@[y]: 1\n", "y 1\n", 1, 1, 0 },
		{ "@us[x]: 18446744073709551615\n@us[y]: 1\n", "y 1000\n", 1, 1, 0 },
		{ "@[x]: -1\n@[y]: 1\n", "y 1\n", 1, 1, 0 },
		{ "@[x, oops\n    a+1\n@[y]: 1\n", "y 1\n", 2, 1, 0 },
		{ "@[\n    a+1\n]oops\n@[y]: 1\n", "y 1\n", 1, 1, 0 },
		{ "@h:\n[2, 4)  1 |@|\n[4, 8)  x |@|\nnoise\n[8, 9)  2 |@|\n\n",
		  "@h;[2, 4) 1\n@h;[8, 9) 2\n", 1, 4, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], rows[i].skipped, "%s",
			     rows[i].input);
		cr_assert_eq(test.session.profile.first_skipped_line, rows[i].first_line, "%s",
			     rows[i].input);
		cr_assert_eq(test.session.profile.losses[LOSS_RECORDS], rows[i].lost, "%s",
			     rows[i].input);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(bpftrace, keeps_bytes_it_does_not_understand)
{
	static const char input[] = "@[a\xff\xfe, \n    b\0c+1\n    d+2\n]: 3\n";
	struct text_session test;

	/* All bytes are kept except for a NUL, which no name can contain. */
	text_session_open(&test, input, sizeof(input) - 1, NULL);
	cr_assert_str_eq(test.folded.buffer, "a\xff\xfe;d;b?c 3\n");
	text_session_close(&test);
}

static void append(struct sink *sink, size_t count, const char *text)
{
	while (count--)
		sink_puts(sink, text);
}

static void expect_sink(struct sink *sink, const char *folded, uint64_t skipped)
{
	struct text_session test;

	text_session_open(&test, sink->buffer, sink->used, NULL);
	cr_assert_str_eq(test.folded.buffer, folded);
	cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES] +
			     test.session.profile.losses[LOSS_LONG_LINES],
		     skipped);
	text_session_close(&test);
	sink->used = 0;
}

/* 4096 keys in the largest used snapshot: bpftrace dropped further keys. */
Test(bpftrace, counts_full_maps)
{
	static const struct {
		size_t first_count, second_count;
		uint64_t full;
	} rows[] = { { 4095, 0, 0 }, { 4096, 0, 1 },    { 4096, 4096, 1 }, { 4097, 0, 0 },
		     { 1, 4096, 1 }, { 4095, 4096, 1 }, { 4096, 4097, 0 } };
	struct text_session test;
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		sink.used = 0;
		for (size_t k = 0; k < rows[i].first_count; k++)
			sink_printf(&sink, "@[%zu]: 1\n", k);
		/* A title begins a snapshot. */
		sink_puts(&sink, "Again:\n");
		for (size_t k = 0; k < rows[i].second_count; k++)
			sink_printf(&sink, "@[%zu]: 1\n", k);
		text_session_open(&test, sink.buffer, sink.used, NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_FULL_MAPS], rows[i].full, "row %zu",
			     i);
		text_session_close(&test);
	}
	sink_deinit(&sink);
}

Test(bpftrace, survives_long_lines)
{
	struct sink sink;

	/* A line of 100 MB, an entry of 20 MB in short lines, and brackets that do not pair up. */
	sink_init_memory(&sink);
	sink_puts(&sink, "@[x]: 1\n");
	append(&sink, 10u << 20, "0123456789");
	sink_puts(&sink, "\n@[y]: 1\n");
	expect_sink(&sink, "x 1\ny 1\n", 1);

	sink_puts(&sink, "@[x]: 1\n@[\n");
	append(&sink, 2u << 20, "    a+1\n\n");
	sink_puts(&sink, "@[y]: 1\n");
	expect_sink(&sink, "x 1\ny 1\n", (2u << 20) + 1);

	sink_puts(&sink, "@[x]: 1\n@[");
	append(&sink, 2u << 20, "(, ]");
	sink_puts(&sink, "\n@[y]: 1\n");
	expect_sink(&sink, "x 1\ny 1\n", 1);
	sink_deinit(&sink);
}

Test(bpftrace, tells_printings_apart)
{
	/* @ is cleared after each snapshot, @c and @h are not; @p was printed only twice. */
	static const char input[] =
		"@[a]: 1\n@[b]: 4\n@c: 5\n@h[x]:\n[2, 4) 3 |@|\n\n@p[x]: 1\n"
		"@[a]: 2\n@c: 7\n@h[x]:\n[2, 4) 9 |@|\n\n@h[y]:\n[2, 4) 9 |@|\n\n"
		"@[c]: 1\n@c: 8\n@h[x]:\n[2, 4) 9 |@|\n\n@h[y]:\n[2, 4) 9 |@|\n\n"
		"@p[x]: 3\n";
	static const struct {
		struct snapshot_choice choice;
		const char *folded, *told;
	} rows[] = {
		{ { .kind = SNAPSHOTS_AUTO },
		  "@;a 3\n@;b 4\n@;c 1\n@c;@c 8\n@h;x;[2, 4) 9\n@h;y;[2, 4) 9\n@p;x 3\n",
		  "3 of @, added up; 3 of @c, last used; 3 of @h, last used; 2 of @p, last "
		  "used" },
		{ { .kind = SNAPSHOTS_SUM },
		  "@;a 3\n@;b 4\n@;c 1\n@c;@c 20\n@h;x;[2, 4) 21\n@h;y;[2, 4) 18\n@p;x 4\n",
		  "3 of @, added up; 3 of @c, added up; 3 of @h, added up; 2 of @p, added up" },
		{ { .kind = SNAPSHOTS_LAST },
		  "@;c 1\n@c;@c 8\n@h;x;[2, 4) 9\n@h;y;[2, 4) 9\n@p;x 3\n",
		  "3 of @, last used; 3 of @c, last used; 3 of @h, last used; 2 of @p, last "
		  "used" },
		{ { .kind = SNAPSHOTS_NUMBER, .number = 1 },
		  "@;a 1\n@;b 4\n@c;@c 5\n@h;x;[2, 4) 3\n@p;x 1\n",
		  "3 of @, number 1 used; 3 of @c, number 1 used; 3 of @h, number 1 used; 2 "
		  "of @p, number 1 used" },
		{ { .kind = SNAPSHOTS_NUMBER, .number = 3 },
		  "@;c 1\n@c;@c 8\n@h;x;[2, 4) 9\n@h;y;[2, 4) 9\n",
		  "3 of @, last used; 3 of @c, last used; 3 of @h, last used; 2 of @p, none "
		  "used" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct session_options options = {
			.thread_count = 1,
			.ignores_host = true,
			.format_options = &rows[i].choice,
		};
		struct text_session test;

		expect_all(input, &rows[i].choice, rows[i].folded);
		text_session_open(&test, input, strlen(input), &options);
		cr_assert(text_is(test.session.profile.facts[FACT_SNAPSHOTS], rows[i].told), "%.*s",
			  (int)test.session.profile.facts[FACT_SNAPSHOTS].length,
			  test.session.profile.facts[FACT_SNAPSHOTS].at);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/*
 * Snapshots without other lines between them: values ascend in a snapshot, and each key appears
 * only once in it.
 */
Test(bpftrace, tells_adjoining_printings_apart)
{
	static const struct snapshot_choice last = { .kind = SNAPSHOTS_LAST };
	static const struct row rows[] = {
		{ "@[\n a+1\n]: 1\n@[\n b+1\n]: 2\n@[\n a+1\n]: 1\n", "@;a 1\n" },
		{ "@[\n a+1\n]: 1\n@[\n a+1\n]: 2\n", "@;a 3\n" },
		{ "@[x]: 1\n@[x]: 2\n", "@;x 2\n" },
		/* Stacks that could not be looked up. */
		{ "@[]: 1\n@[]: 1\n@[]: 2\n\n@[]: 3\n@[]: 4\n", "@;@ 7\n" },
		{ "@[x, , ]: 1\n@[x, , ]: 2\n", "@;x 3\n" },
		{ "@[x]: 1\n12:00:01\n@[y]: 2\n", "@;y 2\n" },
		{ "@[x]: 1\n\n@[y]: 2\n", "@;x 1\n@;y 2\n" },
		{ "@: 1\n@: 2\n", "@;@ 2\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_all(rows[i].input, &last, rows[i].folded);
}

Test(bpftrace, reads_choices)
{
	static const struct {
		const char *text;
		struct snapshot_choice choice;
	} rows[] = {
		{ "sum", { .kind = SNAPSHOTS_SUM } },
		{ "last", { .kind = SNAPSHOTS_LAST } },
		{ "12", { .kind = SNAPSHOTS_NUMBER, .number = 12 } },
	};
	static const char *const wrong[] = {
		"", "0", "-1", "first", "1.5", "99999999999999999999"
	};
	struct snapshot_choice choice;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_assert(snapshot_choice_parse(rows[i].text, &choice, &err));
		cr_assert_eq(choice.kind, rows[i].choice.kind);
		cr_assert_eq(choice.number, rows[i].choice.number);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		cr_assert(!snapshot_choice_parse(wrong[i], &choice, &err), "%s", wrong[i]);
}

Test(bpftrace, keeps_rows_behind_empty_lines)
{
	text_session_expect_whole(
		"Attaching 2 probes...\nTracing latency... Hit Ctrl-C to end.\n^C\n"
		"Latency in microseconds:\n@us[a b]: \n[1]      3 |@|\n\n"
		"[2, 4)     4 |@@|\n[512, 1K)     5 |@@|\n\n\n[1K, 2K)     6 |@@|\n\n"
		"12:00:01 next\n@us[c]:\n[8, 16)    7 |@|\n",
		"a b;[1] 3\na b;[2, 4) 4\na b;[512, 1K) 5\na b;[1K, 2K) 6\nc;[8, 16) 7\n");
}
