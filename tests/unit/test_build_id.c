/* SPDX-License-Identifier: MIT */
#include "base/build_id.h"

#include <criterion/criterion.h>

#define ID20 "0102030405060708090a0b0c0d0e0f1011121314"

static struct build_id id_of(const char *hex)
{
	struct build_id id = { .size_bytes = 0 };

	cr_assert(!*hex || build_id_parse(text_of(hex), &id), "%s", hex);
	return id;
}

Test(build_id, hexadecimal_and_back)
{
	static const struct {
		const char *hex;
		bool is_one;
	} rows[] = {
		{ ID20, true },
		{ "00000000000000000000000000000000000000ff", true },
		{ "0123456789abcdef", true },
		{ "0123456789abcdef0123456789abcdef", true },
		{ "0123456789abcde", false },   /* odd */
		{ "0123456789abcd", false },    /* too short to tell files apart */
		{ ID20 "15", false },           /* too long */
		{ "0123456789ABCDEF", false },  /* no tool writes capitals */
		{ "0123456789abcdeg", false },
		{ "0123456789abcde:", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id id = { .size_bytes = 0 };
		char buffer[BUILD_ID_TEXT_BYTES];

		cr_expect_eq(build_id_parse(text_of(rows[i].hex), &id), rows[i].is_one, "%s",
			     rows[i].hex);
		cr_expect_str_eq(build_id_hex(&id, buffer), rows[i].is_one ? rows[i].hex : "");
	}
}

Test(build_id, equal_only_when_both_are_known)
{
	static const struct {
		const char *a, *b;
		bool is_equal;
	} rows[] = {
		{ ID20, ID20, true },
		{ ID20, "0102030405060708090a0b0c0d0e0f1011121315", false },
		{ "0202030405060708090a0b0c0d0e0f1011121314", ID20, false },
		{ "", "", false },
		{ "", ID20, false },
		/* Padded with zeros, as perf before 5.10 did. */
		{ "0102030405060708", "0102030405060708000000000000000000000000", true },
		{ "0102030405060708", "0102030405060708000000000000000000000001", false },
		{ "0102030405060708", ID20, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id a = id_of(rows[i].a);
		struct build_id b = id_of(rows[i].b);

		cr_expect_eq(build_id_equal(&a, &b), rows[i].is_equal, "row %zu", i);
		cr_expect_eq(build_id_equal(&b, &a), rows[i].is_equal, "row %zu", i);
	}
}
