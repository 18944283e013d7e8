/* SPDX-License-Identifier: MIT */
/*
 * Parses dates (ISO 8601) and times of day:
 *
 *     10:30   10:30:00.5   10:30:00Z   10:30:00+02:00        since midnight
 *     2026-11-22T10:30:00.5Z   2026-11-22T10:30:00-0530      since 1970
 *     2026-11-22T10:30                                       local time, by TZ
 */
#ifndef PROFILE_SELECTION_TIME_OF_DAY_H
#define PROFILE_SELECTION_TIME_OF_DAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

#define DAY_NS ((uint64_t)86400 * 1000000000)

struct time_of_day {
	bool has_date; /* ns is since 1970 UTC; else since midnight */
	bool has_zone; /* without a date: midnight UTC, else local midnight */
	uint64_t ns;
};

/* Returns false if the text is no such time. */
bool time_of_day_parse(struct text text, struct time_of_day *ret);

#endif
