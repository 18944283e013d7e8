/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection_time.h"

#include <criterion/criterion.h>

static bool parse(const char *text, struct selection *ret)
{
	struct error err = { .code = ERROR_NONE };
	bool good;

	*ret = (struct selection){ 0 };
	good = selection_time_parse("time", text, ret, &err);
	if (!good)
		cr_expect_eq(err.code, ERROR_USAGE, "\"%s\"", text);
	return good;
}

Test(selection_time, seconds)
{
	static const struct {
		const char *text;
		bool is_good;
		size_t count;
		uint64_t first, last; /* of the last range */
	} rows[] = {
		{ "1,2", true, 1, 1000000000, 2000000000 },
		{ "1.5,", true, 1, 1500000000, UINT64_MAX },
		{ ",2.000000001", true, 1, 0, 2000000001 },
		{ "5669.617688,5669.7", true, 1, 5669617688000, 5669700000000 },
		/* Digits beyond nanoseconds are dropped. */
		{ "0.0000000019,1", true, 1, 1, 1000000000 },
		{ "1,2 3,4", true, 2, 3000000000, 4000000000 },
		{ "1,2  3,", true, 2, 3000000000, UINT64_MAX },
		{ "1, 3,4", true, 2, 3000000000, 4000000000 },
		{ "2,1", false, 0, 0, 0 },
		{ "1", false, 0, 0, 0 },
		{ "", false, 0, 0, 0 },
		{ "1,2,3", false, 0, 0, 0 },
		{ "1,2 ", false, 0, 0, 0 },
		{ "1.x,2", false, 0, 0, 0 },
		{ "18446744074,", false, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection;
		bool good = parse(rows[i].text, &selection);

		cr_expect_eq(good, rows[i].is_good, "\"%s\"", rows[i].text);
		if (good && rows[i].is_good) {
			const struct selection_range *range;

			cr_assert_eq(selection.times_ns.count, rows[i].count, "%s", rows[i].text);
			range = &selection.times_ns.at[rows[i].count - 1];
			cr_expect_eq(range->first, rows[i].first, "%s", rows[i].text);
			cr_expect_eq(range->last, rows[i].last, "%s", rows[i].text);
			cr_expect_eq(selection.time_shares.count, 0);
		}
		selection_deinit(&selection);
	}
}

Test(selection_time, percents)
{
	/* The samples are from 1000 to 2000. The expected ranges are those that perf 6.1
	 * selects. */
	static const struct {
		const char *text;
		size_t count; /* 0: no good */
		uint64_t first, last;
	} rows[] = {
		{ "10%", 1, 1000, 1099 },
		{ "10%/1", 1, 1000, 1099 },
		{ "10%/2", 1, 1100, 1199 },
		{ "10%/10", 1, 1900, 2000 },
		{ "10%-20%", 1, 1100, 1199 },
		{ "12.34%-56.75%", 1, 1123, 1567 },
		{ "0%-100%", 1, 1000, 2000 },
		{ "100%-100%", 1, 2000, 2000 },
		{ "50%-50%", 1, 1500, 1500 },
		{ "10%-20%,40%-50%", 2, 1400, 1499 },
		{ "10%/2,10%/4", 2, 1300, 1399 },
		{ "0%,50%", 1, 1000, 1499 },
		{ "50%,100%", 1, 1500, 2000 },
		{ "10%/11", 0, 0, 0 },
		{ "10%/0", 0, 0, 0 },
		{ "10%/1.5", 0, 0, 0 },
		{ "0%/1", 0, 0, 0 },
		{ "101%", 0, 0, 0 },
		{ "20%-10%", 0, 0, 0 },
		{ "50%,0%", 0, 0, 0 },
		{ "10%-", 0, 0, 0 },
		{ "10%-20%,", 0, 0, 0 },
		{ "10%-20", 0, 0, 0 },
		{ "10-20%", 0, 0, 0 },
		{ "10%/99999999999999999999", 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection;
		bool good = parse(rows[i].text, &selection);

		cr_expect_eq(good, rows[i].count != 0, "\"%s\"", rows[i].text);
		selection_time_place(&selection.time_shares, 1000, 2000, &selection.times_ns);
		if (good && rows[i].count) {
			const struct selection_range *range;

			cr_assert_eq(selection.times_ns.count, rows[i].count, "%s", rows[i].text);
			range = &selection.times_ns.at[rows[i].count - 1];
			cr_expect_eq(range->first, rows[i].first, "%s", rows[i].text);
			cr_expect_eq(range->last, rows[i].last, "%s: %lu", rows[i].text,
				     range->last);
		}
		selection_deinit(&selection);
	}
}

Test(selection_time, periods)
{
	static const struct {
		const char *text;
		size_t count; /* 0: no good */
		struct selection_period last;
	} rows[] = {
		{ "+1.5,+3",
		  1,
		  { { SELECTION_TIME_FROM_FIRST, 1500000000 },
		    { SELECTION_TIME_FROM_FIRST, 3000000000 } } },
		{ "+1,",
		  1,
		  { { SELECTION_TIME_FROM_FIRST, 1000000000 }, { SELECTION_TIME_OPEN, 0 } } },
		{ "5,+1",
		  1,
		  { { SELECTION_TIME_CLOCK, 5000000000 },
		    { SELECTION_TIME_FROM_FIRST, 1000000000 } } },
		{ "10:30:00.5,",
		  1,
		  { { SELECTION_TIME_OF_DAY, 37800500000000 }, { SELECTION_TIME_OPEN, 0 } } },
		{ "23:00,01:00Z",
		  1,
		  { { SELECTION_TIME_OF_DAY, 82800000000000 },
		    { SELECTION_TIME_OF_UTC_DAY, 3600000000000 } } },
		{ "+0,+1 ,2026-11-22T10:30Z",
		  2,
		  { { SELECTION_TIME_OPEN, 0 }, { SELECTION_TIME_UTC, 1795343400000000000 } } },
		{ .text = "+3,+1" },
		{ .text = "+,+1" },
		{ .text = "++1," },
		{ .text = "+1" },
		{ .text = "10:30" },
		{ .text = "10:30,25:00" },
		{ .text = "2026-11-22T10:30Z,2026-11-22T10:29Z" },
		{ .text = "+18446744074," },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection;
		bool good = parse(rows[i].text, &selection);

		cr_expect_eq(good, rows[i].count != 0, "\"%s\"", rows[i].text);
		if (good && rows[i].count) {
			const struct selection_period *last;

			cr_assert_eq(selection.periods.count, rows[i].count, "%s", rows[i].text);
			last = &selection.periods.at[rows[i].count - 1];
			cr_expect_eq(last->first.kind, rows[i].last.first.kind, "%s", rows[i].text);
			cr_expect_eq(last->first.ns, rows[i].last.first.ns, "%s", rows[i].text);
			cr_expect_eq(last->last.kind, rows[i].last.last.kind, "%s", rows[i].text);
			cr_expect_eq(last->last.ns, rows[i].last.last.ns, "%s", rows[i].text);
		}
		selection_deinit(&selection);
	}
}

Test(selection_time, when_the_clock_was_0)
{
	static const struct {
		const char *text;
		bool is_good;
		uint64_t ns;
	} rows[] = {
		{ "1795343400.5", true, 1795343400500000000 },
		{ "2026-11-22T10:30:00Z", true, 1795343400000000000 },
		{ "+02:00", false, 0 },
		{ "10:30", false, 0 },
		{ "", false, 0 },
		{ "99999999999", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct wall_clock clock;
		struct error err;

		cr_assert_eq(selection_time_parse_offset("utc-offset", rows[i].text, &clock, &err),
			     rows[i].is_good, "%s", rows[i].text);
		if (rows[i].is_good) {
			cr_expect(clock.is_known);
			cr_expect_eq(wall_clock_of(&clock, 1), rows[i].ns + 1, "%s", rows[i].text);
		} else {
			cr_expect_eq(err.code, ERROR_USAGE);
		}
	}
}

Test(selection_time, span_of_all_time)
{
	selection_ranges times = { 0 };
	selection_ranges shares = { 0 };

	vec_push(&shares, (struct selection_range){ 0, SELECTION_TIME_WHOLE / 2 });
	vec_push(&shares, (struct selection_range){ SELECTION_TIME_WHOLE, SELECTION_TIME_WHOLE });
	selection_time_place(&shares, 0, UINT64_MAX, &times);
	cr_expect_eq(times.at[0].last, UINT64_MAX / 2);
	cr_expect_eq(times.at[1].first, UINT64_MAX);
	vec_free(&shares);
	vec_free(&times);
}
