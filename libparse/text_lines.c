/* SPDX-License-Identifier: MIT */
#include "libparse/text_lines.h"

#include <endian.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "libparse/text.h"

#define BLOCK_BYTES 64

/* Returns a bit for each byte of a block, which is 1 if the byte is a newline. */
#ifdef __SSE2__
static uint64_t find_newlines(const char *block)
{
	const __m128i newline = _mm_set1_epi8('\n');
	uint64_t found = 0;

	for (unsigned i = 0; i < BLOCK_BYTES; i += sizeof(newline)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(block + i));

		found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newline)) << i;
	}
	return found;
}
#else
static uint64_t find_newlines(const char *block)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f;
	uint64_t found = 0;

	for (unsigned i = 0; i < BLOCK_BYTES; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, block + i, sizeof(word));
		word = le64toh(word) ^ 0x0a0a0a0a0a0a0a0a;
		/* 1 in each byte that is a newline; the multiplication gathers these bits. */
		word = ~(((word & low) + low) | word | low) >> 7;
		found |= word * 0x0102040810204080 >> 56 << i;
	}
	return found;
}
#endif

/* at: the newline of the line. */
static void push(text_lines *lines, const char *line, const char *at)
{
	vec_push(lines, text_between(line, at[-1] == '\r' ? at - 1 : at));
}

const char *text_lines_split(text_lines *lines, const char *at, const char *end, char first)
{
	const char *line = at;
	struct text last;

	if (at == end || *at != first)
		return at;
	/* The byte after a block is also read. */
	for (; (size_t)(end - at) > BLOCK_BYTES; at += BLOCK_BYTES)
		for (uint64_t found = find_newlines(at); found; found &= found - 1) {
			const char *newline = at + __builtin_ctzll(found);

			push(lines, line, newline);
			line = newline + 1;
			if (*line != first)
				return line;
		}
	for (at = line; line < end && *line == first; line = at) {
		if (!text_next_line(&at, end, false, &last))
			break;
		vec_push(lines, last);
	}
	return line;
}
