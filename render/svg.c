/* SPDX-License-Identifier: MIT */
#include "render/svg.h"

#include <inttypes.h>

#include "render/assets.h"
#include "render/embed.h"
#include "render/number.h"
#include "render/svg_boxes.h"
#include "render/svg_header.h"

/* Pixels. */
/* Of a picture that a window may draw anew, at its own width. */
#define FLUID_WIDTH   1200
#define FOOTER_HEIGHT 44
#define FOOTER_GAP    4
#define EMPTY_HEIGHT  40
#define LEGEND_HEIGHT 22
#define LEGEND_TEXT   10

struct picture {
	const struct profile *profile;
	const struct svg_options *options;
	struct layout layout;
	struct sink *sink;
	uint32_t width;
	uint32_t top, height; /* of the boxes' area, and of the whole picture */
};

void svg_options_init(struct svg_options *options)
{
	*options = (struct svg_options){
		.minimum_width = 0.1,
		.embed_limit_bytes = EMBED_LIMIT_BYTES,
	};
}

static void write_boxes(const struct picture *picture)
{
	const struct svg_options *options = picture->options;
	struct sink *sink = picture->sink;

	sink_printf(sink,
		    "<g id=\"frames\" data-top=\"%" PRIu32 "\" data-levels=\"%" PRIu32
		    "\" data-narrowest=\"%g\"%s>\n",
		    picture->top, picture->layout.depth_count, options->minimum_width,
		    options->is_inverted ? " data-inverted=\"\"" : "");
	svg_boxes_write(
		&(struct svg_boxes){
			.profile = picture->profile,
			.layout = &picture->layout,
			.palette = (enum palette)options->palette,
			.rows = options->rows,
			.is_inverted = options->is_inverted,
			.top = picture->top,
		},
		sink);
	sink_puts(sink, "</g>\n");
	if (!picture->layout.boxes.count)
		sink_printf(sink,
			    "<text class=\"empty\" x=\"%d\" y=\"%" PRIu32 "\">No samples of this "
			    "event were found or selected.</text>\n",
			    SVG_MARGIN, picture->top + EMPTY_HEIGHT / 2);
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
		    top + FOOTER_GAP, FOOTER_HEIGHT - FOOTER_GAP, SVG_MARGIN, top + 26);
	if (picture->layout.dropped_count) {
		number_grouped(sink, picture->layout.dropped_count);
		sink_puts(sink, picture->layout.dropped_count == 1
					? " box is too narrow to be drawn"
					: " boxes are too narrow to be drawn");
	}
	sink_printf(sink,
		    " </text>\n<text id=\"matched\" x=\"%" PRIu64 "\" y=\"%" PRIu32
		    "\" text-anchor=\"end\"> </text></g>\n",
		    (uint64_t)picture->width - SVG_MARGIN, top + 26);
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
	const struct svg_rows *rows = options->rows;
	uint32_t width = options->width ? (uint32_t)options->width : FLUID_WIDTH;
	struct picture picture = {
		.profile = profile,
		.options = options,
		.width = width,
		.sink = sink,
	};
	struct svg_header header = {
		.profile = profile,
		.title = options->title,
		.subtitle = options->subtitle,
		.facts = rows ? rows->facts : NULL,
		.command = options->command,
		.width = width,
		.is_fluid = !options->width,
		.margin = SVG_MARGIN,
	};
	uint32_t area;

	layout_init(&picture.layout, profile, (width - 2 * SVG_MARGIN) * SVG_TENTHS,
		    (uint32_t)(options->minimum_width * 1000 + 0.5));
	area = picture.layout.boxes.count ? picture.layout.depth_count * SVG_ROW_HEIGHT
					  : EMPTY_HEIGHT;
	picture.top = svg_header_height(&header) + (rows ? LEGEND_HEIGHT : 0);
	picture.height = picture.top + area + FOOTER_HEIGHT;
	header.picture_height = picture.height;
	svg_header_open(&header, sink);
	write_style(sink);
	svg_header_write(&header, sink);
	if (rows)
		rows->write_legend(rows->context, picture.top - LEGEND_TEXT, sink);
	write_boxes(&picture);
	write_footer(&picture);
	embed_write(rows ? rows->embedded : profile,
		    &(struct embed_options){
			    .sides = rows ? rows->sides : NULL,
			    .limit_bytes = options->embed_limit_bytes,
			    .is_plain = options->is_embedded_plain,
			    .palette = (enum palette)options->palette,
		    },
		    sink);
	write_script(sink);
	sink_puts(sink, "</svg>\n");
	layout_deinit(&picture.layout);
}
