/* SPDX-License-Identifier: MIT */
#include "render/diff_colour.h"

#include <math.h>

#include "profile/diff_test.h"
#include "render/escape.h"
#include "render/svg_legend.h"

static const uint32_t palettes[][DIFF_COLOUR_COUNT] = {
	[DIFF_PALETTE_KILN] = { 0x0f766e, 0x2b6cb0, 0x5a9bd0, 0x93c3e6, 0xc8e0f4, 0xe0e2e6,
				0xfbd9c9, 0xf4a988, 0xe5735c, 0xc5303c, 0xa84ac2 },
	[DIFF_PALETTE_SAFE] = { 0x4d4d4d, 0x08519c, 0x3182bd, 0x6baed6, 0xbdd7e7, 0xe0e2e6,
				0xfee6ce, 0xfdae6b, 0xf16913, 0xa63603, 0xf0e442 },
};

/* Percent points a change must reach for the next shade. */
static const double steps[] = { 0.5, 2, 5 };

uint8_t diff_colour_index(const struct diff *diff, const struct diff_measure *total,
			  const struct diff_measure *measure)
{
	double points = diff_points(diff, measure);
	int shade = 1;

	if (!measure->is_significant)
		return DIFF_COLOUR_SAME;
	if (!total->weight[DIFF_BEFORE] || !total->weight[DIFF_AFTER])
		return total->weight[DIFF_BEFORE] ? DIFF_COLOUR_GONE : DIFF_COLOUR_NEW;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		shade += fabs(points) >= steps[i];
	return (uint8_t)(DIFF_COLOUR_SAME + (points > 0 ? shade : -shade));
}

struct colour diff_colour(enum diff_palette palette, uint8_t index)
{
	uint32_t rgb = palettes[palette][index];

	return (struct colour){ (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb };
}

const char *diff_colour_hatching(uint8_t index)
{
	return index == DIFF_COLOUR_GONE  ? "hatch-gone"
	       : index == DIFF_COLOUR_NEW ? "hatch-new"
					  : NULL;
}

/* What is gone falls to the right, what is new rises. Dark lines leave light labels legible. */
static void write_hatching(enum diff_palette palette, uint8_t index, struct sink *sink)
{
	sink_printf(sink,
		    "<pattern id=\"%s\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
		    "patternTransform=\"rotate(%d)\"><path fill=\"#%06x\" d=\"M0 0h7v7h-7z\"/>"
		    "<path fill-opacity=\"0.3\" d=\"M0 0h7v2.5h-7z\"/></pattern>",
		    diff_colour_hatching(index), index == DIFF_COLOUR_GONE ? 45 : -45,
		    palettes[palette][index]);
}

static void write_swatch(enum diff_palette palette, uint8_t index, struct svg_legend *legend)
{
	const char *hatching = diff_colour_hatching(index);
	char fill[32];

	if (hatching)
		snprintf(fill, sizeof(fill), "url(#%s)", hatching);
	else
		snprintf(fill, sizeof(fill), "#%06x", palettes[palette][index]);
	svg_legend_swatch(legend, fill);
}

void diff_colour_write_legend(enum diff_palette palette, uint32_t y, struct sink *sink)
{
	static const struct {
		uint8_t first, count;
		const char *text;
	} groups[] = {
		{ DIFF_COLOUR_GONE, 1, "gone" },
		{ 1, 4, "less, by over 5, 2, 0.5, 0 points" },
		{ DIFF_COLOUR_SAME, 1, "may be noise" },
		{ 6, 4, "more, by over 0, 0.5, 2, 5 points" },
		{ DIFF_COLOUR_NEW, 1, "new" },
	};
	struct svg_legend legend = svg_legend_open(SVG_LOOK.margin, y, sink);

	write_hatching(palette, DIFF_COLOUR_GONE, sink);
	write_hatching(palette, DIFF_COLOUR_NEW, sink);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		for (uint8_t k = 0; k < groups[i].count; k++)
			write_swatch(palette, groups[i].first + k, &legend);
		svg_legend_text(&legend, groups[i].text);
	}
	svg_legend_close(&legend);
}

void diff_colour_write_json(enum diff_palette palette, struct sink *sink)
{
	sink_puts(sink, "\"colours\":[");
	for (size_t i = 0; i < DIFF_COLOUR_COUNT; i++)
		sink_printf(sink, "%s\"#%06x\"", i ? "," : "", palettes[palette][i]);
	sink_puts(sink, "],\"hatched\":{");
	for (uint8_t i = 0; i < DIFF_COLOUR_COUNT; i++)
		if (diff_colour_hatching(i))
			sink_printf(sink, "%s\"#%06x\":\"url(#%s)\"", i ? "," : "",
				    palettes[palette][i], diff_colour_hatching(i));
	sink_puts(sink, "},\"steps\":[");
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		sink_printf(sink, "%s%g", i ? "," : "", steps[i]);
	sink_char(sink, ']');
}

/* Of what is never in colour. */
#define NEVER 1e9
/* More degrees of freedom are as many as these. */
#define FREEDOM_MAX 100

/* The deviations at which a p value is what is wanted, by degrees of freedom; 0: by none. */
struct least {
	double z[FREEDOM_MAX + 1];
};

static double least_z(double wanted, double freedom)
{
	double low = 0;
	double high = 40;

	/* The tails fall as z grows; halving forty thirty times leaves nothing that is written. */
	for (int i = 0; i < 30; i++) {
		double middle = (low + high) / 2;

		if (diff_test_by_freedom(erfc(middle / sqrt(2)), freedom) > wanted)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The functions are many, and whole degrees of freedom few. */
static double least_of(struct least *least, double wanted, const struct diff_dispersion *dispersion)
{
	struct diff_test_noise noise = diff_test_noise_of(dispersion->value, dispersion->freedom);
	size_t freedom = (size_t)fmin(floor(noise.freedom), FREEDOM_MAX);

	if (!(least->z[freedom] > 0))
		least->z[freedom] = least_z(wanted, (double)freedom);
	return least->z[freedom] * sqrt(noise.factor);
}

/* Of several runs the viewer does not know how they differ: what is no change of the function as a
 * whole is none of a part of it. */
static double least_of_function(struct least *least, double wanted, const struct diff *diff,
				const struct diff_function *function)
{
	double self = least_of(least, wanted, &function->self.dispersion);
	double total = least_of(least, wanted, &function->total.dispersion);

	if (diff_has_runs(diff) && !function->self.is_significant &&
	    !function->total.is_significant)
		return NEVER;
	return fmax(self, total);
}

void diff_colour_write_least(const struct diff *diff, struct sink *sink)
{
	double count = diff->functions.count ? (double)diff->functions.count : 1;
	double wanted = (1 - diff->options.confidence) / count;
	struct diff_dispersion even = { 1, (float)diff->freedom };
	struct least least = { 0 };
	double usual = diff_has_runs(diff) ? NEVER : least_of(&least, wanted, &even);
	const char *separator = "";

	sink_printf(sink, "\"z\":%.4g,\"least\":[", usual);
	for (size_t i = 0; i < diff->functions.count; i++) {
		const struct diff_function *function = &diff->functions.at[i];
		double own = least_of_function(&least, wanted, diff, function);

		if (own == usual)
			continue;
		sink_printf(sink, "%s\"", separator);
		escape_json(sink,
			    profile_frame_name(&diff->profile, (frame_id){ function->frame }));
		sink_printf(sink, "\",%.4g", own);
		separator = ",";
	}
	sink_puts(sink, "],");
}
