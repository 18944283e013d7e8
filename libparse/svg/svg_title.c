/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_title.h"

#include "base/scan.h"

/* A name may hold " (" too; how many of them, from the end, are looked at. */
#define TRIES_MAX 8
#define THOUSAND  1000u

/* Takes "28,028.25" off the text, in units of 1/scale, a power of ten; what is finer is cut off. */
static bool take_count(struct text *text, uint64_t scale, uint64_t *ret)
{
	uint64_t value = 0;
	uint64_t fraction = scale;
	bool is_behind_point = false;
	uint32_t i;

	for (i = 0; i < text->length; i++) {
		char c = text->at[i];

		if (c == ',' && i && !is_behind_point)
			continue;
		if (c == '.' && i && !is_behind_point) {
			is_behind_point = true;
			continue;
		}
		if (!is_digit(c))
			break;
		if (is_behind_point) {
			fraction /= 10;
			if (__builtin_add_overflow(value, fraction * (uint64_t)(c - '0'), &value))
				return false;
		} else if (__builtin_mul_overflow(value, 10u, &value) ||
			   __builtin_add_overflow(value, scale * (uint64_t)(c - '0'), &value)) {
			return false;
		}
	}
	*text = text_from(*text, i);
	*ret = value;
	return i && is_digit(text->at[-1]);
}

/* "; +1.05%" */
static bool take_delta(struct text *text, struct svg_title *title)
{
	uint64_t hundredths;
	bool is_negative;

	if (!text_has_prefix(*text, "; "))
		return true;
	*text = text_from(*text, 2);
	is_negative = text_has_prefix(*text, "-");
	if (is_negative || text_has_prefix(*text, "+"))
		*text = text_from(*text, 1);
	if (!take_count(text, 100, &hundredths) || hundredths > INT64_MAX ||
	    !text_has_prefix(*text, "%"))
		return false;
	*text = text_from(*text, 1);
	title->delta = is_negative ? -(int64_t)hundredths : (int64_t)hundredths;
	title->has_delta = true;
	return true;
}

/* What is in the brackets: "28,028 samples, 2.22%". */
static bool parse_weight(struct text text, struct svg_title *title)
{
	uint64_t ignored;
	uint32_t comma;

	if (!take_count(&text, THOUSAND, &title->count))
		return false;
	if (text_has_prefix(text, " "))
		text = text_from(text, 1);
	/* The unit may hold a comma too, so the share is looked for from the end. */
	comma = text.length;
	while (comma && !text_has_prefix(text_from(text, comma), ", "))
		comma--;
	if (!text_has_prefix(text_from(text, comma), ", "))
		return false;
	title->unit = (struct text){ text.at, comma };
	text = text_from(text, comma + 2);
	if (!take_count(&text, 1, &ignored) || !text_has_prefix(text, "%"))
		return false;
	text = text_from(text, 1);
	return take_delta(&text, title) && text.length == 0;
}

struct svg_title svg_title_parse(struct text title)
{
	const char *stop = title.length ? memchr(title.at, '\n', title.length) : NULL;
	uint32_t tries = 0;
	uint32_t length;

	if (stop)
		title.length = (uint32_t)(stop - title.at);
	length = title.length;
	if (length < 2 || title.at[length - 1] != ')')
		return (struct svg_title){ .name = title };
	for (uint32_t at = length - 1; at-- && tries < TRIES_MAX;) {
		struct svg_title found = { .name = { title.at, at } };

		if (title.at[at] != ' ' || title.at[at + 1] != '(')
			continue;
		tries++;
		found.has_count =
			parse_weight((struct text){ title.at + at + 2, length - at - 3 }, &found);
		if (found.has_count)
			return found;
	}
	return (struct svg_title){ .name = title };
}

bool svg_title_duration(const struct svg_title *title, uint64_t *ret)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "µs", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!text_is(title->unit, units[i].unit))
			continue;
		if (units[i].ns == 1)
			*ret = title->count / THOUSAND;
		else if (__builtin_mul_overflow(title->count, units[i].ns / THOUSAND, ret))
			return false;
		return true;
	}
	return false;
}
