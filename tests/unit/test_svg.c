/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "render/svg/svg_style.h"
#include "render/svg/svg.h"
#include "tests/support/profile_maker.h"

/* Draws the SVG and parses it; a syntax error fails the test. */
static xmlDoc *draw(const struct profile *profile, const struct svg_options *options)
{
	struct svg_options defaults;
	struct sink sink;
	xmlDoc *document;

	svg_options_init(&defaults);
	sink_init_memory(&sink);
	svg_write(profile, options ? options : &defaults, &sink);
	document = xmlReadMemory(sink_memory(&sink).at, (int)sink_memory(&sink).length, "test.svg",
				 NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
	cr_assert(document, "the picture is no XML");
	sink_deinit(&sink);
	return document;
}

static xmlNode *find_id(xmlNode *node, const char *id)
{
	for (; node; node = node->next) {
		xmlChar *mine = xmlGetProp(node, BAD_CAST "id");
		bool is_mine = mine && strcmp((char *)mine, id) == 0;
		xmlNode *inside;

		xmlFree(mine);
		if (is_mine)
			return node;
		inside = find_id(node->children, id);
		if (inside)
			return inside;
	}
	return NULL;
}

static xmlNode *child(xmlNode *node, const char *name)
{
	for (node = node->children; node; node = node->next)
		if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0)
			return node;
	return NULL;
}

static double number(xmlNode *node, const char *name)
{
	xmlChar *text = xmlGetProp(node, BAD_CAST name);
	double value = text ? strtod((char *)text, NULL) : -1;

	xmlFree(text);
	return value;
}

static void expect_title(xmlNode *group, const char *wanted)
{
	xmlChar *title = xmlNodeGetContent(child(group, "title"));

	cr_expect_str_eq((char *)title, wanted);
	xmlFree(title);
}

static xmlNode *group_at(xmlDoc *document, size_t index)
{
	xmlNode *frames = find_id(xmlDocGetRootElement(document), "frames");

	cr_assert(frames);
	for (xmlNode *node = frames->children; node; node = node->next)
		if (node->type == XML_ELEMENT_NODE && index-- == 0)
			return node;
	return NULL;
}

/* Every SVG embeds it. */
Test(svg, the_viewer_is_small_and_cannot_end_its_element)
{
	struct text script = assets_viewer_js();

	cr_expect_leq(script.length + assets_viewer_css().length, 68000);
	cr_expect_null(memmem(script.at, script.length, "]]>", 3));
	cr_expect_null(memmem(script.at, script.length, "</", 2));
	script = assets_viewer_lanes_js();
	cr_expect_leq(script.length + assets_viewer_css().length, 73000);
	cr_expect_null(memmem(script.at, script.length, "]]>", 3));
	cr_expect_null(memmem(script.at, script.length, "</", 2));
}

Test(svg, boxes)
{
	struct profile_maker maker;
	xmlDoc *document;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/bin/app");
	profile_maker_stack(&maker, "app;main|1;parse|1", 750);
	profile_maker_stack(&maker, "app;main|1", 250);
	profile_maker_build(&maker, NULL);
	document = draw(&maker.profile, NULL);
	expect_title(group_at(document, 0), "all (1,000 cycles, 100%)");
	expect_title(group_at(document, 1), "app (1,000 cycles, 100.00%)");
	expect_title(group_at(document, 2),
		     "main (1,000 cycles, 100.00%)\nself 250 cycles, 25.00%\nin /bin/app");
	expect_title(group_at(document, 3), "parse (750 cycles, 75.00%)\nin /bin/app");
	cr_expect_null(group_at(document, 4));
	cr_expect_eq(number(child(group_at(document, 0), "rect"), "width"), 1200 - 2 * 16);
	cr_expect_eq(number(child(group_at(document, 3), "rect"), "width"), 0.75 * (1200 - 2 * 16));
	/* The root is at the bottom. */
	cr_expect_gt(number(child(group_at(document, 0), "rect"), "y"),
		     number(child(group_at(document, 3), "rect"), "y"));
	xmlFreeDoc(document);
	profile_maker_deinit(&maker);
}

Test(svg, inverted)
{
	struct profile_maker maker;
	struct svg_options options;
	xmlDoc *document;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;main", 1);
	profile_maker_build(&maker, NULL);
	svg_options_init(&options);
	options.is_inverted = true;
	document = draw(&maker.profile, &options);
	cr_expect_lt(number(child(group_at(document, 0), "rect"), "y"),
		     number(child(group_at(document, 1), "rect"), "y"));
	xmlFreeDoc(document);
	profile_maker_deinit(&maker);
}

/*
 * The legend lists the hues in the SVG if there are several. It does not list hues of groups, or of
 * other palettes.
 */
Test(svg, legend)
{
	static const struct {
		enum frame_kind kinds[2];
		enum frame_activity activity;
		int palette;
		bool shows_waits;
		const char *words; /* NULL: there is none */
	} rows[] = {
		{ { FRAME_USER, FRAME_KERNEL },
		  FRAME_RUNS,
		  PALETTE_KILN,
		  false,
		  "user codekernel" },
		{ { FRAME_USER, FRAME_USER }, FRAME_RUNS, PALETTE_KILN, false, NULL },
		{ { FRAME_USER, FRAME_KERNEL }, FRAME_RUNS, PALETTE_HOT, false, NULL },
		{ { FRAME_USER, FRAME_KERNEL },
		  FRAME_WAITS,
		  PALETTE_KILN,
		  true,
		  "blocked: user code, kernel" },
		{ { FRAME_KERNEL, FRAME_PREEMPTED },
		  FRAME_RUNS,
		  PALETTE_KILN,
		  true,
		  "runningpreempted" },
		{ { FRAME_KERNEL, FRAME_RUN_QUEUE },
		  FRAME_SEVERAL,
		  PALETTE_KILN,
		  true,
		  "several of theserun queue" },
		{ { FRAME_GROUP, FRAME_MARK }, FRAME_RUNS, PALETTE_KILN, false, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct svg_options options;
		xmlDoc *document;
		xmlNode *legend;
		xmlChar *words;

		profile_maker_init(&maker);
		profile_maker_stack(&maker, "app;main;read", 1);
		profile_maker_build(&maker, NULL);
		maker.profile.shows_waits = rows[i].shows_waits;
		for (uint32_t row = 2; row < maker.profile.stacks.count; row++) {
			frame_id id = maker.profile.stacks.at[row].frame;

			maker.profile.frames.at[id.i].kind = rows[i].kinds[row - 2];
			maker.profile.frames.at[id.i].activity = rows[i].activity;
			maker.profile.frames.at[id.i].is_named = true;
		}
		svg_options_init(&options);
		options.colouring.palette = rows[i].palette;
		document = draw(&maker.profile, &options);
		legend = find_id(xmlDocGetRootElement(document), "legend");
		cr_assert_eq(legend != NULL, rows[i].words != NULL, "row %zu", i);
		words = legend ? xmlNodeGetContent(legend) : NULL;
		if (words)
			cr_expect_str_eq((char *)words, rows[i].words);
		xmlFree(words);
		xmlFreeDoc(document);
		profile_maker_deinit(&maker);
	}
}

/* Any name adds exactly one element to the document. */
Test(svg, hostile_names)
{
	static const char *const names[] = {
		"</title><script>alert(1)</script>",
		"a&b",
		"]]>",
		"\x1b]0:x\x07",
		"\xff\xfe",
		"\"onload=\"x",
		"--><!--",
		"\xef\xbf\xbf",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct profile_maker maker;
		struct svg_options options;
		char stack[200];
		xmlDoc *document;

		snprintf(stack, sizeof(stack), "%s;%s", names[i], names[i]);
		profile_maker_init(&maker);
		profile_maker_event(&maker, names[i], UNIT_EVENTS);
		profile_maker_stack(&maker, stack, 1);
		profile_maker_build(&maker, &(struct view){ .event_pattern = names[i],
							    .grouping = GROUPING_BY_COMM });
		maker.profile.partial_reason = names[i];
		svg_options_init(&options);
		options.title = options.subtitle = options.command = names[i];
		document = draw(&maker.profile, &options);
		cr_expect(group_at(document, 2), "%s", names[i]);
		cr_expect_null(group_at(document, 3), "%s", names[i]);
		xmlFreeDoc(document);
		profile_maker_deinit(&maker);
	}
}

Test(svg, what_is_missing_is_in_the_picture)
{
	struct profile_maker maker;
	struct sink sink;
	struct svg_options options;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app", 1);
	profile_maker_build(&maker, NULL);
	maker.profile.losses[LOSS_RECORDS] = 1234;
	maker.profile.partial_reason = "the last record is truncated";
	svg_options_init(&options);
	sink_init_memory(&sink);
	svg_write(&maker.profile, &options, &sink);
	sink_char(&sink, '\0');
	cr_expect(strstr(sink.buffer, "Incomplete: the last record is truncated; "
				      "1,234 records lost while recording (100%)"));
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

Test(svg, empty_profile_says_so)
{
	struct profile_maker maker;
	xmlDoc *document;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	document = draw(&maker.profile, NULL);
	cr_expect_null(group_at(document, 0));
	xmlFreeDoc(document);
	profile_maker_deinit(&maker);
}

/* A policy makes browsers refuse content that these files must never have. */
Test(svg, nothing_is_fetched_or_inlined)
{
	struct profile_maker maker;
	struct sink sink;
	struct svg_options options;
	const char *reference;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app", 1);
	profile_maker_build(&maker, NULL);
	svg_options_init(&options);
	sink_init_memory(&sink);
	svg_write(&maker.profile, &options, &sink);
	sink_char(&sink, '\0');
	cr_expect_null(strstr(sink.buffer, " onclick"));
	cr_expect_null(strstr(sink.buffer, " onload"));
	cr_expect_null(strstr(sink.buffer, "eval("));
	cr_expect_null(strstr(sink.buffer, "href"));
	cr_expect_null(strstr(sink.buffer, "@import"));
	cr_expect_null(strstr(sink.buffer, "https:"));
	for (reference = sink.buffer; (reference = strstr(reference, "http:")) != NULL; reference++)
		cr_expect(strncmp(reference, "http://www.w3.org/", 18) == 0, "%.40s", reference);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}
