/* SPDX-License-Identifier: MIT */
#include "render/text/record_line.h"

#include <criterion/criterion.h>

static void expect(const struct record_line *line, const char *recorded, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	record_line_write(line, text_of(recorded), &sink);
	cr_expect(text_is(sink_memory(&sink), expected), "%s: %.*s", recorded,
		  (int)sink_memory(&sink).length, sink_memory(&sink).at);
	sink_deinit(&sink);
}

Test(record_line, replaces_options_before_the_program)
{
	static const struct record_line line = {
		.values = { [RECORD_FREQUENCY] = "99", [RECORD_CALL_GRAPH] = "fp" }
	};
	static const char *const rows[][2] = {
		{ "perf record ls", "ls" },
		{ "/usr/bin/perf record -F 4000 -g -- ./a -F 7", "-- ./a -F 7" },
		{ "perf record -F4000 -a", "-a" },
		{ "perf record --freq=4000 --call-graph dwarf sleep 1", "sleep 1" },
		{ "perf record --call-graph=lbr -c 7 -p 12", "-p 12" },
		{ "perf record -ag sleep -g", "-ag sleep -g" },
		{ "perf record -age cycles -F 7 x", "-age cycles x" },
		{ "perf record -e 'a b' -q --output \"x y\" c\\ d -F 1",
		  "-e 'a b' --output \"x y\" c\\ d -F 1" },
		{ "perf record -e", "-e" },
		{ "perf record -F", "" },
		{ "perf record - -F 1", "- -F 1" },
		{ "perf record 'never closed -F 1", "'never closed -F 1" },
		{ "perf  record   -a", "-a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char expected[128];

		snprintf(expected, sizeof(expected), "perf record -F 99 --call-graph fp%s%s",
			 *rows[i][1] ? " " : "", rows[i][1]);
		expect(&line, rows[i][0], expected);
	}
}

Test(record_line, without_a_recording)
{
	static const struct record_line line = { .values = { [RECORD_BUILD_IDS] = "" } };
	static const char *const rows[] = { "", " ", "perf", "perf script -F 1", "'", "\\" };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect(&line, rows[i], "perf record --buildid-mmap -- COMMAND");
}

Test(record_line, keeps_what_is_not_replaced)
{
	static const struct record_line line = { .values = { [RECORD_TIMES] = "" } };

	expect(&line, "perf record -F 9 -g -m 8 -k mono x",
	       "perf record -T -F 9 -g -m 8 -k mono x");
	expect(&line, "perf record --no-timestamp -F 9 x", "perf record -T -F 9 x");
}
