/* SPDX-License-Identifier: MIT */
/*
 * The time axis of an SVG, on the capture's clock. Ticks are at multiples of 1, 2 or 5 times a
 * power of ten of the unit, so that all SVGs of a capture have ticks at the same times:
 *
 *     ┬────────┬────────┬────
 *     9298     9300     9302
 *
 * If the axis has none of these times, its only tick is at its beginning.
 */
#ifndef RENDER_TIMELINE_TIME_AXIS_H
#define RENDER_TIMELINE_TIME_AXIS_H

#include "base/sink.h"

struct time_axis {
	bool is_time_of_day; /* times are since midnight, and shown as 12:34:56 */
	uint64_t first_ns, duration_ns;
	uint64_t unit_ns;  /* the minimum distance between ticks */
	double unit_width; /* in pixels */
	double left;       /* where first_ns is */
	double y;          /* of the axis */
	double grid_top;   /* where the lines at ticks begin; no lines if equal to y */
};

void time_axis_write(const struct time_axis *axis, struct sink *sink);

/*
 * Writes a time since midnight: 12:34:56, with the decimals that multiples of step_ns need. A time
 * on the next day is +1d 12:34:56.
 */
void time_axis_time_of_day(uint64_t time_ns, uint64_t step_ns, struct sink *sink);

#endif
