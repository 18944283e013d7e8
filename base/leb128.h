/* SPDX-License-Identifier: MIT */
/*
 * LEB128 numbers (DWARF 5, section 7.6): seven bits per byte, lowest first. The eighth bit means
 * that more bytes follow. Bits beyond the 64th are dropped, and numbers of more than ten bytes are
 * rejected. A failed read does not move the cursor.
 */
#ifndef BASE_LEB128_H
#define BASE_LEB128_H

#include "base/sink.h"
#include "base/span.h"

#define LEB128_BYTES_MAX 10

static inline bool leb128_read(struct span *span, bool is_signed, uint64_t *ret)
{
	size_t left = span_left(span);
	uint64_t value = 0;

	for (unsigned i = 0; i < LEB128_BYTES_MAX && i < left; i++) {
		uint8_t byte = span->at[i];
		unsigned shift = 7 * i;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (is_signed && byte & 0x40 && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		span->at += i + 1;
		*ret = value;
		return true;
	}
	return false;
}

static inline bool leb128_unsigned(struct span *span, uint64_t *ret)
{
	/* Fast path: most numbers take one byte. */
	if (span->at < span->end && *span->at < 0x80) {
		*ret = *span->at++;
		return true;
	}
	return leb128_read(span, false, ret);
}

static inline bool leb128_signed(struct span *span, int64_t *ret)
{
	uint64_t value;

	if (!leb128_read(span, true, &value))
		return false;
	*ret = (int64_t)value;
	return true;
}

static inline void leb128_write(struct sink *sink, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		sink_char(sink, (char)(value | 0x80));
	sink_char(sink, (char)value);
}

#endif
