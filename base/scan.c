/* SPDX-License-Identifier: MIT */
#include "base/scan.h"

bool scan_u64_saturated(struct text *rest, uint64_t *ret)
{
	uint32_t length = scan_digits_length(*rest);

	*ret = 0;
	for (uint32_t i = 0; i < length; i++)
		if (!scan_append_digit(ret, rest->at[i]))
			break;
	*rest = text_from(*rest, length);
	return length > 0;
}

uint64_t scan_fraction(struct text *rest, unsigned decimals)
{
	uint32_t length = scan_digits_length(*rest);
	uint64_t value = 0;

	for (uint32_t i = 0; i < decimals; i++)
		value = value * 10 + (i < length ? (uint64_t)(rest->at[i] - '0') : 0);
	*rest = text_from(*rest, length);
	return value;
}

bool scan_time_of_day(struct text *rest, uint64_t *ns_ret)
{
	const uint64_t second_ns = 1000000000u;
	struct text left = *rest;
	uint64_t hours, minutes, seconds_ns;

	/* A minute may have a leap second. */
	if (!scan_u64(&left, &hours) || hours > 23 || !scan_char(&left, ':') ||
	    !scan_u64(&left, &minutes) || minutes > 59 || !scan_char(&left, ':') ||
	    !scan_decimal(&left, 9, &seconds_ns) || seconds_ns >= 61 * second_ns)
		return false;
	*rest = left;
	*ns_ret = (hours * 3600 + minutes * 60) * second_ns + seconds_ns;
	return true;
}

bool scan_decimal(struct text *rest, unsigned decimals, uint64_t *ret)
{
	struct text left = *rest;
	uint64_t unit = 1;
	uint64_t value;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	if (!scan_u64(&left, &value) || __builtin_mul_overflow(value, unit, &value))
		return false;
	if (scan_char(&left, '.') &&
	    __builtin_add_overflow(value, scan_fraction(&left, decimals), &value))
		return false;
	*rest = left;
	*ret = value;
	return true;
}
