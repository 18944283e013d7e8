/* SPDX-License-Identifier: MIT */
#include "libparse/stat/perf_stat.h"

#include <criterion/criterion.h>

#include "render/text/counters.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

typedef bool parser(struct text line, struct perf_stat_line *ret);

Test(perf_stat, parses_lines)
{
	static const struct {
		parser *parse;
		const char *line, *event, *unit_name;
		enum weight_unit unit;
		uint64_t value;
		bool is_counted;
	} rows[] = {
		{ perf_stat_parse_text, "      0.64 msec task-clock     #    0.006 CPUs utilized",
		  "task-clock", "", UNIT_NANOSECONDS, 640000, true },
		{ perf_stat_parse_text, "  1,234,567      cycles:u     (75.00%)", "cycles:u", "",
		  UNIT_EVENTS, 1234567, true },
		{ perf_stat_parse_text, "  <not counted>      cycles", "cycles", "", UNIT_EVENTS, 0,
		  false },
		{ perf_stat_parse_text, "     0.050108758    76      page-faults  #  113.3 K/sec",
		  "page-faults", "", UNIT_EVENTS, 76, true },
		{ perf_stat_parse_text, "app 27263 cpu-clock:u: ", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_text, "CPU0     25.69 msec task-clock", "task-clock", "",
		  UNIT_NANOSECONDS, 25690000, true },
		{ perf_stat_parse_text, "S0-D0-C0  2   7   page-faults", "page-faults", "",
		  UNIT_EVENTS, 7, true },
		{ perf_stat_parse_text, "    0.02724 +- 0.00583 seconds time elapsed  ( +- 21% )",
		  "time elapsed", "", UNIT_NANOSECONDS, 27240000, true },
		{ perf_stat_parse_text, "   12.34 Joules power/energy-pkg/", "power/energy-pkg/",
		  "Joules", UNIT_MILLIONTHS, 12340000, true },
		{ perf_stat_parse_text, "   99999999999999999999 cycles", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_text, "   99999999999999999 sec x", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_text, "noise 5 of any kind", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_text, "5", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_text, "", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_fields, "0.80,msec,task-clock,802978,100.00,0.007,CPUs utilized",
		  "task-clock", "", UNIT_NANOSECONDS, 800000, true },
		{ perf_stat_parse_fields, "75;;page-faults;0.67%;748356;100.00;102.482;K/sec",
		  "page-faults", "", UNIT_EVENTS, 75, true },
		{ perf_stat_parse_fields, "  0.05,CPU0,1378,,page-faults,50236231,100.00,27.431,K",
		  "page-faults", "", UNIT_EVENTS, 1378, true },
		{ perf_stat_parse_fields, "S0-D0-C0,1,25.79,msec,task-clock,25789616,100.00,1,x",
		  "task-clock", "", UNIT_NANOSECONDS, 25790000, true },
		{ perf_stat_parse_fields, "<not supported>,,cycles,0,100.00,,", "cycles", "",
		  UNIT_EVENTS, 0, false },
		{ perf_stat_parse_fields, "a,b,c,d,e,f,g", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_fields, ",,,,,,,,,,,,,,,,,,,,", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_json,
		  "{\"counter-value\" : \"76.000000\", \"unit\" : \"\", \"event\" : \"faults\"}",
		  "faults", "", UNIT_EVENTS, 76, true },
		{ perf_stat_parse_json,
		  "{\"interval\" : 0.05, \"counter-value\" : \"<not counted>\", \"unit\" : \"\", "
		  "\"event\" : \"cycles\", \"x\" : [1, {}]}",
		  "cycles", "", UNIT_EVENTS, 0, false },
		{ perf_stat_parse_json, "{\"counter-value\" : \"76.0\"", NULL, NULL, 0, 0, 0 },
		{ perf_stat_parse_json, "{}", NULL, NULL, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_stat_line line;
		bool good = rows[i].parse(text_of(rows[i].line), &line);

		cr_assert_eq(good, rows[i].event != NULL, "%s", rows[i].line);
		if (!good)
			continue;
		cr_expect(text_is(line.event, rows[i].event), "%s", rows[i].line);
		cr_expect(text_is(line.unit_name, rows[i].unit_name), "%s", rows[i].line);
		cr_expect_eq(line.unit, rows[i].unit, "%s", rows[i].line);
		cr_expect_eq(line.value, rows[i].value, "%s", rows[i].line);
		cr_expect_eq(line.is_counted, rows[i].is_counted, "%s", rows[i].line);
	}
}

/* The number that -r prints after +- is a share of the value, rounded to hundredths of a percent. */
Test(perf_stat, parses_deviations)
{
	static const struct {
		parser *parse;
		const char *line;
		bool has_deviation;
		double deviation;
	} rows[] = {
		{ perf_stat_parse_text, " 1,000,000  cycles  # 1.2 GHz ( +-  0.52% )  (75.00%)",
		  true, 5250 },
		{ perf_stat_parse_text, "  0.100 +- 0.00002 seconds time elapsed  ( +- 21.00% )",
		  true, 21005000 },
		{ perf_stat_parse_text, " 1,000,000  cycles", false, 0 },
		{ perf_stat_parse_text, " 1,000,000  cycles ( +- x% )", false, 0 },
		{ perf_stat_parse_text, " 1,000,000  cycles ( +-", false, 0 },
		{ perf_stat_parse_fields, "100;;page-faults;0.67%;748356;100.00;102.482;K/sec",
		  true, 0.675 },
		{ perf_stat_parse_fields, "100;;page-faults;748356;100.00;102.482;K/sec", false,
		  0 },
		{ perf_stat_parse_json,
		  "{\"counter-value\" : \"100.0\", \"unit\" : \"\", \"event\" : \"faults\", "
		  "\"variance\" : 1.05}",
		  true, 1.055 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_stat_line line;

		cr_assert(rows[i].parse(text_of(rows[i].line), &line), "%s", rows[i].line);
		cr_expect_eq(line.has_deviation, rows[i].has_deviation, "%s", rows[i].line);
		cr_expect_float_eq(line.deviation, rows[i].deviation, 1e-6, "%s", rows[i].line);
	}
}

static const char input[] = "\n Performance counter stats for 'make -j2' (2 runs):\n\n"
			    "     2,000,000      cycles:u    (66.60%)\n"
			    "     3,000,000      instructions:u\n"
			    "     4,000,000      instructions:k\n"
			    "        10,000      cache-references:u\r\n"
			    "         1,000      cache-misses:u   #   10.000 % of all\n"
			    "noise of any kind\n"
			    "        40,000      branches:u\n"
			    "           800      branch-misses:u\n"
			    " <not counted>      L1-dcache-load-misses:u\n"
			    "           500      L1-dcache-loads:u\n\n"
			    "        0.6234 +- 0.0021 seconds time elapsed  ( +-  0.34% )";

Test(perf_stat, counts_and_compares)
{
	static const char expected[] =
		"# counted: make -j2\n"
		"           2,000,000  cycles:u\n"
		"           3,000,000  instructions:u                1.50 instructions per cycle, "
		"0.67 cycles per instruction\n"
		"           4,000,000  instructions:k\n"
		"              10,000  cache-references:u\n"
		"               1,000  cache-misses:u                10.00% of cache-references:u\n"
		"              40,000  branches:u\n"
		"                 800  branch-misses:u               2.00% of branches:u\n"
		"         not counted  L1-dcache-load-misses:u\n"
		"                 500  L1-dcache-loads:u\n"
		"              623 ms  time elapsed\n";
	struct text_session test;
	struct sink sink;

	text_session_open(&test, input, strlen(input), NULL);
	cr_expect(test.session.profile.is_counted);
	cr_expect_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], 1);
	sink_init_memory(&sink);
	counters_write(&test.session.profile, &(struct counters_options){ 0 }, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected);
	sink_deinit(&sink);
	text_session_close(&test);
	assert_no_leaks();
}

/* A heading quotes the measured command, or has none. A unit is part of the event's name. */
Test(perf_stat, headings_and_units)
{
	static const struct {
		const char *heading, *measured;
	} rows[] = {
		{ "'make' (5 runs):", "make" },   { "'make' (x runs):", "make" },
		{ "'make' (5 apples):", "make" }, { "'make' (5", "make" },
		{ "CPU(s) 0-3:", "CPU(s) 0-3:" }, { "'':", "'':" },
		{ "process id '7':", "7" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char expected[200];
		char text[300];
		struct text_session test;
		struct sink sink;

		snprintf(text, sizeof(text),
			 "Performance counter stats for %s\n\n"
			 "     2,000,000      cycles:u\n"
			 "         12.34 Joules power/energy-pkg/\n",
			 rows[i].heading);
		snprintf(expected, sizeof(expected), "# counted: %s\n", rows[i].measured);
		text_session_open(&test, text, strlen(text), NULL);
		sink_init_memory(&sink);
		counters_write(&test.session.profile, &(struct counters_options){ 0 }, &sink);
		sink_char(&sink, '\0');
		cr_expect(strncmp(sink.buffer, expected, strlen(expected)) == 0, "%s", sink.buffer);
		cr_expect(strstr(sink.buffer, "power/energy-pkg/ (Joules)\n"), "%s", sink.buffer);
		sink_deinit(&sink);
		text_session_close(&test);
	}
	assert_no_leaks();
}
