/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

/* The length of a character with this first byte. 0 if no character begins with it. */
static size_t wanted_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static bool goes_on(unsigned char first, size_t at, unsigned char byte)
{
	unsigned char low = 0x80;
	unsigned char high = 0xbf;

	if (at == 1 && first == 0xe0)
		low = 0xa0;
	else if (at == 1 && first == 0xed)
		high = 0x9f;
	else if (at == 1 && first == 0xf0)
		low = 0x90;
	else if (at == 1 && first == 0xf4)
		high = 0x8f;
	return byte >= low && byte <= high;
}

/*
 * The number of bytes of the first character that the text contains. wanted: the character's
 * length.
 */
static size_t whole_length(struct text text, size_t wanted)
{
	const unsigned char *at = (const unsigned char *)text.at;
	size_t length = 1;

	while (length < wanted && length < text.length && goes_on(at[0], length, at[length]))
		length++;
	return length;
}

size_t utf8_length(struct text text)
{
	size_t wanted = wanted_length((unsigned char)text.at[0]);

	return wanted && whole_length(text, wanted) == wanted ? wanted : 0;
}

void utf8_write(struct sink *sink, uint32_t character)
{
	if ((character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff)
		character = UTF8_REPLACEMENT;
	if (character < 0x80) {
		sink_char(sink, (char)character);
		return;
	}
	if (character < 0x800) {
		sink_char(sink, (char)(0xc0 | character >> 6));
	} else if (character < 0x10000) {
		sink_char(sink, (char)(0xe0 | character >> 12));
		sink_char(sink, (char)(0x80 | (character >> 6 & 63)));
	} else {
		sink_char(sink, (char)(0xf0 | character >> 18));
		sink_char(sink, (char)(0x80 | (character >> 12 & 63)));
		sink_char(sink, (char)(0x80 | (character >> 6 & 63)));
	}
	sink_char(sink, (char)(0x80 | (character & 63)));
}

/* The length of the valid UTF-8 at the beginning of text. */
static size_t valid_length(struct text text)
{
	size_t valid = 0;
	size_t length;

	while (valid < text.length && (length = utf8_length(text_from(text, valid))) > 0)
		valid += length;
	return valid;
}

void utf8_write_repaired(struct sink *sink, struct text text)
{
	for (;;) {
		size_t valid = valid_length(text);

		sink_bytes(sink, text.at, valid);
		text = text_from(text, valid);
		if (!text.length)
			return;
		utf8_write(sink, UTF8_REPLACEMENT);
		text = text_from(text, whole_length(text, wanted_length((unsigned char)*text.at)));
	}
}
