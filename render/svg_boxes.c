/* SPDX-License-Identifier: MIT */
#include "render/svg_boxes.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/number.h"
#include "render/svg_header.h"

/* Pixels. */
#define BOX_HEIGHT    17
#define BASELINE      12.5
#define LABEL_PADDING 4
/* In tenths of a pixel: glyphs of the fonts asked for are 0.6 of their size wide. */
#define GLYPH_WIDTH 72

/* Boxes narrower than this, a pixel, cannot be pointed at. */
#define BARE_WIDTH SVG_TENTHS

struct writer {
	const struct svg_boxes *boxes;
	struct sink *sink;
	struct sink *scratch; /* for what is put together before it is escaped */
};

static void write_tenths(struct sink *sink, uint32_t tenths)
{
	sink_u64(sink, tenths / SVG_TENTHS);
	if (tenths % SVG_TENTHS) {
		sink_char(sink, '.');
		sink_char(sink, (char)('0' + tenths % SVG_TENTHS));
	}
}

static uint32_t top_of(const struct writer *writer, uint32_t depth)
{
	uint32_t rows =
		writer->boxes->is_inverted ? depth : writer->boxes->layout->depth_count - 1 - depth;

	return writer->boxes->top + rows * SVG_ROW_HEIGHT;
}

static struct text box_name(const struct writer *writer, const struct box *box)
{
	if (box->row == 0)
		return text_of("all");
	return profile_frame_name(writer->boxes->profile,
				  writer->boxes->profile->stacks.at[box->row].frame);
}

static void write_weight(const struct writer *writer, uint64_t value)
{
	writer->scratch->used = 0;
	svg_header_weight(writer->boxes->profile, value, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

static void write_own_words(const struct writer *writer, const struct box *box)
{
	const struct svg_rows *rows = writer->boxes->rows;

	writer->scratch->used = 0;
	rows->write_words(rows->context, box->row, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
	sink_puts(writer->sink, "</title>");
}

/* The first line is as flamegraph.pl has it, which other tools read. */
static void write_title(const struct writer *writer, const struct box *box)
{
	const struct profile *profile = writer->boxes->profile;
	const struct stack *stack = &profile->stacks.at[box->row];
	uint64_t all = profile->stacks.at[0].total;
	struct sink *sink = writer->sink;
	const struct frame *frame = box->row ? &profile->frames.at[stack->frame.i] : NULL;

	sink_puts(sink, "<title>");
	escape_xml(sink, box_name(writer, box));
	if (writer->boxes->rows) {
		write_own_words(writer, box);
		return;
	}
	sink_puts(sink, " (");
	write_weight(writer, stack->total);
	sink_puts(sink, ", ");
	if (box->row)
		number_percent(sink, stack->total, all);
	else
		sink_puts(sink, "100%");
	sink_char(sink, ')');
	if (stack->self && stack->self != stack->total) {
		sink_puts(sink, "\nself ");
		write_weight(writer, stack->self);
		sink_puts(sink, ", ");
		number_percent(sink, stack->self, all);
	}
	if (frame && frame->is_named && frame->module.i) {
		sink_puts(sink, "\nin ");
		escape_xml(sink, strings_get(profile->strings,
					     modules_get(profile->modules, frame->module)->path));
	}
	if (frame && frame->source.i) {
		sink_puts(sink, "\nat ");
		escape_xml(sink, strings_get(profile->strings, frame->source));
	}
	sink_puts(sink, "</title>");
}

static void write_label(const struct writer *writer, const struct box *box, struct colour colour,
			uint32_t y)
{
	struct text name = box_name(writer, box);
	uint32_t padding = 2 * LABEL_PADDING * SVG_TENTHS;
	size_t fit = box->width > padding ? (box->width - padding) / GLYPH_WIDTH : 0;
	struct text cut = escape_first_characters(name, fit);

	if (fit < 3)
		return;
	sink_puts(writer->sink, "<text x=\"");
	write_tenths(writer->sink, box->x + (SVG_MARGIN + LABEL_PADDING) * SVG_TENTHS);
	sink_printf(writer->sink, "\" y=\"%.1f\"%s>", y + BASELINE,
		    colour_wants_light_text(colour) ? " fill=\"#fff\"" : "");
	if (cut.length < name.length) {
		escape_xml(writer->sink, escape_first_characters(name, fit - 1));
		sink_puts(writer->sink, "…");
	} else {
		escape_xml(writer->sink, name);
	}
	sink_puts(writer->sink, "</text>");
}

static struct colour box_colour(const struct writer *writer, const struct box *box)
{
	const struct profile *profile = writer->boxes->profile;

	if (box->row == 0)
		return (struct colour){ 224, 226, 230 };
	if (writer->boxes->rows)
		return writer->boxes->rows->colour(writer->boxes->rows->context, box->row);
	return palette_colour(writer->boxes->palette, profile,
			      &profile->frames.at[profile->stacks.at[box->row].frame.i]);
}

static void write_box(const struct writer *writer, const struct box *box)
{
	struct colour colour = box_colour(writer, box);
	uint32_t y = top_of(writer, box->depth);
	struct sink *sink = writer->sink;

	sink_puts(sink, "<g>");
	write_title(writer, box);
	sink_puts(sink, "<rect x=\"");
	write_tenths(sink, box->x + SVG_MARGIN * SVG_TENTHS);
	sink_puts(sink, "\" y=\"");
	sink_u64(sink, y);
	sink_puts(sink, "\" width=\"");
	write_tenths(sink, box->width);
	sink_printf(sink, "\" height=\"%d\" fill=\"#%02x%02x%02x\"/>", BOX_HEIGHT, colour.red,
		    colour.green, colour.blue);
	write_label(writer, box, colour, y);
	sink_puts(sink, "</g>\n");
}

struct bare {
	uint32_t colour; /* 0xrrggbb */
	uint32_t box;
};

static int compare_bare(const void *a, const void *b)
{
	const struct bare *left = a;
	const struct bare *right = b;

	if (left->colour != right->colour)
		return left->colour < right->colour ? -1 : 1;
	return (left->box > right->box) - (left->box < right->box);
}

static void write_outline(const struct writer *writer, const struct box *box)
{
	struct sink *sink = writer->sink;

	sink_char(sink, 'M');
	write_tenths(sink, box->x + SVG_MARGIN * SVG_TENTHS);
	sink_char(sink, ' ');
	sink_u64(sink, top_of(writer, box->depth));
	sink_char(sink, 'h');
	write_tenths(sink, box->width);
	sink_printf(sink, "v%dh-", BOX_HEIGHT);
	write_tenths(sink, box->width);
	sink_char(sink, 'z');
}

/* Writes the boxes that are only outlines, colour by colour. */
static void write_bare(const struct writer *writer, struct bare *rows, size_t count)
{
	struct sink *sink = writer->sink;

	qsort(rows, count, sizeof(*rows), compare_bare);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || rows[i].colour != rows[i - 1].colour)
			sink_printf(sink, "%s<path fill=\"#%06x\" d=\"", i ? "\"/>\n" : "",
				    rows[i].colour);
		write_outline(writer, &writer->boxes->layout->boxes.at[rows[i].box]);
	}
	if (count)
		sink_puts(sink, "\"/>\n");
}

void svg_boxes_write(const struct svg_boxes *boxes, struct sink *sink)
{
	const struct layout *layout = boxes->layout;
	struct sink scratch;
	struct writer writer = { .boxes = boxes, .sink = sink, .scratch = &scratch };
	VEC(struct bare) bare = { 0 };

	sink_init_memory(&scratch);
	for (uint32_t i = 0; i < layout->boxes.count; i++) {
		const struct box *box = &layout->boxes.at[i];
		struct colour colour;

		if (!box->width)
			continue;
		if (box->width >= BARE_WIDTH) {
			write_box(&writer, box);
			continue;
		}
		colour = box_colour(&writer, box);
		vec_push(&bare, (struct bare){
					.colour = (uint32_t)colour.red << 16 |
						  (uint32_t)colour.green << 8 | colour.blue,
					.box = i,
				});
	}
	if (bare.count)
		write_bare(&writer, bare.at, bare.count);
	vec_free(&bare);
	sink_deinit(&scratch);
}
