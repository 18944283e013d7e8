/* SPDX-License-Identifier: MIT */
#include "process/wall_clock.h"

#include <inttypes.h>
#include <time.h>

#include "base/arithmetic.h"

#define NS_PER_SECOND ((uint64_t)1000000000)

static uint64_t translate(uint64_t time_ns, uint64_t from_ns, uint64_t to_ns)
{
	if (time_ns >= from_ns)
		return saturate_add(to_ns, time_ns - from_ns);
	return to_ns > from_ns - time_ns ? to_ns - (from_ns - time_ns) : 0;
}

uint64_t wall_clock_of(const struct wall_clock *clock, uint64_t clock_ns)
{
	return translate(clock_ns, clock->clock_ns, clock->wall_ns);
}

uint64_t wall_clock_back(const struct wall_clock *clock, uint64_t wall_ns)
{
	return translate(wall_ns, clock->wall_ns, clock->clock_ns);
}

void wall_clock_write(const struct wall_clock *clock, uint64_t clock_ns, bool has_ns,
		      struct sink *sink)
{
	uint64_t wall_ns = wall_clock_of(clock, clock_ns);
	time_t seconds = (time_t)(wall_ns / NS_PER_SECOND);
	struct tm local;
	char date[64];

	if (!localtime_r(&seconds, &local) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local))
		return;
	sink_printf(sink, "%s.%0*" PRIu64, date, has_ns ? 9 : 6,
		    wall_ns % NS_PER_SECOND / (has_ns ? 1 : 1000));
}
