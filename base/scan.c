/* SPDX-License-Identifier: MIT */
#include "base/scan.h"

const unsigned char scan_hex_values[UCHAR_MAX + 1] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

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

	/* Second 60 is a leap second. */
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

/*
 * The number of digits that always fit into 64 bits. 17 significant digits are enough to identify a
 * double.
 */
#define DIGITS_MAX 19
/* Exponents of larger magnitude make any number zero or too large. */
#define EXPONENT_MAX 1000000

/* A parsed number, which is value * 10^exponent. */
struct digits {
	uint64_t value;
	int64_t exponent;
	unsigned count;  /* significant digits in value */
	bool is_rounded; /* at least one of the omitted digits is not 0 */
};

static void append_digits(struct digits *digits, struct text *rest, bool is_fraction)
{
	uint32_t length = scan_digits_length(*rest);

	for (uint32_t i = 0; i < length; i++) {
		if (digits->count == DIGITS_MAX) {
			digits->exponent += !is_fraction;
			digits->is_rounded |= rest->at[i] != '0';
			continue;
		}
		digits->value = digits->value * 10 + (uint64_t)(rest->at[i] - '0');
		digits->count += digits->value > 0;
		digits->exponent -= is_fraction;
	}
	*rest = text_from(*rest, length);
}

/* Reads the exponent after the digits, such as "e-7". Returns false if no digits follow the e. */
static bool read_exponent(struct digits *digits, struct text *rest)
{
	uint64_t exponent;
	bool is_negative;

	if (!scan_char(rest, 'e') && !scan_char(rest, 'E'))
		return true;
	is_negative = scan_char(rest, '-');
	if (!is_negative)
		scan_char(rest, '+');
	if (!scan_u64_saturated(rest, &exponent))
		return false;
	if (exponent > EXPONENT_MAX)
		exponent = EXPONENT_MAX;
	digits->exponent += is_negative ? -(int64_t)exponent : (int64_t)exponent;
	return true;
}

/* Raises a negative exponent to 0, and rounds the digits. */
static void round_digits(struct digits *digits)
{
	uint64_t unit = 1;
	uint64_t left;

	if (digits->exponent >= 0)
		return;
	for (; digits->exponent < 0 && unit < 10000000000000000000u; digits->exponent++)
		unit *= 10;
	left = digits->value % unit;
	digits->value /= unit;
	digits->is_rounded |= left > 0;
	/*
	 * If the exponent is still negative, the number is less than half a unit, because it has at
	 * most DIGITS_MAX digits.
	 */
	if (digits->exponent == 0)
		digits->value += left >= unit - left;
	digits->exponent = 0;
}

bool scan_number(struct text *rest, unsigned decimals, struct scanned_number *ret)
{
	struct text left = *rest;
	bool is_negative = scan_char(&left, '-');
	struct digits digits = { .exponent = (int64_t)decimals };
	uint32_t length = left.length;

	append_digits(&digits, &left, false);
	if (left.length == length)
		return false;
	if (scan_char(&left, '.'))
		append_digits(&digits, &left, true);
	if (!read_exponent(&digits, &left))
		return false;
	round_digits(&digits);
	for (; digits.value && digits.exponent > 0; digits.exponent--)
		if (__builtin_mul_overflow(digits.value, 10u, &digits.value))
			return false;
	if (digits.value > INT64_MAX)
		return false;
	*rest = left;
	*ret = (struct scanned_number){
		.value = is_negative ? -(int64_t)digits.value : (int64_t)digits.value,
		.is_rounded = digits.is_rounded,
	};
	return true;
}
