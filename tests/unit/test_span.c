/* SPDX-License-Identifier: MIT */
#include "base/span.h"

#include <criterion/criterion.h>

static const unsigned char bytes[] = { 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89 };

/* The number of width bytes at this offset in this byte order, worked out byte by byte. */
static uint64_t expected_number(size_t at, size_t width, bool is_big)
{
	uint64_t value = 0;

	for (size_t i = 0; i < width; i++)
		value = value << 8 | bytes[at + (is_big ? i : width - 1 - i)];
	return value;
}

static bool read_number(struct span *span, size_t width, uint64_t *ret)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	bool good;

	switch (width) {
	case 1:
		good = span_u8(span, &u8);
		*ret = good ? u8 : 0;
		return good;
	case 2:
		good = span_u16(span, &u16);
		*ret = good ? u16 : 0;
		return good;
	case 4:
		good = span_u32(span, &u32);
		*ret = good ? u32 : 0;
		return good;
	default:
		return span_u64(span, ret);
	}
}

/* Numbers are read at every offset, including unaligned ones, and in both byte orders. */
Test(span, numbers_of_every_width)
{
	static const size_t widths[] = { 1, 2, 4, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		for (size_t at = 0; at + widths[i] <= sizeof(bytes); at++) {
			for (int is_big = 0; is_big < 2; is_big++) {
				struct span span = span_of(bytes, sizeof(bytes), 1000,
							   is_big != HOST_IS_BIG_ENDIAN);
				uint64_t value = 0;

				cr_assert(span_skip(&span, at));
				cr_assert(read_number(&span, widths[i], &value));
				cr_expect_eq(value, expected_number(at, widths[i], is_big),
					     "%zu bytes at %zu, big %d", widths[i], at, is_big);
				cr_expect_eq(span_offset(&span), 1000 + at + widths[i]);
				cr_expect_eq(span_left(&span), sizeof(bytes) - at - widths[i]);
			}
		}
	}
}

Test(span, a_read_that_does_not_fit_moves_nothing)
{
	static const size_t widths[] = { 1, 2, 4, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		for (size_t left = 0; left < widths[i]; left++) {
			struct span span = span_of(bytes, left, 0, false);
			uint64_t value;

			cr_expect_not(read_number(&span, widths[i], &value), "%zu bytes of %zu",
				      widths[i], left);
			cr_expect_eq(span_left(&span), left);
		}
	}
}

Test(span, skip_and_sub_take_what_is_left_and_no_more)
{
	static const struct {
		uint64_t size_bytes;
		bool fits;
	} rows[] = {
		{ 0, true },           { 1, true },
		{ 6, true },           { 7, false },
		{ 8, false },          { UINT32_MAX, false },
		{ UINT64_MAX, false }, { UINT64_MAX - 2, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span span = span_of(bytes, sizeof(bytes), 50, true);
		struct span sub = { 0 };
		struct span skipped;
		uint16_t first;

		cr_assert(span_skip(&span, 3));
		skipped = span;
		cr_expect_eq(span_skip(&skipped, rows[i].size_bytes), rows[i].fits, "row %zu", i);
		cr_expect_eq(span_sub(&span, rows[i].size_bytes, &sub), rows[i].fits, "row %zu", i);
		cr_expect_eq(span.at, skipped.at, "row %zu", i);
		cr_expect_eq(span_left(&span), 6 - (rows[i].fits ? rows[i].size_bytes : 0));
		if (!rows[i].fits)
			continue;
		cr_expect_eq(span_left(&sub), rows[i].size_bytes);
		cr_expect_eq(span_offset(&sub), 53);
		cr_expect(sub.swapped);
		if (span_u16(&sub, &first))
			cr_expect_eq(first, expected_number(3, 2, !HOST_IS_BIG_ENDIAN));
	}
}

Test(span, cstring_needs_its_nul)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
		const char *expected; /* NULL: none */
		size_t left;
	} rows[] = {
		{ "app\0rest", 8, "app", 4 }, { "app", 4, "app", 0 }, { "\0b", 2, "", 1 },
		{ "app", 3, NULL, 3 },        { "", 0, NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span span = span_of(rows[i].bytes, rows[i].size_bytes, 0, false);
		struct text text;
		bool found = span_cstring(&span, &text);

		cr_expect_eq(found, rows[i].expected != NULL, "row %zu", i);
		cr_expect(!found || text_is(text, rows[i].expected), "row %zu", i);
		cr_expect_eq(span_left(&span), rows[i].left, "row %zu", i);
	}
}
