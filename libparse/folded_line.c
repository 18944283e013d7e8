/* SPDX-License-Identifier: MIT */
#include "libparse/folded_line.h"

#include "libparse/text.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Adds the places behind the point to value, as many as are kept. */
static bool add_fraction(struct text places, uint32_t decimals, struct folded_number *number)
{
	for (uint32_t i = 0; i < decimals; i++) {
		uint64_t digit = i < places.length ? (uint64_t)(places.at[i] - '0') : 0;

		if (__builtin_mul_overflow(number->value, 10u, &number->value) ||
		    __builtin_add_overflow(number->value, digit, &number->value))
			return false;
	}
	for (uint32_t i = decimals; i < places.length; i++)
		number->is_rounded |= places.at[i] != '0';
	return places.length <= decimals || places.at[decimals] < '5' ||
	       !__builtin_add_overflow(number->value, 1u, &number->value);
}

bool folded_line_take_number(struct text *line, uint32_t decimals, struct folded_number *ret)
{
	uint32_t end = line->length;
	uint32_t begin = end;
	uint32_t point;
	struct text places = { "", 0 };

	while (begin && is_digit(line->at[begin - 1]))
		begin--;
	point = begin;
	if (begin && line->at[begin - 1] == '.') {
		places = (struct text){ line->at + begin, end - begin };
		point = --begin;
		while (begin && is_digit(line->at[begin - 1]))
			begin--;
	} else {
		point = end;
	}
	if (begin == point || !begin || !is_blank(line->at[begin - 1]))
		return false;
	*ret = (struct folded_number){ .decimals = places.length };
	if (!text_is_decimal((struct text){ line->at + begin, point - begin }, &ret->value) ||
	    !add_fraction(places, decimals, ret))
		return false;
	while (begin && is_blank(line->at[begin - 1]))
		begin--;
	line->length = begin;
	return true;
}
