/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/number.h"

static void expect_text(struct sink *sink, const char *wanted)
{
	cr_expect(text_is(sink_memory(sink), wanted), "\"%.*s\", wanted \"%s\"",
		  (int)sink_memory(sink).length, sink_memory(sink).at, wanted);
	sink->used = 0;
}

Test(number, grouped)
{
	struct sink sink;

	sink_init_memory(&sink);
	number_grouped(&sink, 0);
	expect_text(&sink, "0");
	number_grouped(&sink, 999);
	expect_text(&sink, "999");
	number_grouped(&sink, 1000);
	expect_text(&sink, "1,000");
	number_grouped(&sink, UINT64_MAX);
	expect_text(&sink, "18,446,744,073,709,551,615");
	sink_deinit(&sink);
}

Test(number, decimals)
{
	static const struct {
		uint64_t millionths;
		const char *wanted;
	} rows[] = {
		{ 0, "0" },        { 3750000, "3.75" },
		{ 8000000, "8" },  { 1234500001, "1,234.500001" },
		{ 10, "0.00001" },
	};
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		number_decimal(&sink, rows[i].millionths);
		expect_text(&sink, rows[i].wanted);
	}
	sink_deinit(&sink);
}

Test(number, durations)
{
	static const struct {
		uint64_t time_ns;
		const char *wanted;
	} rows[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.00 µs" },
		{ 45678, "45.7 µs" },
		{ 456789, "457 µs" },
		{ 1234567, "1.23 ms" },
		{ 9994, "9.99 µs" },
		{ 9995, "10.0 µs" },
		{ 99949, "99.9 µs" },
		{ 99950, "100 µs" },
		{ 999499, "999 µs" },
		{ 999500, "1.00 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1.00 s" },
		{ 99949999999, "99.9 s" },
		{ 99950000000, "100 s" },
		{ 1000000000, "1.00 s" },
		{ 12345678901, "12.3 s" },
		{ 1234567890123, "1,235 s" },
		{ UINT64_MAX, "18,446,744,074 s" },
	};
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		number_duration(&sink, rows[i].time_ns);
		expect_text(&sink, rows[i].wanted);
	}
	sink_deinit(&sink);
}

Test(number, percents)
{
	static const struct {
		uint64_t part, whole;
		const char *wanted;
	} rows[] = {
		{ 0, 0, "0.00%" },     { 0, 7, "0.00%" },
		{ 1, 3, "33.33%" },    { 2, 3, "66.67%" },
		{ 3, 3, "100.00%" },   { 1, 20000, "0.01%" },
		{ 1, 20001, "0.00%" }, { UINT64_MAX - 1, UINT64_MAX, "100.00%" },
	};
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		number_percent(&sink, rows[i].part, rows[i].whole);
		expect_text(&sink, rows[i].wanted);
	}
	number_percent_padded(&sink, 1, 20, 8);
	expect_text(&sink, "   5.00%");
	sink_deinit(&sink);
}
