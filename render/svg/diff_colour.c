/* SPDX-License-Identifier: MIT */
#include "render/svg/diff_colour.h"

#include <math.h>

#include "diff/diff_verdict.h"
#include "profile/distribution.h"
#include "render/diff/captures_text.h"
#include "render/escape.h"
#include "render/svg/svg_legend.h"

static const uint32_t palettes[][DIFF_COLOUR_COUNT] = {
	[DIFF_PALETTE_KILN] = { 0x0f766e, 0x2b6cb0, 0x5a9bd0, 0x93c3e6, 0xaed0ec, 0xc8cbd1,
				0xf5c0a8, 0xf4a988, 0xe5735c, 0xc5303c, 0xa84ac2 },
	[DIFF_PALETTE_SAFE] = { 0x4d4d4d, 0x08519c, 0x3182bd, 0x6baed6, 0xb0d0e4, 0xc8cbd1,
				0xf2c394, 0xfdae6b, 0xf16913, 0xa63603, 0xf0e442 },
};

/* The percentage points that a change must reach for each further shade. */
static const double steps[] = { 0.5, 2, 5 };

uint8_t diff_colour_index(const struct diff *diff, const struct diff_measure *total,
			  const struct diff_measure *measure)
{
	double points = diff_points(diff, measure);
	int shade = 1;

	if (diff->is_graded ? !diff_verdict_is_change(measure->verdict) : fabs(points) < steps[0])
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

/*
 * For frames that are gone, lines fall to the right; for new frames, they rise. Lines are dark, so
 * that light labels stay legible.
 */
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

/* "gone (v1.data)" */
static void write_side(const struct diff *diff, const char *text, enum diff_side side,
		       struct svg_legend *legend)
{
	struct sink words;

	sink_init_memory(&words);
	sink_puts(&words, " (");
	captures_text_label(diff, side, sink_text, &words);
	sink_puts(&words, ")");
	sink_char(&words, '\0');
	svg_legend_text(legend, text, sink_memory(&words).at);
	sink_deinit(&words);
}

void diff_colour_write_legend(const struct diff *diff, enum diff_palette palette, uint32_t y,
			      struct sink *sink)
{
	static const struct {
		uint8_t first, count;
		const char *text;
	} groups[] = {
		{ DIFF_COLOUR_GONE, 1, "gone" },
		{ 1, 4, "less, by over 5, 2, 0.5, 0 points" },
		{ DIFF_COLOUR_SAME, 1, "no significant change" },
		{ 6, 4, "more, by over 0, 0.5, 2, 5 points" },
		{ DIFF_COLOUR_NEW, 1, "new" },
	};
	struct svg_legend legend = svg_legend_open(SVG_THEME.margin, y, sink);

	write_hatching(palette, DIFF_COLOUR_GONE, sink);
	write_hatching(palette, DIFF_COLOUR_NEW, sink);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		for (uint8_t k = 0; k < groups[i].count; k++)
			write_swatch(palette, groups[i].first + k, &legend);
		if (groups[i].first == DIFF_COLOUR_GONE || groups[i].first == DIFF_COLOUR_NEW)
			write_side(diff, groups[i].text,
				   groups[i].first == DIFF_COLOUR_GONE ? DIFF_BEFORE : DIFF_AFTER,
				   &legend);
		else
			svg_legend_text(&legend,
					!diff->is_graded && groups[i].first == DIFF_COLOUR_SAME
						? "below 0.5 points (not graded)"
						: groups[i].text,
					NULL);
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

/*
 * Writes the direction of a function's change, and by how much one of its rows must change to count
 * as changed, in standard deviations of independent samples.
 */
static void write_judged(const struct diff *diff, const struct diff_measure *measure,
			 const struct diff_estimate *estimate, struct sink *sink)
{
	const struct overdispersion *over = &estimate->overdispersion;
	int direction = measure->verdict == DIFF_MORE ? 1 : measure->verdict == DIFF_LESS ? -1 : 0;
	double least = direction ? distribution_student_quantile(1 - diff->options.confidence,
								 over->freedom) *
					   sqrt(over->factor)
				 : 0;

	sink_printf(sink, ",%d,%.4g", direction, least);
}

static void write_changed(const struct diff *diff, const diff_functions *functions,
			  const char **separator, struct sink *sink)
{
	for (size_t i = 0; i < functions->count; i++) {
		const struct diff_function *function = &functions->at[i];

		if (!diff_verdict_is_change(function->self.verdict) &&
		    !diff_verdict_is_change(function->total.verdict))
			continue;
		sink_printf(sink, "%s\"", *separator);
		escape_json(sink,
			    profile_frame_name(&diff->profile, (frame_id){ function->frame }));
		sink_char(sink, '"');
		write_judged(diff, &function->self, &function->self_estimate, sink);
		write_judged(diff, &function->total, &function->total_estimate, sink);
		*separator = ",";
	}
}

void diff_colour_write_judged(const struct diff *diff, struct sink *sink)
{
	const char *separator = "";

	sink_printf(sink, "\"graded\":%d,\"judged\":[", diff->is_graded);
	write_changed(diff, &diff->functions, &separator, sink);
	write_changed(diff, &diff->groups, &separator, sink);
	sink_puts(sink, "],");
}
