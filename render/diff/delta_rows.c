/* SPDX-License-Identifier: MIT */
#include "render/diff/delta_rows.h"

#include <math.h>

#include "base/arithmetic.h"

/*
 * Colour indexes for the viewer. "No change" has the same index as in SVGs from kiln diff. The
 * shades for more and for less follow, the strongest first.
 */
#define COLOUR_SAME  5
#define COLOUR_MORE  6
#define SHADES       256
#define COLOUR_LESS  (COLOUR_MORE + SHADES)
#define COLOUR_COUNT (COLOUR_LESS + SHADES)
/* The colour is not in the list, so the palette's colour is used. */
#define COLOUR_NONE UINT16_MAX

/* The scale of inferno's --colordiffusion. */
#define DIFFUSION 2000

/*
 * Returns the value of the two weaker colour components. The value is smallest for the largest
 * change.
 */
static uint8_t shade_of(const struct delta_rows *rows, double value, double largest)
{
	double share = (largest - fabs(value)) / largest;

	if (rows->scale == DELTA_SCALE_INFERNO || rows->scale == DELTA_SCALE_WIDTH)
		return (uint8_t)(100 + (int)(150 * share));
	return (uint8_t)(210 * share);
}

/* Separators have the same colour in all palettes. */
static bool is_separator(const struct delta_rows *rows, uint32_t row)
{
	const struct profile *profile = rows->profile;
	struct text name;

	if (!row)
		return false;
	name = profile_frame_name(profile, profile->stacks.at[row].frame);
	return text_is(name, "-") || text_is(name, "--");
}

static uint16_t colour_index(const struct delta_rows *rows, uint32_t row)
{
	double value = (double)rows->deltas[row].value;
	double largest = (double)rows->largest;

	if (rows->scale == DELTA_SCALE_WIDTH) {
		largest = DIFFUSION;
		value = sqrt((double)svg_weights_total(rows->weights, row) /
			     (double)rows->weights->total) *
			DIFFUSION;
	} else if (!rows->deltas[row].is_known || is_separator(rows, row)) {
		return COLOUR_NONE;
	}
	if (value == 0)
		return COLOUR_SAME;
	return (uint16_t)(((value > 0) != rows->is_negated ? COLOUR_MORE : COLOUR_LESS) +
			  shade_of(rows, value, largest));
}

static struct colour colour_at(const struct delta_rows *rows, uint32_t index)
{
	static const uint32_t unchanged[] = {
		[DELTA_SCALE_KILN] = 0xc8cbd1,
		[DELTA_SCALE_PERL] = 0xffffff,
		[DELTA_SCALE_INFERNO] = 0xfafafa,
		[DELTA_SCALE_WIDTH] = 0xfafafa,
	};

	if (index < COLOUR_MORE)
		return colour_of_rgb(unchanged[rows->scale]);
	if (index < COLOUR_LESS)
		return (struct colour){ 255, (uint8_t)(index - COLOUR_MORE),
					(uint8_t)(index - COLOUR_MORE) };
	return (struct colour){ (uint8_t)(index - COLOUR_LESS), (uint8_t)(index - COLOUR_LESS),
				255 };
}

static struct colour colour_of(const void *context, uint32_t row)
{
	const struct delta_rows *rows = context;
	const struct profile *profile = rows->profile;
	struct frame root = { .kind = FRAME_USER, .is_named = true };

	if (rows->colours[row] != COLOUR_NONE)
		return colour_at(rows, rows->colours[row]);
	return palette_assign(rows->colouring, profile,
			      row ? &profile->frames.at[profile->stacks.at[row].frame.i] : &root);
}

static void write_words(const void *context, uint32_t row, struct sink *sink)
{
	const struct delta_rows *rows = context;
	const struct svg_weights *weights = rows->weights;
	uint64_t total = svg_weights_total(weights, row);
	int64_t value = rows->deltas[row].value;
	double change = (double)(rows->is_negated ? -value : value);

	sink_puts(sink, " (");
	svg_weights_write(weights, total, sink);
	if (!row) {
		sink_puts(sink, ", 100%)");
		return;
	}
	sink_printf(sink, ", %.2f%%", svg_weights_classic_percent(weights, total));
	if (rows->deltas[row].is_known)
		sink_printf(sink, change > 0 ? "; +%.2f%%" : "; %.2f%%",
			    100 * change / (double)weights->total);
	sink_char(sink, ')');
}

static void write_viewer_words(struct delta_rows *rows, double root_before)
{
	struct sink *sink = &rows->words;

	sink_puts(sink,
		  rows->scale == DELTA_SCALE_WIDTH ? "\"diff\":{\"shades\":1," : "\"diff\":{");
	sink_printf(sink,
		    "\"width\":1,\"exclusive\":1,\"shares\":0,\"self\":%.0f,\"scale\":1,"
		    "\"samples\":[1,1],\"z\":0,\"steps\":[],\"colours\":[",
		    root_before);
	for (uint32_t i = 0; i < COLOUR_COUNT; i++)
		sink_printf(sink, "%s\"#%06x\"", i ? "," : "", colour_rgb(colour_at(rows, i)));
	sink_puts(sink, "]}");
	sink_char(sink, '\0');
}

static void measure(struct delta_rows *rows)
{
	const struct profile *profile = rows->profile;

	for (size_t row = profile->stacks.count; row-- > 0;) {
		const struct stack *stack = &profile->stacks.at[row];
		int64_t delta = rows->deltas[row].value;
		uint64_t self = svg_weights_self(rows->weights, (uint32_t)row);
		uint64_t before = delta < 0                ? saturate_add(self, -(uint64_t)delta)
				  : (uint64_t)delta < self ? self - (uint64_t)delta
							   : 0;

		rows->colours[row] = colour_index(rows, (uint32_t)row);
		rows->self[0][row] = before;
		rows->self[1][row] = self;
		for (int side = 0; side < 2; side++) {
			uint64_t *total = rows->total[side];

			total[row] = saturate_add(total[row], rows->self[side][row]);
			if (row)
				total[stack->parent] =
					saturate_add(total[stack->parent], total[row]);
		}
	}
}

void delta_rows_init(struct delta_rows *rows)
{
	size_t count = rows->profile->stacks.count;

	sink_init_memory(&rows->words);
	for (int side = 0; side < 2; side++) {
		rows->self[side] = memory_zalloc(count, sizeof(uint64_t));
		rows->total[side] = memory_zalloc(count, sizeof(uint64_t));
	}
	rows->colours = memory_zalloc(count, sizeof(*rows->colours));
	rows->confidence = memory_zalloc(count, sizeof(*rows->confidence));
	measure(rows);
	write_viewer_words(rows, (double)rows->self[0][0]);
	rows->sides = (struct embed_sides){
		.self = { rows->self[0], rows->self[1] },
		.total = { rows->total[0], rows->total[1] },
		.colour = rows->colours,
		.confidence = rows->confidence,
		.colour_left = COLOUR_SAME,
		.words = sink_memory(&rows->words).at,
	};
	rows->rows = (struct svg_overrides){
		.context = rows,
		.colour = colour_of,
		.write_words = rows->scale == DELTA_SCALE_WIDTH ? NULL : write_words,
		.embedded = rows->profile,
		.sides = &rows->sides,
	};
}

void delta_rows_deinit(struct delta_rows *rows)
{
	for (int side = 0; side < 2; side++) {
		memory_free(rows->self[side]);
		memory_free(rows->total[side]);
	}
	memory_free(rows->colours);
	memory_free(rows->confidence);
	sink_deinit(&rows->words);
}
