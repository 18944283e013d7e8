/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection_time.h"

#include <criterion/criterion.h>

#include <time.h>

#include "process/wall_clock.h"

#define SECOND ((uint64_t)1000000000)
#define HOUR   (3600 * SECOND)

Test(time_of_day, of_a_day_and_since_1970)
{
	static const struct {
		const char *text;
		bool has_date, has_zone;
		uint64_t ns;
	} rows[] = {
		{ "10:30", false, false, 10 * HOUR + HOUR / 2 },
		{ "10:30:00.5", false, false, 10 * HOUR + HOUR / 2 + SECOND / 2 },
		{ "00:00:00", false, false, 0 },
		{ "23:59:59.999999999", false, false, DAY_NS - 1 },
		{ "10:30:00.0000000019", false, false, 10 * HOUR + HOUR / 2 + 1 },
		{ "10:30:00Z", false, true, 10 * HOUR + HOUR / 2 },
		{ "01:00+02:00", false, true, 23 * HOUR },
		{ "23:00-02", false, true, HOUR },
		{ "1970-01-01T00:00Z", true, true, 0 },
		{ "2026-11-22T10:30:00.5Z", true, true, 1795343400 * SECOND + SECOND / 2 },
		{ "2026-11-22T12:30:00+0200", true, true, 1795343400 * SECOND },
		{ "2026-11-22T05:00:00-05:30", true, true, 1795343400 * SECOND },
		{ "2024-02-29T00:00Z", true, true, 1709164800 * SECOND },
		{ "2500-12-31T23:59:59Z", true, true, 16756761599 * SECOND },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct time_of_day time;

		cr_assert(time_of_day_parse(text_of(rows[i].text), &time), "%s", rows[i].text);
		cr_expect_eq(time.has_date, rows[i].has_date, "%s", rows[i].text);
		cr_expect_eq(time.has_zone, rows[i].has_zone, "%s", rows[i].text);
		cr_expect_eq(time.ns, rows[i].ns, "%s: %lu", rows[i].text, time.ns);
	}
}

Test(time_of_day, of_no_time)
{
	static const char *const texts[] = {
		"",
		"10",
		"10:3",
		"1:30",
		"24:00",
		"10:60",
		"10:30:60",
		"10:30:",
		"10:30:00.",
		"10:30:00z",
		"10:30+",
		"10:30+2",
		"10:30+24",
		"10:30Zx",
		"10:30 ",
		"-10:30",
		"2026-11-22",
		"2026-11-22T",
		"2026-11-22T10",
		"2026-11-22 10:30",
		"1969-12-31T23:59Z",
		"2501-01-01T00:00Z",
		"2026-02-29T00:00Z",
		"2026-13-01T00:00Z",
		"2026-00-01T00:00Z",
		"2026-01-00T00:00Z",
		"1970-01-01T00:00+01:00",
		"2026-11-22T10:30+99:99",
		"99999999999-01-01T00:00Z",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct time_of_day time;

		cr_expect_not(time_of_day_parse(text_of(texts[i]), &time), "%s", texts[i]);
	}
}

Test(time_of_day, dates_without_a_zone_are_where_the_user_is)
{
	struct time_of_day time;

	setenv("TZ", "America/New_York", 1);
	tzset();
	cr_assert(time_of_day_parse(text_of("2026-11-22T05:30:00"), &time));
	cr_expect_not(time.has_zone);
	cr_expect_eq(time.ns, 1795343400 * SECOND);
}

Test(wall_clock, both_ways_and_no_further_than_there_is)
{
	const struct wall_clock clock = { true, 1000, 100 };
	const struct wall_clock late = { true, 100, 1000 };

	cr_expect_eq(wall_clock_of(&clock, 150), 1050);
	cr_expect_eq(wall_clock_of(&clock, 0), 900);
	cr_expect_eq(wall_clock_back(&clock, 1050), 150);
	cr_expect_eq(wall_clock_back(&clock, 10), 0);
	cr_expect_eq(wall_clock_of(&late, 10), 0);
	cr_expect_eq(wall_clock_of(&clock, UINT64_MAX), UINT64_MAX);
}
