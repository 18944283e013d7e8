/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "render/svg/palette.h"
#include "tests/support/profile_maker.h"

/* The values of flamegraph.pl 41fee1f for these names. */
Test(colour, values_are_those_of_flamegraph_pl)
{
	cr_expect_float_eq(colour_values_of(COLOUR_BY_NAME, text_of("main")).at[0], 0.778599984319,
			   1e-12);
	cr_expect_float_eq(colour_values_of(COLOUR_BY_NAME, text_of("a")).at[0], 0.638651976668,
			   1e-12);
}

Test(colour, hot_is_that_of_flamegraph_pl)
{
	static const struct {
		const char *name;
		struct colour wanted;
	} rows[] = {
		{ "a", { 236, 146, 35 } },
		{ "b", { 230, 117, 28 } },
		{ "foo", { 220, 71, 17 } },
		{ "main", { 243, 179, 42 } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct frame frame = { .kind = FRAME_USER, .is_named = true };
		struct colour got;

		profile_maker_init(&maker);
		frame.name = strings_intern_text(maker.profile.strings, rows[i].name);
		got = palette_colour(&(struct colouring){ .palette = PALETTE_HOT }, &maker.profile,
				     &frame);
		cr_expect(memcmp(&got, &rows[i].wanted, sizeof(got)) == 0, "%s: %d,%d,%d",
			  rows[i].name, got.red, got.green, got.blue);
		profile_maker_deinit(&maker);
	}
}

/*
 * The linear value of a channel, as WCAG 2.1 defines it: with the linear segment that kiln's
 * estimate omits.
 */
static double channel(uint8_t value)
{
	double share = value / 255.0;

	return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double contrast_of_label(struct colour colour)
{
	double luminance = 0.2126 * channel(colour.red) + 0.7152 * channel(colour.green) +
			   0.0722 * channel(colour.blue);

	return colour_wants_light_text(colour) ? 1.05 / (luminance + 0.05)
					       : (luminance + 0.05) / 0.05;
}

Test(colour, labels_can_be_read_on_every_colour)
{
	for (int p = 0; p < PALETTE_COUNT; p++) {
		struct profile_maker maker;

		cr_assert(palette_names[p], "%d", p);
		profile_maker_init(&maker);
		for (int i = 0; i < 6 * 200; i++) {
			struct frame frame = {
				.kind = (enum frame_kind)(i % 6),
				.is_named = i % 7 != 0,
			};
			char name[32];
			double contrast;

			snprintf(name, sizeof(name), "f%d::/%c", i, 'a' + i % 26);
			frame.name = strings_intern_text(maker.profile.strings, name);
			contrast = contrast_of_label(palette_colour(
				&(struct colouring){ .palette = p }, &maker.profile, &frame));
			cr_expect_geq(contrast, 4.5, "%s, %s: %f", palette_names[p], name,
				      contrast);
		}
		profile_maker_deinit(&maker);
	}
}
