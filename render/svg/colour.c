/* SPDX-License-Identifier: MIT */
#include "render/svg/colour.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "base/scan.h"
#include "base/utf8.h"

/* Relative luminance as in WCAG 2, but without the linear part of the curve near black. */
static double luminance(struct colour colour)
{
	return 0.2126 * pow(colour.red / 255.0, 2.2) + 0.7152 * pow(colour.green / 255.0, 2.2) +
	       0.0722 * pow(colour.blue / 255.0, 2.2);
}

bool colour_wants_light_text(struct colour colour)
{
	/* Compares (1 + .05) / (L + .05) with (L + .05) / .05. */
	double shade = luminance(colour) + 0.05;

	return shade * shade < 1.05 * 0.05;
}

/*
 * Removes the first character of a name and returns it. Each byte that is not UTF-8 counts as one
 * character.
 */
static uint32_t take_character(struct text *name)
{
	size_t length = utf8_length(*name);
	uint32_t value = (unsigned char)name->at[0];

	if (length > 1)
		value &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++)
		value = value << 6 | ((unsigned char)name->at[i] & 0x3fu);
	length += length == 0;
	name->at += length;
	name->length -= (uint32_t)length;
	return value;
}

/* POSIX drand48: X is seeded with (s << 16) + 0x330e; the value is the next X divided by 2^48. */
static double value_by_sum(struct text name)
{
	const uint64_t modulus = (uint64_t)1 << 48;
	uint32_t sum = 0;
	uint64_t x;

	while (name.length)
		sum += take_character(&name);
	x = ((uint64_t)sum << 16) + 0x330e;
	x = (0x5deece66dull * x + 0xb) % modulus;
	return (double)x / (double)modulus;
}

/*
 * The hash uses the first three characters; the first is taken modulo 10, the next modulo 11, then
 * 12.
 */
#define HASHED_CHARACTERS 3
#define HASH_MODULUS      10

struct characters {
	uint32_t at[HASHED_CHARACTERS];
	uint32_t count;
};

/*
 * Returns the first characters of a name, after the module name and the backtick, if there are any.
 */
static struct characters first_characters(struct text name)
{
	const char *tick = name.length > 1 ? memchr(name.at + 1, '`', name.length - 1) : NULL;
	struct characters result = { .count = 0 };

	if (tick) {
		name.length -= (uint32_t)(tick + 1 - name.at);
		name.at = tick + 1;
	}
	while (name.length && result.count < HASHED_CHARACTERS)
		result.at[result.count++] = take_character(&name);
	return result;
}

/* Returns the same for the reversed name. */
static struct characters last_characters(struct text name)
{
	struct text all = name;
	uint32_t tick = UINT32_MAX;
	uint32_t total = 0;
	uint32_t stop;
	struct characters result = { .count = 0 };

	/* In the reversed name, the last backtick comes first, unless it ends the name. */
	while (all.length)
		if (take_character(&all) == '`' && all.length)
			tick = total++;
		else
			total++;
	stop = tick == UINT32_MAX ? total : tick;
	for (uint32_t i = 0; i < stop; i++) {
		uint32_t character = take_character(&name);

		if (i + HASHED_CHARACTERS >= stop)
			result.at[stop - 1 - i] = character;
	}
	result.count = stop < HASHED_CHARACTERS ? stop : HASHED_CHARACTERS;
	return result;
}

static double value_by_hash(struct characters characters)
{
	double vector = 0;
	double weight = 1;
	double most = 1;

	for (uint32_t i = 0; i < characters.count; i++) {
		uint32_t modulus = HASH_MODULUS + i;

		vector += (double)(characters.at[i] % modulus) / (double)(modulus - 1) * weight;
		most += weight;
		weight *= 0.7;
	}
	return 1 - vector / most;
}

#define FNV_PRIME 0x100000001b3ull

static uint64_t fnv(struct text name)
{
	uint64_t hash = 0xcbf29ce484222325ull;

	for (uint32_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * FNV_PRIME;
	return hash;
}

/* Uses the upper 53 of 64 bits, because a double does not have more precision. */
static double unit_of(uint64_t value)
{
	return (double)(value >> 11) / 9007199254740992.0;
}

/* The finaliser of splitmix64: every bit of the result depends on every bit of the value. */
static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ value >> 27) * 0x94d049bb133111ebull;
	return value ^ value >> 31;
}

struct colour_values colour_values_of(enum colour_source source, struct text name)
{
	struct colour_values values = { { 0, 0, 0 } };
	uint64_t hash;

	switch (source) {
	case COLOUR_BY_NAME:
		values.at[0] = values.at[1] = values.at[2] = value_by_sum(name);
		break;
	case COLOUR_BY_HASH:
		values.at[0] = value_by_hash(first_characters(name));
		values.at[1] = values.at[2] = value_by_hash(last_characters(name));
		break;
	case COLOUR_BY_FNV:
		hash = fnv(name);
		for (int i = 0; i < 3; i++, hash *= FNV_PRIME)
			values.at[i] = unit_of(hash);
		break;
	case COLOUR_BY_CHANCE:
		hash = fnv(name);
		for (unsigned i = 0; i < 3; i++)
			values.at[i] = unit_of(mix(hash + i * 0x9e3779b97f4a7c15ull));
		break;
	}
	return values;
}

static bool parse_hex(const char *digits, size_t count, struct colour *ret)
{
	unsigned value = 0;

	for (size_t i = 0; i < count; i++) {
		int digit = hex_value(digits[i]);

		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
		if (count == 3)
			value = value << 4 | (unsigned)digit;
	}
	*ret = colour_of_rgb(value);
	return true;
}

bool colour_parse(struct text text, struct colour *ret)
{
	char copy[32];
	unsigned part[3];
	int end = 0;

	if (text.length && text.at[0] == '#')
		return (text.length == 4 || text.length == 7) &&
		       parse_hex(text.at + 1, text.length - 1, ret);
	if (text.length >= sizeof(copy))
		return false;
	memcpy(copy, text.at, text.length);
	copy[text.length] = '\0';
	if (sscanf(copy, "rgb(%3u,%3u,%3u)%n", &part[0], &part[1], &part[2], &end) != 3 ||
	    end != (int)text.length || part[0] > 255 || part[1] > 255 || part[2] > 255)
		return false;
	*ret = (struct colour){ (uint8_t)part[0], (uint8_t)part[1], (uint8_t)part[2] };
	return true;
}
