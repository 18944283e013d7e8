/* SPDX-License-Identifier: MIT */
#include "libparse/encoding.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

/* The bytes of a literal, which may contain NUL. */
#define BYTES(literal) literal, sizeof(literal) - 1

Test(encoding, becomes_utf8)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
		const char *text;
	} rows[] = {
		{ BYTES("\xff\xfe"
			"a\0;\0\xe9\0\x0d\0\x0a\0"),
		  "a;\xc3\xa9\r\n" },
		{ BYTES("\xfe\xff"
			"\0a\x20\xac"),
		  "a\xe2\x82\xac" },
		/* A surrogate pair, halves of pairs, and half a code unit. */
		{ BYTES("\xff\xfe\x3d\xd8\x00\xde"), "\xf0\x9f\x98\x80" },
		{ BYTES("\xff\xfe\x3d\xd8"
			"a\0\x00\xde"
			"b"),
		  "\xef\xbf\xbd"
		  "a\xef\xbf\xbd" },
		{ BYTES("\xef\xbb\xbf"
			"a 1"),
		  "a 1" },
		{ BYTES("a 1"), "a 1" },
		{ BYTES("\xff\xfe"), "" },
		{ BYTES("\xff"), "\xff" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct input input;
		struct error err;
		char text[64];
		size_t got;

		memory_file_open(&file, rows[i].bytes, rows[i].size_bytes);
		cr_assert(input_open(&input, file.path, &err), "%s", err.text);
		cr_assert(encoding_unwrap(&input, &err), "%s", err.text);
		cr_assert(input_read(&input, 0, text, sizeof(text), &got, &err));
		cr_expect(got == strlen(rows[i].text) && memcmp(text, rows[i].text, got) == 0,
			  "row %zu", i);
		input_close(&input);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

Test(encoding, of_captures)
{
	static const char bytes[] = "\xff\xfe"
				    "a\0;\0b\0 \0"
				    "1\0\r\0\n\0"
				    "c\0 \0"
				    "2\0";
	struct text_session test;

	text_session_open(&test, bytes, sizeof(bytes) - 1, NULL);
	cr_expect_str_eq(test.folded.buffer, "a;b 1\nc 2\n");
	text_session_close(&test);
}
