/* SPDX-License-Identifier: MIT */
/*
 * Dates and times as people write them, ISO 8601 where there is a date:
 *
 *     10:30   10:30:00.5   10:30:00Z   10:30:00+02:00        of a day
 *     2026-11-22T10:30:00.5Z   2026-11-22T10:30:00-0530      since 1970
 *     2026-11-22T10:30                                       where the user is, as TZ says
 */
#ifndef PROFILE_SELECTION_TIME_OF_DAY_H
#define PROFILE_SELECTION_TIME_OF_DAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

#define DAY_NS ((uint64_t)86400 * 1000000000)

struct time_of_day {
	bool has_date; /* ns is since 1970, of UTC; else since midnight */
	bool has_zone; /* without a date: the midnight of UTC, else of where the user is */
	uint64_t ns;
};

/* False: the text is no such time. */
bool time_of_day_parse(struct text text, struct time_of_day *ret);

#endif
