/* SPDX-License-Identifier: MIT */
#include "base/scan.h"

#include <criterion/criterion.h>
#include <ctype.h>

Test(scan, classes_are_those_of_the_c_locale)
{
	for (int i = 0; i < 256; i++) {
		char c = (char)i;
		bool is_ascii = i < 128;

		cr_expect_eq(is_digit(c), is_ascii && isdigit(i), "%d", i);
		cr_expect_eq(is_lower(c), is_ascii && islower(i), "%d", i);
		cr_expect_eq(is_upper(c), is_ascii && isupper(i), "%d", i);
		cr_expect_eq(is_alphanumeric(c), is_ascii && isalnum(i), "%d", i);
		cr_expect_eq(is_identifier(c), (is_ascii && isalnum(i)) || c == '_', "%d", i);
		cr_expect_eq(is_blank(c), is_ascii && isblank(i), "%d", i);
		cr_expect_eq(is_space(c), is_ascii && isspace(i), "%d", i);
		cr_expect_eq(is_hex_digit(c), is_ascii && isxdigit(i), "%d", i);
		cr_expect_eq((unsigned char)to_lower(c), is_ascii ? tolower(i) : i, "%d", i);
	}
}

Test(scan, hex_values)
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

struct row {
	const char *text;
	bool is_number;
	uint64_t value;
	const char *rest;
};

static void expect_rows(const char *name, bool (*scan)(struct text *rest, uint64_t *ret),
			const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text text = text_of(rows[i].text);
		uint64_t value = 0;

		cr_expect_eq(scan(&text, &value), rows[i].is_number, "%s %zu", name, i);
		cr_expect_eq(value, rows[i].value, "%s %zu", name, i);
		cr_expect(text_is(text, rows[i].rest), "%s %zu", name, i);
	}
}

Test(scan, hex_numbers)
{
	static const struct row rows[] = {
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

	expect_rows("hex", scan_hex, rows, ARRAY_SIZE(rows));
}

Test(scan, numbers_that_overflow_are_refused_or_saturate)
{
	static const struct row refused[] = {
		{ "0", true, 0, "" },
		{ "0012,", true, 12, "," },
		{ "18446744073709551615", true, UINT64_MAX, "" },
		{ "18446744073709551616", false, 0, "18446744073709551616" },
		{ "", false, 0, "" },
		{ "-1", false, 0, "-1" },
		{ " 1", false, 0, " 1" },
	};
	static const struct row saturated[] = {
		{ "7/", true, 7, "/" },
		{ "18446744073709551615", true, UINT64_MAX, "" },
		{ "18446744073709551616 ", true, UINT64_MAX, " " },
		{ "99999999999999999999999x", true, UINT64_MAX, "x" },
		{ "x", false, 0, "x" },
	};

	expect_rows("u64", scan_u64, refused, ARRAY_SIZE(refused));
	expect_rows("saturated", scan_u64_saturated, saturated, ARRAY_SIZE(saturated));
}

Test(scan, numbers_of_32_bits)
{
	struct text text = text_of("4294967295");
	struct text larger = text_of("4294967296");
	uint32_t value = 1;

	cr_expect(scan_u32(&text, &value));
	cr_expect_eq(value, UINT32_MAX);
	cr_expect_not(scan_u32(&larger, &value));
	cr_expect_eq(larger.length, 10);
	cr_expect_not(text_to_u32(text_of("12 "), &value));
	cr_expect_eq(value, UINT32_MAX);
}

static bool scan_thousandths(struct text *rest, uint64_t *ret)
{
	return scan_decimal(rest, 3, ret);
}

Test(scan, decimals)
{
	static const struct row rows[] = {
		{ "1", true, 1000, "" },
		{ "1.2", true, 1200, "" },
		{ "1.", true, 1000, "" },
		{ "0.0019s", true, 1, "s" },
		{ "1.234.5", true, 1234, ".5" },
		{ ".5", false, 0, ".5" },
		{ "18446744073709551.615", true, UINT64_MAX, "" },
		{ "18446744073709551.616", false, 0, "18446744073709551.616" },
		{ "18446744073709552", false, 0, "18446744073709552" },
	};

	expect_rows("decimal", scan_thousandths, rows, ARRAY_SIZE(rows));
}

Test(scan, numbers)
{
	static const struct {
		const char *text;
		unsigned decimals;
		bool is_good;
		int64_t value;
		bool is_rounded;
		const char *rest;
	} rows[] = {
		{ "7", 0, true, 7, false, "" },
		{ "-1.2e1", 3, true, -12000, false, "" },
		{ "0.0015", 3, true, 2, true, "" },
		{ "0.0014999999999999999999999999", 3, true, 1, true, "" },
		{ "-2.5", 0, true, -3, true, "" },
		{ "1.000,", 2, true, 100, false, "," },
		{ "1e-400", 9, true, 0, true, "" },
		{ "9e-4", 3, true, 1, true, "" },
		{ "0.09e-1", 1, true, 0, true, "" },
		{ "9999999999999999999e-20", 0, true, 0, true, "" },
		{ "5E+2", 0, true, 500, false, "" },
		{ "0e99999999999999999999", 9, true, 0, false, "" },
		{ "0.1000000000000000055511151231257827", 9, true, 100000000, true, "" },
		{ "9223372036854775.807", 3, true, INT64_MAX, false, "" },
		{ "9223372036854775.808", 3, false, 0, false, "9223372036854775.808" },
		{ "12345678901234567890123", 0, false, 0, false, "12345678901234567890123" },
		{ "1e300", 0, false, 0, false, "1e300" },
		{ "1e", 0, false, 0, false, "1e" },
		{ "1e+", 0, false, 0, false, "1e+" },
		{ ".5", 3, false, 0, false, ".5" },
		{ "-", 0, false, 0, false, "-" },
		{ "", 0, false, 0, false, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text rest = text_of(rows[i].text);
		struct scanned_number number = { 0 };

		cr_expect_eq(scan_number(&rest, rows[i].decimals, &number), rows[i].is_good, "%s",
			     rows[i].text);
		cr_expect_eq(number.value, rows[i].value, "%s", rows[i].text);
		cr_expect_eq(number.is_rounded, rows[i].is_rounded, "%s", rows[i].text);
		cr_expect(text_is(rest, rows[i].rest), "%s", rows[i].text);
	}
}

Test(scan, digits_at_both_ends)
{
	cr_expect_eq(scan_digits_length(text_of("12ab34")), 2);
	cr_expect_eq(scan_digits_length(text_of("ab")), 0);
	cr_expect_eq(scan_last_digits(text_of("12ab34")), 4);
	cr_expect_eq(scan_last_digits(text_of("34")), 0);
	cr_expect_eq(scan_last_digits(text_of("ab")), 2);
}

Test(scan, times_of_day)
{
	static const struct {
		const char *text, *rest;
		uint64_t ns;
	} rows[] = {
		{ "00:00:01", "", 1000000000 },
		{ "23:59:60.5 x", " x", 86400500000000 },
		{ "1:02:03.000000004", "", 3723000000004 },
	};
	static const char *const wrong[] = { "",        "12:34", "24:00:00", "1:60:00",
					     "1:00:61", "a:b:c", "1:2:" };
	struct text rest;
	uint64_t ns;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rest = text_of(rows[i].text);
		cr_expect(scan_time_of_day(&rest, &ns), "%s", rows[i].text);
		cr_expect_eq(ns, rows[i].ns, "%s", rows[i].text);
		cr_expect(text_is(rest, rows[i].rest), "%s", rows[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		rest = text_of(wrong[i]);
		cr_expect(!scan_time_of_day(&rest, &ns), "%s", wrong[i]);
		cr_expect(text_is(rest, wrong[i]), "%s", wrong[i]);
	}
}
