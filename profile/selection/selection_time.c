/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection_time.h"

#include "base/arithmetic.h"
#include "base/scan.h"

#define DECIMALS      9
#define DECIMALS_UNIT ((uint64_t)1000000000)

static bool parse_seconds(struct text text, uint64_t *ret)
{
	return scan_decimal(&text, DECIMALS, ret) && !text.length;
}

static struct selection_moment moment_of_day(const struct time_of_day *time)
{
	return (struct selection_moment){
		.kind = time->has_date   ? SELECTION_TIME_UTC
			: time->has_zone ? SELECTION_TIME_OF_UTC_DAY
					 : SELECTION_TIME_OF_DAY,
		.ns = time->ns,
	};
}

bool selection_moment_parse(struct text text, struct selection_moment *ret)
{
	struct time_of_day time;

	*ret = (struct selection_moment){ .kind = SELECTION_TIME_OPEN };
	if (!text.length)
		return true;
	if (memchr(text.at, ':', text.length)) {
		if (!time_of_day_parse(text, &time))
			return false;
		*ret = moment_of_day(&time);
		return true;
	}
	ret->kind = SELECTION_TIME_CLOCK;
	if (*text.at == '+') {
		ret->kind = SELECTION_TIME_FROM_FIRST;
		text.at++;
		text.length--;
	}
	return parse_seconds(text, &ret->ns);
}

/* Whether the moment is already a time on the capture's clock. */
static bool is_placed(const struct selection_moment *moment)
{
	return moment->kind == SELECTION_TIME_OPEN || moment->kind == SELECTION_TIME_CLOCK;
}

/* Parses START,STOP; either may be missing. */
static bool parse_period(struct text text, struct selection *ret)
{
	const char *comma = memchr(text.at, ',', text.length);
	struct selection_period period;
	struct selection_range range = { 0, UINT64_MAX };
	uint32_t length;

	if (!comma)
		return false;
	length = (uint32_t)(comma - text.at);
	if (!selection_moment_parse((struct text){ text.at, length }, &period.first) ||
	    !selection_moment_parse((struct text){ comma + 1, text.length - length - 1 },
				    &period.last))
		return false;
	/* Both ends must be of the same kind. A range between times of day may cross midnight. */
	if (period.first.kind == period.last.kind && period.last.ns < period.first.ns &&
	    period.first.kind != SELECTION_TIME_OF_DAY &&
	    period.first.kind != SELECTION_TIME_OF_UTC_DAY)
		return false;
	if (!is_placed(&period.first) || !is_placed(&period.last)) {
		vec_push(&ret->periods, period);
		return true;
	}
	range.first = period.first.ns;
	if (period.last.kind != SELECTION_TIME_OPEN)
		range.last = period.last.ns;
	vec_push(&ret->times_ns, range);
	return true;
}

static bool parse_periods(const char *at, struct selection *ret)
{
	for (;;) {
		uint32_t length;

		at += strspn(at, " ");
		length = (uint32_t)strcspn(at, " ");
		if (!parse_period((struct text){ at, length }, ret))
			return false;
		at += length;
		if (!*at)
			return true;
	}
}

static bool parse_percent(struct text *rest, uint64_t *ret)
{
	return scan_decimal(rest, DECIMALS, ret) && scan_char(rest, '%') &&
	       *ret <= SELECTION_TIME_WHOLE;
}

/* Parses the number of a slice; the first is 1. */
static bool take_slice(struct text *rest, struct selection_range *range)
{
	uint64_t size = range->first;
	uint64_t number;

	if (!scan_decimal(rest, DECIMALS, &number) || number % DECIMALS_UNIT || !number || !size)
		return false;
	number /= DECIMALS_UNIT;
	return !__builtin_mul_overflow(size, number, &range->last) &&
	       !__builtin_mul_overflow(size, number - 1, &range->first) &&
	       range->last <= SELECTION_TIME_WHOLE;
}

/* Parses SIZE%/NUMBER or START%-STOP%. */
static bool parse_share(struct text *rest, selection_ranges *ret)
{
	struct selection_range range;

	if (!parse_percent(rest, &range.first))
		return false;
	if (scan_char(rest, '-')) {
		if (!parse_percent(rest, &range.last))
			return false;
	} else if (!scan_char(rest, '/') || !take_slice(rest, &range)) {
		return false;
	}
	if (range.last < range.first)
		return false;
	vec_push(ret, range);
	return true;
}

/* Parses STOP% or START%,STOP%, which resembles the form in seconds. */
static bool parse_pair(struct text rest, selection_ranges *ret)
{
	struct selection_range range = { 0 };

	if (!parse_percent(&rest, &range.last))
		return false;
	if (scan_char(&rest, ',')) {
		range.first = range.last;
		if (!parse_percent(&rest, &range.last))
			return false;
	}
	if (rest.length || range.last < range.first)
		return false;
	vec_push(ret, range);
	return true;
}

static bool parse_all_shares(struct text rest, selection_ranges *ret)
{
	if (parse_pair(rest, ret))
		return true;
	do {
		if (!parse_share(&rest, ret))
			return false;
	} while (scan_char(&rest, ','));
	return !rest.length;
}

bool selection_time_parse_offset(const char *option, const char *text, struct wall_clock *ret,
				 struct error *err)
{
	struct time_of_day time;

	*ret = (struct wall_clock){ .is_known = true };
	if (parse_seconds(text_of(text), &ret->wall_ns))
		return true;
	if (time_of_day_parse(text_of(text), &time) && time.has_date) {
		ret->wall_ns = time.ns;
		return true;
	}
	return error_set(
		err, ERROR_USAGE,
		"--%s requires the wall-clock time at which the capture's clock was 0, not \"%s\"; "
		"use seconds since 1970, or a date such as 2026-11-22T08:15:00Z; a date without a "
		"time zone uses that of $TZ",
		option, text);
}

bool selection_time_parse(const char *option, const char *text, struct selection *ret,
			  struct error *err)
{
	if (strchr(text, '%') ? parse_all_shares(text_of(text), &ret->time_shares)
			      : parse_periods(text, ret))
		return true;
	return error_set(
		err, ERROR_USAGE,
		"--%s requires START,STOP or a percentage such as 10%%-20%% or 10%%/2, not \"%s\"; "
		"START and STOP may be empty, seconds, +SECONDS after the first sample, 10:30:00 "
		"or 2026-11-22T10:30:00Z",
		option, text);
}

static uint64_t place(uint64_t share, uint64_t first_ns, uint64_t last_ns)
{
	struct ratio ratio = ratio_of(last_ns - first_ns, share, SELECTION_TIME_WHOLE);

	return first_ns + ratio.quotient + (ratio.remainder >= SELECTION_TIME_WHOLE / 2);
}

void selection_time_place(const selection_ranges *shares, uint64_t first_ns, uint64_t last_ns,
			  selection_ranges *ret)
{
	for (size_t i = 0; i < shares->count; i++) {
		struct selection_range range = {
			place(shares->at[i].first, first_ns, last_ns),
			place(shares->at[i].last, first_ns, last_ns),
		};

		if (range.last > range.first && range.last != last_ns)
			range.last--;
		vec_push(ret, range);
	}
}
