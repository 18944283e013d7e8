/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/field.h"

#include <criterion/criterion.h>

/*
 * Offset 0: numbers; 16: text; 24: the location of 4 bytes at 28; 32: one relative to the end of
 * its field
 */
static const unsigned char little[] = {
	0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,   2,  3,    4,    5, 6,   7,
	8,    'm',  'a',  'k',  'e',  0,    'x',  0,    0,   28, 0,    4,    0, 'a', 'b',
	0,    9,    0,    0,    4,    0,    'r',  'e',  'l', 0,  0xf0, 0xff, 4, 0,
};

static const struct {
	struct field field;
	bool is_number;
	uint64_t number;
	const char *text;
} rows[] = {
	{ { .offset = 8, .size_bytes = 1 }, true, 1, "1" },
	{ { .offset = 8, .size_bytes = 2 }, true, 0x201, "513" },
	{ { .offset = 8, .size_bytes = 4, .is_hex = true }, true, 0x4030201, "0x4030201" },
	{ { .offset = 8, .size_bytes = 8, .is_hex = true },
	  true,
	  0x807060504030201,
	  "0x807060504030201" },
	{ { .offset = 0, .size_bytes = 8, .is_signed = true }, true, (uint64_t)-2, "-2" },
	{ { .offset = 0, .size_bytes = 4, .is_signed = true }, true, (uint64_t)-2, "-2" },
	{ { .offset = 0, .size_bytes = 1, .is_signed = true }, true, (uint64_t)-2, "-2" },
	{ { .offset = 0, .size_bytes = 4 }, true, 0xfffffffe, "4294967294" },
	{ { .offset = 0, .size_bytes = 4, .is_hex = true, .is_signed = true },
	  true,
	  (uint64_t)-2,
	  "0xfffffffe" },
	{ { .offset = 16, .size_bytes = 8, .is_array = true, .is_text = true }, false, 0, "make" },
	/* Text without a NUL, and arrays that are not text. */
	{ { .offset = 16, .size_bytes = 3, .is_array = true, .is_text = true }, false, 0, "mak" },
	{ { .offset = 8, .size_bytes = 3, .is_array = true, .is_text = true },
	  false,
	  0,
	  "ARRAY[01, 02, 03]" },
	{ { .offset = 8, .size_bytes = 4, .is_array = true, .element_bytes = 2 },
	  false,
	  0,
	  "ARRAY[0201, 0403]" },
	{ { .offset = 8, .size_bytes = 3 }, false, 0, "ARRAY[01, 02, 03]" },
	{ { .offset = 24, .size_bytes = 4, .is_array = true, .is_text = true, .is_located = true },
	  false,
	  0,
	  "ab" },
	{ { .offset = 32,
	    .size_bytes = 4,
	    .is_array = true,
	    .is_text = true,
	    .is_located = true,
	    .is_relative = true },
	  false,
	  0,
	  "rel" },
	/* The field itself, or the data that it points to, is beyond the end. */
	{ { .offset = 40, .size_bytes = 8 }, false, 0, "?" },
	{ { .offset = 100, .size_bytes = 1 }, false, 0, "?" },
	{ { .offset = 40, .size_bytes = 4, .is_text = true, .is_located = true }, false, 0, "?" },
	{ { .offset = 24, .size_bytes = 8, .is_text = true, .is_located = true }, false, 0, "?" },
};

Test(field, values)
{
	struct span raw = span_of(little, sizeof(little), 0, HOST_IS_BIG_ENDIAN);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t number = 0;
		struct sink sink;

		cr_expect_eq(field_number(&rows[i].field, &raw, &number), rows[i].is_number,
			     "row %zu", i);
		cr_expect_eq(number, rows[i].number, "row %zu", i);
		sink_init_memory(&sink);
		field_write(&rows[i].field, raw, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].text), "row %zu: %.*s", i,
			  (int)sink.used, sink.buffer);
		sink_deinit(&sink);
	}
}

Test(field, big_endian)
{
	static const unsigned char big[] = { 0, 3, 0, 8, 1, 2, 3, 4, 'a', 'b', 0 };
	struct span raw = span_of(big, sizeof(big), 0, !HOST_IS_BIG_ENDIAN);
	struct field number = { .offset = 4, .size_bytes = 4 };
	struct field text = {
		.size_bytes = 4, .is_array = true, .is_text = true, .is_located = true
	};
	struct sink sink;
	uint64_t value;

	cr_assert(field_number(&number, &raw, &value));
	cr_expect_eq(value, 0x01020304);
	sink_init_memory(&sink);
	field_write(&text, raw, &sink);
	cr_expect(text_is(sink_memory(&sink), "ab"));
	sink_deinit(&sink);
}
