/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_reader.h"

#include <criterion/criterion.h>

#include "libparse/folded/folded_line.h"
#include "render/text/folded.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"
#include "tests/support/text_session.h"

Test(folded_reader, takes_numbers_off_lines)
{
	static const struct {
		const char *line, *stack;
		uint32_t decimals;
		uint64_t value;
		bool is_rounded;
	} rows[] = {
		{ "a;b 12", "a;b", 0, 12, false },
		{ "a b  12", "a b", 0, 12, false },
		{ " 12", "", 0, 12, false },
		{ "a\t12", "a", 0, 12, false },
		{ "a 5.", "a", 0, 5, false },
		{ "a 1.5", "a", 0, 2, true },
		{ "a 1.4", "a", 0, 1, true },
		{ "a 1.0", "a", 0, 1, false },
		{ "a 1.5", "a", 6, 1500000, false },
		{ "a 0.0000005", "a", 6, 1, true },
		{ "a 3", "a", 6, 3000000, false },
		{ "a 18446744073709551615", "a", 0, UINT64_MAX, false },
		/* No count, or one that overflows. */
		{ "a 18446744073709551616", NULL, 0, 0, false },
		{ "a 18446744073709551615", NULL, 6, 0, false },
		{ "a", NULL, 0, 0, false },
		{ "12", NULL, 0, 0, false },
		{ "a .5", NULL, 0, 0, false },
		{ "a -4", NULL, 0, 0, false },
		{ "a 3e5", NULL, 0, 0, false },
		{ "a1", NULL, 0, 0, false },
		{ "", NULL, 0, 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text line = text_of(rows[i].line);
		struct folded_number number;
		bool good = folded_line_take_number(&line, rows[i].decimals, &number);

		cr_assert_eq(good, rows[i].stack != NULL, "%s", rows[i].line);
		if (!good)
			continue;
		cr_assert(text_is(line, rows[i].stack), "%s", rows[i].line);
		cr_assert_eq(number.value, rows[i].value, "%s", rows[i].line);
		cr_assert_eq(number.is_rounded, rows[i].is_rounded, "%s", rows[i].line);
	}
}

Test(folded_reader, writes_what_it_read)
{
	static const char *const inputs[] = {
		"Web Content;a b;c(int);d 3\n",
		"a;b 1.5\nc 2\n",
		"a 0.000001\nb 12.25\n",
		"[main tid=7];java/lang/Thread.run_[j];write_[k];x_[i];y_[0] 12\n",
		"P17;T0:18;/a/b.py:main:12 4\n",
		"Thread 12 5\nioctl;x 7\n",
		"a;[u8: 8]\xff\xfe 3\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		text_session_expect(inputs[i], inputs[i]);
	assert_no_leaks();
}

Test(folded_reader, reads_dialects)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* Unsorted and repeated stacks, CRLF, comments, empty lines, no end of the last
		 * line. */
		{ "b 1\na;x 2\r\n# comment\n\na;x 3", "a;x 5\nb 1\n" },
		/* Two counts: the second is shown. */
		{ "a;x 1 2\nb 0 4\n", "a;x 2\nb 4\n" },
		/* Only if all lines have two numbers. */
		{ "ioctl 3 7\nb 4\n", "b 4\nioctl 3 7\n" },
		{ "a;;b 1\n;c 2\n 3\n", "[unknown] 3\n[unknown];c 2\na;[unknown];b 1\n" },
		{ "a;b; 1\na;b 2\na;c;; 3\n; 4\n", "[unknown] 4\na;b 3\na;c 3\n" },
		/* Bytes are unescaped only if the header describes the escapes. */
		{ "# kiln folded 1\n# escapes: \\xHH\na\\x3bb;c\\x20\\x0ad;e\\ 2\n",
		  "a:b;c  d;e\\ 2\n" },
		{ "# kiln folded 1\na\\x3bb 2\n", "a\\x3bb 2\n" },
		/* austin: freed memory is no weight; of three numbers, the first one counts. */
		{ "# austin: 3.6.0\n# mode: memory\nP1;T0:2;a.py:f:1 24\nP1;T0:2;a.py:f:1 -8\n",
		  "P1;T0:2;a.py:f:1 24\n" },
		{ "# austin: 3.6.0\n# mode: full\nP1;T0:2;a b.py:f:1 300,0,1024\n"
		  "P1;T0:2;a b.py:f:1 200,1,-24\nP1;a 1,2\nP1;a 1,x,2\nP1;a 1,2,3,4\n",
		  "P1;T0:2;a b.py:f:1 500\n" },
		/* async-profiler: threads, and names of arrays and classes in the JVM's form. */
		{ "[Thread-0 tid=7];java/util/HashMap.get_[0];[B_[i];String[]_[1] 3\n",
		  "[Thread-0 tid=7];java/util/HashMap.get_[0];[B_[i];String[]_[1] 3\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
}

Test(folded_reader, keeps_names_apart_that_hold_a_nul)
{
	static const char input[] = "a\0b;\0\0\0c;\0;d\0 1\na\0b;\0d 2\n";
	struct text_session test;

	text_session_open(&test, input, sizeof(input) - 1, NULL);
	cr_assert_str_eq(test.folded.buffer, "a?b;?c;?;d? 1\na?b;?d 2\n");
	text_session_close(&test);
}

Test(folded_reader, marks_frames_by_their_suffixes)
{
	static const enum frame_kind kinds[] = { FRAME_KERNEL, FRAME_INLINED, FRAME_JIT,
						 FRAME_JIT,    FRAME_JIT,     FRAME_USER };
	static const char input[] = "app;a_[k];b_[i];c_[j];d_[0];e_[1];f 1\n";
	struct text_session test;
	const struct profile *profile = &test.session.profile;

	text_session_open(&test, input, strlen(input), NULL);
	for (uint32_t i = 0; i < ARRAY_SIZE(kinds); i++)
		cr_assert_eq(profile->frames.at[profile->stacks.at[2 + i].frame.i].kind, kinds[i],
			     "%u", i);
	text_session_close(&test);
}

/* Reads a text, writes it with provenance, and reads the result again. */
static void check_round_trip(const char *input, const char *unit_line)
{
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &(struct view){ .grouping = GROUPING_BY_COMM,
					.naming.keeps_separators = true },
	};
	struct text_session first;
	struct text_session second;
	struct sink written;
	struct sink again;

	sink_init_memory(&written);
	sink_init_memory(&again);
	text_session_open(&first, input, strlen(input), &options);
	folded_write_provenance(&first.session.profile, &written);
	text_session_open(&second, sink_memory(&written).at, sink_memory(&written).length,
			  &options);
	folded_write(&first.session.profile, &written);
	cr_assert(strstr(sink_memory(&written).at, unit_line), "%s", unit_line);
	cr_assert_eq(first.session.profile.unit, second.session.profile.unit);
	cr_assert_str_eq(
		strings_text(first.session.profile.strings, first.session.profile.event_name),
		strings_text(second.session.profile.strings, second.session.profile.event_name));
	/* Raw names are compared, including their line ends. */
	cr_assert_str_eq(first.folded.buffer, second.folded.buffer);
	text_session_close(&first);
	text_session_close(&second);
	sink_deinit(&written);
	sink_deinit(&again);
}

/* Searching the blank before a number must not be repeated for each of millions of digits. */
Test(folded_reader, writes_long_names_with_provenance)
{
	struct text_session test;
	struct sink input;
	struct sink written;

	sink_init_memory(&input);
	sink_init_memory(&written);
	sink_puts(&input, "z 1\na");
	for (uint32_t i = 0; i < 4u << 20; i++)
		sink_char(&input, ' ');
	sink_puts(&input, "b 1 2 ;c 3\n");
	text_session_open(&test, input.buffer, input.used, NULL);
	folded_write_provenance(&test.session.profile, &written);
	cr_assert(text_has_suffix(sink_memory(&written), " b\\x201\\x202\\x20;c 3\nz 1\n"));
	text_session_close(&test);
	sink_deinit(&written);
	sink_deinit(&input);
}

Test(folded_reader, reads_provenance_back)
{
	check_round_trip("a;b 12\nc 3\n", "# unit: samples\n");
	check_round_trip("a;b 12.5\n", "# unit: millionths\n");
	check_round_trip("app 17 5.1: 250 cpu-clock: \n\t 1 f (/x)\n", "# unit: nanoseconds\n");
	check_round_trip("app 17 5.1: 250 cycles:u: \n\t 1 f;g\\h 12 (/x)\n\t 2 # x (/x)\n",
			 "# event: cycles:u\n");
	check_round_trip("#;x 17 5.1: cycles: \n\t 1 f\r3  (/x)\n\t 2 12 (/x)\n", "# unit: ");
}

Test(folded_reader, knows_stacks_whose_first_lines_are_none)
{
	static const char *const inputs[] = {
		"a;b -5\na;c 3\n",
		"a;b 1e308\na;b .5\na;c 3\n",
		"a;b 99999999999999999999999\na;c 3\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		text_session_expect(inputs[i], "a;c 3\n");
}

Test(folded_reader, knows_stacks_whose_first_line_is_long)
{
	static const size_t sizes[] = { 4000, 4096, 5000, 1000000 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *line = memory_alloc(sizes[i] + 8, 1);
		struct text_session test;

		memset(line, 'n', sizes[i]);
		line[1] = ';';
		memcpy(line + sizes[i], " 7\na 2", 7);
		text_session_open(&test, line, sizes[i] + 6, NULL);
		cr_expect_eq(test.session.profile.sample_count, 9, "%zu", sizes[i]);
		text_session_close(&test);
		memory_free(line);
	}
}

Test(folded_reader, sums_of_counts_stop_at_the_largest_number)
{
	static const char input[] = "a 18446744073709551615\nb 18446744073709551615\nb 1\n";
	struct text_session test;

	text_session_open(&test, input, strlen(input), NULL);
	cr_expect_eq(test.session.profile.sample_count, UINT64_MAX);
	cr_expect_eq(test.session.profile.view_sample_count, UINT64_MAX);
	text_session_close(&test);
}

Test(folded_reader, tells_what_it_left_out)
{
	static const char input[] = "a;b 1\nnonsense\na;b 18446744073709551616\n";
	char large[70000];
	struct text_session test;

	/* Only the beginning is examined first: a fraction can come later. */
	memset(large, ' ', sizeof(large));
	memcpy(large, "a 1\n", 4);
	large[66000] = '\n';
	memcpy(large + sizeof(large) - 6, "\nb 2.5", 6);
	text_session_open(&test, large, sizeof(large), NULL);
	cr_assert_str_eq(test.folded.buffer, "a 1\nb 3\n");
	cr_assert_eq(test.session.profile.losses[LOSS_ROUNDED_COUNTS], 1);
	text_session_close(&test);

	/* If the first lines are stacks, later lines need not be. */
	memset(large, 'a', sizeof(large));
	memcpy(large + 8000 - 4, " 12\n", 4);
	memcpy(large + sizeof(large) - sizeof(input) + 1, input, sizeof(input) - 1);
	large[sizeof(large) - sizeof(input)] = '\n';
	memcpy(large, "x 1\n", 4);
	text_session_open(&test, large, sizeof(large), NULL);
	cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 3);
	cr_assert_eq(test.session.profile.first_skipped_line, 3);
	cr_assert_eq(test.session.profile.sample_count, 14);
	text_session_close(&test);
}

/* Writes lines of stacks that share beginnings, in no order. Some names differ only in their
 * suffixes, and some contain a NUL. */
static void write_lines(struct sink *sink, bool has_two_counts)
{
	static const char *const names[] = { "main", "parse", "parse_[k]", "a b", "", "read_[j]" };
	static const char *const comms[] = { "app", "java", "app [1]" };
	struct random random = { 7 };

	for (uint32_t i = 0; i < 120000; i++) {
		uint32_t depth = random_below(&random, 12);

		sink_puts(sink, comms[random_below(&random, ARRAY_SIZE(comms))]);
		for (uint32_t k = 0; k < depth; k++) {
			sink_char(sink, ';');
			sink_puts(sink, names[random_below(&random, ARRAY_SIZE(names))]);
			if (random_below(&random, 40) == 0)
				sink_bytes(sink, "\0x", 2 + random_below(&random, 2));
			if (random_below(&random, 8) == 0)
				sink_u64(sink, random_below(&random, 300));
		}
		sink_char(sink, ' ');
		sink_u64(sink, random_below(&random, 50));
		if (has_two_counts)
			sink_puts(sink, " 4");
		sink_puts(sink, i % 9 ? "\n" : "\r\n");
	}
}

/*
 * With a depth limit stacks are stored in another way; if no stack reaches the limit, the output is
 * the same.
 */
Test(folded_reader, reads_the_same_by_any_way)
{
	static const struct grouping by_event = { .by = { GROUP_EVENT, GROUP_COMM }, .count = 2 };
	struct sink lines;

	for (int two = 0; two < 2; two++) {
		struct text_session expected;
		struct view view = view_default;
		struct view limited;

		if (two)
			view.grouping = by_event;
		limited = view;
		limited.selection.depth_max = 1000;
		sink_init_memory(&lines);
		write_lines(&lines, two);
		text_session_open(&expected, lines.buffer, lines.used,
				  &(struct session_options){ .view = &limited,
							     .thread_count = 1,
							     .ignores_host = true });
		for (unsigned threads = 1; threads <= 4; threads += 3) {
			struct text_session test;

			text_session_open(&test, lines.buffer, lines.used,
					  &(struct session_options){ .view = &view,
								     .thread_count = threads,
								     .ignores_host = true });
			cr_assert_eq(test.session.profile.view_sample_count,
				     expected.session.profile.view_sample_count);
			cr_assert_str_eq(test.folded.buffer, expected.folded.buffer);
			text_session_close(&test);
		}
		text_session_close(&expected);
		sink_deinit(&lines);
	}
	assert_no_leaks();
}

Test(folded_reader, tells_negative_counts_apart)
{
	static const char input[] = "a;b -5\na;c 3\na;d -1.5\na;e --5\na -\n";
	struct text_session test;

	text_session_open(&test, input, sizeof(input) - 1, NULL);
	cr_expect_str_eq(test.folded.buffer, "a;c 3\n");
	cr_expect_eq(test.session.profile.losses[LOSS_NEGATIVE_COUNTS], 2);
	cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 2);
	text_session_close(&test);
}
