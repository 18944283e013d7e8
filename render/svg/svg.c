/* SPDX-License-Identifier: MIT */
#include "render/svg/svg.h"

#include <inttypes.h>

#include "render/svg/embed.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/svg/svg_boxes.h"
#include "render/svg/svg_header.h"
#include "render/svg/svg_legend.h"
#include "render/svg/svg_style.h"

/* Pixels. */
/* Of a picture that a window may draw anew, at its own width. */
#define FLUID_WIDTH  1200
#define FOOTER_GAP   4
#define EMPTY_HEIGHT 40

struct picture {
	const struct profile *profile;
	const struct svg_options *options;
	struct layout layout;
	struct sink *sink;
	uint32_t width;
	uint32_t top, height; /* of the boxes' area, and of the whole picture */
	uint32_t hues;        /* that the legend tells of */
};

const char *const svg_form_names[] = {
	[SVG_FORM_FILE] = "svg",
	[SVG_FORM_PAGE] = "html",
	[SVG_FORM_COUNT] = NULL,
};

void svg_options_init(struct svg_options *options)
{
	*options = (struct svg_options){
		.minimum_width = 0.1,
		.look = SVG_LOOK,
		.embed_limit_bytes = EMBED_LIMIT_BYTES,
	};
}

bool svg_options_check(const struct svg_options *options, struct error *err)
{
	const struct {
		const char *option, *value;
	} colours[] = {
		{ "search-color", options->search_colour },
		{ "uicolor", options->ink_colour },
		{ "stroke-color", options->stroke_colour },
	};
	struct colour background[2];
	struct colour colour;

	for (size_t i = 0; i < ARRAY_SIZE(colours); i++)
		if (colours[i].value && !colour_parse(text_of(colours[i].value), &colour))
			return error_set(err, ERROR_USAGE,
					 "--%s wants a colour such as #e600e6, not \"%s\"",
					 colours[i].option, colours[i].value);
	if (options->background && !svg_style_background(options->background, background))
		return error_set(err, ERROR_USAGE,
				 "--bgcolors is yellow, blue, green, grey or a colour such as "
				 "#ffffff; not \"%s\"",
				 options->background);
	return true;
}

/* Millionths of a pixel. */
static uint64_t minimum_width(const struct picture *picture, uint32_t boxes_width)
{
	const struct svg_options *options = picture->options;
	double pixels = options->minimum_width;

	if (options->is_minimum_percent)
		pixels = pixels * boxes_width / 100;
	return (uint64_t)(pixels * 1e6 + 0.5);
}

/* What the viewer needs to know of the picture, to draw more of the kind. */
static void write_measures(const struct picture *picture, double narrowest)
{
	const struct svg_options *options = picture->options;
	const struct svg_look *look = &options->look;
	struct sink *sink = picture->sink;

	sink_printf(sink,
		    "<g id=\"frames\" data-top=\"%" PRIu32 "\" data-levels=\"%" PRIu32
		    "\" data-narrowest=\"%g\" data-look=\"%" PRIu32 " %" PRIu32 " %g %" PRIu32
		    " %" PRIu32 "\" data-root=\"#%06x\"",
		    picture->top, picture->layout.depth_count, narrowest, look->margin,
		    look->row_height, svg_look_baseline(look), look->padding, svg_look_footer(look),
		    colour_rgb(svg_boxes_root_colour(picture->profile, options)));
	if (options->name_type) {
		sink_puts(sink, " data-type=\"");
		escape_xml(sink, text_of(options->name_type));
		sink_char(sink, '"');
	}
	if (picture->profile->begins.count)
		sink_puts(sink, " data-ordered=\"\"");
	sink_puts(sink, options->is_inverted ? " data-inverted=\"\">\n" : ">\n");
}

static void write_boxes(const struct picture *picture, uint32_t boxes_width)
{
	const struct svg_options *options = picture->options;
	struct sink *sink = picture->sink;

	write_measures(picture, (double)minimum_width(picture, boxes_width) / 1e6);
	svg_boxes_write(
		&(struct svg_boxes){
			.profile = picture->profile,
			.layout = &picture->layout,
			.options = options,
			.top = picture->top,
			.width = boxes_width,
		},
		sink);
	sink_puts(sink, "</g>\n");
	if (!picture->layout.boxes.count)
		sink_printf(sink,
			    "<text class=\"empty\" x=\"%" PRIu32 "\" y=\"%" PRIu32
			    "\">No samples of this event were found or selected.</text>\n",
			    options->look.margin, picture->top + EMPTY_HEIGHT / 2);
}

/* Stands below the boxes, and in a window follows what is seen of them. */
static void write_footer(const struct picture *picture)
{
	const struct svg_look *look = &picture->options->look;
	uint32_t footer = svg_look_footer(look);
	uint32_t top = picture->height - footer;
	uint32_t baseline = look->is_classic ? top + footer / 2 : top + 26;
	uint32_t gap = look->is_classic ? 0 : FOOTER_GAP;
	struct sink *sink = picture->sink;

	sink_printf(sink,
		    "<g id=\"foot\"><rect class=\"page\" y=\"%" PRIu32
		    "\" width=\"100%%\" height=\"%" PRIu32 "\" fill=\"#fff\"/>\n"
		    "<text id=\"details\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
		    top + gap, footer - gap, look->margin, baseline);
	if (picture->layout.dropped_count) {
		number_grouped(sink, picture->layout.dropped_count);
		sink_puts(sink, picture->layout.dropped_count == 1
					? " box is too narrow to be drawn"
					: " boxes are too narrow to be drawn");
	}
	sink_printf(sink,
		    " </text>\n<text id=\"matched\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" text-anchor=\"end\"> </text></g>\n",
		    picture->width - look->margin, baseline);
}

static void write_embedded(const struct picture *picture)
{
	const struct svg_options *options = picture->options;
	const struct svg_rows *rows = options->rows;

	embed_write(rows ? rows->embedded : picture->profile,
		    &(struct embed_options){
			    .sides = rows ? rows->sides : NULL,
			    .limit_bytes = options->embed_limit_bytes,
			    .is_plain = options->is_embedded_plain,
			    .shows_homes = options->is_host_told,
			    .colouring = &options->colouring,
			    .attributes = options->attributes,
		    },
		    picture->sink);
}

static void open_page(const struct svg_options *options, struct sink *sink)
{
	struct sink policy;

	sink_init_memory(&policy);
	svg_style_write_policy(options, &policy);
	sink_puts(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"");
	escape_xml(sink, sink_memory(&policy));
	sink_puts(sink, "\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
			"<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	escape_xml(sink, text_of(svg_header_title(options)));
	sink_puts(sink, "</title>\n");
	svg_style_write_page(sink);
	sink_puts(sink, "</head>\n<body>\n");
	sink_deinit(&policy);
}

static bool has_legend(const struct picture *picture)
{
	const struct svg_rows *rows = picture->options->rows;

	return picture->hues || (rows && rows->write_legend);
}

static void write_legend(const struct picture *picture)
{
	const struct svg_options *options = picture->options;
	uint32_t y = picture->top - SVG_LEGEND_TEXT;

	if (options->rows && options->rows->write_legend)
		options->rows->write_legend(options->rows->context, y, picture->sink);
	else if (picture->hues)
		svg_legend_write(picture->hues, picture->profile->shows_waits, options->look.margin,
				 y, picture->sink);
}

static void write_picture(struct picture *picture, const struct svg_header *header,
			  uint32_t boxes_width)
{
	const struct svg_options *options = picture->options;
	struct sink *sink = picture->sink;

	if (options->form == SVG_FORM_PAGE)
		open_page(options, sink);
	svg_header_open(header, sink);
	svg_style_write(options, sink);
	svg_header_write(header, sink);
	write_legend(picture);
	write_boxes(picture, boxes_width);
	write_footer(picture);
	if (!options->is_still) {
		write_embedded(picture);
		svg_style_write_script(sink);
	}
	sink_puts(sink, "</svg>\n");
	if (options->form == SVG_FORM_PAGE)
		sink_puts(sink, "</body>\n</html>\n");
}

void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink)
{
	uint32_t width = options->width ? (uint32_t)options->width : FLUID_WIDTH;
	uint32_t boxes_width = width - 2 * options->look.margin;
	struct picture picture = {
		.profile = profile,
		.options = options,
		.width = width,
		.sink = sink,
	};
	struct svg_header header = {
		.profile = profile,
		.options = options,
		.doubts = doubts_of(profile, DOUBT_SHARE_MIN),
		.width = width,
	};
	uint32_t area;

	layout_init(&picture.layout, profile, boxes_width * SVG_TENTHS,
		    minimum_width(&picture, boxes_width), options->look.is_classic);
	area = picture.layout.boxes.count ? picture.layout.depth_count * options->look.row_height
					  : EMPTY_HEIGHT;
	picture.hues = svg_legend_hues(profile, &picture.layout, options);
	picture.top = svg_header_height(&header);
	if (has_legend(&picture))
		picture.top += SVG_LEGEND_HEIGHT;
	picture.height = picture.top + area + svg_look_footer(&options->look);
	/* The pixel between two rows is above a box that stands on others. */
	picture.top += options->look.is_classic && !options->is_inverted;
	header.picture_height = picture.height;
	write_picture(&picture, &header, boxes_width);
	layout_deinit(&picture.layout);
}
