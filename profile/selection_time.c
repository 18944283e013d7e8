/* SPDX-License-Identifier: MIT */
#include "profile/selection_time.h"

#include "base/ratio.h"

#define DECIMALS      9
#define DECIMALS_UNIT ((uint64_t)1000000000)

/* A number in billionths; digits beyond are cut off. */
static bool parse_decimal(const char **at, uint64_t *ret)
{
	uint64_t fraction = 0;
	unsigned digits = 0;

	if (**at < '0' || **at > '9')
		return false;
	for (*ret = 0; **at >= '0' && **at <= '9'; (*at)++)
		if (__builtin_mul_overflow(*ret, 10, ret) ||
		    __builtin_add_overflow(*ret, (uint64_t)(**at - '0'), ret))
			return false;
	if (**at == '.') {
		(*at)++;
		for (; **at >= '0' && **at <= '9'; (*at)++) {
			if (digits++ < DECIMALS)
				fraction = fraction * 10 + (uint64_t)(**at - '0');
		}
	}
	for (; digits < DECIMALS; digits++)
		fraction *= 10;
	return !__builtin_mul_overflow(*ret, DECIMALS_UNIT, ret) &&
	       !__builtin_add_overflow(*ret, fraction, ret);
}

/* START,STOP up to a blank or the end; either may be left out. */
static bool parse_seconds(const char **at, selection_ranges *ret)
{
	struct selection_range range = { 0, UINT64_MAX };

	if (**at != ',' && !parse_decimal(at, &range.first))
		return false;
	if (*(*at)++ != ',')
		return false;
	if (**at && **at != ' ' && !parse_decimal(at, &range.last))
		return false;
	if (range.last < range.first)
		return false;
	vec_push(ret, range);
	return true;
}

static bool parse_all_seconds(const char *at, selection_ranges *ret)
{
	for (;;) {
		while (*at == ' ')
			at++;
		if (!parse_seconds(&at, ret))
			return false;
		if (!*at)
			return true;
		if (*at != ' ')
			return false;
	}
}

static bool parse_percent(const char **at, uint64_t *ret)
{
	return parse_decimal(at, ret) && *(*at)++ == '%' && *ret <= SELECTION_TIME_WHOLE;
}

/* The number of a slice behind its size: the first is 1. */
static bool take_slice(const char **at, struct selection_range *range)
{
	uint64_t size = range->first;
	uint64_t number;

	if (!parse_decimal(at, &number) || number % DECIMALS_UNIT || !number || !size)
		return false;
	number /= DECIMALS_UNIT;
	return !__builtin_mul_overflow(size, number, &range->last) &&
	       !__builtin_mul_overflow(size, number - 1, &range->first) &&
	       range->last <= SELECTION_TIME_WHOLE;
}

/* SIZE%/NUMBER or START%-STOP% */
static bool parse_share(const char **at, selection_ranges *ret)
{
	struct selection_range range;

	if (!parse_percent(at, &range.first))
		return false;
	if (**at == '-') {
		(*at)++;
		if (!parse_percent(at, &range.last))
			return false;
	} else if (**at == '/') {
		(*at)++;
		if (!take_slice(at, &range))
			return false;
	} else {
		return false;
	}
	if (range.last < range.first)
		return false;
	vec_push(ret, range);
	return true;
}

/* STOP% alone, or START%,STOP%, which is what one would write who knows the form in seconds. */
static bool parse_pair(const char *at, selection_ranges *ret)
{
	struct selection_range range = { 0 };

	if (!parse_percent(&at, &range.last))
		return false;
	if (*at == ',') {
		range.first = range.last;
		at++;
		if (!parse_percent(&at, &range.last))
			return false;
	}
	if (*at || range.last < range.first)
		return false;
	vec_push(ret, range);
	return true;
}

static bool parse_all_shares(const char *at, selection_ranges *ret)
{
	if (parse_pair(at, ret))
		return true;
	for (;;) {
		if (!parse_share(&at, ret))
			return false;
		if (!*at)
			return true;
		if (*at++ != ',')
			return false;
	}
}

bool selection_time_parse(const char *option, const char *text, struct selection *ret,
			  struct error *err)
{
	if (strchr(text, '%') ? parse_all_shares(text, &ret->time_shares)
			      : parse_all_seconds(text, &ret->times_ns))
		return true;
	return error_set(
		err, ERROR_USAGE,
		"--%s wants START,STOP in seconds, either may be left out, or percents such "
		"as 10%%-20%% or 10%%/2; not \"%s\"",
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
