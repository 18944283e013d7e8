/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_file.h"

#include <criterion/criterion.h>

#include "profile/tree/name_shares.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

#define HEADER                                                                                  \
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  /bin/app 2\n" \
	"part: 1\n\ndesc: Trigger: end\n\npositions: line\nevents: Ir Dr\nsummary: 0\n\n"

static void ignore_event(void *context, const struct event *event)
{
	(void)context;
	(void)event;
}

Test(callgrind, reads_stacks)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* The cost of a call is no self cost. Positions may be relative. */
		{ HEADER "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n16 3 1\ncfn=(2) scan'main\n"
			 "calls=2 20\n+1 40 9\n* 4\n-2 5 1\n\nfn=(2)\nfi=(2) b.h\n0x14 40 9\n"
			 "totals: 52 11\n",
		  "app;main 12\napp;main;scan 40\n" },
		/* Two records of one stack, recursion levels, and names without numbers. */
		{ HEADER
		  "fn=main\n1 1\ncfn=f'2'g'main\ncalls=1 1\n1 5\nfn=f'2'g'main\n1 2\nfn=f'g'main\n1 3\n"
		  "fn=g'main\n1 0\n",
		  "app;main 1\napp;main;g;f 5\n" },
		/* The line after a jump has positions, but no cost. */
		{ HEADER
		  "fn=(1) main\n1 1\njfi=(3) c.c\njfn=(9) f'main\njcnd=2/3 +4\n* \njump=5 7\n+1\n"
		  "fn=(9)\n+1 7\n",
		  "app;main 1\napp;main;f 7\n" },
		/* Numbers in names, of which some are defined only for that. */
		{ HEADER "fn=(1) main\nfn=(2) f\nfn=(3) (2)'2'(1)\n1 4\nfn=(1)\n2 1\ncfn=(4) g\n"
			 "cfn=(5) (4)'(2)'(1)\ncalls=1 1\n1 3\nfn=(5)\n1 3\n",
		  "app;main 1\napp;main;f 4\napp;main;f;g 3\n" },
		/* Several parts; an id gets another name. */
		{ HEADER
		  "fn=(1) main\n1 1\nfn=(2) f'main\n1 2\ntotals: 3\n\npart: 2\nevents: Dr Ir\n"
		  "fn=(2)\n1 9 5\nfn=(2) h'main\n1 0 1\ntotals: 9 6\n",
		  "app;main 1\napp;main;f 7\napp;main;h 1\n" },
		/* With numbers in names, each text is one function. */
		{ HEADER "fn=(1) main\n1 1\ncfn=(2) b::'c\ncfn=(3) (2)'(1)\ncalls=1 1\n1 9\n"
			 "fn=(3)\n1 2\ncfn=(4) d<(e'2\ncfn=(5) (4)'(2)'(1)\ncalls=1 1\n1 7\n"
			 "fn=(5)\n1 7\n",
		  "app;main 1\napp;main;b::'c 2\napp;main;b::'c;d<(e'2 7\n" },
		/* The name of a caller separates, though brackets do not match, and wherever it is. */
		{ HEADER "fn=c'b<(x<y)>()'2'a(x'main\n1 5\nfn=b<(x<y)>()'2'a(x'main\n1 4\n"
			 "fn=a(x'main\n1 3\nfn=main\n1 2\n",
		  "app;main 2\napp;main;a(x 3\napp;main;a(x;b<(x<y)> 4\n"
		  "app;main;a(x;b<(x<y)>;c 5\n" },
		/* The caller of c is b, which has a name of its own only below d. */
		{ HEADER "fn=main\n1 2\nfn=c'2'b'main\n1 5\nfn=b'2'd\n1 1\nfn=d\n1 1\n",
		  "app;d 1\napp;d;b 1\napp;main 2\napp;main;b;c 5\n" },
		/* No function is named bar. */
		{ HEADER "fn=main\n1 2\nfn=foo'bar'main\n1 5\nfn=c'foo'bar'main\n1 6\n"
			 "fn=foo'bar'2'main\n1 1\n",
		  "app;main 2\napp;main;foo'bar 6\napp;main;foo'bar;c 6\n" },
		/* Comparisons in template arguments, as g++ and Valgrind write them */
		{ HEADER
		  "fn=(1) e<(1)>=(1), void>::type f<1>(A<1>)'main\n1 1\n"
		  "cfn=(2) e<(0)<(1), void>::type f<0>(A<0>)'e<(1)>=(1), void>::type f<1>(A<1>)'main\n"
		  "calls=1 1\n1 7\nfn=(2)\n1 7\n",
		  "app;main;f<1> 1\napp;main;f<1>;f<0> 7\n" },
		/* Three numbers in front of the costs. */
		{ "creator: callgrind-3\npositions: instr bb line\nevents: Ir\nfn=a\n0x1 0x1 3 5\n"
		  "fn=b'a\n+1 * 3 6\n",
		  "[program];a 5\n[program];a;b 6\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(callgrind, marks_stacks_that_lack_callers)
{
	static const struct {
		const char *input, *folded;
		uint64_t cut_count;
	} rows[] = {
		/* At most two names: only that of main is complete. */
		{ HEADER
		  "fn=main\n1 1\ncfn=f'main\ncalls=1 1\n1 9\nfn=f'main\n1 2\ncfn=g'f\ncalls=1 1\n"
		  "1 3\nfn=g'f\n1 3\n",
		  "app;[truncated];f;g 3\napp;main 1\napp;main;f 2\n", 1 },
		/* Only callers of f were separated. */
		{ HEADER "fn=main\n1 1\ncfn=h\ncalls=1 1\n1 9\nfn=h\n1 2\ncfn=f'h\ncalls=1 1\n1 3\n"
			 "fn=f'h\n1 3\n",
		  "app;[truncated];h 2\napp;[truncated];h;f 3\napp;main 1\n", 2 },
		/* A stack with two DSOs, and rows between them, counts once. */
		{ HEADER
		  "fn=c'b\n1 1\nfn=d'b\n1 2\nob=/lib/a\nfn=c'b\n1 3\ncfn=d'b\ncalls=1 1\n1 9\n",
		  "app;[truncated];b;c 4\napp;[truncated];b;d 2\n", 2 },
		/* The costs of main were not collected. */
		{ HEADER "fn=f'main\n1 2\ncfn=g'f'main\ncalls=1 1\n1 3\nfn=g'f'main\n1 3\n",
		  "app;main;f 2\napp;main;f;g 3\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_expect(rows[i].input, rows[i].folded);
		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_CALLERS], rows[i].cut_count,
			     "row %zu: %llu", i,
			     (unsigned long long)test.session.profile.losses[LOSS_CALLERS]);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(callgrind, counts_what_it_cannot_read)
{
	static const struct {
		const char *body, *folded;
		uint64_t skipped;
	} rows[] = {
		/* A cost before any function, and lines of other kinds. */
		{ "1 5\nfn=b'a\n1 2\nhello\nrec=1\n", "app;[truncated];a;b 2\n", 3 },
		/* Unknown numbers: their costs belong to no function. */
		{ "fn=b'a\n1 2\nfn=(7)\n1 3\ncfn=(8)\nob=(9)\n", "app;[truncated];a;b 2\n", 4 },
		{ "fn=b'a\n1 2\nfn=(1) (2)'(3)\n1 3\n", "app;[truncated];a;b 2\n", 2 },
		/* A number that stands for a stack is no part of a name. */
		{ "fn=(1) a\nfn=(2) (1)'(1)\n1 2\nfn=(3) (2)'(1)\n1 3\n", "app;[truncated];a;a 2\n",
		  2 },
		/* Costs that are too large or too many, and positions that are none. */
		{ "fn=b'a\n1 2\n1 99999999999999999999\n1 2 3 4\n+ 3 4\n1x 2\n",
		  "app;[truncated];a;b 2\n", 4 },
		/* A comment before the cost of calls, which is no self cost. */
		{ "fn=b'a\n1 2\ncfn=c'a\ncalls=1 1\n# comment\n1 9\n", "app;[truncated];a;b 2\n",
		  0 },
		/* calls= without a callee; then a line that is no cost. */
		{ "fn=b'a\n1 2\ncalls=1 1\nfn=c'a\n1 3\n",
		  "app;[truncated];a;b 2\napp;[truncated];a;c 3\n", 1 },
		{ "pid: x\nthread: -1\nsummary: x\nevent:\nfn=b'a\n1 2\n",
		  "app;[truncated];a;b 2\n", 4 },
		{ "fn=b'a\n1 18446744073709551615\n1 2\n",
		  "app;[truncated];a;b 18446744073709551615\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char input[1024];

		snprintf(input, sizeof(input), "%s%s", HEADER, rows[i].body);
		text_session_expect_skips(input, rows[i].folded, rows[i].skipped);
	}
	assert_no_leaks();
}

/* expected: the message about a partial result; empty: the result is complete */
static void expect_damage(const char *body, const char *expected)
{
	struct memory_file file;
	struct capture capture;
	char input[1024];
	struct error err;

	snprintf(input, sizeof(input), "%s%s", HEADER, body);
	memory_file_open(&file, input, strlen(input));
	cr_assert(capture_open(&capture, file.path, &err), "%s", err.text);
	cr_expect_str_eq(capture.is_partial ? capture.damage.text : "", expected, "%s: %s", body,
			 capture.damage.text);
	capture_close(&capture);
	memory_file_close(&file);
}

Test(callgrind, compares_the_sums)
{
	expect_damage("fn=b'a\n1 2 3\ntotals: 2 3\n", "");
	expect_damage("fn=b'a\n1 2\ntotals: 2\n", "");
	expect_damage("fn=b'a\n1 2 3\n", "");
	expect_damage("summary: 2\nfn=b'a\n1 2 3\n", "");
	expect_damage("fn=b'a\n1 2 3\npart: 2\nevents: Ir\nsummary: 0\ntotals: 0\n", "");
	expect_damage("fn=b'a\n1 2 3\npart: 2\nevents: Ir\nfn=b'a\n1 2\n", "");
	/* Each events line begins a part. */
	expect_damage("fn=b'a\n1 2 3\nevents: Ir\nfn=b'a\n1 5\ntotals: 5\n", "");
	/* A line without sums ends its part, too. */
	expect_damage("fn=b'a\n1 2\ntotals: x\nfn=b'a\n1 3\ntotals: 3\n", "");
	expect_damage(
		"fn=b'a\n1 2 3\ntotals: 2 4\n",
		"the costs of Dr add up to 3, but the totals line has 4: lines are missing or "
		"corrupt");
	expect_damage(
		"fn=b'a\n1 2\ntotals: 2\npart: 2\nfn=b'a\n1 2\ntotals: 3\n",
		"the costs of Ir add up to 2, but the totals line has 3: lines are missing or "
		"corrupt");
	expect_damage(
		"summary: 4\nfn=b'a\n1 2\n",
		"the costs of Ir add up to 2, but the summary line has 4: lines are missing or "
		"corrupt");
	assert_no_leaks();
}

/* A second part that is truncated at any line before its first cost */
Test(callgrind, notices_a_part_without_costs)
{
	static const char *const lines[] = {
		"part: 2\n",    "thread: 1\n",   "\n",       "desc: Trigger: end\n", "events: Ir\n",
		"summary: 9\n", "ob=/bin/app\n", "fn=b'a\n",
	};
	struct sink body;

	sink_init_memory(&body);
	sink_puts(&body, "fn=b'a\n1 2\ntotals: 2\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		sink_puts(&body, lines[i]);
		sink_char(&body, '\0');
		expect_damage(body.buffer,
			      i < 5 ? "a part ends in its header: its costs are missing"
				    : "the costs of Ir add up to 0, but the summary line has 9: "
				      "lines are missing or corrupt");
		body.used--;
	}
	expect_damage("fn=b'a\n1 2\ntotals: 2\npart: 2\npart: 3\nsummary: 0\n",
		      "a part ends in its header: its costs are missing");
	sink_deinit(&body);
	assert_no_leaks();
}

/* Each thread costs few bytes, but sends two deep stacks. */
Test(callgrind, limits_the_frames_of_all_stacks)
{
	struct memory_file file;
	struct capture capture;
	struct sink input;
	struct error err;

	sink_init_memory(&input);
	sink_puts(&input, HEADER);
	for (int name = 1; name <= 2; name++) {
		sink_printf(&input, "fn=(%d) f%d", name, name);
		for (int i = 0; i < 3000; i++)
			sink_puts(&input, name == 1 ? "'a" : "'b");
		sink_char(&input, '\n');
	}
	for (int i = 1; i <= 3000; i++)
		sink_printf(&input, "thread: %d\nfn=(1)\n1 1\nfn=(2)\n1 1\n", i);
	memory_file_open(&file, input.buffer, input.used);
	cr_assert(capture_open(&capture, file.path, &err), "%s", err.text);
	cr_expect(!capture_read_samples(&capture, capture.slices.at[0],
					&(struct event_sink){ .on_event = ignore_event }, &err));
	cr_expect_eq(err.code, ERROR_LIMIT, "%s", err.text);
	capture_close(&capture);
	memory_file_close(&file);
	sink_deinit(&input);
	assert_no_leaks();
}

/* Each DSO costs few bytes, but has a function with a long name. */
Test(callgrind, limits_the_names_of_all_frames)
{
	struct memory_file file;
	struct capture capture;
	struct sink input;
	struct error err;

	sink_init_memory(&input);
	sink_puts(&input, HEADER "fn=(1) a\n1 1\nfn=(2) ");
	for (int i = 0; i < 20000; i++)
		sink_char(&input, 'b');
	sink_puts(&input, "'a\n");
	for (int i = 1; i <= 2000; i++)
		sink_printf(&input, "ob=%d\nfn=(2)\n1 1\n", i);
	memory_file_open(&file, input.buffer, input.used);
	cr_assert(!capture_open(&capture, file.path, &err));
	cr_expect_eq(err.code, ERROR_LIMIT, "%s", err.text);
	memory_file_close(&file);
	sink_deinit(&input);
	assert_no_leaks();
}

Test(callgrind, refuses_files_without_stacks)
{
	static const struct {
		const char *input, *advice;
	} rows[] = {
		{ HEADER "totals: 0\n",
		  "contains no costs; it is truncated, or callgrind collected" },
		{ "creator: callgrind-3\npid: 7\n", "contains no costs; it is truncated, or" },
		{ "creator: callgrind-3\npart: 1\nevents: Ir\n", "because it is truncated" },
		{ HEADER "fn=(1) main\n1 1\ncfn=(2) f\ncalls=1 1\n1 2\nfn=(3) f'2\n1 2\n",
		  "--separate-callers=50" },
		/* Files of several processes, one after another */
		{ HEADER "fn=b'a\n1 2\ntotals: 2\npid: 8\n", "several processes" },
		{ HEADER "fn=b'a\n1 2\ntotals: 2\ncmd: /bin/other\n", "several processes" },
		/* An apostrophe of a function */
		{ HEADER "fn=(1) main\n1 1\ncfn=(2) a::'b\ncalls=1 1\n1 2\nfn=(2)\n1 2\n",
		  "--separate-callers=50" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct capture capture;
		struct error err;

		memory_file_open(&file, rows[i].input, strlen(rows[i].input));
		cr_assert(!capture_open(&capture, file.path, &err), "row %zu", i);
		cr_expect(strstr(err.text, rows[i].advice), "%s", err.text);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

/* The creator line is in the header. */
Test(callgrind, is_detected_by_its_header)
{
	static const struct {
		const char *input;
		bool is_own;
	} rows[] = {
		{ "creator: callgrind-3\n", true },
		{ "# callgrind format\r\nversion: 1\r\ncreator: callgrind-3.19.0\r\n", true },
		{ "creator: xdebug 3\n", false },
		{ "version: 1\ncreator of this\ncreator: callgrind-3\n", false },
		{ "fn=a\n1 2\ncreator: callgrind-3\n", false },
		{ ": callgrind\ncreator: callgrind-3\n", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span head = span_of(rows[i].input, strlen(rows[i].input), 0, false);

		cr_expect_eq(callgrind_format.probe(head).confidence != CONFIDENCE_NONE,
			     rows[i].is_own, "row %zu", i);
	}
}

/* main and f have one DSO each. init has two, so its DSO is that of the same stack. */
Test(callgrind, finds_the_dsos_of_callers)
{
	static const char input[] = HEADER
		"ob=(1) /bin/app\nfn=(1) main\n1 1\nob=(2) /lib/a.so\nfn=(2) f'main\n1 1\n"
		"fn=(3) init'f'main\n1 1\nfn=(4) g'init'f'main\n1 1\nob=(1)\nfn=(5) init'main\n1 1\n"
		"fn=(6) g'init'main\n1 1\nob=(3) ???\nfn=(7) h'f'main\n1 1\n"
		"fn=(8) 0x0000000004a00000'g'init'main\n1 1\nob=(4) /lib/ld.so\n"
		"fn=(9) 0x000000000001ab70\ncfn=(10) entry'0x000000000001ab70\ncalls=1 1\n1 1\n"
		"ob=(1)\nfn=(10)\n1 1\n";
	struct name_shares shares;
	struct view view = view_default;
	struct session_options options = { .thread_count = 1, .view = &view };
	struct text_session test;

	view.naming.has_dsos = true;
	text_session_open(&test, input, strlen(input), &options);
	cr_expect_str_eq(test.folded.buffer,
			 "app;[ld.so];app`entry 1\n"
			 "app;app`main 1\n"
			 "app;app`main;a.so`f 1\n"
			 "app;app`main;a.so`f;a.so`init 1\n"
			 "app;app`main;a.so`f;a.so`init;a.so`g 1\n"
			 "app;app`main;a.so`f;h 1\n"
			 "app;app`main;app`init 1\n"
			 "app;app`main;app`init;app`g 1\n"
			 "app;app`main;app`init;app`g;[anonymous code] 1\n",
			 "%s", test.folded.buffer);
	/* The outermost function is no problem with names. */
	shares = name_shares_of(&test.session.profile);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].weight, 1);
	text_session_close(&test);
	assert_no_leaks();
}
