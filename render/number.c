/* SPDX-License-Identifier: MIT */
#include "render/number.h"

#include <inttypes.h>
#include <string.h>

#include "base/arithmetic.h"

#define DIGITS_MAX    20
#define MILLION       1000000u
#define NS_PER_SECOND 1000000000u

void number_grouped(struct sink *sink, uint64_t value)
{
	char digits[DIGITS_MAX + DIGITS_MAX / 3 + 1];
	size_t at = sizeof(digits);
	unsigned count = 0;

	do {
		if (count && count % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + value % 10);
		count++;
	} while (value /= 10);
	sink_bytes(sink, digits + at, sizeof(digits) - at);
}

static void write_fraction(struct sink *sink, uint64_t millionths)
{
	if (millionths)
		sink_char(sink, '.');
	for (uint64_t place = MILLION / 10; millionths; place /= 10) {
		sink_char(sink, (char)('0' + millionths / place));
		millionths %= place;
	}
}

void number_decimal(struct sink *sink, uint64_t millionths)
{
	number_grouped(sink, millionths / MILLION);
	write_fraction(sink, millionths % MILLION);
}

void number_plain(struct sink *sink, uint64_t value, enum weight_unit unit)
{
	if (unit != UNIT_MILLIONTHS) {
		sink_u64(sink, value);
		return;
	}
	sink_u64(sink, value / MILLION);
	write_fraction(sink, value % MILLION);
}

/* Rounds value / unit to three significant digits, and so 99.95 to 100. */
static void scaled(struct sink *sink, uint64_t value, uint64_t unit, const char *name)
{
	uint64_t hundredths;

	if (value >= 100 * unit - unit / 20) {
		number_grouped(sink, value / unit + (value % unit >= unit - unit / 2));
		sink_puts(sink, name);
		return;
	}
	hundredths = (value * 100 + unit / 2) / unit;
	if (hundredths >= 1000) {
		uint64_t tenths = (value * 10 + unit / 2) / unit;

		sink_printf(sink, "%" PRIu64 ".%" PRIu64 "%s", tenths / 10, tenths % 10, name);
		return;
	}
	sink_printf(sink, "%" PRIu64 ".%02" PRIu64 "%s", hundredths / 100, hundredths % 100, name);
}

void number_duration(struct sink *sink, uint64_t time_ns)
{
	/* 999.5 µs rounds to 1,000 µs, so it is 1.00 ms. */
	if (time_ns < 1000)
		sink_printf(sink, "%" PRIu64 " ns", time_ns);
	else if (time_ns < 999500)
		scaled(sink, time_ns, 1000, " µs");
	else if (time_ns < 999500000)
		scaled(sink, time_ns, 1000000, " ms");
	else
		scaled(sink, time_ns, 1000000000, " s");
}

void number_seconds(struct sink *sink, uint64_t time_ns)
{
	uint64_t fraction = time_ns % NS_PER_SECOND;
	unsigned digits = 9;

	while (digits > 3 && fraction % 10 == 0) {
		fraction /= 10;
		digits--;
	}
	sink_printf(sink, "%" PRIu64 ".%0*" PRIu64, time_ns / NS_PER_SECOND, (int)digits, fraction);
}

void number_weight(struct sink *sink, uint64_t value, enum weight_unit unit)
{
	const char *name = number_unit_name(unit);
	size_t length = strlen(name);

	if (unit == UNIT_NANOSECONDS) {
		number_duration(sink, value);
		return;
	}
	/* The unit of a fractional number is unknown here. */
	if (unit == UNIT_MILLIONTHS) {
		number_decimal(sink, value);
		return;
	}
	number_grouped(sink, value);
	sink_char(sink, ' ');
	/* All names end with the plural s. */
	sink_bytes(sink, name, length - (length && value == 1));
}

const char *number_shown_unit(enum weight_unit unit)
{
	return unit == UNIT_MILLIONTHS ? "count" : number_unit_name(unit);
}

const char *number_unit_name(enum weight_unit unit)
{
	switch (unit) {
	case UNIT_SAMPLES:
		return "samples";
	case UNIT_EVENTS:
		return "events";
	case UNIT_NANOSECONDS:
		return "nanoseconds";
	case UNIT_BYTES:
		return "bytes";
	case UNIT_MILLIONTHS:
		return "millionths";
	}
	return "";
}

void number_percent_padded(struct sink *sink, uint64_t part, uint64_t whole, unsigned width)
{
	uint64_t hundredths = 0;
	char text[32];
	int length;

	if (whole) {
		struct ratio ratio = ratio_of(part, 10000, whole);

		/* Halves are rounded up. */
		hundredths = ratio.quotient + (ratio.remainder >= whole - whole / 2);
	}
	length = snprintf(text, sizeof(text), "%" PRIu64 ".%02" PRIu64 "%%", hundredths / 100,
			  hundredths % 100);
	for (unsigned i = (unsigned)length; i < width; i++)
		sink_char(sink, ' ');
	sink_bytes(sink, text, (size_t)length);
}

void number_percent(struct sink *sink, uint64_t part, uint64_t whole)
{
	number_percent_padded(sink, part, whole, 0);
}
