/* SPDX-License-Identifier: MIT */
#include "timeline/log_map.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define MS ((uint64_t)1000000)
#define S  (1000 * MS)

struct map_test {
	struct strings strings;
	struct log_heading heading;
	struct log_stats stats;
	struct heat_map map;
};

/* values: in milliseconds, one each second; ended by a negative one */
static void begin(struct map_test *test, const double *values)
{
	const struct log_stats_options options = { .keeps_points = true };
	struct log_choice choice;
	struct error err;

	strings_init(&test->strings);
	cr_assert(log_heading_parse(text_of("TIME(s),LAT(ms)"), text_of("1,2"), &test->heading));
	cr_assert(log_choice_make(&test->heading, &options.columns, &choice, &err));
	log_stats_init(&test->stats, &test->heading, &choice, &test->strings, &options);
	for (size_t i = 0; values[i] >= 0; i++) {
		struct text cells[LIMIT_LOG_COLUMNS];
		char line[64];

		snprintf(line, sizeof(line), "%zu,%f", i + 100, values[i]);
		cr_assert(log_heading_split(&test->heading, text_of(line), cells));
		log_stats_add(&test->stats, cells);
	}
}

static void make(struct map_test *test, const double *values, const struct log_map_options *options)
{
	struct error err;

	begin(test, values);
	cr_assert(log_map_make(&test->map, &test->stats, options, &err));
}

static void end(struct map_test *test)
{
	heat_map_deinit(&test->map);
	log_stats_deinit(&test->stats);
	strings_deinit(&test->strings);
	assert_no_leaks();
}

static const struct log_map_options usual = { .column_max = 500 };

/* Each event is in the cell of its second and of the range of its value. */
Test(log_map, counts_events)
{
	static const double values[] = { 1, 1.19, 1.2, 99, 20, -1 };
	struct map_test test;

	make(&test, values, &(struct log_map_options){ .bin_ns = 2 * S, .column_max = 500 });
	cr_expect_eq(test.map.column_count, 3);
	cr_expect_eq(test.map.first_column, 50);
	cr_expect_eq(test.map.sample_count, 5);
	cr_expect_eq(test.map.cells.count, 4);
	for (size_t i = 0; i < test.map.cells.count; i++) {
		static const uint64_t counts[] = { 2, 1, 1, 1 };

		cr_expect_eq(test.map.cells.at[i].sample_count, counts[i], "cell %zu", i);
		cr_expect_eq(test.map.cells.at[i].column, (i + 1) / 2, "cell %zu", i);
	}
	cr_expect_eq(test.map.rows.at[0].low, 82 * MS);
	cr_expect_eq(test.map.rows.at[0].high, 100 * MS);
	cr_expect_eq(test.map.rows.at[0].sample_count, 1);
	cr_expect_eq(test.map.rows.at[test.map.row_count - 1].low, MS);
	cr_expect_eq(test.map.rows.at[test.map.row_count - 1].sample_count, 2);
	end(&test);
}

/* Whatever the range of values, rows adjoin and contain all of them. */
Test(log_map, rows_contain_all_values)
{
	static const struct {
		double values[4];
		uint64_t low, high; /* of all rows */
	} rows[] = {
		{ { 5, 5, -1 }, 5 * MS, 6 * MS },
		{ { 5.01, 5.02, -1 }, 5 * MS, 5050000 },
		{ { 10, 14, -1 }, 10 * MS, 15 * MS },
		{ { 0, 5.5, -1 }, 0, 5600000 },
		{ { 0, -1 }, 0, 0 },
		{ { 1, 1e6, -1 }, MS, 1500000 * MS },
		{ { 0.000001, 1e9, -1 }, 1, 10000000000 * MS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct map_test test;
		uint64_t below = rows[i].high;
		uint64_t count = 0;

		make(&test, rows[i].values, &usual);
		cr_expect_leq(test.map.row_count, LIMIT_LOG_MAP_ROWS);
		for (size_t k = 0; k < test.map.rows.count; k++) {
			/* Zeros have a row of their own. */
			if (test.map.rows.at[k].high)
				cr_expect_eq(test.map.rows.at[k].high, below, "row %zu of %zu", k,
					     i);
			cr_expect(!below || test.map.rows.at[k].low < below);
			below = test.map.rows.at[k].low;
			count += test.map.rows.at[k].sample_count;
		}
		cr_expect_eq(below, rows[i].low, "%zu: %llu", i, (unsigned long long)below);
		cr_expect_eq(count, test.stats.points.count);
		end(&test);
	}
}

Test(log_map, bins_have_usual_widths)
{
	static const struct {
		uint64_t last_ns, asked_ns, expected_ns;
		bool is_wider;
	} rows[] = {
		{ 0, 0, S, false },
		{ 100 * S + 1, 0, 500 * MS, false },
		{ 100 * S, 0, 100 * S, false }, /* no time is between these two */
		{ 3600 * S + 1, 0, 30 * S, false },
		{ 90 * 86400 * S + 1, 0, 43200 * S, false },
		{ 200 * 86400 * S + 1, 0, 86400 * S, false },
		{ 100 * S, 7 * S, 7 * S, false },
		{ 1000 * S, S, 5 * S, true },
		{ UINT64_MAX, S, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const double values[] = { 1, 1, -1 };
		const struct log_map_options options = { rows[i].asked_ns, 500 };
		struct map_test test;
		struct error err;

		begin(&test, values);
		test.stats.points.at[0].time_ns = 0;
		test.stats.points.at[1].time_ns = rows[i].last_ns;
		cr_assert(log_map_make(&test.map, &test.stats, &options, &err));
		if (rows[i].expected_ns)
			cr_expect_eq(test.map.bin_ns, rows[i].expected_ns, "%zu: %llu", i,
				     (unsigned long long)test.map.bin_ns);
		cr_expect_leq(test.map.column_count, 500);
		cr_expect_eq(test.map.is_wider, rows[i].is_wider, "%zu", i);
		end(&test);
	}
}

/* As large as numbers without a unit can be. */
Test(log_map, rows_end_at_the_largest_number)
{
	static const double values[] = { 1, 1, 1, -1 };
	struct map_test test;
	struct error err;

	begin(&test, values);
	test.stats.points.at[0].value = 1;
	test.stats.points.at[1].value = UINT64_MAX;
	test.stats.points.at[2].value = UINT64_MAX - 1;
	cr_assert(log_map_make(&test.map, &test.stats, &usual, &err));
	cr_expect_eq(test.map.rows.at[0].high, UINT64_MAX);
	cr_expect_eq(test.map.rows.at[0].sample_count, 2);
	end(&test);
	begin(&test, values);
	for (size_t i = 0; i < test.stats.points.count; i++)
		test.stats.points.at[i].value = UINT64_MAX - i;
	cr_assert(log_map_make(&test.map, &test.stats, &usual, &err));
	cr_expect_eq(test.map.rows.at[0].high, UINT64_MAX);
	cr_expect_eq(test.map.sample_count, 3);
	end(&test);
}

Test(log_map, requires_times_and_values)
{
	static const double none[] = { -1 };
	struct map_test test;
	struct error err;

	begin(&test, none);
	cr_expect_not(log_map_make(&test.map, &test.stats, &usual, &err));
	cr_expect_eq(err.code, ERROR_NO_MATCH);
	end(&test);
}
