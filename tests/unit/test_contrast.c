/* SPDX-License-Identifier: MIT */
/* Text has the contrast that WCAG 2.1 requires, 4.5 to 1, in every palette and both themes. */
#include <criterion/criterion.h>
#include <math.h>

#include "render/diff/delta_rows.h"
#include "render/svg/diff_colour.h"
#include "render/svg/svg_style.h"
#include "tests/support/profile_maker.h"

#define TEXT_LEAST  4.5
#define SHAPE_LEAST 3.0

static double channel(uint8_t value)
{
	double share = value / 255.0;

	return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double contrast(struct colour a, struct colour b)
{
	double shade[2] = {
		0.2126 * channel(a.red) + 0.7152 * channel(a.green) + 0.0722 * channel(a.blue),
		0.2126 * channel(b.red) + 0.7152 * channel(b.green) + 0.0722 * channel(b.blue),
	};

	return shade[0] > shade[1] ? (shade[0] + 0.05) / (shade[1] + 0.05)
				   : (shade[1] + 0.05) / (shade[0] + 0.05);
}

static void expect_label(struct colour colour, const char *what, const char *name)
{
	struct colour label = colour_wants_light_text(colour) ? (struct colour){ 255, 255, 255 }
							      : (struct colour){ 0, 0, 0 };

	cr_expect_geq(contrast(colour, label), TEXT_LEAST, "%s, %s: #%06x", what, name,
		      colour_rgb(colour));
}

Test(contrast, labels_in_every_palette_by_every_source)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	for (int i = 0; i < PALETTE_COUNT * 4 * 600; i++) {
		struct colouring colouring = {
			.palette = i % PALETTE_COUNT,
			.source = (enum colour_source)(i / PALETTE_COUNT % 4),
			.is_inferno = i % 5 == 0,
		};
		struct frame frame = {
			.kind = (enum frame_kind)(i / 7 % 6),
			.is_named = i % 11 != 0,
		};
		char name[32];

		snprintf(name, sizeof(name), "%c%d%s", 'a' + i % 26, i / 9,
			 i % 3   ? "::f"
			 : i % 2 ? "/x.js"
				 : "_[w]");
		frame.name = strings_intern_text(maker.profile.strings, name);
		expect_label(palette_colour(&colouring, &maker.profile, &frame),
			     palette_names[colouring.palette], name);
	}
	profile_maker_deinit(&maker);
}

Test(contrast, labels_on_every_hue)
{
	for (int hue = 0; hue < HUE_COUNT; hue++)
		expect_label(palette_hue_colour((enum palette_hue)hue), "hue", "");
}

Test(contrast, labels_on_differences)
{
	for (int palette = 0; palette < DIFF_PALETTE_COUNT; palette++)
		for (uint8_t i = 0; i < DIFF_COLOUR_COUNT; i++)
			expect_label(diff_colour((enum diff_palette)palette, i), "kiln diff", "");
	/* SVGs of two counts use all shades of red and blue. */
	for (unsigned shade = 0; shade < 256; shade++) {
		expect_label((struct colour){ 255, (uint8_t)shade, (uint8_t)shade }, "more", "");
		expect_label((struct colour){ (uint8_t)shade, (uint8_t)shade, 255 }, "less", "");
	}
}

/*
 * The colour of a style variable in a theme: the style defines the light theme first, then the dark
 * one.
 */
static struct colour variable(const char *style, const char *name, bool is_dark)
{
	struct colour colour = { 0, 0, 0 };
	char wanted[32];
	const char *at;
	uint32_t length;

	snprintf(wanted, sizeof(wanted), "--%s:", name);
	at = strstr(style, wanted);
	if (at && is_dark)
		at = strstr(at + 1, wanted);
	cr_assert(at, "no %s", wanted);
	at += strlen(wanted);
	at += *at == ' ';
	length = (uint32_t)strcspn(at, ";}");
	cr_assert(colour_parse((struct text){ at, length }, &colour), "%.20s", at);
	return colour;
}

static void expect_readable(const char *style, bool is_dark, const char *what)
{
	static const struct {
		const char *front, *back;
		double least;
	} rows[] = {
		{ "ink", "page", TEXT_LEAST },  { "quiet", "page", TEXT_LEAST },
		{ "warn", "page", TEXT_LEAST }, { "ink", "button", TEXT_LEAST },
		{ "ink", "faded", TEXT_LEAST }, { "focus", "page", SHAPE_LEAST },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double got = contrast(variable(style, rows[i].front, is_dark),
				      variable(style, rows[i].back, is_dark));

		cr_expect_geq(got, rows[i].least, "%s, %s: %s on %s is %.2f", what,
			      is_dark ? "dark" : "light", rows[i].front, rows[i].back, got);
	}
}

/* Labels on frames that match a search are black. */
Test(contrast, both_themes)
{
	const struct colour black = { 0, 0, 0 };
	struct svg_options options;
	struct sink sink;

	svg_options_init(&options);
	sink_init_memory(&sink);
	svg_style_write(&options, &sink);
	sink_char(&sink, '\0');
	for (int is_dark = 0; is_dark < 2; is_dark++) {
		expect_readable(sink.buffer, is_dark, "white or black");
		cr_expect_geq(contrast(variable(sink.buffer, "hit", is_dark), black), TEXT_LEAST);
	}
	sink_deinit(&sink);
}

/* The palest frames stand out from a white page. */
#define BOX_LEAST 1.6

Test(contrast, boxes_on_the_page)
{
	const struct colour white = { 255, 255, 255 };

	for (int hue = 0; hue < HUE_COUNT; hue++) {
		struct colour palest = palette_hue_palest((enum palette_hue)hue);

		cr_expect_geq(contrast(white, palest), BOX_LEAST, "hue %d: #%06x", hue,
			      colour_rgb(palest));
	}
	for (uint8_t i = 0; i < DIFF_COLOUR_COUNT; i++)
		cr_expect_geq(contrast(white, diff_colour(DIFF_PALETTE_KILN, i)), BOX_LEAST,
			      "kiln diff, %d", i);
}

/* A chosen background is the same in light and dark mode; text on it is readable in both. */
Test(contrast, backgrounds)
{
	static const char *const names[] = { "yellow",  "blue",    "green",   "grey",
					     "#ffffff", "#000000", "#112233", "#aabbcc" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct svg_options options;
		struct colour colours[2];
		struct sink sink;
		char *own;

		svg_options_init(&options);
		options.background = names[i];
		sink_init_memory(&sink);
		svg_style_write(&options, &sink);
		sink_char(&sink, '\0');
		/* Uses the last of these rules, since the earlier ones are for the dark theme and
		 * for forced colours. */
		own = NULL;
		for (char *at = sink.buffer; (at = strstr(at, "\n.kiln{--page")); at++)
			own = at;
		cr_assert(own);
		expect_readable(own, false, names[i]);
		/* The title is on the upper end of the gradient. */
		cr_assert(svg_style_background(names[i], colours));
		cr_expect_geq(contrast(variable(own, "ink", false), colours[0]), TEXT_LEAST);
		cr_expect_geq(contrast(variable(own, "quiet", false), colours[0]), TEXT_LEAST);
		sink_deinit(&sink);
	}
}
