/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "render/svg/palette.h"
#include "tests/support/profile_maker.h"

/* The plain palette that a colour belongs to: no two of these palettes have a colour in common. */
static enum palette hue_of(struct colour colour)
{
	static const struct {
		enum palette palette;
		struct colour least, most;
	} rows[] = {
		{ PALETTE_RED, { 200, 50, 50 }, { 255, 130, 130 } },
		{ PALETTE_GREEN, { 50, 200, 50 }, { 110, 255, 110 } },
		{ PALETTE_BLUE, { 80, 80, 205 }, { 140, 140, 255 } },
		{ PALETTE_AQUA, { 50, 165, 165 }, { 110, 220, 220 } },
		{ PALETTE_YELLOW, { 175, 175, 50 }, { 230, 230, 70 } },
		{ PALETTE_PURPLE, { 190, 80, 190 }, { 255, 140, 255 } },
		{ PALETTE_ORANGE, { 190, 90, 0 }, { 255, 155, 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (colour.red >= rows[i].least.red && colour.red <= rows[i].most.red &&
		    colour.green >= rows[i].least.green && colour.green <= rows[i].most.green &&
		    colour.blue >= rows[i].least.blue && colour.blue <= rows[i].most.blue)
			return rows[i].palette;
	return PALETTE_COUNT;
}

static struct colour colour_in(const struct colouring *colouring, const char *name,
			       enum frame_kind kind)
{
	struct profile_maker maker;
	struct frame frame = { .kind = kind, .is_named = true };
	struct colour colour;

	profile_maker_init(&maker);
	frame.name = strings_intern_text(maker.profile.strings, name);
	colour = palette_assign(colouring, &maker.profile, &frame);
	profile_maker_deinit(&maker);
	return colour;
}

/* The palettes that flamegraph.pl 41fee1f and inferno 0.12.8 use for these names. */
Test(palette, hues_follow_names_and_annotations)
{
	static const struct {
		enum palette palette;
		const char *name;
		enum frame_kind kind;
		enum palette perl, inferno;
	} rows[] = {
		{ PALETTE_WAKEUP, "anything", FRAME_USER, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_CHAIN, "read_[w]", FRAME_USER, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_CHAIN, "read", FRAME_USER, PALETTE_BLUE, PALETTE_BLUE },
		{ PALETTE_JAVA, "x_[j]", FRAME_JIT, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JAVA, "x_[i]", FRAME_INLINED, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_JAVA, "Lorg/a/B", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JAVA, "java/lang/String", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JAVA, "a:::b", FRAME_USER, PALETTE_GREEN, PALETTE_YELLOW },
		{ PALETTE_JAVA, "JVM::run", FRAME_USER, PALETTE_YELLOW, PALETTE_YELLOW },
		{ PALETTE_JAVA, "read_[k]", FRAME_KERNEL, PALETTE_ORANGE, PALETTE_ORANGE },
		{ PALETTE_JAVA, "a::b_[k]", FRAME_KERNEL, PALETTE_YELLOW, PALETTE_ORANGE },
		{ PALETTE_JAVA, "read", FRAME_USER, PALETTE_RED, PALETTE_RED },
		{ PALETTE_JS, "f /a.js_[j]", FRAME_JIT, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JS, "f_[j]", FRAME_JIT, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_JS, "v8::f", FRAME_USER, PALETTE_YELLOW, PALETTE_YELLOW },
		{ PALETTE_JS, "f /a/b.js:1", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JS, "f /node_modules/b", FRAME_USER, PALETTE_RED, PALETTE_PURPLE },
		{ PALETTE_JS, "Builtin:f", FRAME_USER, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_JS, " ", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_JS, "read_[k]", FRAME_KERNEL, PALETTE_ORANGE, PALETTE_ORANGE },
		{ PALETTE_JS, "read", FRAME_USER, PALETTE_RED, PALETTE_RED },
		{ PALETTE_PERL, "a::b", FRAME_USER, PALETTE_YELLOW, PALETTE_YELLOW },
		{ PALETTE_PERL, "Perl_run", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_PERL, "a.pl", FRAME_USER, PALETTE_GREEN, PALETTE_GREEN },
		{ PALETTE_PERL, "Perl_[k]", FRAME_KERNEL, PALETTE_GREEN, PALETTE_ORANGE },
		{ PALETTE_PERL, "read", FRAME_USER, PALETTE_RED, PALETTE_RED },
		{ PALETTE_PYTHON, "/usr/lib/python3.11/os.py", FRAME_USER, PALETTE_YELLOW,
		  PALETTE_YELLOW },
		{ PALETTE_PYTHON, "/usr/lib/python3/site-packages/x.py", FRAME_USER, PALETTE_AQUA,
		  PALETTE_AQUA },
		{ PALETTE_PYTHON, "<built-in len>", FRAME_USER, PALETTE_YELLOW, PALETTE_YELLOW },
		{ PALETTE_PYTHON, "/srv/pythonic/x.py", FRAME_USER, PALETTE_RED, PALETTE_RED },
		{ PALETTE_RUST, "core::fmt", FRAME_USER, PALETTE_ORANGE, PALETTE_ORANGE },
		{ PALETTE_RUST, "app`<std::x>", FRAME_USER, PALETTE_ORANGE, PALETTE_ORANGE },
		{ PALETTE_RUST, "core::GenFuture::poll", FRAME_USER, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_RUST, "mine::run", FRAME_USER, PALETTE_AQUA, PALETTE_AQUA },
		{ PALETTE_RUST, "main", FRAME_USER, PALETTE_YELLOW, PALETTE_YELLOW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int is_inferno = 0; is_inferno < 2; is_inferno++) {
			struct colouring colouring = {
				.palette = (int)rows[i].palette,
				.is_inferno = is_inferno,
			};
			enum palette hue =
				hue_of(colour_in(&colouring, rows[i].name, rows[i].kind));

			cr_expect_eq(hue, is_inferno ? rows[i].inferno : rows[i].perl,
				     "%s, %s, %d: %d", palette_names[rows[i].palette], rows[i].name,
				     is_inferno, (int)hue);
		}
}

Test(palette, separators_are_grey_in_all)
{
	for (int palette = 0; palette < PALETTE_COUNT; palette++) {
		struct colouring colouring = { .palette = palette };

		cr_expect_eq(colour_rgb(colour_in(&colouring, "--", FRAME_USER)), 0xa0a0a0);
		cr_expect_eq(colour_rgb(colour_in(&colouring, "-", FRAME_USER)), 0xc8c8c8);
	}
}

/* The values of flamegraph.pl 41fee1f for these names, with --hash. */
Test(palette, hash_is_that_of_flamegraph_pl)
{
	const struct colouring hot = { .palette = PALETTE_HOT, .source = COLOUR_BY_HASH };
	static const struct {
		const char *name;
		uint32_t first, last; /* billionths */
	} rows[] = {
		{ "genunix`kmem_cache_free", 466926340, 840410300 },
		{ "", 1000000000, 1000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct colour_values values =
			colour_values_of(COLOUR_BY_HASH, text_of(rows[i].name));

		cr_expect_float_eq(values.at[0], rows[i].first / 1e9, 1e-6, "%s", rows[i].name);
		cr_expect_eq(values.at[1], values.at[2]);
	}
	cr_expect_eq(colour_rgb(colour_in(&hot, "main", FRAME_USER)), 0xf7532e);
	cr_expect_eq(colour_rgb(colour_in(&hot, "foo", FRAME_USER)), 0xf7c72f);
}

/* Colours depend on the characters of a name. A name that is not UTF-8 has a colour, too. */
Test(palette, sources_take_any_bytes)
{
	struct colour_values one = colour_values_of(COLOUR_BY_NAME, text_of("\xc3\xa9"));
	struct colour_values other = colour_values_of(COLOUR_BY_NAME, text_of("\xff\xfe`\x80"));

	/* U+00E9 is 233, as the sum of "u" and "t" is. */
	cr_expect_eq(one.at[0], colour_values_of(COLOUR_BY_NAME, text_of("ut")).at[0]);
	cr_expect(other.at[0] >= 0 && other.at[0] < 1);
	for (int source = COLOUR_BY_NAME; source <= COLOUR_BY_CHANCE; source++)
		for (int i = 0; i < 3; i++)
			cr_expect(colour_values_of((enum colour_source)source, text_of("\xff`\xc3"))
					  .at[i] <= 1);
}

Test(palette, map_keeps_colours_and_learns_new_ones)
{
	static const char file[] = "a->rgb(1,2,3)\noperator->->rgb(4,5,6)\n->#0a0b0c\n";
	struct palette_map map;
	struct colouring colouring = { .palette = PALETTE_HOT, .map = &map };
	struct colour colour;
	struct sink sink;
	struct error err;

	palette_map_init(&map);
	cr_assert(palette_map_read(&map, text_of(file), &err));
	cr_expect_eq(colour_rgb(colour_in(&colouring, "a", FRAME_USER)), 0x010203);
	cr_expect_eq(colour_rgb(colour_in(&colouring, "operator->", FRAME_USER)), 0x040506);
	cr_expect(palette_map_find(&map, text_of(""), &colour));
	cr_expect_not(palette_map_find(&map, text_of("main"), &colour));
	colour_in(&colouring, "main", FRAME_USER);
	colour_in(&colouring, "--", FRAME_USER);
	sink_init_memory(&sink);
	palette_map_write(&map, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, "->rgb(10,11,12)\na->rgb(1,2,3)\nmain->rgb(243,179,42)\n"
				      "operator->->rgb(4,5,6)\n");
	cr_expect_not(palette_map_read(&map, text_of("b->rgb(1,2,3)\nx\n"), &err));
	cr_expect(strstr(err.text, "line 2"));
	cr_expect_not(palette_map_read(&map, text_of("x->rgb(1,2,300)\n"), &err));
	sink_deinit(&sink);
	palette_map_deinit(&map);
}

Test(palette, bare_names)
{
	static const struct {
		const char *name, *wanted;
	} rows[] = {
		{ "read_[k]", "read" },
		{ "f_[w]", "f" },
		{ "f_[i]_[j]", "f_[i]" },
		{ "f_[x]", "f_[x]" },
		{ "_[k]", "" },
		{ "[k]", "[k]" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect(text_is(palette_bare_name(text_of(rows[i].name)), rows[i].wanted), "%s",
			  rows[i].name);
}

Test(palette, colours_that_are_written)
{
	static const struct {
		const char *text;
		bool is_good;
		uint32_t wanted;
	} rows[] = {
		{ "#e600e6", true, 0xe600e6 },
		{ "#fA0", true, 0xffaa00 },
		{ "rgb(1,2,3)", true, 0x010203 },
		{ "#e600e", false, 0 },
		{ "#e600eg", false, 0 },
		{ "rgb(256,0,0)", false, 0 },
		{ "rgb(1,2,3)x", false, 0 },
		{ "red", false, 0 },
		{ "", false, 0 },
		{ "#fff;}", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct colour colour = { 0, 0, 0 };

		cr_expect_eq(colour_parse(text_of(rows[i].text), &colour), rows[i].is_good, "%s",
			     rows[i].text);
		cr_expect_eq(colour_rgb(colour), rows[i].wanted, "%s", rows[i].text);
	}
}
