/* SPDX-License-Identifier: MIT */
#include "render/timeline/time_axis.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(time_axis, times_of_day)
{
	static const struct {
		uint64_t time_ns, step_ns;
		const char *expected;
	} rows[] = {
		{ 0, 0, "00:00:00" },
		{ 86399000000000, 1000000000, "23:59:59" },
		{ 86399500000000, 86399500000000, "23:59:59.5" },
		{ 90061000000000, 60000000000, "+1d 01:01:01" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		time_axis_time_of_day(rows[i].time_ns, rows[i].step_ns, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink_memory(&sink).at, rows[i].expected);
		sink_deinit(&sink);
	}
}

/* Labels at the ends are moved inwards, all others are below their tick. */
Test(time_axis, labels_are_not_cut_off)
{
	const struct time_axis axis = {
		.first_ns = 17349500000000,
		.duration_ns = 500000001,
		.unit_ns = 1,
		.unit_width = 1000 / 500000001.0,
		.left = 16,
		.y = 100,
		.grid_top = 100,
	};
	double first = 0, last = 0;
	unsigned count = 0;
	struct sink sink;

	sink_init_memory(&sink);
	time_axis_write(&axis, &sink);
	sink_char(&sink, '\0');
	for (const char *at = sink_memory(&sink).at; (at = strstr(at, "<text x=\"")); count++) {
		at += strlen("<text x=\"");
		last = strtod(at, NULL);
		first = count ? first : last;
	}
	cr_expect(count == 11);
	/* "17349.50" is about 56 pixels wide, and may extend 10 pixels beyond the axis. */
	cr_expect(first > 33.9 && first < 34.1, "%g", first);
	cr_expect(last > 997.9 && last < 998.1, "%g", last);
	sink_deinit(&sink);
}

/* Of a heat map with few columns, or of a window of a few nanoseconds. */
Test(time_axis, short_axes_have_a_label)
{
	static const struct {
		struct time_axis axis;
		const char *expected;
	} rows[] = {
		{ { .first_ns = 16100000000,
		    .duration_ns = 100000000,
		    .unit_ns = 50000000,
		    .unit_width = 44 },
		  ">16.10</text>" },
		{ { .first_ns = 100000000001, .duration_ns = 1, .unit_ns = 1, .unit_width = 80 },
		  ">100.000000001</text>" },
		{ { .first_ns = 16123000000,
		    .duration_ns = 100000000,
		    .unit_ns = 50000000,
		    .unit_width = 10 },
		  ">16.123000000</text>" },
		{ { .first_ns = 12000000000,
		    .duration_ns = 2000000000,
		    .unit_ns = 1000000000,
		    .unit_width = 5,
		    .is_time_of_day = true },
		  ">00:00:12</text>" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		time_axis_write(&rows[i].axis, &sink);
		sink_char(&sink, '\0');
		cr_expect(strstr(sink_memory(&sink).at, rows[i].expected), "%s",
			  sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}
