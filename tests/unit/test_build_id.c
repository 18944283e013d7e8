/* SPDX-License-Identifier: MIT */
#include "base/build_id.h"

#include <criterion/criterion.h>

#define SHA1 "0123456789abcdef0123456789abcdef01234567"
#define MD5  "0123456789abcdef0123456789abcdef"

static struct build_id parsed(const char *hex)
{
	struct build_id id = { .size_bytes = 0 };

	cr_assert(build_id_parse(text_of(hex), &id), "%s", hex);
	return id;
}

Test(build_id, equality)
{
	static const struct {
		const char *a, *b;
		bool is_equal;
	} rows[] = {
		{ SHA1, SHA1, true },
		{ SHA1, "0123456789abcdef0123456789abcdef01234568", false },
		{ MD5, MD5, true },
		{ MD5, MD5 "00000000", true }, /* as old perf wrote it */
		{ MD5 "00000000", MD5, true },
		{ MD5, MD5 "00000001", false },
		{ MD5, SHA1, false },
		{ "0123456789abcdef", "0123456789abcdef000000000000000000000000", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id a = parsed(rows[i].a);
		struct build_id b = parsed(rows[i].b);

		cr_expect_eq(build_id_equal(&a, &b), rows[i].is_equal, "row %zu", i);
	}
}

/* Two unknown ids prove nothing, nor does an id of a few bytes. */
Test(build_id, the_unknown_equals_nothing)
{
	struct build_id none = { .size_bytes = 0 };
	struct build_id byte = { .size_bytes = 1 };
	struct build_id zeros = { .size_bytes = 20 };

	cr_expect_not(build_id_equal(&none, &none));
	cr_expect_not(build_id_equal(&none, &zeros));
	cr_expect_not(build_id_equal(&byte, &zeros));
}

Test(build_id, hexadecimal)
{
	static const char *const none[] = {
		"",
		"0",
		"012345678",
		"0123456789abcdeg",
		SHA1 "00",
		"kernel.kallsyms]",
		"0123456789abcde",
	};
	char buffer[BUILD_ID_TEXT_BYTES];
	struct build_id id = parsed(SHA1);

	cr_expect_str_eq(build_id_hex(&id, buffer), SHA1);
	cr_expect_eq(id.size_bytes, 20);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		cr_expect_not(build_id_parse(text_of(none[i]), &id), "%s", none[i]);
	id.size_bytes = 0;
	cr_expect_str_eq(build_id_hex(&id, buffer), "");
	cr_assert(build_id_parse(text_of("0123456789ABCDEF"), &id));
	cr_expect_str_eq(build_id_hex(&id, buffer), "0123456789abcdef");
}
