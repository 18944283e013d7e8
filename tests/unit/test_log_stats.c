/* SPDX-License-Identifier: MIT */
#include "eventlog/log_stats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

struct log_test {
	struct strings strings;
	struct log_heading heading;
	struct log_choice choice;
	struct log_stats stats;
};

static void begin(struct log_test *test, const char *heading,
		  const struct log_choice_options *options, uint64_t top_count)
{
	struct error err;

	strings_init(&test->strings);
	cr_expect(log_heading_parse(text_of(heading), text_of("1,2,3"), &test->heading));
	cr_expect(log_choice_make(&test->heading, options, &test->choice, &err), "%s", err.text);
	log_stats_init(&test->stats, &test->heading, &test->choice, &test->strings,
		       &(struct log_stats_options){ .top_count = top_count });
}

static void add(struct log_test *test, const char *line)
{
	struct text cells[LIMIT_LOG_COLUMNS];

	cr_expect(log_heading_split(&test->heading, text_of(line), cells), "%s", line);
	log_stats_add(&test->stats, cells);
}

static void end(struct log_test *test)
{
	log_stats_deinit(&test->stats);
	strings_deinit(&test->strings);
	assert_no_leaks();
}

static const char *key(const struct log_test *test, size_t row)
{
	return strings_text(&test->strings, (str_id){ test->stats.rows.at[row].keys[0] });
}

Test(log_stats, of_durations)
{
	struct log_test test;

	begin(&test, "TIME(s),COMM,LAT(ms)", &(struct log_choice_options){ .value = NULL }, 2);
	cr_expect(log_stats_are_durations(&test.stats));
	add(&test, "1.5,dd,0.25");
	add(&test, "2.5,cc,3");
	add(&test, "2.0,dd,1.000001");
	add(&test, "4.0,dd,-");
	log_stats_finish(&test.stats);
	cr_expect_eq(test.stats.rows.count, 2);
	cr_expect_str_eq(key(&test, 0), "cc");
	cr_expect_eq(test.stats.rows.at[1].total, 1250001);
	cr_expect_eq(test.stats.rows.at[1].event_count, 3);
	cr_expect_eq(test.stats.rows.at[1].values.count, 2);
	cr_expect_eq(test.stats.rows.at[1].largest, 1000001);
	cr_expect_eq(test.stats.rows.at[1].largest_time_ns, 2000000000);
	cr_expect_eq(test.stats.value_count, 3);
	cr_expect_eq(test.stats.last_ns - test.stats.first_ns, 2500000000);
	cr_expect_eq(test.stats.top.count, 2);
	cr_expect_eq(test.stats.top.at[0].value, 3000000);
	cr_expect_eq(test.stats.top.at[1].value, 1000001);
	end(&test);
}

/* Values without a unit are in millionths. Of equal events, the first ones are kept. */
Test(log_stats, of_numbers)
{
	struct log_test test;

	begin(&test, "time,url,size", &(struct log_choice_options){ .value = "SIZE", .by = "url" },
	      2);
	add(&test, "10:00:00,/a,5");
	add(&test, "10:00:01,/b,5");
	add(&test, "10:00:02,/c,5");
	add(&test, "10:01:00.5,/a,7.25");
	add(&test, "x,/a,99999999999999999999");
	log_stats_finish(&test.stats);
	cr_expect_not(log_stats_are_durations(&test.stats));
	cr_expect(log_stats_has_plain_times(&test.stats));
	cr_expect_eq(test.stats.rows.count, 3);
	cr_expect_str_eq(key(&test, 0), "/a");
	cr_expect_eq(test.stats.rows.at[0].total, 12250000);
	cr_expect_eq(test.stats.rows.at[0].event_count, 3);
	cr_expect_str_eq(
		strings_text(&test.strings, (str_id){ test.stats.rows.at[0].largest_time }),
		"10:01:00.5");
	cr_expect_eq(test.stats.last_ns - test.stats.first_ns, 60500000000);
	cr_expect_eq(test.stats.top.at[1].ordinal, 1);
	end(&test);
}

/* A log of times of day that goes on after midnight. Lines that are a little late are no new day. */
Test(log_stats, of_two_days)
{
	struct log_test test;

	begin(&test, "TIME,LAT(ms),COMM", &(struct log_choice_options){ .value = NULL }, 0);
	add(&test, "23:59:58,1,a");
	add(&test, "23:59:57,1,a");
	add(&test, "00:00:01,1,a");
	cr_expect(test.stats.clock.has_times_of_day);
	cr_expect_eq(test.stats.last_ns - test.stats.first_ns, 4000000000);
	end(&test);
}

static uint64_t seconds_between(const char *const *times)
{
	struct log_test test;
	uint64_t span_ns;

	begin(&test, "TIME,LAT(ms),COMM", &(struct log_choice_options){ .value = NULL }, 0);
	for (size_t i = 0; times[i]; i++) {
		char line[64];

		snprintf(line, sizeof(line), "%s,1,a", times[i]);
		add(&test, line);
	}
	log_stats_finish(&test.stats);
	span_ns = test.stats.last_ns - test.stats.first_ns;
	end(&test);
	return span_ns / 1000000000;
}

/* Two writers around midnight are of two days; a log in another order is of one day. */
Test(log_stats, days_of_unordered_logs)
{
	static const char *const writers[] = { "23:59:58", "00:00:01", "23:59:59", "00:00:02",
					       NULL };
	static const char *const unordered[] = { "05:00:00", "20:00:00", "03:00:00",
						 "01:00:00", "23:00:00", NULL };

	cr_expect_eq(seconds_between(writers), 4);
	cr_expect_eq(seconds_between(unordered), 22 * 3600);
}

/* Times since boot or since 1970 are large, whatever their unit. */
Test(log_stats, units_of_large_numbers)
{
	static const struct {
		const char *heading, *cell;
		uint64_t ns;
	} rows[] = {
		{ "time,latency_ns,COMM", "9000000000000000000", 9000000000000000000 },
		{ "time,latency_us,COMM", "20000000000.5", 20000000000500 },
		{ "time,latency_ms,COMM", "1795343400500", 1795343400500000000 },
		{ "time,latency_s,COMM", "5e-05", 50000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct log_test test;
		char line[64];

		begin(&test, rows[i].heading, &(struct log_choice_options){ .value = "lat" }, 0);
		snprintf(line, sizeof(line), "1,%s,a", rows[i].cell);
		add(&test, line);
		add(&test, "1,-5,a");
		cr_expect_eq(test.stats.total, rows[i].ns, "%zu: %llu", i,
			     (unsigned long long)test.stats.total);
		cr_expect_eq(test.stats.value_count, 1);
		end(&test);
	}
}

/* The largest of many events are kept, whatever their order. */
Test(log_stats, of_the_largest)
{
	struct log_test test;

	begin(&test, "id,size,c", &(struct log_choice_options){ .value = "size" }, 20);
	for (unsigned i = 0; i < 500; i++) {
		char line[32];

		snprintf(line, sizeof(line), "%u,%u,x", i, i * 7919 % 500);
		add(&test, line);
	}
	log_stats_finish(&test.stats);
	cr_expect_eq(test.stats.top.count, 20);
	for (size_t i = 0; i < test.stats.top.count; i++) {
		const struct log_event *event = &test.stats.top.at[i];
		char line[32];
		uint32_t size = test.stats.cells.at[event->cells + 1];

		cr_expect_eq(event->value, (499 - i) * 1000000);
		snprintf(line, sizeof(line), "%zu", 499 - i);
		cr_expect_str_eq(strings_text(&test.strings, (str_id){ size }), line);
	}
	end(&test);
}

Test(log_stats, of_quoted_texts)
{
	struct log_test test;

	begin(&test, "id,name,size", &(struct log_choice_options){ .by = "name" }, 0);
	add(&test, "1,\"say \"\"hi\"\", twice\",3");
	log_stats_finish(&test.stats);
	cr_expect_str_eq(key(&test, 0), "say \"hi\", twice");
	end(&test);
}

static void expect_choice(const char *heading, const struct log_choice_options *options,
			  const char *error)
{
	struct log_heading parsed;
	struct log_choice choice;
	struct error err = { .text = "" };

	cr_expect(log_heading_parse(text_of(heading), text_of("1,2,3"), &parsed));
	cr_expect_eq(log_choice_make(&parsed, options, &choice, &err), error == NULL, "%s",
		     err.text);
	cr_expect(!error || strstr(err.text, error), "%s", err.text);
}

Test(log_choice, names)
{
	expect_choice("a,b,c", &(struct log_choice_options){ .value = NULL }, "a, b, c");
	expect_choice("a,b,c", &(struct log_choice_options){ .value = "d" }, "a, b, c");
	expect_choice("a,b,c", &(struct log_choice_options){ .by = "a,d" }, "--by d");
	expect_choice("a,b,c", &(struct log_choice_options){ .by = "a," }, "--by");
	expect_choice("a,b,c", &(struct log_choice_options){ .by = "a,b,c,a,b,c,a,b,c" }, "8");
	expect_choice("size_in,size_out,c", &(struct log_choice_options){ .value = "size" },
		      "more than one");
	expect_choice("size,size_out,c", &(struct log_choice_options){ .value = "size" }, NULL);
	expect_choice("LAT(ms),LATENCY,c", &(struct log_choice_options){ .value = "lat" }, NULL);
	expect_choice("a,b,c", &(struct log_choice_options){ .by = "C", .time = "b" }, NULL);
}
