/* SPDX-License-Identifier: MIT */
#include "base/name_pattern.h"

#include <criterion/criterion.h>

#include "base/memory.h"

Test(name_pattern, fits)
{
	static const struct {
		const char *pattern, *name;
		bool fits;
	} rows[] = {
		{ "main", "main", true },
		{ "main", "main2", false },
		{ "worker-*", "worker-12", true },
		{ "worker-*", "worker", false },
		{ "*-1", "worker-1", true },
		{ "*", "", true },
		{ "a*b*c", "a-b-b-c", true },
		{ "a*b*c", "a-c-b", false },
		{ "w?rker", "worker", true },
		{ "w?rker", "wrker", false },
		{ "cpu[0-3]", "cpu2", true },
		{ "cpu[0-3]", "cpu4", false },
		{ "cpu[!0-3]", "cpu4", true },
		{ "cpu[^0-3]", "cpu1", false },
		{ "a[]x]b", "a]b", true },
		{ "a\\*?", "a*b", true },
		{ "a\\*?", "axb", false },
		/* Names match themselves, even if they look like patterns. */
		{ "operator[]", "operator[]", true },
		{ "foo(char*)", "foo(char*)", true },
		{ "a[x", "a[x", true },
		{ "[vdso]", "[vdso]", true },
		{ "[vdso]", "v", false },
		{ "/usr/bin/app", "/usr/bin/app", true },
		{ "//", "//", true },
		{ "/^worker-[0-9]+$/", "worker-12", true },
		{ "/^worker-[0-9]+$/", "worker-x", false },
		{ "/read|write/", "pwrite64", true },
		{ "/x/", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct name_pattern pattern;
		struct error err;

		cr_assert(name_pattern_parse("comm", text_of(rows[i].pattern), &pattern, &err));
		cr_expect_eq(name_pattern_fits(&pattern, text_of(rows[i].name)), rows[i].fits,
			     "%s of %s", rows[i].name, rows[i].pattern);
		name_pattern_deinit(&pattern);
	}
}

Test(name_pattern, a_literal_is_no_pattern)
{
	struct name_pattern pattern = name_pattern_literal(text_of("a*"));

	cr_expect(name_pattern_fits(&pattern, text_of("a*")));
	cr_expect_not(name_pattern_fits(&pattern, text_of("ab")));
}

Test(name_pattern, wrong_expressions_are_wrong_usage)
{
	struct name_pattern pattern;
	struct error err;

	cr_expect_not(name_pattern_parse("comm", text_of("/a(/"), &pattern, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
	cr_expect(strstr(err.text, "--comm /a(/: "), "%s", err.text);
}

Test(name_pattern, lists)
{
	static const struct {
		const char *list;
		size_t count;
		const char *last;
	} rows[] = {
		{ "a,b", 2, "b" },
		{ "a,/x{1,2}/,c*", 3, "c*" },
		{ "f(int, char),g", 2, "g" },
		{ "f(int, char)", 1, "f(int, char)" },
		{ "operator[],b", 2, "b" },
		/* Commas after a bracket that is not closed are separators. */
		{ "a(,b,c", 3, "c" },
		{ "a),b", 2, "b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		name_patterns patterns = { 0 };
		struct error err;

		cr_assert(name_patterns_parse("comm", rows[i].list, &patterns, &err));
		cr_assert_eq(patterns.count, rows[i].count, "%s", rows[i].list);
		cr_expect(text_is(patterns.at[patterns.count - 1].text, rows[i].last), "%s",
			  rows[i].list);
		name_patterns_deinit(&patterns);
	}
}

/*
 * Names are untrusted input. Only the first part of a long name is matched, and its end does not
 * count as the end of the name.
 */
Test(name_pattern, long_names)
{
	size_t length = (size_t)LIMIT_PATTERN_NAME_BYTES * 64;
	char *bytes = memory_alloc(length, 1);
	struct text name = { bytes, (uint32_t)length };
	struct name_pattern pattern;
	struct error err;

	memset(bytes, 'a', length);
	cr_assert(name_pattern_parse("comm", text_of("*a*a*a*a*a*a*b"), &pattern, &err));
	cr_expect_not(name_pattern_fits(&pattern, name));
	name_pattern_deinit(&pattern);
	cr_assert(name_pattern_parse("comm", text_of("/^a*$/"), &pattern, &err));
	cr_expect_not(name_pattern_fits(&pattern, name));
	name.length = LIMIT_PATTERN_NAME_BYTES;
	cr_expect(name_pattern_fits(&pattern, name));
	name_pattern_deinit(&pattern);
	memory_free(bytes);
}
