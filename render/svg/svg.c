/* SPDX-License-Identifier: MIT */
#include "render/svg/svg.h"

#include <inttypes.h>

#include "base/workers.h"
#include "render/svg/embed.h"
#include "render/escape.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"
#include "render/svg/svg_lanes.h"
#include "render/svg/svg_legend.h"
#include "render/svg/svg_style.h"
#include "render/text/summary.h"

/* Pixels. */
#define FOOTER_GAP   4
#define EMPTY_HEIGHT 40

struct svg_document {
	const struct profile *profile;
	const struct svg_options *options;
	struct svg_weights weights;
	struct svg_layout layout;
	struct svg_header header;
	struct sink *sink;
	struct sink embedded; /* the embedded profile; empty if there is none */
	unsigned thread_count;
	uint32_t width;
	uint32_t top, height; /* top of the frames' area, height of the whole SVG */
	uint32_t hues;        /* bit mask of the hues in the legend */
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
		.theme = SVG_THEME,
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
					 "--%s requires a colour such as #e600e6, not \"%s\"",
					 colours[i].option, colours[i].value);
	if (options->background && !svg_style_background(options->background, background))
		return error_set(err, ERROR_USAGE,
				 "--bgcolors must be yellow, blue, green, grey or a colour such as "
				 "#ffffff, not \"%s\"",
				 options->background);
	return true;
}

static bool has_lanes(const struct svg_document *document)
{
	return document->profile->lanes.count;
}

static uint32_t footer_height(const struct svg_document *document)
{
	return svg_theme_footer(&document->options->theme) +
	       (has_lanes(document) ? SVG_LANES_AXIS : 0);
}

/* In millionths of a pixel. */
static uint64_t minimum_width(const struct svg_document *document, uint32_t frames_width)
{
	const struct svg_options *options = document->options;
	double pixels = options->minimum_width;

	if (options->is_minimum_percent)
		pixels = pixels * frames_width / 100;
	return (uint64_t)(pixels * 1e6 + 0.5);
}

/* Writes the measures that the viewer needs to draw frames with the same look. */
static void write_measures(const struct svg_document *document, double narrowest)
{
	const struct svg_options *options = document->options;
	const struct svg_theme *theme = &options->theme;
	struct sink *sink = document->sink;

	sink_printf(sink,
		    "<g id=\"frames\" data-top=\"%" PRIu32 "\" data-levels=\"%" PRIu32
		    "\" data-narrowest=\"%g\" data-look=\"%" PRIu32 " %" PRIu32 " %g %" PRIu32
		    " %" PRIu32 "\" data-root=\"#%06x\"",
		    document->top, document->layout.depth_count, narrowest, theme->margin,
		    theme->row_height, svg_theme_baseline(theme), theme->padding,
		    footer_height(document),
		    colour_rgb(svg_frames_root_colour(document->profile, options)));
	if (options->name_type) {
		sink_puts(sink, " data-type=\"");
		escape_xml(sink, text_of(options->name_type));
		sink_char(sink, '"');
	}
	if (document->profile->begins.count)
		sink_puts(sink, " data-ordered=\"\"");
	if (options->theme.is_classic)
		sink_puts(sink, " data-classic=\"\"");
	if (options->theme.is_classic || options->is_full_height)
		sink_puts(sink, " data-full=\"\"");
	sink_puts(sink, options->is_inverted ? " data-inverted=\"\">\n" : ">\n");
}

static void write_axis(const struct svg_document *document, uint32_t frames_width)
{
	uint32_t rows = document->layout.depth_count * document->options->theme.row_height;

	if (document->layout.rects.count)
		svg_lanes_write_axis(document->profile,
				     &(struct svg_lanes_axis){
					     .left = document->options->theme.margin,
					     .width = frames_width,
					     .top = document->top,
					     .bottom = document->top + rows,
				     },
				     document->sink);
}

static void write_frames(const struct svg_document *document, uint32_t frames_width)
{
	const struct svg_options *options = document->options;
	struct sink *sink = document->sink;

	if (has_lanes(document))
		write_axis(document, frames_width);
	write_measures(document, (double)minimum_width(document, frames_width) / 1e6);
	svg_frames_write(
		&(struct svg_frames){
			.profile = document->profile,
			.weights = &document->weights,
			.layout = &document->layout,
			.options = options,
			.top = document->top,
			.width = frames_width,
		},
		sink);
	sink_puts(sink, "</g>\n");
	if (!document->layout.rects.count)
		sink_printf(sink,
			    "<text class=\"empty\" x=\"%" PRIu32 "\" y=\"%" PRIu32
			    "\">No samples of this event were found or selected.</text>\n",
			    options->theme.margin, document->top + EMPTY_HEIGHT / 2);
}

/* Writes the area below the frames, which the viewer keeps visible when the page scrolls. */
static void write_footer(const struct svg_document *document)
{
	const struct svg_theme *theme = &document->options->theme;
	uint32_t footer = svg_theme_footer(theme);
	uint32_t top = document->height - footer;
	uint32_t baseline = theme->is_classic ? top + footer / 2 : top + 26;
	uint32_t gap = theme->is_classic ? 0 : FOOTER_GAP;
	struct sink *sink = document->sink;

	sink_printf(sink,
		    "<g id=\"foot\"><rect class=\"page\" y=\"%" PRIu32
		    "\" width=\"100%%\" height=\"%" PRIu32 "\" fill=\"#fff\"/>\n"
		    "<text id=\"details\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
		    top + gap, footer - gap, theme->margin, baseline);
	sink_printf(sink,
		    " </text>\n<text id=\"matched\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" text-anchor=\"end\"> </text></g>\n",
		    document->width - theme->margin, baseline);
}

static void embed(struct svg_document *document)
{
	const struct svg_options *options = document->options;
	const struct svg_overrides *rows = options->overrides;
	const struct profile *embedded = rows ? rows->embedded : document->profile;
	struct svg_weights weights;

	svg_weights_init(&weights, embedded, options);
	embed_write(embedded,
		    &(struct embed_options){
			    .weights = &weights,
			    .sides = rows ? rows->sides : NULL,
			    .limit_bytes = options->embed_limit_bytes,
			    .thread_count = document->thread_count,
			    .is_plain = options->is_embedded_uncompressed,
			    .shows_homes = options->shows_host,
			    .colouring = &options->colouring,
			    .attributes = options->attributes,
		    },
		    &document->embedded);
}

static void begin_page(const struct svg_options *options, struct sink *sink)
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

static bool has_legend(const struct svg_document *document)
{
	const struct svg_overrides *rows = document->options->overrides;

	return document->hues || (rows && rows->write_legend);
}

static void write_legend(const struct svg_document *document)
{
	const struct svg_options *options = document->options;
	uint32_t y = document->top - SVG_LEGEND_TEXT;

	if (options->overrides && options->overrides->write_legend)
		options->overrides->write_legend(options->overrides->context, y, document->sink);
	else if (document->hues)
		svg_legend_write(document->hues, document->profile->shows_waits,
				 options->theme.margin, y, document->sink);
}

/* The viewer keeps this group in sight. */
static void write_head(const struct svg_document *document)
{
	sink_puts(document->sink, "<g id=\"head\">\n");
	svg_header_write_lines(&document->header, document->sink);
	write_legend(document);
	sink_puts(document->sink, "</g>\n");
}

/* Writes everything that precedes the embedded profile. */
static void write_picture(struct svg_document *document)
{
	const struct svg_options *options = document->options;
	struct sink *sink = document->sink;

	if (options->form == SVG_FORM_PAGE)
		begin_page(options, sink);
	svg_header_open(&document->header, sink);
	svg_style_write(options, sink);
	svg_header_write(&document->header, sink);
	if (!options->theme.is_classic)
		write_head(document);
	write_frames(document, document->width - 2 * options->theme.margin);
	write_footer(document);
}

static void write_end(const struct svg_document *document)
{
	const struct svg_options *options = document->options;
	struct sink *sink = document->sink;

	if (!svg_is_static(options)) {
		sink_text(sink, sink_memory(&document->embedded));
		svg_style_write_script(has_lanes(document), sink);
	}
	sink_puts(sink, "</svg>\n");
	if (options->form == SVG_FORM_PAGE)
		sink_puts(sink, "</body>\n</html>\n");
}

/*
 * Writes the texts of the header to `texts`, and points the header to them. flamegraph.pl's layout
 * does not have such texts.
 */
static void write_head_texts(struct svg_header *header, struct sink texts[2])
{
	const struct svg_options *options = header->options;
	const struct svg_overrides *rows = options->overrides;

	if (options->theme.is_classic)
		return;
	if (rows && rows->headline)
		sink_puts(&texts[0], rows->headline);
	else
		summary_write_headline(header->profile, header->weights->total, &texts[0]);
	if (!options->is_metadata_stripped && !(rows && rows->line_count))
		svg_header_write_origin(header->profile, options, &texts[1]);
	header->headline = sink_memory(&texts[0]);
	header->origin = sink_memory(&texts[1]);
}

/* Lays out the frames, and the parts above and below them. */
static void lay_out(struct svg_document *document)
{
	const struct svg_options *options = document->options;
	const struct svg_theme *theme = &options->theme;
	struct svg_layout *layout = &document->layout;
	uint32_t frames_width = document->width - 2 * theme->margin;
	uint64_t total = document->weights.total;
	uint32_t area;

	if (has_lanes(document))
		svg_lanes_layout(layout, document->profile, frames_width * SVG_TENTHS,
				 options->is_inverted);
	else
		svg_layout_init(layout, document->profile, total, frames_width * SVG_TENTHS,
				minimum_width(document, frames_width), theme->is_classic);
	if (!has_lanes(document) && !theme->is_classic && !options->is_full_height)
		svg_layout_fold(layout, document->profile, total);
	area = layout->rects.count ? layout->depth_count * theme->row_height : EMPTY_HEIGHT;
	document->hues = svg_legend_hues(document->profile, layout, options);
	document->top = svg_header_height(&document->header);
	if (has_legend(document))
		document->top += SVG_LEGEND_HEIGHT;
	document->height = document->top + area + footer_height(document);
	/* flamegraph.pl leaves the pixel between two rows above a frame, not below it. */
	document->top += theme->is_classic && !options->is_inverted;
	document->header.total_height = document->height;
	document->header.dropped_count = layout->dropped_count;
}

static void draw(struct svg_document *document)
{
	struct svg_header *header = &document->header;
	struct sink texts[2];

	sink_init_memory(&texts[0]);
	sink_init_memory(&texts[1]);
	header->caveats =
		caveats_of_total(document->profile, document->weights.total, CAVEAT_SHARE_MIN);
	write_head_texts(header, texts);
	lay_out(document);
	write_picture(document);
	svg_layout_deinit(&document->layout);
	sink_deinit(&texts[0]);
	sink_deinit(&texts[1]);
}

static void draw_or_embed(void *context, size_t index)
{
	struct svg_document *document = context;

	if (index == 0)
		draw(document);
	else
		embed(document);
}

void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink)
{
	uint32_t width = options->width ? (uint32_t)options->width : SVG_FLUID_WIDTH;
	struct svg_document document = {
		.profile = profile,
		.options = options,
		.width = width,
		.sink = sink,
		.thread_count =
			options->thread_count ? options->thread_count : workers_default_count(),
	};

	document.header = (struct svg_header){
		.profile = profile,
		.weights = &document.weights,
		.options = options,
		.width = width,
	};
	sink_init_memory(&document.embedded);
	svg_weights_init(&document.weights, profile, options);
	/* Drawing adds colours to a palette map, which gives them to the embedded profile. */
	workers_run(options->colouring.map ? 1 : document.thread_count,
		    svg_is_static(options) ? 1 : 2, draw_or_embed, &document);
	write_end(&document);
	sink_deinit(&document.embedded);
}
