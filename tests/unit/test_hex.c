/* SPDX-License-Identifier: MIT */
#include "base/hex.h"

#include <criterion/criterion.h>

Test(hex, values)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	for (int c = 0; c < 256; c++) {
		const char *at = c ? strchr(digits, c) : NULL;
		int expected = !at                ? -1
			       : at - digits < 16 ? (int)(at - digits)
						  : (int)(at - digits) - 6;

		cr_expect_eq(hex_value((char)c), expected, "%d", c);
	}
}

Test(hex, numbers_are_taken_off)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t value;
		const char *rest;
	} rows[] = {
		{ "0", true, 0, "" },
		{ "1f rest", true, 0x1f, " rest" },
		{ "0x1F rest", true, 0x1f, " rest" },
		{ "ffffffffffffffff", true, UINT64_MAX, "" },
		{ "0xffffffffffffffff", true, UINT64_MAX, "" },
		{ "10000000000000000", false, 0, "10000000000000000" },
		{ "", false, 0, "" },
		{ "x1", false, 0, "x1" },
		{ " 1", false, 0, " 1" },
		{ "0xg", false, 0, "0xg" },
		{ "0x", true, 0, "x" },
		{ "-1", false, 0, "-1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text text = text_of(rows[i].text);
		uint64_t value = 0;

		cr_expect_eq(hex_take(&text, &value), rows[i].is_number, "row %zu", i);
		cr_expect_eq(value, rows[i].value, "row %zu", i);
		cr_expect(text_is(text, rows[i].rest), "row %zu", i);
	}
}
