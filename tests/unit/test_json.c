/* SPDX-License-Identifier: MIT */
#include "render/json.h"

#include <criterion/criterion.h>
#include <jansson.h>

#include "tests/support/leaks.h"

static json_t *load(struct sink *sink)
{
	json_error_t json_error;
	json_t *root = json_loadb(sink->buffer, sink->used, 0, &json_error);

	cr_assert_not_null(root, "%s at byte %d: %.*s", json_error.text, json_error.position,
			   (int)sink->used, sink->buffer);
	return root;
}

Test(json, layout)
{
	struct json json;
	struct sink sink;

	sink_init_memory(&sink);
	json_init(&json, &sink);
	json_open_object(&json, NULL);
	json_text(&json, "name", text_of("a"));
	json_open_array(&json, "rows");
	json_u64(&json, NULL, 1);
	json_open_object(&json, NULL);
	json_close_object(&json);
	json_open_object(&json, NULL);
	json_bool(&json, "yes", true);
	json_bool(&json, "no", false);
	json_close_object(&json);
	json_close_array(&json);
	json_open_array(&json, "none");
	json_close_array(&json);
	json_u64(&json, "last", UINT64_MAX);
	json_close_object(&json);
	json_finish(&json);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, "{\n"
				      "  \"name\": \"a\",\n"
				      "  \"rows\": [\n"
				      "    1,\n"
				      "    {},\n"
				      "    {\n"
				      "      \"yes\": true,\n"
				      "      \"no\": false\n"
				      "    }\n"
				      "  ],\n"
				      "  \"none\": [],\n"
				      "  \"last\": 18446744073709551615\n"
				      "}\n");
	sink_deinit(&sink);
	assert_no_leaks();
}

/* The value that a reader of JSON gets for a text; invalid UTF-8 becomes U+FFFD. */
Test(json, any_bytes_are_a_text)
{
	static const struct {
		const char *bytes;
		uint32_t length;
		const char *expected;
		uint32_t expected_length;
	} rows[] = {
		{ "", 0, "", 0 },
		{ "a\"b\\c/d", 7, "a\"b\\c/d", 7 },
		{ "\n\t\r\b\x1f\x7f", 6, "\n\t\r\b\x1f\x7f", 6 },
		{ "a\0b", 3, "a\0b", 3 },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5", 9, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5",
		  9 },
		{ "a\xff"
		  "b",
		  3,
		  "a\xef\xbf\xbd"
		  "b",
		  5 },
		{ "\xc3", 1, "\xef\xbf\xbd", 3 },
		{ "\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 9 },
		{ "</script>", 9, "</script>", 9 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text text = { rows[i].bytes, rows[i].length };
		json_error_t json_error;
		struct json json;
		struct sink sink;
		json_t *value;
		json_t *root;

		sink_init_memory(&sink);
		json_init(&json, &sink);
		json_open_object(&json, NULL);
		json_text(&json, "key", text);
		json_close_object(&json);
		json_finish(&json);
		root = json_loadb(sink.buffer, sink.used, JSON_ALLOW_NUL, &json_error);
		cr_assert_not_null(root, "row %zu: %s: %.*s", i, json_error.text, (int)sink.used,
				   sink.buffer);
		value = json_object_get(root, "key");
		cr_assert_eq(json_string_length(value), rows[i].expected_length, "row %zu", i);
		cr_expect_eq(
			memcmp(json_string_value(value), rows[i].expected, rows[i].expected_length),
			0, "row %zu", i);
		json_decref(root);
		sink_deinit(&sink);
	}
}

Test(json, every_byte_alone_can_be_read_back)
{
	for (unsigned byte = 1; byte < 256; byte++) {
		char bytes[1] = { (char)byte };
		struct json json;
		struct sink sink;

		sink_init_memory(&sink);
		json_init(&json, &sink);
		json_open_array(&json, NULL);
		json_text(&json, NULL, (struct text){ bytes, 1 });
		json_close_array(&json);
		json_finish(&json);
		json_decref(load(&sink));
		sink_deinit(&sink);
	}
}
