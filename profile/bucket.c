/* SPDX-License-Identifier: MIT */
#include "profile/bucket.h"

#include <math.h>

#include "base/scan.h"

/* The start of a range. */
struct bound {
	enum {
		BOUND_NONE, /* "(..., 0)" */
		BOUND_NEGATIVE,
		BOUND_POSITIVE,
	} side;
	uint64_t distance; /* absolute value */
};

/* "K" of "64K": a power of 1024. */
static uint64_t take_suffix(struct text *rest)
{
	static const char suffixes[] = "KMGTPE";
	const char *found = rest->length ? strchr(suffixes, rest->at[0]) : NULL;

	if (!found || !*found)
		return 1;
	rest->at++;
	rest->length--;
	return (uint64_t)1 << 10 * (found - suffixes + 1);
}

/*
 * A number that needs more than 64 bits is read as UINT64_MAX, so that the name still counts as a
 * number.
 */
static bool take_number(struct text *rest, struct bound *ret)
{
	bool is_negative = scan_prefix(rest, "-");
	uint64_t number;
	bool is_number = scan_u64_saturated(rest, &number);

	if (is_number && __builtin_mul_overflow(number, take_suffix(rest), &number))
		number = UINT64_MAX;
	*ret = (struct bound){ is_negative ? BOUND_NEGATIVE : BOUND_POSITIVE, number };
	return is_number;
}

/* Parses "2, 4)" or "1]", after the opening bracket. */
static bool parse_interval(struct text rest, struct bound *ret)
{
	struct bound end;

	if (!take_number(&rest, ret))
		return false;
	if (!scan_prefix(&rest, ", "))
		return scan_prefix(&rest, "]") && !rest.length;
	return (scan_prefix(&rest, "...") || take_number(&rest, &end)) &&
	       (scan_prefix(&rest, ")") || scan_prefix(&rest, "]")) && !rest.length;
}

static double value_of(const struct bound *bound)
{
	return bound->side == BOUND_NEGATIVE ? -(double)bound->distance : (double)bound->distance;
}

/* Parses the rest of a range after its first number: ", 4)", ", ...)", "]", " -> 3" or nothing. */
static bool parse_end(struct text rest, bool is_bracketed, struct bucket_range *ret)
{
	struct bound end;

	ret->high = ret->low + 1;
	if (!is_bracketed && !rest.length)
		return true;
	if (!is_bracketed) {
		if (!scan_prefix(&rest, " -> ") || !take_number(&rest, &end))
			return false;
		/* Values are rounded down, so "2 -> 3" counts values up to 3.99. */
		ret->high = value_of(&end) + 1;
		return !rest.length && ret->high > ret->low;
	}
	if (scan_prefix(&rest, "]"))
		return !rest.length;
	if (!scan_prefix(&rest, ", "))
		return false;
	if (scan_prefix(&rest, "...")) {
		ret->high = INFINITY;
	} else {
		if (!take_number(&rest, &end))
			return false;
		ret->high = value_of(&end) + (rest.length && *rest.at == ']');
	}
	return (scan_prefix(&rest, ")") || scan_prefix(&rest, "]")) && !rest.length &&
	       ret->high > ret->low;
}

bool bucket_range(struct text name, struct bucket_range *ret)
{
	bool is_bracketed = scan_prefix(&name, "[");
	struct bound bound;

	if (!is_bracketed && scan_prefix(&name, "(..., ")) {
		if (!take_number(&name, &bound))
			return false;
		*ret = (struct bucket_range){ -INFINITY, value_of(&bound) };
		return scan_prefix(&name, ")") && !name.length;
	}
	if (!take_number(&name, &bound))
		return false;
	ret->low = value_of(&bound);
	return parse_end(name, is_bracketed, ret);
}

static bool parse(struct text name, struct bound *ret)
{
	struct bound end;

	if (!name.length)
		return false;
	switch (name.at[0]) {
	case '[':
		scan_prefix(&name, "[");
		return parse_interval(name, ret);
	case '(':
		*ret = (struct bound){ BOUND_NONE, 0 };
		return scan_prefix(&name, "(..., ") && take_number(&name, &end) &&
		       scan_prefix(&name, ")") && !name.length;
	default:
		/* A quick test, because most names are not ranges. */
		if (name.at[0] != '-' && (name.at[0] < '0' || name.at[0] > '9'))
			return false;
		return take_number(&name, ret) &&
		       (!name.length ||
			(scan_prefix(&name, " -> ") && take_number(&name, &end) && !name.length));
	}
}

static int compare(const struct bound *a, const struct bound *b)
{
	int order = (a->distance > b->distance) - (a->distance < b->distance);

	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return a->side == BOUND_NEGATIVE ? -order : order;
}

int bucket_order(struct text *a, struct text *b)
{
	static const struct text place = { "0", 1 };
	struct bound left, right;
	bool is_left = parse(*a, &left);
	bool is_right = parse(*b, &right);

	if (is_left && is_right)
		return compare(&left, &right);
	if (is_left)
		*a = place;
	if (is_right)
		*b = place;
	return 0;
}
