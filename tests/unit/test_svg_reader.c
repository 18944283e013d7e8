/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_reader.h"

#include <criterion/criterion.h>

#include "base/base64.h"
#include "compress/codec.h"
#include "libparse/svg/svg_rectangles.h"
#include "render/svg/svg.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

#define BOX(title, x, y, width)                                                               \
	"<g class=\"f\"><title>" title "</title><rect x=\"" x "\" y=\"" y "\" width=\"" width \
	"\" height=\"15.0\"/><text>l</text></g>\n"
#define FRAMES(boxes) "<?xml version=\"1.0\"?>\n<svg><g id=\"frames\">\n" boxes "</g></svg>\n"

#ifdef HAVE_LIBXML2
#define NEED_LIBXML2()
#else
#define NEED_LIBXML2() cr_skip_test("built without libxml2")
#endif

Test(svg_reader, parses_titles)
{
	static const struct {
		const char *title, *name, *unit;
		uint64_t count;
		int64_t delta;
		bool has_count, has_delta;
	} rows[] = {
		{ "main (1,234 samples, 5.67%)", "main", "samples", 1234000, 0, true, false },
		{ "f(int) (2 us, 5%)", "f(int)", "us", 2000, 0, true, false },
		{ "all (12.25 ms, 100%)\nself 1 ms", "all", "ms", 12250, 0, true, false },
		{ "a (9 samples, 5.00%; +1.25%)", "a", "samples", 9000, 125, true, true },
		{ "a (9 samples, 5.00%; -0.5%)", "a", "samples", 9000, -50, true, true },
		{ "a (9 x (y), z, 5%)", "a", "x (y), z", 9000, 0, true, false },
		{ " (9 samples, 5%)", "", "samples", 9000, 0, true, false },
		{ "a", "a", "", 0, 0, false, false },
		{ "a (b)", "a (b)", "", 0, 0, false, false },
		{ ")", ")", "", 0, 0, false, false },
		{ "", "", "", 0, 0, false, false },
		{ "a (99999999999999999999 samples, 1%)", "a (99999999999999999999 samples, 1%)",
		  "", 0, 0, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct svg_title title = svg_title_parse(text_of(rows[i].title));

		cr_expect(text_is(title.name, rows[i].name), "%s", rows[i].title);
		cr_expect_eq(title.has_count, rows[i].has_count, "%s", rows[i].title);
		cr_expect_eq(title.has_delta, rows[i].has_delta, "%s", rows[i].title);
		cr_expect_eq(title.delta, rows[i].delta, "%s", rows[i].title);
		if (!rows[i].has_count)
			continue;
		cr_expect_eq(title.count, rows[i].count, "%s", rows[i].title);
		cr_expect(text_is(title.unit, rows[i].unit), "%s", rows[i].title);
	}
}

Test(svg_reader, builds_stacks_of_boxes)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* Frames as flamegraph.pl draws them, in any order, two of them with equal
		 * names. */
		{ FRAMES(BOX("c (2 samples, 20%)", "60", "33", "20") BOX("c (5 samples, 50%)", "10",
									 "33", "50")
				 BOX("a (5 samples, 50%)", "10", "49", "50")
					 BOX("all (10 samples, 100%)", "10", "65", "100")
						 BOX("b (4 samples, 40%)", "60", "49", "40")),
		  "[too narrow to be drawn] 1\na;c 5\nb 2\nb;c 2\n" },
		/* Upside down. */
		{ FRAMES(BOX("all (10 samples, 100%)", "10", "5", "100")
				 BOX("a (6 samples, 60%)", "10", "21", "60")
					 BOX("b (4 samples, 40%)", "70", "21", "40")
						 BOX("c (6 samples, 60%)", "10", "37", "60")),
		  "a;c 6\nb 4\n" },
		/* All frames are as wide as the root, which is recognised by its name. */
		{ FRAMES(BOX("all (4 samples, 100%)", "10", "5", "100")
				 BOX("a (4 samples, 100%)", "10", "21", "100")),
		  "a 4\n" },
		/* inferno: shares, and exact numbers beside them. */
		{ "<svg><svg id=\"frames\" x=\"10\" width=\"1180\" total_samples=\"3\">"
		  "<g><title>all (3 samples, 100%)</title>"
		  "<rect x=\"0.0000%\" y=\"30\" width=\"100.0000%\" fg:x=\"0\" fg:w=\"3\"/></g>"
		  "<g><title>a (1 samples, 33.33%)</title>"
		  "<rect x=\"0.0000%\" y=\"14\" width=\"33.3333%\" fg:x=\"0\" fg:w=\"1\"/></g>"
		  "<g><title>b (2 samples, 66.67%)</title>"
		  "<rect x=\"33.3333%\" y=\"14\" width=\"66.6667%\" fg:x=\"1\" fg:w=\"2\"/></g>"
		  "</svg></svg>",
		  "a 1\nb 2\n" },
		/* Frames that are not in a group, as in old SVGs; links; named entities. */
		{ "<svg><a href=\"x\"><title>all (3 samples, 100%)</title>"
		  "<rect x=\"1\" y=\"30\" width=\"9\"/></a><a>"
		  "<title>a&lt;b&gt;::c&amp; (3 samples, 100%)</title>"
		  "<rect x=\"1\" y=\"14\" width=\"9\"/></a></svg>",
		  "a<b>::c& 3\n" },
		/* A box with no name. */
		{ FRAMES(BOX("all (3 samples, 100%)", "10", "33", "90")
				 BOX(" (3 samples, 100%)", "10", "17", "90")
					 BOX("b (3 samples, 100%)", "10", "1", "90")),
		  "[unknown];b 3\n" },
		/* An embedded profile without its unit, and without some names. */
		{ "<svg><metadata id=\"profile\" class=\"plain\">{\"version\":2,"
		  "\"names\":[\"a\",\"\",\"b\\u0000c\"],\"modules\":[\"\"],"
		  "\"frames\":[0,0,0,0,1,0,0,0,2,0,0,0],\"rows\":{\"up\":[0,0,0],\"frame\":[0,0,0],\"known\":[],\"self\":[0,5,1]}}</metadata></svg>",
		  "a;[unknown] 5\na;[unknown];b?c 1\n" },
		/* A truncated SVG, with a frame without a parent. */
		{ "<svg><g>" BOX("all (3 samples, 100%)", "1", "30", "9")
			  BOX("a (3 samples, 100%)", "1", "14", "9")
				  BOX("b (3 samples, 100%)", "70", "-2", "9"),
		  "a 3\n" },
	};

	NEED_LIBXML2();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(svg_reader, tells_both_sides_of_a_comparison)
{
	static const char input[] =
		FRAMES(BOX("all (10 samples, 100%; 0.00%)", "10", "65", "100")
			       BOX("a (6 samples, 60%; +20.00%)", "10", "49", "60")
				       BOX("b (4 samples, 40%; -10.00%)", "70", "49", "40"));
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &(struct view){ .event_pattern = "before", .grouping = GROUPING_BY_COMM },
	};
	struct text_session test;

	NEED_LIBXML2();
	text_session_open(&test, input, strlen(input), &options);
	cr_expect_str_eq(test.folded.buffer, "a 4\nb 5\n");
	text_session_close(&test);
	text_session_expect(input, "a 6\nb 4\n");
}

/* SVGs of kiln contain the whole profile. */
Test(svg_reader, reads_what_kiln_embeds)
{
	static const char input[] = "app;main;a_[k];b_[i] 3\napp;main;c_[j] 4\nother 5\n";
	struct svg_options options;
	struct text_session first;
	struct text_session second;
	struct sink svg;

	NEED_LIBXML2();
	text_session_open(&first, input, strlen(input), NULL);
	for (int is_plain = 0; is_plain < 2; is_plain++) {
		svg_options_init(&options);
		options.is_embedded_uncompressed = is_plain;
		sink_init_memory(&svg);
		svg_write(&first.session.profile, &options, &svg);
		text_session_open(&second, svg.buffer, svg.used, NULL);
		cr_expect_str_eq(second.folded.buffer, input);
		cr_assert_eq(second.session.profile.frames.count,
			     first.session.profile.frames.count);
		for (size_t i = 0; i < first.session.profile.frames.count; i++)
			cr_expect_eq(second.session.profile.frames.at[i].kind,
				     first.session.profile.frames.at[i].kind, "%zu", i);
		cr_expect_eq(second.session.profile.sample_count, 12);
		text_session_close(&second);
		sink_deinit(&svg);
	}
	text_session_close(&first);
	assert_no_leaks();
}

static void add_stream(struct sink *svg, struct text part)
{
	struct sink compressed;

	sink_init_memory(&compressed);
	cr_assert(codec_write_deflate(&compressed, part, SIZE_MAX));
	base64_write(svg, sink_memory(&compressed));
	sink_deinit(&compressed);
}

/* Streams end anywhere, even in a character; one of them is empty. */
Test(svg_reader, joins_the_streams_of_a_profile)
{
	static const char json[] =
		"{\"version\":2,\"names\":[\"a\",\"\xc3\xa9\"],\"modules\":[\"\"],"
		"\"frames\":[0,0,0,0,1,0,1,0],"
		"\"rows\":{\"up\":[0,0],\"frame\":[0,0],\"known\":[],\"self\":[0,6]}}";
	uint32_t length = sizeof(json) - 1;

	NEED_LIBXML2();
	if (!codec_has(CODEC_DEFLATE))
		cr_skip_test("built without zlib");
	for (uint32_t cut = 0; cut <= length; cut++) {
		struct text_session test;
		struct sink svg;

		sink_init_memory(&svg);
		sink_puts(&svg, "<svg><metadata id=\"profile\" class=\"deflate\">");
		add_stream(&svg, (struct text){ json, cut });
		sink_char(&svg, ',');
		add_stream(&svg, (struct text){ json + cut, length - cut });
		sink_puts(&svg, "</metadata></svg>");
		text_session_open(&test, svg.buffer, svg.used, NULL);
		cr_expect_str_eq(test.folded.buffer, "a;\xc3\xa9 6\n", "%u", cut);
		text_session_close(&test);
		sink_deinit(&svg);
	}
	assert_no_leaks();
}

/* An SVG that lacks stacks has totals of functions; impossible totals are ignored. */
Test(svg_reader, functions_must_agree_with_the_stacks)
{
	static const struct {
		const char *functions;
		bool is_good;
	} rows[] = {
		/* Self and total of each: app, main, [left out of this file: too narrow], rare */
		{ "0,10,6,10,0,0,4,4", true },
		{ "0,10,6,10,0,0,3,4", false }, /* not the whole weight */
		{ "0,10,5,10,0,0,5,5", false }, /* main has a larger self in the tree */
		{ "0,9,6,10,0,0,4,4", false },  /* app has a larger total in the tree */
		{ "0,10,6,11,0,0,4,4", false }, /* more than all */
		{ "0,10,6,10,4,4,0,0", false }, /* [left out] is not a function */
		{ "0,10,6,10,0,0", false },
		{ "18446744073709551615,18446744073709551615,6,10,0,0,5,5", false },
	};

	NEED_LIBXML2();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;
		char input[1000];

		snprintf(
			input, sizeof(input),
			"<svg><metadata id=\"profile\" class=\"plain\">{\"version\":2,"
			"\"names\":[\"app\",\"main\",\"" FRAME_NAME_LEFT_OUT
			"\",\"rare\"],\"modules\":[\"\"],\"functions\":[%s],\"together\":[99,1],"
			"\"frames\":[0,0,0,0,1,0,1,0,2,0,5,0,3,0,1,0],"
			"\"rows\":{\"up\":[0,0,0],\"frame\":[0,0,0],\"known\":[],\"self\":[0,6,4]}}</metadata></svg>",
			rows[i].functions);
		text_session_open(&test, input, strlen(input), NULL);
		cr_expect_str_eq(test.folded.buffer,
				 "app;main 6\napp;main;" FRAME_NAME_LEFT_OUT " 4\n");
		cr_expect_eq(test.session.profile.exact.functions.count, rows[i].is_good ? 4 : 0,
			     "%s", rows[i].functions);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/* An SVG with these columns; self may be "". */
#define ROWS(up, frame, known, self, frames)                                                   \
	"<svg><metadata id=\"profile\">{\"version\":2,\"names\":[\"a\"],\"modules\":[\"\"],"   \
	"\"frames\":[" frames "],\"rows\":{\"up\":" up ",\"frame\":" frame ",\"known\":" known \
	",\"self\":[" self "]}}</metadata></svg>"

static void expect_refusal(const char *input, const char *why)
{
	struct memory_file file;
	struct capture capture;
	struct error err;

	memory_file_open(&file, input, strlen(input));
	cr_expect_not(capture_open(&capture, file.path, &err), "%s", input);
	cr_expect(strstr(err.text, why), "%s", err.text);
	memory_file_close(&file);
}

Test(svg_reader, refuses_what_no_flame_graph_does)
{
	static const struct {
		const char *input, *why;
	} rows[] = {
		{ "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg>&a;</svg>", "declares entities" },
		{ "<!DOCTYPE svg [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]><svg/>",
		  "declares entities" },
		{ "<!DOCTYPE svg [<!ATTLIST g a CDATA \"b\">]><svg><g/></svg>", "declares" },
		{ "<svg><g id=\"frames\"></g></svg>", "not a flame graph" },
		{ "<svg><metadata id=\"profile\" class=\"plain\">{\"version\":1}</metadata></svg>",
		  "version 1" },
		{ "<svg><metadata id=\"profile\" class=\"deflate\">////</metadata></svg>",
		  "corrupt" },
		/* Rows without frames; a column is missing, too short, or has another caller's frame. */
		{ ROWS("[0]", "[0]", "[]", "1", ""), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "", "0,0,0,0"), "corrupt" },
		{ ROWS("[0,0]", "[0]", "[]", "1,1", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[2]", "[]", "1", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[1]", "[]", "1", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[1]", "[9]", "1", "0,0,0,0"), "corrupt" },
		{ ROWS("[1]", "[0]", "[]", "1", "0,0,0,0"), "corrupt" },
		/* Columns with more numbers than there are rows, and a frame with three of four numbers. */
		{ ROWS("[0]", "[0,0,0]", "[]", "5,7,9", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0,0]", "[]", "5", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5,7", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0]", "[0]", "5", "0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0],\"diff\":{},\"functions\":[1,1,1,1,1"),
		  "corrupt" },
		/* More numbers of a comparison; frames and functions that no row can use. */
		{ ROWS("[0]", "[0]", "[]", "5],\"before\":[1,2",
		       "0,0,0,0],\"diff\":{},\"together\":["),
		  "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0,0,0,0,0"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0],\"functions\":[5,5,5,5"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0],\"together\":[0,5,0,5"), "corrupt" },
		{ ROWS("[0]", "[0]", "[]", "5", "0,0,0,0],\"together\":[0"), "corrupt" },
	};
	struct sink many;

	NEED_LIBXML2();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_refusal(rows[i].input, rows[i].why);

	sink_init_memory(&many);
	sink_puts(&many, "<svg ");
	for (int i = 0; i < 100000; i++)
		sink_printf(&many, "a%d='' ", i);
	sink_puts(&many, ">");
	sink_char(&many, '\0');
	expect_refusal(many.buffer, "too many attributes");
	many.used = 0;
	sink_puts(&many, "<svg>");
	for (int i = 0; i < 100000; i++)
		sink_puts(&many, "<g>");
	sink_char(&many, '\0');
	expect_refusal(many.buffer, "too deeply");
	sink_deinit(&many);
	assert_no_leaks();
}
