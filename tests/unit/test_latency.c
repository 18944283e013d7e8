/* SPDX-License-Identifier: MIT */
#include "render/text/latency.h"

#include <criterion/criterion.h>
#include <jansson.h>

#include "profile/interval.h"
#include "render/text/latency_list.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

/*
 * read: 1 to 1000 µs, once each; lock: 7 ns, a thousand times; a name that is not a duration is not
 * counted.
 */
static void make(struct profile_maker *maker)
{
	static const struct view view = {
		.event_pattern = "cycles",
		.grouping = GROUPING_BY_COMM,
		.weighing = { .kind = WEIGHING_INTERVAL_COUNT, .field = { "waiting", 7 } },
	};
	char stack[64];

	profile_maker_init(maker);
	profile_maker_module(maker, MODULE_FILE, "[length]");
	for (unsigned i = 1; i <= 1000; i++) {
		snprintf(stack, sizeof(stack), "app;main;read;%u|1", i * 1000);
		profile_maker_stack(maker, stack, 1);
		profile_maker_stack(maker, "lib;lock;7|1", 1);
	}
	profile_maker_stack(maker, "app;main;5000000000|1", 1);
	profile_maker_stack(maker, "lib;lock;seven|1", 1);
	profile_maker_build(maker, &view);
}

static void expect_table(const struct latency_options *options, const char *expected)
{
	struct profile_maker maker;
	struct sink sink;

	make(&maker);
	sink_init_memory(&sink);
	latency_write(&maker.profile, options, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

#define HEAD                                        \
	"# waiting, from cycles: 2,002 intervals\n" \
	"#  count     mean      p50      p90      p99     p999      max  "

#define ALL "   2,001  2.75 ms  1.00 µs   801 µs   981 µs   999 µs   5.00 s  (all)\n"

Test(latency, percentiles_of_what_there_is_a_row_for)
{
	static const struct {
		struct latency_options options;
		const char *expected;
	} rows[] = {
		{ { .row_name = "stack" },
		  HEAD
		  "stack\n" ALL
		  "       1   5.00 s   5.00 s   5.00 s   5.00 s   5.00 s   5.00 s  app;main\n"
		  "   1,000   501 µs   500 µs   900 µs   990 µs   999 µs  1.00 ms  app;main;read\n"
		  "   1,000     7 ns     7 ns     7 ns     7 ns     7 ns     7 ns  lib;lock\n" },
		{ { .row_name = "comm", .level_count = 1, .limit = 1 },
		  HEAD "comm\n" ALL
		       "   1,001  5.50 ms   501 µs   901 µs   991 µs  1.00 ms   5.00 s  app\n" },
		/* CSV has no row of sums, so that a column can be added up. */
		{ { .row_name = "comm", .level_count = 1, .format = TABLE_FORMAT_CSV },
		  "count,total_ns,mean_ns,p50_ns,p90_ns,p99_ns,p999_ns,max_ns,comm\n"
		  "1001,5500500000,5495005,501000,901000,991000,1000000,5000000000,app\n"
		  "1000,7000,7,7,7,7,7,7,lib\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_table(&rows[i].options, rows[i].expected);
	assert_no_leaks();
}

Test(latency, json)
{
	struct latency_options options = { .row_name = "stack", .format = TABLE_FORMAT_JSON };
	struct profile_maker maker;
	struct sink sink;
	json_t *root;
	json_t *row;

	make(&maker);
	sink_init_memory(&sink);
	latency_write(&maker.profile, &options, &sink);
	root = json_loadb(sink_memory(&sink).at, sink_memory(&sink).length, 0, NULL);
	row = json_array_get(json_object_get(root, "rows"), 1);
	cr_expect_eq(json_integer_value(json_object_get(row, "count")), 1000);
	cr_expect_eq(json_integer_value(json_object_get(row, "total_ns")), 500500000);
	cr_expect_eq(json_integer_value(json_object_get(row, "mean_ns")), 500500);
	cr_expect_eq(json_integer_value(json_object_get(row, "p99_ns")), 990000);
	cr_expect_eq(json_integer_value(json_object_get(row, "p999_ns")), 999000);
	cr_expect_eq(json_integer_value(json_object_get(row, "max_ns")), 1000000);
	cr_expect_str_eq(json_string_value(json_array_get(json_object_get(row, "stack"), 2)),
			 "read");
	json_decref(root);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

Test(latency, lengths_are_rounded_to_less_than_what_is_shown)
{
	uint64_t before = 0;

	for (uint64_t length_ns = 1; length_ns < UINT64_MAX / 3;
	     length_ns += length_ns / 1000 + 1) {
		uint64_t rounded_ns = interval_round_ns(length_ns);
		uint64_t off_ns =
			rounded_ns > length_ns ? rounded_ns - length_ns : length_ns - rounded_ns;

		cr_assert_leq(off_ns, length_ns / 8192, "%llu", (unsigned long long)length_ns);
		cr_assert_geq(rounded_ns, before);
		before = rounded_ns;
	}
	cr_expect_eq(interval_round_ns(0), 0);
	cr_expect_eq(interval_round_ns(8191), 8191);
	cr_expect_geq(interval_round_ns(UINT64_MAX), UINT64_MAX - UINT64_MAX / 8192);
}

Test(latency, longest_has_its_time_and_thread)
{
	static const struct view view = {
		.event_pattern = "cycles",
		.grouping = GROUPING_BY_COMM,
		.weighing = { .kind = WEIGHING_INTERVAL_COUNT, .field = { "waiting", 7 } },
	};
	struct latency_options options = { .row_name = "comm", .level_count = 1 };
	struct latency_list_options list = { .input_name = "a b", .limit = 2 };
	struct profile_maker maker;
	struct sink sink;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "[length]");
	profile_maker_stack(&maker, "app;read;10|1", 1);
	profile_maker_stack(&maker, "app;read;@3|1", 1);
	profile_maker_stack(&maker, "app;lock;@7|1", 1);
	profile_maker_stack(&maker, "app;lock;@8|1", 1);
	profile_maker_stack(&maker, "app;lock;@9|1", 1); /* not in the list of the profile */
	profile_maker_build(&maker, &view);
	for (uint32_t i = 0; i < 3; i++)
		vec_push(&maker.profile.singles,
			 (struct single_interval){
				 .interval = (uint32_t[]){ 3, 7, 8 }[i],
				 .pid = 40,
				 .tid = 41 + i,
				 .cpu = EVENT_NO_CPU,
				 .comm = strings_intern_text(maker.profile.strings, "a\n"),
				 .state = 'D',
				 .begin_ns = (uint64_t[]){ 5000000000, 6000000001, 5500000000 }[i],
				 .duration_ns = (uint64_t[]){ 10001, 10003, 10003 }[i],
			 });
	sink_init_memory(&sink);
	latency_write(&maker.profile, &options, &sink);
	latency_list_write(&maker.profile, &list, &sink);
	sink_char(&sink, '\0');
	/* Of two intervals that are equally long, the earlier one. */
	cr_expect(strstr(sink.buffer, "    5.500  a\\x0a/43       app\n"), "%s", sink.buffer);
	cr_expect(strstr(sink.buffer,
			 "the 2 longest of 5 intervals\n"
			 "1.  10.0 µs  a\\x0a  pid 40, tid 43: D, uninterruptible sleep\n"
			 "    kiln script --time 5.500,5.500010003 'a b'\n"
			 "    lock\n"
			 "2.  10.0 µs  a\\x0a  pid 40, tid 42: D, uninterruptible sleep\n"
			 "    kiln script --time 6.000000001,6.000010004 'a b'\n"
			 "    lock\n"),
		  "%s", sink.buffer);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}
