/* SPDX-License-Identifier: MIT */
#include "render/timeline/time_axis.h"

#include <inttypes.h>

#include "base/arithmetic.h"

#define NS_PER_SECOND   ((uint64_t)1000000000)
#define SECONDS_PER_DAY 86400u
/*
 * In pixels: the minimum distance between labels, the height of a tick, and the distance of the
 * label below the axis.
 */
#define TICK_GAP 90.0
#define TICK     6
/*
 * How far a label may extend beyond an end of the axis, and the approximate width of its
 * characters.
 */
#define LABEL_BEYOND    10.0
#define LABEL_CHARACTER 7.0
#define LABEL_DOWN      18

/* The decimals of a second that multiples of step_ns need. */
static void write_decimals(uint64_t time_ns, uint64_t step_ns, struct sink *sink)
{
	uint64_t unit_ns = NS_PER_SECOND;

	if (step_ns % NS_PER_SECOND == 0)
		return;
	sink_char(sink, '.');
	do {
		unit_ns /= 10;
		sink_char(sink, (char)('0' + time_ns / unit_ns % 10));
	} while (step_ns % unit_ns);
}

void time_axis_time_of_day(uint64_t time_ns, uint64_t step_ns, struct sink *sink)
{
	uint64_t seconds = time_ns / NS_PER_SECOND;

	if (seconds >= SECONDS_PER_DAY)
		sink_printf(sink, "+%" PRIu64 "d ", seconds / SECONDS_PER_DAY);
	seconds %= SECONDS_PER_DAY;
	sink_printf(sink, "%02u:%02u:%02u", (unsigned)(seconds / 3600),
		    (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
	write_decimals(time_ns, step_ns, sink);
}

/* Writes a time with as many decimals as the ticks need. */
static void write_time(const struct time_axis *axis, uint64_t time_ns, uint64_t precision_ns,
		       struct sink *sink)
{
	if (axis->is_time_of_day) {
		time_axis_time_of_day(time_ns, precision_ns, sink);
		return;
	}
	sink_u64(sink, time_ns / NS_PER_SECOND);
	write_decimals(time_ns, precision_ns, sink);
}

/* Returns the smallest of 1, 2, 5, 10, 20 ... units that leaves space for the labels. */
static uint64_t units_of_tick(const struct time_axis *axis)
{
	uint64_t units = 1;

	while ((double)units * axis->unit_width < TICK_GAP)
		units = round_number_from(units + 1);
	return units;
}

/* Returns the middle of a label such that it is not cut off at the sides of the SVG. */
static double label_middle(const struct time_axis *axis, double x, size_t character_count)
{
	double half = (double)character_count * LABEL_CHARACTER / 2 - LABEL_BEYOND;
	double least = axis->left + half;
	double most = axis->left - half +
		      (double)axis->duration_ns / (double)axis->unit_ns * axis->unit_width;

	if (least > most)
		return x;
	return x < least ? least : x > most ? most : x;
}

void time_axis_write(const struct time_axis *axis, struct sink *sink)
{
	uint64_t step_ns = saturate_multiply(units_of_tick(axis), axis->unit_ns);
	uint64_t to_first_ns = (step_ns - axis->first_ns % step_ns) % step_ns;
	uint64_t precision_ns = step_ns;
	struct sink label;

	if (to_first_ns >= axis->duration_ns) {
		to_first_ns = 0;
		precision_ns = axis->first_ns % axis->unit_ns ? 1 : axis->unit_ns;
	}
	sink_init_memory(&label);
	for (uint64_t ns = to_first_ns; ns < axis->duration_ns; ns = saturate_add(ns, step_ns)) {
		double x = axis->left + (double)(ns / axis->unit_ns) * axis->unit_width +
			   (double)(ns % axis->unit_ns) / (double)axis->unit_ns * axis->unit_width;

		label.used = 0;
		write_time(axis, saturate_add(axis->first_ns, ns), precision_ns, &label);
		sink_printf(sink,
			    "<line x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\" stroke=\"#d1d9e0\"/>"
			    "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">",
			    x, x, axis->grid_top, axis->y + TICK,
			    label_middle(axis, x, sink_memory(&label).length),
			    axis->y + LABEL_DOWN);
		sink_text(sink, sink_memory(&label));
		sink_puts(sink, "</text>\n");
	}
	sink_deinit(&label);
}
