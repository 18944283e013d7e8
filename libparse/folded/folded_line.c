/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_line.h"

#include "base/scan.h"
#include "libparse/text.h"

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
	*ret = (struct folded_number){ .decimals = places.length, .length = end - begin };
	if (!text_to_u64((struct text){ line->at + begin, point - begin }, &ret->value) ||
	    !add_fraction(places, decimals, ret))
		return false;
	while (begin && is_blank(line->at[begin - 1]))
		begin--;
	line->length = begin;
	return true;
}

bool folded_line_take_metrics(struct text *line, struct folded_metrics *ret)
{
	uint32_t begin = line->length;
	struct text numbers[3];
	const char *at;
	uint64_t idle;

	while (begin && !is_blank(line->at[begin - 1]))
		begin--;
	at = line->at + begin;
	if (!begin)
		return false;
	for (int i = 0; i < 3; i++) {
		const char *end = line->at + line->length;
		const char *stop = i < 2 && at < end ? memchr(at, ',', (size_t)(end - at)) : end;

		if (!stop)
			return false;
		numbers[i] = (struct text){ at, (uint32_t)(stop - at) };
		at = stop + (stop < end);
	}
	*ret = (struct folded_metrics){ .time_us = 0 };
	if (!text_to_u64(numbers[0], &ret->time_us) || !text_to_u64(numbers[1], &idle) ||
	    (!text_has_prefix(numbers[2], "-") && !text_to_u64(numbers[2], &ret->allocated_bytes)))
		return false;
	ret->is_idle = idle != 0;
	while (begin && is_blank(line->at[begin - 1]))
		begin--;
	line->length = begin;
	return true;
}
