/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/utf8.h"

Test(utf8, length_never_reads_beyond_the_text)
{
	static const char whole[] = "\xf0\x9f\x94\xa5";

	for (uint32_t length = 1; length <= 4; length++) {
		char *copy = malloc(length);

		memcpy(copy, whole, length);
		cr_expect_eq(utf8_length((struct text){ copy, length }), length == 4 ? 4 : 0);
		free(copy);
	}
}

static const struct {
	const char *text, *repaired;
} texts[] = {
	{ "plain", "plain" },
	{ "\xe2\x82\xac \xf0\x9f\x94\xa5", "\xe2\x82\xac \xf0\x9f\x94\xa5" },
	/* Each invalid byte, and each truncated sequence, is one character. */
	{ "a\x80\xff"
	  "b",
	  "a\xef\xbf\xbd\xef\xbf\xbd"
	  "b" },
	{ "\xe2\x82"
	  "c",
	  "\xef\xbf\xbd"
	  "c" },
	{ "\xf0\x9f\x94", "\xef\xbf\xbd" },
	{ "\xf0\x9f\xe2\x82\xac", "\xef\xbf\xbd\xe2\x82\xac" },
	/* Overlong, a surrogate, beyond the last. */
	{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
};

Test(utf8, repaired)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		utf8_write_repaired(&sink, text_of(texts[i].text));
		cr_expect(text_is(sink_memory(&sink), texts[i].repaired), "%zu", i);
		sink_deinit(&sink);
	}
}

Test(utf8, characters_are_written_and_read_back)
{
	static const uint32_t characters[] = { 0,      'a',    0x7f,   0x80,    0x7ff,   0x800,
					       0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff };
	static const uint32_t others[] = { 0xd800, 0xdfff, 0x110000, UINT32_MAX };
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(characters); i++) {
		sink.used = 0;
		utf8_write(&sink, characters[i]);
		cr_expect_eq(utf8_length(sink_memory(&sink)), sink.used, "%zu", i);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		sink.used = 0;
		utf8_write(&sink, others[i]);
		cr_expect(text_is(sink_memory(&sink), "\xef\xbf\xbd"), "%zu", i);
	}
	sink_deinit(&sink);
}
