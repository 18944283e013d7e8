/* SPDX-License-Identifier: MIT */
#include "render/svg/diff_svg.h"

#include <math.h>

#include "base/ratio.h"
#include "base/saturate.h"
#include "diff/diff_functions.h"
#include "render/svg/diff_colour.h"
#include "render/diff/diff_head.h"
#include "render/diff/headline_text.h"
#include "render/diff/diff_table.h"
#include "render/svg/embed.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"

const char *const diff_width_names[] = {
	[DIFF_WIDTH_LARGER] = "larger",
	[DIFF_WIDTH_AFTER] = "after",
	[DIFF_WIDTH_BEFORE] = "before",
	[DIFF_WIDTH_COUNT] = NULL,
};

const char *const diff_palette_names[] = {
	[DIFF_PALETTE_KILN] = "kiln",
	[DIFF_PALETTE_SAFE] = "safe",
	[DIFF_PALETTE_COUNT] = NULL,
};

/* Widths are weights times this at most, so that what is scaled down keeps its digits. */
#define WIDTH_BITS    60
#define HOTTEST_COUNT 10

struct picture {
	const struct diff *diff;
	const struct diff_svg_options *options;
	uint64_t *self[DIFF_SIDES], *total[DIFF_SIDES]; /* by row, as captured */
	uint16_t *colour;                               /* by row: an index of the palette */
	uint16_t *confidence;
};

static const struct diff_measure *measure_of(const struct picture *picture, uint32_t row)
{
	const struct diff_row *rows = picture->diff->rows;

	return picture->options->is_exclusive ? &rows[row].self : &rows[row].total;
}

static struct colour colour_of(const void *context, uint32_t row)
{
	const struct picture *picture = context;

	return diff_colour(picture->options->palette, (uint8_t)picture->colour[row]);
}

static const char *hatching(const void *context, uint32_t row)
{
	const struct picture *picture = context;

	return diff_colour_hatching((uint8_t)picture->colour[row]);
}

static void write_share(const struct diff *diff, const struct diff_measure *measure,
			enum diff_side side, struct sink *sink)
{
	struct profile shown = diff_view_of(diff, side);

	diff_share_write(diff, measure, side, 0, sink);
	sink_puts(sink, " (");
	svg_header_weight(&shown, measure->weight[side], sink);
	sink_char(sink, ')');
}

static void write_change(const struct diff *diff, const struct diff_measure *measure,
			 const char *name, struct sink *sink)
{
	sink_printf(sink, "\n%sbefore ", name);
	write_share(diff, measure, DIFF_BEFORE, sink);
	sink_puts(sink, ", after ");
	write_share(diff, measure, DIFF_AFTER, sink);
	sink_printf(sink, ": %+.2f points, ", diff_points(diff, measure));
	diff_percent_write(diff, measure, sink);
}

static void write_verdict(const struct diff *diff, const struct diff_measure *measure,
			  struct sink *sink)
{
	sink_printf(sink, "\n%s", diff_verdict_name(measure->verdict));
	if (diff->is_graded)
		sink_printf(sink, " (p = %.2g)", measure->corrected_p_value);
}

/* The first line is as flamegraph.pl has it for a difference. */
static void write_words(const void *context, uint32_t row, struct sink *sink)
{
	const struct picture *picture = context;
	const struct diff *diff = picture->diff;
	const struct diff_measure *total = &diff->rows[row].total;
	const struct diff_measure *self = &diff->rows[row].self;
	const struct diff_measure *measure = measure_of(picture, row);
	struct profile shown = diff_view_of(diff, DIFF_AFTER);

	sink_puts(sink, " (");
	svg_header_weight(&shown, total->weight[DIFF_AFTER], sink);
	sink_puts(sink, ", ");
	diff_share_write(diff, total, DIFF_AFTER, 0, sink);
	sink_printf(sink, "; %+.2f%%)", diff_points(diff, total));
	write_change(diff, total, "", sink);
	if (self->weight[DIFF_BEFORE] || self->weight[DIFF_AFTER])
		write_change(diff, self, "self ", sink);
	if (row)
		write_verdict(diff, measure, sink);
}

static void write_legend(const void *context, uint32_t y, struct sink *sink)
{
	const struct picture *picture = context;

	diff_colour_write_legend(picture->diff, picture->options->palette, y, sink);
}

/* The functions that most of either side ended in, with the share that each side gives them. */
static void write_hottest(const void *context, struct sink *sink)
{
	const struct picture *picture = context;
	const struct diff *diff = picture->diff;
	const struct diff_function *rows[HOTTEST_COUNT];
	size_t count = diff_functions_hottest(diff, rows, HOTTEST_COUNT);

	for (size_t i = 0; i < count; i++) {
		sink_puts(sink, i ? "; " : " Hottest functions, before and after: ");
		sink_text(sink, profile_frame_name(&diff->profile, (frame_id){ rows[i]->frame }));
		sink_char(sink, ' ');
		diff_share_write(diff, &rows[i]->self, DIFF_BEFORE, 0, sink);
		sink_puts(sink, " and ");
		diff_share_write(diff, &rows[i]->self, DIFF_AFTER, 0, sink);
	}
	if (count)
		sink_char(sink, '.');
}

/* A number that weights of both sides may be multiplied by and stay below 2^WIDTH_BITS. */
static uint64_t width_factor(const struct diff *diff)
{
	uint64_t largest = diff_scaled(diff, diff->total[DIFF_BEFORE]);
	unsigned bits = 0;

	if (largest < diff->total[DIFF_AFTER])
		largest = diff->total[DIFF_AFTER];
	if (largest < diff->exposure[DIFF_AFTER])
		largest = diff->exposure[DIFF_AFTER];
	while (bits < WIDTH_BITS && largest >> bits)
		bits++;
	return (uint64_t)1 << (WIDTH_BITS - bits);
}

static uint64_t width_of(const struct picture *picture, enum diff_width by, uint64_t factor,
			 uint32_t row)
{
	const struct diff *diff = picture->diff;
	uint64_t after = picture->self[DIFF_AFTER][row] * factor;
	uint64_t before = ratio_of(picture->self[DIFF_BEFORE][row],
				   diff->exposure[DIFF_AFTER] * factor, diff->exposure[DIFF_BEFORE])
				  .quotient;

	if (by == DIFF_WIDTH_LARGER)
		return before > after ? before : after;
	return by == DIFF_WIDTH_AFTER ? after : before;
}

/* A copy of the union whose rows weigh what they are to be as wide as; its stacks are the caller's. */
static struct profile with_widths(const struct picture *picture, enum diff_width by)
{
	struct profile profile = picture->diff->profile;
	uint64_t factor = width_factor(picture->diff);
	size_t count = profile.stacks.count;

	profile.stacks.at = memory_alloc(count, sizeof(*profile.stacks.at));
	memcpy(profile.stacks.at, picture->diff->profile.stacks.at,
	       count * sizeof(*profile.stacks.at));
	for (size_t row = count; row-- > 0;) {
		struct stack *stack = &profile.stacks.at[row];
		struct stack *parent = &profile.stacks.at[stack->parent];

		stack->self = width_of(picture, by, factor, (uint32_t)row);
		stack->total = saturate_add(stack->total, stack->self);
		if (row)
			parent->total = saturate_add(parent->total, stack->total);
	}
	return profile;
}

static void picture_init(struct picture *picture, const struct diff *diff,
			 const struct diff_svg_options *options)
{
	size_t count = diff->profile.stacks.count;

	*picture = (struct picture){
		.diff = diff,
		.options = options,
		.colour = memory_alloc(count, sizeof(*picture->colour)),
		.confidence = memory_alloc(count, sizeof(*picture->confidence)),
	};
	for (int side = 0; side < DIFF_SIDES; side++) {
		picture->self[side] = memory_alloc(count, sizeof(uint64_t));
		picture->total[side] = memory_alloc(count, sizeof(uint64_t));
		for (size_t row = 0; row < count; row++) {
			picture->self[side][row] = diff->rows[row].self.weight[side];
			picture->total[side][row] = diff->rows[row].total.weight[side];
		}
	}
	for (uint32_t row = 0; row < count; row++) {
		const struct diff_measure *measure = measure_of(picture, row);

		picture->colour[row] =
			row ? diff_colour_index(diff, &diff->rows[row].total, measure)
			    : DIFF_COLOUR_SAME;
		picture->confidence[row] = (uint16_t)((1 - measure->corrected_p_value) * 1000);
	}
}

static void picture_deinit(struct picture *picture)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		memory_free(picture->self[side]);
		memory_free(picture->total[side]);
	}
	memory_free(picture->colour);
	memory_free(picture->confidence);
}

/* How the viewer colours what it sums up itself, and how it says it. */
static void write_viewer_words(const struct picture *picture, struct sink *sink)
{
	const struct diff *diff = picture->diff;
	bool has_shares = diff->options.normalising.by == DIFF_BY_TOTAL;

	sink_printf(sink, "\"diff\":{\"width\":%d,\"exclusive\":%d,\"shares\":%d,\"self\":%llu",
		    (int)picture->options->width_by, picture->options->is_exclusive, has_shares,
		    (unsigned long long)picture->self[DIFF_BEFORE][0]);
	sink_printf(sink, ",\"scale\":%.17g,\"samples\":[%llu,%llu],",
		    (double)diff->exposure[DIFF_AFTER] / (double)diff->exposure[DIFF_BEFORE],
		    (unsigned long long)diff->sample_count[DIFF_BEFORE],
		    (unsigned long long)diff->sample_count[DIFF_AFTER]);
	diff_colour_write_judged(diff, sink);
	diff_colour_write_json(picture->options->palette, sink);
	sink_char(sink, '}');
	sink_char(sink, '\0');
}

/* What stands around the boxes, each text ended by a 0. */
struct texts {
	struct sink headline, words;
	struct diff_head head;
};

static void texts_init(struct texts *texts, const struct picture *picture)
{
	sink_init_memory(&texts->headline);
	sink_init_memory(&texts->words);
	diff_headline_write(picture->diff, sink_text, &texts->headline);
	sink_char(&texts->headline, '\0');
	diff_head_init(&texts->head, picture->diff);
	write_viewer_words(picture, &texts->words);
}

static void texts_deinit(struct texts *texts)
{
	sink_deinit(&texts->headline);
	sink_deinit(&texts->words);
	diff_head_deinit(&texts->head);
}

static void write_picture(const struct picture *picture, const struct texts *texts,
			  struct sink *sink)
{
	struct profile larger = with_widths(picture, DIFF_WIDTH_LARGER);
	bool is_larger = picture->options->width_by == DIFF_WIDTH_LARGER;
	struct profile chosen =
		is_larger ? larger : with_widths(picture, picture->options->width_by);
	struct svg_options options = picture->options->svg;
	struct embed_sides sides = {
		.self = { picture->self[DIFF_BEFORE], picture->self[DIFF_AFTER] },
		.total = { picture->total[DIFF_BEFORE], picture->total[DIFF_AFTER] },
		.colour = picture->colour,
		.confidence = picture->confidence,
		.colour_left = DIFF_COLOUR_SAME,
		.words = sink_memory(&texts->words).at,
	};
	struct svg_overrides rows = {
		.context = picture,
		.colour = colour_of,
		.hatching = hatching,
		.write_words = write_words,
		.write_legend = write_legend,
		.write_hottest = write_hottest,
		.headline = sink_memory(&texts->headline).at,
		.lines = texts->head.lines,
		.line_count = texts->head.count,
		.embedded = &larger,
		.sides = &sides,
	};

	options.overrides = &rows;
	if (!options.title)
		options.title = "Differential Flame Graph";
	svg_write(&chosen, &options, sink);
	memory_free(larger.stacks.at);
	if (!is_larger)
		memory_free(chosen.stacks.at);
}

void diff_svg_write(const struct diff *diff, const struct diff_svg_options *options,
		    struct sink *sink)
{
	struct picture picture;
	struct texts texts;

	picture_init(&picture, diff, options);
	texts_init(&texts, &picture);
	write_picture(&picture, &texts, sink);
	texts_deinit(&texts);
	picture_deinit(&picture);
}
