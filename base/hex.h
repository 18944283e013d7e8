/* SPDX-License-Identifier: MIT */
/*
 * Hexadecimal digits, in either case: build-ids, kallsyms and perf maps are full of them.
 */
#ifndef BASE_HEX_H
#define BASE_HEX_H

#include <stdint.h>

#include "base/strings.h"

/* What a digit is worth; -1: it is none. */
static inline int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Takes the number text begins with, perhaps behind 0x, off it; false, text unchanged, when there is
 * none or it has more digits than 64 bits have. */
static inline bool hex_take(struct text *text, uint64_t *ret)
{
	uint32_t begin =
		text->length > 2 && text->at[0] == '0' && (text->at[1] | 32) == 'x' ? 2 : 0;
	uint32_t length = begin;
	uint64_t value = 0;

	for (; length < text->length && hex_value(text->at[length]) >= 0; length++)
		value = value << 4 | (uint64_t)hex_value(text->at[length]);
	if (length == begin || length - begin > 16)
		return false;
	*text = (struct text){ text->at + length, text->length - length };
	*ret = value;
	return true;
}

#endif
