/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/base64.h"
#include "compress/codec.h"
#include "render/svg/embed.h"
#include "render/svg/embed_rows.h"
#include "tests/support/profile_maker.h"

/*
 * Parses the profile in an element, whose text must be the profile unchanged; NULL: nothing was
 * written.
 */
static json_t *read_element(struct text element)
{
	xmlDoc *document;
	xmlChar *text;
	json_t *json;

	if (!element.length)
		return NULL;
	document = xmlReadMemory(element.at, (int)element.length, "test.xml", NULL,
				 XML_PARSE_NONET | XML_PARSE_HUGE);
	cr_assert(document, "the element is no XML");
	text = xmlNodeGetContent(xmlDocGetRootElement(document));
	json = json_loads((const char *)text, 0, NULL);
	cr_assert(json, "%s", (const char *)text);
	xmlFree(text);
	xmlFreeDoc(document);
	return json;
}

static json_t *embed(const struct profile *profile, uint64_t limit_bytes)
{
	const struct colouring colouring = { .palette = PALETTE_KILN };
	const struct svg_weights weights = svg_weights_of(profile);
	struct embed_options options = {
		.weights = &weights,
		.limit_bytes = limit_bytes,
		.is_plain = true,
		.colouring = &colouring,
	};
	struct sink sink;
	json_t *json;

	sink_init_memory(&sink);
	embed_write(profile, &options, &sink);
	cr_expect_leq(sink.used, limit_bytes);
	json = read_element(sink_memory(&sink));
	sink_deinit(&sink);
	return json;
}

static uint64_t integer(const json_t *list, size_t index)
{
	return (uint64_t)json_integer_value(json_array_get(list, index));
}

static const char *name_of(const json_t *json, uint64_t frame)
{
	uint64_t name = integer(json_object_get(json, "frames"), 4 * frame);

	return json_string_value(json_array_get(json_object_get(json, "names"), name));
}

static const json_t *column_of(const json_t *json, const char *name)
{
	return json_object_get(json_object_get(json, "rows"), name);
}

/* The frames of all rows. The list must be freed. */
static uint64_t *frames_of(const json_t *json)
{
	const json_t *up = column_of(json, "up"), *codes = column_of(json, "frame");
	size_t count = json_array_size(up), known_count = 0;
	uint64_t *frames = memory_alloc(count + 1, sizeof(*frames));
	uint64_t *callers = memory_alloc(count + 1, sizeof(*callers));
	uint64_t added = 0;
	VEC(uint64_t) open = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint64_t code = integer(codes, i);

		cr_assert_leq(integer(up, i), open.count);
		open.count -= integer(up, i);
		callers[i] = open.count ? open.at[open.count - 1] : UINT64_MAX;
		if (code < 2)
			frames[i] =
				code ? integer(column_of(json, "known"), known_count++) : added++;
		/* The first row with this caller and a code below 2 is 2, the next is 3, ... */
		for (size_t k = 0; code >= 2; k++) {
			cr_assert_lt(k, i);
			if (callers[k] != callers[i] || integer(codes, k) >= 2 || code-- > 2)
				continue;
			frames[i] = frames[k];
			break;
		}
		vec_push(&open, frames[i]);
	}
	vec_free(&open);
	memory_free(callers);
	return frames;
}

/* Folds the rows again: one line for each row with a self weight. */
static void fold(const json_t *json, struct sink *sink)
{
	const json_t *up = column_of(json, "up"), *self = column_of(json, "self");
	uint64_t *frames = frames_of(json);
	VEC(uint64_t) open = { 0 };

	for (size_t i = 0; i < json_array_size(up); i++) {
		open.count -= integer(up, i);
		vec_push(&open, frames[i]);
		if (!integer(self, i))
			continue;
		for (size_t k = 0; k < open.count; k++)
			sink_printf(sink, "%s%s", k ? ";" : "", name_of(json, open.at[k]));
		sink_printf(sink, " %llu\n", (unsigned long long)integer(self, i));
	}
	sink_char(sink, '\0');
	vec_free(&open);
	memory_free(frames);
}

Test(embed, stacks_are_all_there)
{
	struct profile_maker maker;
	struct sink sink;
	json_t *json;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/bin/<app>");
	profile_maker_stack(&maker, "app;main|1;parse|1", 750);
	profile_maker_stack(&maker, "app;main|1", 250);
	profile_maker_stack(&maker, "app;main|1;\"x\"&\xff|1", 18446744073709551);
	profile_maker_stack(&maker, "bash", 3);
	profile_maker_build(&maker, NULL);
	json = embed(&maker.profile, 10000);
	cr_assert(json);
	sink_init_memory(&sink);
	fold(json, &sink);
	cr_expect_str_eq(sink.buffer, "app;main 250\n"
				      "app;main;parse 750\n"
				      "app;main;x&\xef\xbf\xbd 18446744073709551\n"
				      "bash 3\n");
	cr_expect_str_eq(json_string_value(json_object_get(json, "event")), "cycles");
	cr_expect_str_eq(json_string_value(json_object_get(json, "of")), "cycles");
	cr_expect_str_eq(json_string_value(json_array_get(json_object_get(json, "modules"), 1)),
			 "/bin/<app>");
	sink_deinit(&sink);
	json_decref(json);
	profile_maker_deinit(&maker);
}

/* Either all frames have their declaration, or none has; paths contain no home directory. */
Test(embed, sources)
{
	for (unsigned i = 0; i < 2; i++) {
		struct profile_maker maker;
		const json_t *sources;
		json_t *json;
		size_t found = 0;

		profile_maker_init(&maker);
		profile_maker_module(&maker, MODULE_FILE, "/bin/app");
		profile_maker_stack(&maker, "app;main|1;parse|1", 750);
		profile_maker_build(&maker, NULL);
		for (size_t k = 0; i && k < maker.profile.frames.count; k++)
			if (strcmp(profile_frame_name(&maker.profile, (frame_id){ (uint32_t)k }).at,
				   "parse") == 0)
				maker.profile.frames.at[k].source = strings_intern_text(
					maker.profile.strings, "/home/me/a\"b.c:7");
		json = embed(&maker.profile, 10000);
		cr_assert(json);
		sources = json_object_get(json, "sources");
		cr_assert_eq(sources != NULL, i > 0);
		cr_expect_eq(json_array_size(sources),
			     i * json_array_size(json_object_get(json, "frames")) / 4);
		for (size_t k = 0; k < json_array_size(sources); k++) {
			bool is_parse = strcmp(name_of(json, k), "parse") == 0;

			cr_expect_str_eq(json_string_value(json_array_get(sources, k)),
					 is_parse ? "~/a\"b.c:7" : "");
			found += is_parse;
		}
		cr_expect_eq(found, i);
		json_decref(json);
		profile_maker_deinit(&maker);
	}
}

static uint64_t sum_of_rows(const json_t *json)
{
	const json_t *self = column_of(json, "self");
	uint64_t sum = (uint64_t)json_integer_value(json_object_get(json, "self"));

	for (size_t i = 0; i < json_array_size(self); i++)
		sum += integer(self, i);
	return sum;
}

static bool has_name(const json_t *json, const char *wanted)
{
	const json_t *names = json_object_get(json, "names");

	for (size_t i = 0; i < json_array_size(names); i++)
		if (strcmp(json_string_value(json_array_get(names, i)), wanted) == 0)
			return true;
	return false;
}

/* If space runs out, the narrowest frames are left out; their weight stays in place. */
Test(embed, what_is_too_much_is_left_out_and_said)
{
	static const uint64_t limits[] = { 400000, 20000, 5000, 1500 };
	struct profile_maker maker;
	size_t rows_before = SIZE_MAX;

	profile_maker_init(&maker);
	for (unsigned i = 0; i < 2000; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "app;f%u;g%u;h%u", i % 7, i % 97, i);
		profile_maker_stack(&maker, stack, 1 + (uint64_t)i * i);
	}
	profile_maker_build(&maker, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		json_t *json = embed(&maker.profile, limits[i]);
		size_t row_count;

		cr_assert(json, "%llu", (unsigned long long)limits[i]);
		row_count = json_array_size(column_of(json, "up"));
		cr_expect_lt(row_count, rows_before);
		cr_expect_eq(sum_of_rows(json), maker.profile.stacks.at[0].total);
		cr_expect_eq(has_name(json, "[left out of this file: too narrow]"), i != 0);
		rows_before = row_count;
		json_decref(json);
	}
	cr_expect_null(embed(&maker.profile, 40));
	cr_expect_null(embed(&maker.profile, 0));
	profile_maker_deinit(&maker);
}

/* Finds the self and total weight of a function; false: it is not in the list. */
static bool find_function(const json_t *json, const char *name, uint64_t *self, uint64_t *total)
{
	const json_t *functions = json_object_get(json, "functions");

	for (uint64_t i = 0; i < json_array_size(functions) / 2; i++)
		if (strcmp(name_of(json, i), name) == 0) {
			*self = integer(functions, 2 * i);
			*total = integer(functions, 2 * i + 1);
			return true;
		}
	return false;
}

/* Totals of functions do not depend on how much of the tree fits. */
Test(embed, functions_are_all_there_when_stacks_are_not)
{
	struct profile_maker maker;
	uint64_t self, total;
	uint64_t of_g = 0;
	json_t *json;

	profile_maker_init(&maker);
	for (unsigned i = 0; i < 2000; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "app;f%u;g%u;%s;g%u", i % 31, i % 97,
			 i % 2 ? "h" : "k", i % 97);
		profile_maker_stack(&maker, stack, 1 + (uint64_t)(i % 31) * i);
		of_g += i % 97 == 3 ? 1 + (uint64_t)(i % 31) * i : 0;
	}
	profile_maker_build(&maker, NULL);
	json = embed(&maker.profile, 400000);
	cr_expect_not(json_object_get(json, "functions"));
	json_decref(json);

	json = embed(&maker.profile, 20000);
	cr_expect(has_name(json, FRAME_NAME_LEFT_OUT));
	cr_assert(find_function(json, "g3", &self, &total));
	cr_expect_eq(self, of_g);
	cr_expect_eq(total, of_g, "recursion counts once");
	cr_assert(find_function(json, "app", &self, &total));
	cr_expect_eq(self, 0);
	cr_expect_eq(total, maker.profile.stacks.at[0].total);
	json_decref(json);
	profile_maker_deinit(&maker);
}

static void write_element(unsigned thread_count, struct text json, struct sink *sink)
{
	struct embed_options options = { .limit_bytes = 1 << 20, .thread_count = thread_count };

	sink_init_memory(sink);
	embed_element_write(&options, json, sink);
}

/* Appends the JSON of an element whose blocks commas separate, and returns the number of blocks. */
static size_t read_blocks(struct text element, struct sink *json)
{
	const char *next = (const char *)memchr(element.at, '>', element.length) + 1;
	const char *end = memchr(next, '<', (size_t)(element.at + element.length - next));
	size_t count = 0;

	for (; next <= end; count++) {
		const char *comma = memchr(next, ',', (size_t)(end - next));
		const char *stop = comma ? comma : end;
		struct sink block;
		unsigned char *memory;
		size_t size_bytes;
		struct error err;

		sink_init_memory(&block);
		cr_assert(base64_read(&block, text_between(next, stop)));
		cr_assert(codec_decompress(CODEC_DEFLATE,
					   span_of(block.buffer, block.used, 0, false), 1 << 20,
					   &memory, &size_bytes, &err),
			  "%s", err.text);
		sink_bytes(json, memory, size_bytes);
		memory_free(memory);
		sink_deinit(&block);
		next = stop + 1;
	}
	return count;
}

/* Small JSON is one stream. */
Test(embed, blocks_are_the_same_for_any_number_of_threads)
{
	static const uint32_t lengths[] = {
		1000,
		CODEC_BLOCKS_BYTES - 1,
		CODEC_BLOCKS_BYTES,
		CODEC_LARGE_BYTES,
		CODEC_LARGE_BYTES + 1,
	};
	const uint32_t most = CODEC_LARGE_BYTES + 1;
	const uint32_t block_bytes = 256 << 10;
	char *bytes = memory_alloc(most, 1);

	if (!codec_has(CODEC_DEFLATE))
		cr_skip_test("built without zlib");
	for (uint32_t i = 0; i < most; i++)
		bytes[i] = (char)('0' + i * i / 7 % 10);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		bool has_blocks = lengths[i] >= CODEC_BLOCKS_BYTES;
		struct text text = { bytes, lengths[i] };
		struct sink alone;
		struct sink several;
		struct sink json;

		write_element(1, text, &alone);
		write_element(3, text, &several);
		cr_expect(text_equal(sink_memory(&alone), sink_memory(&several)));
		sink_init_memory(&json);
		cr_expect_eq(read_blocks(sink_memory(&alone), &json),
			     has_blocks ? (lengths[i] + block_bytes - 1) / block_bytes : 1);
		cr_expect(text_equal(sink_memory(&json), text));
		sink_deinit(&json);
		sink_deinit(&several);
		sink_deinit(&alone);
	}
	memory_free(bytes);
}

static void expect_columns(const struct embed_rows *rows, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	embed_columns_write(&rows->columns, &sink);
	cr_expect(text_is(sink_memory(&sink), expected), "%.*s", (int)sink.used, sink.buffer);
	sink_deinit(&sink);
}

/* Rows of a chart keep their place in time; gaps are marked where rows were left out. */
Test(embed, charts_have_gaps)
{
	struct profile_maker maker;
	struct numbering frames;
	struct embed_rows rows = { .frames = &frames, .least = 3 };

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;a", 1);
	profile_maker_stack(&maker, "app;b", 5);
	profile_maker_stack(&maker, "app;c", 2);
	profile_maker_stack(&maker, "app;d", 1);
	profile_maker_stack(&maker, "app;e", 5);
	profile_maker_stack(&maker, "app", 6);
	profile_maker_build(&maker, NULL);
	/*     all app a b c d e */
	static const uint64_t begins[] = { 0, 0, 0, 1, 6, 9, 15 };
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		vec_push(&maker.profile.begins, begins[i]);
	numbering_init(&frames, maker.profile.frames.count + 1);
	rows.profile = &maker.profile;
	embed_rows_init(&rows);
	embed_rows_write(&rows);
	/* Rows: app; gap of a; b; gap of c and d; e */
	expect_columns(&rows, "{\"up\":[0,0,1,1,1],\n\"frame\":[0,0,0,2,0],\n\"known\":[],\n"
			      "\"self\":[6,1,5,3,5]}");
	cr_expect(text_is(sink_memory(&rows.gaps), "4,6"), "%.*s", (int)rows.gaps.used,
		  rows.gaps.buffer);
	embed_rows_deinit(&rows);

	rows.least = 1;
	numbering_deinit(&frames);
	numbering_init(&frames, maker.profile.frames.count + 1);
	embed_rows_init(&rows);
	embed_rows_write(&rows);
	expect_columns(&rows, "{\"up\":[0,0,1,1,1,1],\n\"frame\":[0,0,0,0,0,0],\n\"known\":[],\n"
			      "\"self\":[6,1,5,2,1,5]}");
	cr_expect(text_is(sink_memory(&rows.gaps), "4,1,1,5"), "%.*s", (int)rows.gaps.used,
		  rows.gaps.buffer);
	embed_rows_deinit(&rows);
	numbering_deinit(&frames);
	profile_maker_deinit(&maker);
}

/* Frames that were seen: below the same caller, and below another one. */
Test(embed, frames_are_told_from_their_callers)
{
	/* main: parse (sort, write), write (sort, sort); main: parse (write) */
	static const uint32_t rows[][2] = { { 1, 0 }, { 2, 1 }, { 3, 2 }, { 3, 3 }, { 2, 3 },
					    { 3, 2 }, { 4, 2 }, { 1, 0 }, { 2, 1 }, { 3, 3 } };
	struct embed_columns columns;
	struct sink sink;

	embed_columns_init(&columns);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		embed_columns_add(&columns, rows[i][0], rows[i][1], i);
	sink_init_memory(&sink);
	embed_columns_write(&columns, &sink);
	cr_expect(text_is(sink_memory(&sink),
			  "{\"up\":[0,0,0,1,2,0,0,4,0,0],\n\"frame\":[0,0,0,0,1,1,1,2,2,3],\n"
			  "\"known\":[3,2,2],\n\"self\":[0,1,2,3,4,5,6,7,8,9]}"),
		  "%.*s", (int)sink.used, sink.buffer);
	sink_deinit(&sink);
	embed_columns_deinit(&columns);
}

Test(embed, nothing_of_nothing)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	cr_expect_null(embed(&maker.profile, 10000));
	profile_maker_deinit(&maker);
}
