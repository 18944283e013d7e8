/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection_time.h"

#include <time.h>

#include "base/scan.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
#define DECIMALS      9
#define YEAR_MIN      1970
/* Later times might not fit into 64 bits of nanoseconds. */
#define YEAR_MAX 2500

/* Reads a number of exactly `count` digits. */
static bool take_digits(struct text *text, unsigned count, unsigned *ret)
{
	*ret = 0;
	if (text->length < count)
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!is_digit(text->at[i]))
			return false;
		*ret = *ret * 10 + (unsigned)(text->at[i] - '0');
	}
	*text = text_from(*text, count);
	return true;
}

/* Parses HH:MM, HH:MM:SS or HH:MM:SS.FRACTION. */
static bool take_time(struct text *text, struct tm *time, uint64_t *fraction_ns)
{
	unsigned hour;
	unsigned minute;
	unsigned second = 0;

	*fraction_ns = 0;
	if (!take_digits(text, 2, &hour) || !scan_char(text, ':') || !take_digits(text, 2, &minute))
		return false;
	if (scan_char(text, ':') && !take_digits(text, 2, &second))
		return false;
	if (scan_char(text, '.')) {
		if (!scan_digits_length(*text))
			return false;
		*fraction_ns = scan_fraction(text, DECIMALS);
	}
	time->tm_hour = (int)hour;
	time->tm_min = (int)minute;
	time->tm_sec = (int)second;
	return hour < 24 && minute < 60 && second < 60;
}

/* Parses Z, +HH, +HHMM or +HH:MM, or nothing. */
static bool take_zone(struct text *text, bool *has_zone, int64_t *ahead_ns)
{
	bool is_behind = text->length && *text->at == '-';
	unsigned hours;
	unsigned minutes = 0;

	*ahead_ns = 0;
	*has_zone = text->length;
	if (!text->length || scan_char(text, 'Z'))
		return true;
	if ((!scan_char(text, '+') && !scan_char(text, '-')) || !take_digits(text, 2, &hours))
		return false;
	if (text->length && (scan_char(text, ':'), !take_digits(text, 2, &minutes)))
		return false;
	*ahead_ns = (int64_t)((hours * 60 + minutes) * 60 * NS_PER_SECOND);
	if (is_behind)
		*ahead_ns = -*ahead_ns;
	return hours < 24 && minutes < 60;
}

static bool take_date(struct text *text, struct tm *time)
{
	unsigned year;
	unsigned month;
	unsigned day;

	if (!take_digits(text, 4, &year) || !scan_char(text, '-') ||
	    !take_digits(text, 2, &month) || !scan_char(text, '-') || !take_digits(text, 2, &day) ||
	    !scan_char(text, 'T'))
		return false;
	time->tm_year = (int)year - 1900;
	time->tm_mon = (int)month - 1;
	time->tm_mday = (int)day;
	return year >= YEAR_MIN && year <= YEAR_MAX;
}

/* Converts to seconds since 1970. Returns false for an invalid day, or for a day before 1970. */
static bool find_seconds(struct tm time, bool has_zone, int64_t *ret)
{
	struct tm found = time;

	found.tm_isdst = -1;
	*ret = has_zone ? timegm(&found) : mktime(&found);
	return *ret >= 0 && found.tm_mon == time.tm_mon && found.tm_mday == time.tm_mday;
}

bool time_of_day_parse(struct text text, struct time_of_day *ret)
{
	struct tm time = { 0 };
	uint64_t fraction_ns;
	int64_t seconds;
	int64_t ahead_ns;

	*ret = (struct time_of_day){ .has_date = text.length > 4 && text.at[4] == '-' };
	if ((ret->has_date && !take_date(&text, &time)) || !take_time(&text, &time, &fraction_ns) ||
	    !take_zone(&text, &ret->has_zone, &ahead_ns) || text.length)
		return false;
	if (!ret->has_date)
		seconds = (time.tm_hour * 60 + time.tm_min) * 60 + time.tm_sec;
	else if (!find_seconds(time, ret->has_zone, &seconds))
		return false;
	ret->ns = (uint64_t)seconds * NS_PER_SECOND + fraction_ns;
	/* A time zone can move the date to before 1970. */
	if (!ret->has_date)
		ret->ns = (uint64_t)((int64_t)(ret->ns + DAY_NS) - ahead_ns) % DAY_NS;
	else if (ahead_ns > 0 && (uint64_t)ahead_ns > ret->ns)
		return false;
	else
		ret->ns -= (uint64_t)ahead_ns;
	return true;
}
