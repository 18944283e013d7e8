/* SPDX-License-Identifier: MIT */
/* Outputs of a comparison: render/diff/diff_json.c, diff_table.c and diff_svg.c. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/attributes.h"
#include "render/svg/diff_colour.h"
#include "render/diff/diff_output.h"
#include "render/svg/diff_svg.h"
#include "tests/support/diff_maker.h"

static const char *const before[] = {
	"app;main;same 500",
	"app;main;same;rare 3",
	"app;main;less 300",
	"app;main;gone<a&b> 200",
	NULL,
};
static const char *const after[] = {
	"app;main;same 1000",
	"app;main;less 200",
	"app;main;more 400",
	"app;new 404",
	"app 2",
	NULL,
};

static json_t *write_json(uint64_t limit)
{
	struct diff diff;
	struct sink sink;
	json_t *json;

	diff_maker_compare(&diff, &diff_maker_defaults, before, after);
	sink_init_memory(&sink);
	diff_json_write(&diff, limit, &sink);
	json = json_loadb(sink.buffer, sink.used, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(json);
	sink_deinit(&sink);
	diff_deinit(&diff);
	return json;
}

Test(diff_output, json_has_what_it_promises_and_no_more)
{
	static const char *const keys[] = {
		"name",    "self_before", "self_after", "total_before", "total_after", "change",
		"p_value", "significant", "verdict",    "verdict_of",   "self",        "total",
	};
	json_t *json = write_json(0);
	json_t *functions = json_object_get(json, "functions");
	const json_t *side = json_object_get(json, "before");

	cr_expect_eq(json_object_size(json), 12);
	cr_expect(json_object_get(json, "capture_differences"));
	cr_expect_float_eq(json_number_value(json_object_get(json, "assumed_spread")), 3, 1e-9);
	cr_expect(json_object_get(json, "shift_percent"));
	cr_expect(json_object_get(json, "alignment"));
	cr_expect_eq(json_array_size(functions), 7);
	for (size_t i = 0; i < json_array_size(functions); i++) {
		const json_t *row = json_array_get(functions, i);

		cr_expect_eq(json_object_size(row), ARRAY_SIZE(keys));
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			cr_expect(json_object_get(row, keys[k]), "%s", keys[k]);
	}
	cr_expect_eq(json_integer_value(json_object_get(side, "total")), 1003);
	cr_expect_eq(json_integer_value(json_object_get(side, "normalised_total")), 2006);
	side = json_object_get(json, "after");
	cr_expect_eq(json_integer_value(json_object_get(side, "total")), 2006);
	json_decref(json);
}

Test(diff_output, json_is_of_the_most_important_first)
{
	json_t *json = write_json(1);
	const json_t *functions = json_object_get(json, "functions");
	const json_t *first = json_array_get(functions, 0);

	cr_expect_eq(json_array_size(functions), 1);
	cr_expect_str_eq(json_string_value(json_object_get(first, "name")), "new");
	cr_expect_eq(json_integer_value(json_object_get(first, "self_before")), 0);
	cr_expect_eq(json_integer_value(json_object_get(first, "total_after")), 404);
	cr_expect_float_eq(json_real_value(json_object_get(first, "change")), 40400 / 2006.0, 1e-4);
	cr_expect(json_is_true(json_object_get(first, "significant")));
	json_decref(json);
}

Test(diff_output, names_do_not_break_out_of_markdown)
{
	static const char *const odd[] = { "app;a`c 90", NULL };
	static const char *const other[] = { "app;main 90", NULL };
	struct diff diff;
	struct sink sink;

	diff_maker_compare(&diff, &diff_maker_defaults, odd, other);
	sink_init_memory(&sink);
	diff_markdown_write(&diff, 0, &sink);
	sink_char(&sink, '\0');
	cr_expect(strstr(sink.buffer, "| `a'c` |"), "%s", sink.buffer);
	sink_deinit(&sink);
	diff_deinit(&diff);
}

static xmlDoc *draw(const struct diff_svg_options *options)
{
	struct diff diff;
	struct sink sink;
	xmlDoc *document;

	diff_maker_compare(&diff, &diff_maker_defaults, before, after);
	sink_init_memory(&sink);
	diff_svg_write(&diff, options, &sink);
	document = xmlReadMemory(sink.buffer, (int)sink.used, "test.svg", NULL, XML_PARSE_NONET);
	cr_assert(document, "the picture is no XML");
	sink_deinit(&sink);
	diff_deinit(&diff);
	return document;
}

static xmlNode *find_id(xmlNode *node, const char *id)
{
	for (; node; node = node->next) {
		xmlChar *mine = xmlGetProp(node, BAD_CAST "id");
		bool is_it = mine && strcmp((char *)mine, id) == 0;
		xmlNode *inside;

		xmlFree(mine);
		if (is_it)
			return node;
		inside = find_id(node->children, id);
		if (inside)
			return inside;
	}
	return NULL;
}

#define COLOUR_SIZE sizeof("url(#hatch-gone)")

/* The colour of an element, or of its nearest ancestor that has one. */
static void colour_of(xmlNode *node, char colour[COLOUR_SIZE])
{
	xmlChar *fill = NULL;

	for (; node && !fill; node = node->parent)
		fill = xmlGetProp(node, BAD_CAST "fill");
	snprintf(colour, COLOUR_SIZE, "%s", fill ? (char *)fill : "");
	xmlFree(fill);
}

/* The first frame below node with this prefix: its colour, and its width in pixels. */
static double box_below(xmlNode *node, const char *begin, char colour[COLOUR_SIZE])
{
	double width = -1;

	for (node = node->children; node && width < 0; node = node->next) {
		xmlChar *text = xmlGetProp(node, BAD_CAST "width");
		xmlNode *title = xmlPreviousElementSibling(node);
		xmlChar *own = text && title ? xmlNodeGetContent(title) : NULL;

		if (own && strncmp((char *)own, begin, strlen(begin)) == 0) {
			colour_of(node, colour);
			width = strtod((char *)text, NULL);
		} else {
			width = box_below(node, begin, colour);
		}
		xmlFree(own);
		xmlFree(text);
	}
	return width;
}

static double box(xmlDoc *document, const char *begin, char colour[COLOUR_SIZE])
{
	return box_below(find_id(xmlDocGetRootElement(document), "frames"), begin, colour);
}

static struct diff_svg_options options_of(enum diff_width width_by)
{
	struct diff_svg_options options = { .width_by = width_by };

	svg_options_init(&options.svg);
	options.svg.is_embedded_uncompressed = true;
	options.svg.width = 1032;
	return options;
}

Test(diff_output, boxes_have_the_colour_of_their_change)
{
	static const struct {
		const char *begin, *colour;
	} rows[] = {
		{ "all (", "#c8cbd1" },
		{ "same (1,000 cycles, 49.85%; -0.30%)", "#c8cbd1" },
		{ "rare (0 cycles", "#c8cbd1" },
		{ "less (", "#2b6cb0" },
		{ "gone<a&b> (0 cycles, 0.00%; -19.94%)", "url(#hatch-gone)" },
		{ "more (", "url(#hatch-new)" },
		{ "new (404 cycles, 20.14%; +20.14%)", "url(#hatch-new)" },
	};
	struct diff_svg_options options = options_of(DIFF_WIDTH_LARGER);
	xmlDoc *document = draw(&options);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char colour[COLOUR_SIZE] = "";

		cr_expect_geq(box(document, rows[i].begin, colour), 0, "no %s", rows[i].begin);
		cr_expect_str_eq(colour, rows[i].colour, "%s is %s", rows[i].begin, colour);
	}
	cr_expect(find_id(xmlDocGetRootElement(document), "legend"));
	cr_expect(find_id(xmlDocGetRootElement(document), "hatch-gone"));
	cr_expect(find_id(xmlDocGetRootElement(document), "hatch-new"));
	xmlFreeDoc(document);
}

/* The width of a frame is the larger of both sides, so it shows the share of neither. */
Test(diff_output, the_description_has_the_shares_of_each_side)
{
	struct diff_svg_options options = options_of(DIFF_WIDTH_LARGER);
	xmlDoc *document = draw(&options);
	xmlNode *about = find_id(xmlDocGetRootElement(document), "about");
	xmlChar *text;

	cr_assert(about);
	text = xmlNodeGetContent(about);
	cr_expect(strstr((const char *)text,
			 " Hottest functions, before and after: same 49.85% and 49.85%; "
			 "less 29.91% and 9.97%; new 0.00% and 20.14%; "
			 "gone<a&b> 19.94% and 0.00%; more 0.00% and 19.94%; "
			 "rare 0.30% and 0.00%."),
		  "%s", (const char *)text);
	xmlFree(text);
	xmlFreeDoc(document);
}

/*
 * With the widths of after, "new" takes 404/2006 of 1000 pixels; with the widths of before, it is
 * absent.
 */
Test(diff_output, boxes_are_as_wide_as_the_side_that_was_chosen)
{
	static const struct {
		enum diff_width by;
		double gone, appeared;
	} rows[] = {
		{ DIFF_WIDTH_AFTER, -1, 201.4 },
		{ DIFF_WIDTH_BEFORE, 199.4, -1 },
		/* The larger of both sides: same 1000, rare 6, less 600, gone 400, more 400, new
		 * 404, app 2. */
		{ DIFF_WIDTH_LARGER, 142.2, 143.7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_svg_options options = options_of(rows[i].by);
		xmlDoc *document = draw(&options);
		char colour[COLOUR_SIZE];

		cr_expect_float_eq(box(document, "gone<", colour), rows[i].gone, 0.11, "%zu", i);
		cr_expect_float_eq(box(document, "new (", colour), rows[i].appeared, 0.11, "%zu",
				   i);
		xmlFreeDoc(document);
	}
}

/* The viewer adds up the frames of a function, but has only their sample counts. So the SVG
 * contains a list of changed functions, and the viewer marks no others. */
Test(diff_output, the_viewer_calls_no_change_what_is_none_between_runs)
{
	static const char *const runs[DIFF_SIDES][3][4] = {
		{ { "a;f 200", "a;g 800", "a;h 100" },
		  { "a;f 600", "a;g 400", "a;h 100" },
		  { "a;f 400", "a;g 600", "a;h 100" } },
		{ { "a;f 300", "a;g 700", "a;h 900" },
		  { "a;f 500", "a;g 300", "a;h 905" },
		  { "a;f 600", "a;g 500", "a;h 910" } },
	};
	struct diff_options options = diff_maker_defaults;
	struct sink sink;
	struct diff diff;
	struct error err;
	json_t *all;
	json_t *judged;

	options.run_count = 6;
	options.normalising.by = DIFF_BY_NOTHING;
	diff_init(&diff, &options);
	for (int i = 0; i < 6; i++)
		diff_maker_add(&diff, runs[i / 3][i % 3], (enum diff_side)(i / 3));
	cr_assert(compare_finish(&diff, &err));
	cr_assert_not(diff_verdict_is_change(diff_maker_find(&diff, "g")->verdict));
	cr_assert_eq(diff_maker_find(&diff, "h")->verdict, DIFF_MORE);
	sink_init_memory(&sink);
	sink_puts(&sink, "{");
	diff_colour_write_judged(&diff, &sink);
	sink_printf(&sink, "\"end\":0}%c", '\0');
	all = json_loads(sink_memory(&sink).at, 0, NULL);
	judged = json_object_get(all, "judged");
	cr_expect_eq(json_integer_value(json_object_get(all, "graded")), 1);
	cr_assert_eq(json_array_size(judged), 5);
	cr_expect_str_eq(json_string_value(json_array_get(judged, 0)), "h");
	cr_expect_eq(json_integer_value(json_array_get(judged, 3)), 1);
	cr_expect_gt(json_number_value(json_array_get(judged, 4)), 2);
	json_decref(all);
	sink_deinit(&sink);
	diff_deinit(&diff);
}

/* Rows left out for lack of room are still counted. */
Test(diff_output, the_viewer_gets_both_sides)
{
	static const uint64_t limits[] = { 100000, 1400 };
	size_t row_count = SIZE_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct diff_svg_options options = options_of(DIFF_WIDTH_AFTER);
		json_int_t sums[2] = { 0 };
		xmlDoc *document;
		xmlChar *text;
		json_t *json;
		const json_t *rows, *self, *earlier;

		options.svg.embed_limit_bytes = limits[i];
		document = draw(&options);
		text = xmlNodeGetContent(find_id(xmlDocGetRootElement(document), "profile"));
		json = json_loads((char *)text, 0, NULL);
		cr_expect(json_object_get(json_object_get(json_object_get(json, "diff"), "hatched"),
					  "#0f766e"));
		rows = json_object_get(json, "rows");
		self = json_object_get(rows, "self");
		earlier = json_object_get(rows, "before");
		cr_assert_gt(json_array_size(self), 0);
		cr_expect_lt(json_array_size(self), row_count);
		row_count = json_array_size(self);
		cr_assert_eq(json_array_size(self), json_array_size(earlier));
		for (size_t k = 0; k < json_array_size(self); k++) {
			sums[1] += json_integer_value(json_array_get(self, k));
			sums[0] += json_integer_value(json_array_get(earlier, k));
		}
		cr_expect_eq(sums[0], 1003, "%d", (int)sums[0]);
		cr_expect_eq(sums[1], 2006, "%d", (int)sums[1]);
		json_decref(json);
		xmlFree(text);
		xmlFreeDoc(document);
	}
}
