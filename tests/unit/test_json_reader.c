/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include <criterion/criterion.h>

#include "base/base64.h"
#include "compress/codec.h"

Test(json_reader, undoes_escapes)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "\"a\\n\\t\\\"\\\\\\/b\"", "a\n\t\"\\/b" },
		{ " \"\\u0041\\u00b5\\u20ac\"", "A\xc2\xb5\xe2\x82\xac" },
		{ "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
		{ "\"\\ud83dx\"", "\xef\xbf\xbdx" },
		{ "\"\\u12\"", "\xef\xbf\xbd" },
		{ "\"\"", "" },
		{ "\"a", NULL },
		{ "\"a\\\"", NULL },
		{ "7", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_reader reader = json_reader_of(text_of(rows[i].json));
		struct sink sink;

		sink_init_memory(&sink);
		cr_expect_eq(json_read_string(&reader, &sink), rows[i].text != NULL, "%s",
			     rows[i].json);
		if (rows[i].text)
			cr_expect(text_is(sink_memory(&sink), rows[i].text), "%s", rows[i].json);
		sink_deinit(&sink);
	}
}

/* Whether all of a document can be skipped. */
Test(json_reader, skips_values)
{
	static const struct {
		const char *json;
		bool is_good;
	} rows[] = {
		{ "{\"a\":[1,{\"b\":null}],\"c\":\"]}\"} ", true },
		{ "[]", true },
		{ "-1.5e3", true },
		{ "true", true },
		{ "[1,2", false },
		{ "]", false },
		{ "", false },
		{ "{\"a", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_reader reader = json_reader_of(text_of(rows[i].json));

		cr_expect_eq(json_read_skip(&reader), rows[i].is_good, "%s", rows[i].json);
		cr_expect_eq(reader.has_failed, !rows[i].is_good, "%s", rows[i].json);
	}
}

Test(json_reader, reads_members_and_numbers)
{
	struct json_reader reader = json_reader_of(
		text_of("{ \"a\" : [ 1 , 18446744073709551615 ] , \"b\" : \"2.5\" , \"c\" : {} }"));
	struct text name;
	struct text number;
	uint64_t value;

	cr_assert(json_read_open(&reader, '{') && json_read_next(&reader, '}'));
	cr_assert(json_read_name(&reader, &name) && text_is(name, "a"));
	cr_assert(json_read_open(&reader, '[') && json_read_next(&reader, ']'));
	cr_assert(json_read_u64(&reader, &value) && value == 1);
	cr_assert(json_read_next(&reader, ']') && json_read_u64(&reader, &value));
	cr_assert(value == UINT64_MAX);
	cr_assert(!json_read_next(&reader, ']') && json_read_next(&reader, '}'));
	cr_assert(json_read_name(&reader, &name) && text_is(name, "b"));
	cr_assert(json_read_number(&reader, &number) && text_is(number, "2.5"));
	cr_assert(json_read_next(&reader, '}') && json_read_name(&reader, &name));
	cr_assert(json_read_open(&reader, '{') && !json_read_next(&reader, '}'));
	cr_assert(!json_read_next(&reader, '}') && !reader.has_failed);

	reader = json_reader_of(text_of("[18446744073709551616 2]"));
	cr_assert(json_read_open(&reader, '[') && json_read_next(&reader, ']'));
	cr_assert(!json_read_u64(&reader, &value) && reader.has_failed);
	cr_assert(!json_read_next(&reader, ']'));
}

Test(json_reader, reads_what_is_plain)
{
	struct json_reader reader = json_reader_of(text_of("[true, -1.5e3,\"a\\\"]\" , null]"));
	static const char *const expected[] = { "true", "-1.5e3", "a\\\"]", "null" };
	struct text text;

	cr_assert(json_read_open(&reader, '['));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		cr_assert(json_read_next(&reader, ']'));
		cr_assert(json_read_plain(&reader, &text));
		cr_expect(text_is(text, expected[i]), "%s", expected[i]);
	}
	cr_expect_not(json_read_next(&reader, ']'));
	cr_expect_not(reader.has_failed);
	reader = json_reader_of(text_of("{}"));
	cr_expect_not(json_read_plain(&reader, &text));
	cr_expect(reader.has_failed);
}

Test(json_reader, base64_and_deflate_go_back)
{
	struct sink packed;
	struct sink base64;
	struct sink back;
	char bytes[300];

	for (size_t length = 0; length < sizeof(bytes); length += length < 4 ? 1 : 37) {
		struct text text = { bytes, (uint32_t)length };

		for (size_t i = 0; i < length; i++)
			bytes[i] = (char)(unsigned char)(i * 7);
		sink_init_memory(&base64);
		sink_init_memory(&back);
		base64_write(&base64, text);
		cr_assert(base64_read(&back, sink_memory(&base64)));
		cr_expect(text_equal(sink_memory(&back), text), "%zu", length);
		sink_deinit(&base64);
		back.used = 0;
		sink_init_memory(&packed);
		if (codec_write_deflate(&packed, text, SIZE_MAX)) {
			struct text deflated = sink_memory(&packed);
			struct span span = span_of(deflated.at, deflated.length, 0, false);
			struct error err;
			unsigned char *memory;
			size_t size_bytes;

			cr_assert(codec_decompress(CODEC_DEFLATE, span, length + 1, &memory,
						   &size_bytes, &err));
			cr_expect(text_equal((struct text){ (char *)memory, (uint32_t)size_bytes },
					     text),
				  "%zu", length);
			memory_free(memory);
			cr_expect(!length || !codec_decompress(CODEC_DEFLATE, span, length - 1,
							       &memory, &size_bytes, &err));
		}
		sink_deinit(&packed);
		sink_deinit(&back);
	}
	sink_init_memory(&back);
	cr_expect_not(base64_read(&back, text_of("A*==")));
	cr_expect_not(base64_read(&back, text_of("A")));
	sink_deinit(&back);
}

Test(json_reader, fixed_numbers_and_where_it_failed)
{
	const char *json = "[1.5, -2e3, [1], 7]";
	struct json_reader reader = json_reader_of(text_of(json));
	struct scanned_number number;

	cr_assert(json_read_open(&reader, '[') && json_read_next(&reader, ']'));
	cr_assert(json_read_fixed(&reader, 1, &number) && number.value == 15);
	cr_assert(json_read_next(&reader, ']') && json_read_fixed(&reader, 0, &number));
	cr_expect_eq(number.value, -2000);
	cr_assert(json_read_next(&reader, ']'));
	cr_expect_not(reader.failed_at);
	cr_expect_not(json_read_fixed(&reader, 0, &number));
	cr_expect_eq(reader.failed_at - json, 12);
	/* The first failure stays. */
	cr_expect_not(json_read_skip(&reader));
	cr_expect_eq(reader.failed_at - json, 12);
}
