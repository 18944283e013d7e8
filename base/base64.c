/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include "base/scan.h"

void base64_write(struct sink *sink, struct text bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (uint32_t i = 0; i < bytes.length; i += 3) {
		uint32_t left = bytes.length - i;
		uint32_t word = (uint32_t)(unsigned char)bytes.at[i] << 16;
		char text[4];

		word |= left > 1 ? (uint32_t)(unsigned char)bytes.at[i + 1] << 8 : 0;
		word |= left > 2 ? (unsigned char)bytes.at[i + 2] : 0;
		text[0] = digits[word >> 18];
		text[1] = digits[word >> 12 & 63];
		text[2] = left > 1 ? digits[word >> 6 & 63] : '=';
		text[3] = left > 2 ? digits[word & 63] : '=';
		sink_bytes(sink, text, sizeof(text));
	}
}

static int base64_value(char c)
{
	if (is_upper(c))
		return c - 'A';
	if (is_lower(c))
		return c - 'a' + 26;
	if (is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_read(struct sink *sink, struct text text)
{
	uint32_t word = 0;
	unsigned bit_count = 0;
	uint32_t i;

	for (i = 0; i < text.length && text.at[i] != '='; i++) {
		int value = base64_value(text.at[i]);

		if (text.at[i] == '\n' || text.at[i] == '\r' || text.at[i] == ' ')
			continue;
		if (value < 0)
			return false;
		word = word << 6 | (uint32_t)value;
		bit_count += 6;
		if (bit_count < 8)
			continue;
		bit_count -= 8;
		sink_char(sink, (char)(unsigned char)(word >> bit_count));
	}
	/* The remaining bits are padding of the last digit. */
	return bit_count < 6;
}
