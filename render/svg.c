/* SPDX-License-Identifier: MIT */
#include "render/svg.h"

#include <inttypes.h>

#include "render/assets.h"
#include "render/colour.h"
#include "render/escape.h"
#include "render/layout.h"
#include "render/number.h"
#include "render/svg_header.h"

/* Pixels. */
#define MARGIN        16
#define ROW_HEIGHT    18
#define BOX_HEIGHT    17
#define BASELINE      12.5
#define LABEL_PADDING 4
#define FOOTER_HEIGHT 44
#define FOOTER_GAP    4
#define EMPTY_HEIGHT  40
#define TENTHS        10
/* In tenths of a pixel: glyphs of the fonts asked for are 0.6 of their size wide. */
#define GLYPH_WIDTH 72

struct picture {
	const struct profile *profile;
	const struct svg_options *options;
	struct layout layout;
	struct sink *sink;
	struct sink *scratch; /* for what is put together before it is escaped */
	uint32_t top, height; /* of the boxes' area, and of the whole picture */
};

void svg_options_init(struct svg_options *options)
{
	*options = (struct svg_options){ .width = 1200, .minimum_width = 0.1 };
}

static void write_tenths(struct sink *sink, uint32_t tenths)
{
	sink_u64(sink, tenths / TENTHS);
	if (tenths % TENTHS) {
		sink_char(sink, '.');
		sink_char(sink, (char)('0' + tenths % TENTHS));
	}
}

static uint32_t top_of(const struct picture *picture, uint32_t depth)
{
	uint32_t rows =
		picture->options->is_inverted ? depth : picture->layout.depth_count - 1 - depth;

	return picture->top + rows * ROW_HEIGHT;
}

static struct text box_name(const struct picture *picture, const struct box *box)
{
	if (box->row == 0)
		return text_of("all");
	return profile_frame_name(picture->profile, picture->profile->stacks.at[box->row].frame);
}

static void write_weight(const struct picture *picture, uint64_t value)
{
	picture->scratch->used = 0;
	svg_header_weight(picture->profile, value, picture->scratch);
	escape_xml(picture->sink, sink_memory(picture->scratch));
}

/* The first line is as flamegraph.pl has it, which other tools read. */
static void write_title(const struct picture *picture, const struct box *box)
{
	const struct profile *profile = picture->profile;
	const struct stack *stack = &profile->stacks.at[box->row];
	uint64_t all = profile->stacks.at[0].total;
	struct sink *sink = picture->sink;
	const struct frame *frame = box->row ? &profile->frames.at[stack->frame.i] : NULL;

	sink_puts(sink, "<title>");
	escape_xml(sink, box_name(picture, box));
	sink_puts(sink, " (");
	write_weight(picture, stack->total);
	sink_puts(sink, ", ");
	if (box->row)
		number_percent(sink, stack->total, all);
	else
		sink_puts(sink, "100%");
	sink_char(sink, ')');
	if (stack->self && stack->self != stack->total) {
		sink_puts(sink, "\nself ");
		write_weight(picture, stack->self);
		sink_puts(sink, ", ");
		number_percent(sink, stack->self, all);
	}
	if (frame && frame->is_named && frame->module.i) {
		sink_puts(sink, "\nin ");
		escape_xml(sink, strings_get(profile->strings,
					     modules_get(profile->modules, frame->module)->path));
	}
	sink_puts(sink, "</title>");
}

static void write_label(const struct picture *picture, const struct box *box, struct colour colour,
			uint32_t y)
{
	struct text name = box_name(picture, box);
	uint32_t padding = 2 * LABEL_PADDING * TENTHS;
	size_t fit = box->width > padding ? (box->width - padding) / GLYPH_WIDTH : 0;
	struct text cut = escape_first_characters(name, fit);

	if (fit < 3)
		return;
	sink_puts(picture->sink, "<text x=\"");
	write_tenths(picture->sink, box->x + (MARGIN + LABEL_PADDING) * TENTHS);
	sink_printf(picture->sink, "\" y=\"%.1f\"%s>", y + BASELINE,
		    colour_wants_light_text(colour) ? " fill=\"#fff\"" : "");
	if (cut.length < name.length) {
		escape_xml(picture->sink, escape_first_characters(name, fit - 1));
		sink_puts(picture->sink, "…");
	} else {
		escape_xml(picture->sink, name);
	}
	sink_puts(picture->sink, "</text>");
}

static struct colour box_colour(const struct picture *picture, const struct box *box)
{
	const struct profile *profile = picture->profile;

	if (box->row == 0)
		return (struct colour){ 224, 226, 230 };
	return palette_colour((enum palette)picture->options->palette, profile,
			      &profile->frames.at[profile->stacks.at[box->row].frame.i]);
}

static void write_box(const struct picture *picture, const struct box *box)
{
	struct colour colour = box_colour(picture, box);
	uint32_t y = top_of(picture, box->depth);
	struct sink *sink = picture->sink;

	/* The exact weight, for the viewer: widths are rounded, and boxes left out have none. */
	sink_puts(sink, "<g data-w=\"");
	sink_u64(sink, picture->profile->stacks.at[box->row].total);
	sink_puts(sink, "\">");
	write_title(picture, box);
	sink_puts(sink, "<rect x=\"");
	write_tenths(sink, box->x + MARGIN * TENTHS);
	sink_puts(sink, "\" y=\"");
	sink_u64(sink, y);
	sink_puts(sink, "\" width=\"");
	write_tenths(sink, box->width);
	sink_printf(sink, "\" height=\"%d\" fill=\"#%02x%02x%02x\"/>", BOX_HEIGHT, colour.red,
		    colour.green, colour.blue);
	write_label(picture, box, colour, y);
	sink_puts(sink, "</g>\n");
}

static void write_boxes(const struct picture *picture)
{
	struct sink *sink = picture->sink;

	sink_puts(sink, "<g id=\"frames\">\n");
	for (size_t i = 0; i < picture->layout.boxes.count; i++)
		write_box(picture, &picture->layout.boxes.at[i]);
	sink_puts(sink, "</g>\n");
	if (!picture->layout.boxes.count)
		sink_printf(sink,
			    "<text class=\"empty\" x=\"%d\" y=\"%" PRIu32 "\">No samples of this "
			    "event were found or selected.</text>\n",
			    MARGIN, picture->top + EMPTY_HEIGHT / 2);
}

/* Stands below the boxes, and in a window follows what is seen of them. */
static void write_footer(const struct picture *picture)
{
	uint32_t top = picture->height - FOOTER_HEIGHT;
	struct sink *sink = picture->sink;

	sink_printf(sink,
		    "<g id=\"foot\"><rect class=\"page\" y=\"%" PRIu32
		    "\" width=\"100%%\" height=\"%d\" fill=\"#fff\"/>\n"
		    "<text id=\"details\" x=\"%d\" y=\"%" PRIu32 "\">",
		    top + FOOTER_GAP, FOOTER_HEIGHT - FOOTER_GAP, MARGIN, top + 26);
	if (picture->layout.dropped_count) {
		number_grouped(sink, picture->layout.dropped_count);
		sink_puts(sink, picture->layout.dropped_count == 1
					? " box is too narrow to be drawn"
					: " boxes are too narrow to be drawn");
	}
	sink_printf(sink,
		    " </text>\n<text id=\"matched\" x=\"%" PRIu64 "\" y=\"%" PRIu32
		    "\" text-anchor=\"end\"> </text></g>\n",
		    picture->options->width - MARGIN, top + 26);
}

static void write_style(struct sink *sink)
{
	sink_puts(sink, "<style>\n");
	sink_text(sink, assets_viewer_css());
	sink_puts(sink, "</style>\n");
}

static void write_script(struct sink *sink)
{
	sink_puts(sink, "<script><![CDATA[\n");
	sink_text(sink, assets_viewer_js());
	sink_puts(sink, "]]></script>\n");
}

void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink)
{
	struct sink scratch;
	struct picture picture = {
		.profile = profile,
		.options = options,
		.sink = sink,
		.scratch = &scratch,
	};
	struct svg_header header = {
		.profile = profile,
		.title = options->title,
		.subtitle = options->subtitle,
		.command = options->command,
		.width = (uint32_t)options->width,
		.margin = MARGIN,
	};
	uint32_t area;

	sink_init_memory(&scratch);
	layout_init(&picture.layout, profile, (uint32_t)(options->width - 2 * MARGIN) * TENTHS,
		    (uint32_t)(options->minimum_width * TENTHS + 0.5));
	area = picture.layout.boxes.count ? picture.layout.depth_count * ROW_HEIGHT : EMPTY_HEIGHT;
	picture.top = svg_header_height(&header);
	picture.height = picture.top + area + FOOTER_HEIGHT;
	header.picture_height = picture.height;
	svg_header_open(&header, sink);
	write_style(sink);
	svg_header_write(&header, sink);
	write_boxes(&picture);
	write_footer(&picture);
	write_script(sink);
	sink_puts(sink, "</svg>\n");
	layout_deinit(&picture.layout);
	sink_deinit(&scratch);
}
