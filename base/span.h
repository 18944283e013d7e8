/* SPDX-License-Identifier: MIT */
/*
 * A cursor over untrusted bytes. Every read first checks how much is left. A read that does not fit
 * returns false and does not move the cursor. Loads need no alignment, and swap bytes if the byte
 * order is not the host's.
 *
 *     begin          at                 end
 *     |--- consumed -|--- left ---------|       offset of `at` in the file = base + (at - begin)
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/strings.h"

struct span {
	const unsigned char *begin;
	const unsigned char *at;
	const unsigned char *end;
	uint64_t base; /* file offset of begin */
	bool swapped;  /* the byte order differs from the host's */
};

static inline struct span span_of(const void *bytes, size_t size_bytes, uint64_t base, bool swapped)
{
	const unsigned char *begin = bytes;

	return (struct span){ begin, begin, begin + size_bytes, base, swapped };
}

static inline size_t span_left(const struct span *span)
{
	return (size_t)(span->end - span->at);
}

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/*
 * Whether the bytes come from a big-endian machine. On such a machine, C bit-fields begin at the
 * highest bit.
 */
static inline bool span_is_big_endian(const struct span *span)
{
	return span->swapped != HOST_IS_BIG_ENDIAN;
}

static inline uint64_t span_offset(const struct span *span)
{
	return span->base + (uint64_t)(span->at - span->begin);
}

static inline uint16_t span_load_u16(const void *bytes, bool swapped)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t span_load_u32(const void *bytes, bool swapped)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t span_load_u64(const void *bytes, bool swapped)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return swapped ? __builtin_bswap64(value) : value;
}

static inline bool span_skip(struct span *span, uint64_t size_bytes)
{
	if (span_left(span) < size_bytes)
		return false;
	span->at += size_bytes;
	return true;
}

static inline bool span_u8(struct span *span, uint8_t *ret)
{
	if (span_left(span) < 1)
		return false;
	*ret = *span->at++;
	return true;
}

static inline bool span_u16(struct span *span, uint16_t *ret)
{
	if (span_left(span) < sizeof(*ret))
		return false;
	*ret = span_load_u16(span->at, span->swapped);
	span->at += sizeof(*ret);
	return true;
}

static inline bool span_u32(struct span *span, uint32_t *ret)
{
	if (span_left(span) < sizeof(*ret))
		return false;
	*ret = span_load_u32(span->at, span->swapped);
	span->at += sizeof(*ret);
	return true;
}

static inline bool span_u64(struct span *span, uint64_t *ret)
{
	if (span_left(span) < sizeof(*ret))
		return false;
	*ret = span_load_u64(span->at, span->swapped);
	span->at += sizeof(*ret);
	return true;
}

/* Reads the next size_bytes as a separate span. */
static inline bool span_sub(struct span *span, uint64_t size_bytes, struct span *ret)
{
	const unsigned char *at = span->at;
	uint64_t base = span_offset(span);

	if (!span_skip(span, size_bytes))
		return false;
	*ret = span_of(at, size_bytes, base, span->swapped);
	return true;
}

/*
 * Reads the text up to the next NUL, and moves the cursor past the NUL. Returns false if there is
 * no NUL.
 */
static inline bool span_cstring(struct span *span, struct text *ret)
{
	const unsigned char *nul = span_left(span) ? memchr(span->at, 0, span_left(span)) : NULL;

	if (!nul)
		return false;
	*ret = (struct text){ (const char *)span->at, (uint32_t)(nul - span->at) };
	span->at = nul + 1;
	return true;
}

#endif
