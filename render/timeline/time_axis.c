/* SPDX-License-Identifier: MIT */
#include "render/timeline/time_axis.h"

#include <inttypes.h>

#include "base/arithmetic.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
/* Pixels: the minimum distance between labels, of a tick, and of the label below the axis. */
#define TICK_GAP   90.0
#define TICK       6
#define LABEL_DOWN 18

/* Seconds with as many decimals as the ticks need. */
static void write_seconds(uint64_t time_ns, uint64_t step_ns, struct sink *sink)
{
	uint64_t unit_ns = NS_PER_SECOND;

	sink_printf(sink, "%" PRIu64, time_ns / NS_PER_SECOND);
	if (step_ns % NS_PER_SECOND == 0)
		return;
	sink_char(sink, '.');
	do {
		unit_ns /= 10;
		sink_char(sink, (char)('0' + time_ns / unit_ns % 10));
	} while (step_ns % unit_ns);
}

/* The shortest of 1, 2, 5, 10, 20 ... units that leaves room for the labels. */
static uint64_t units_of_tick(const struct time_axis *axis)
{
	static const uint64_t steps[] = { 1, 2, 5 };
	uint64_t units = 1;

	for (uint64_t decade = 1, i = 0; (double)units * axis->unit_width < TICK_GAP; i++) {
		decade *= i && i % ARRAY_SIZE(steps) == 0 ? 10 : 1;
		units = decade * steps[i % ARRAY_SIZE(steps)];
	}
	return units;
}

void time_axis_write(const struct time_axis *axis, struct sink *sink)
{
	uint64_t step_ns = saturate_multiply(units_of_tick(axis), axis->unit_ns);
	uint64_t to_first_ns = (step_ns - axis->first_ns % step_ns) % step_ns;

	for (uint64_t ns = to_first_ns; ns < axis->duration_ns; ns = saturate_add(ns, step_ns)) {
		double x = axis->left + (double)(ns / axis->unit_ns) * axis->unit_width +
			   (double)(ns % axis->unit_ns) / (double)axis->unit_ns * axis->unit_width;

		sink_printf(sink,
			    "<line x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\" stroke=\"#d1d9e0\"/>"
			    "<text x=\"%g\" y=\"%g\">",
			    x, x, axis->grid_top, axis->y + TICK, x, axis->y + LABEL_DOWN);
		write_seconds(saturate_add(axis->first_ns, ns), step_ns, sink);
		sink_puts(sink, "</text>\n");
	}
}
