/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_classic.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/svg/svg_header.h"

/* Pixels. */
#define BUTTON_Y     6
#define BUTTON_WIDTH 72
#define BUTTON_GAP   8
#define HELP_WIDTH   24
/* How much larger the title is than labels are. */
#define TITLE_MORE 5
/* Of an error's picture without a width. */
#define ERROR_WIDTH 1200

static uint32_t lines(const struct svg_options *options, uint32_t count)
{
	return (uint32_t)(options->look.font_size * count);
}

uint32_t svg_classic_header_height(const struct svg_options *options)
{
	return lines(options, 3) + (options->subtitle ? lines(options, 2) : 0);
}

static void write_text(const char *attributes, uint32_t x, uint32_t y, const char *text,
		       struct sink *sink)
{
	sink_printf(sink, "<text %s x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" text-anchor=\"middle\">",
		    attributes, x, y);
	escape_xml(sink, text_of(text));
	sink_puts(sink, "</text>\n");
}

void svg_classic_write_header(const struct svg_options *options, uint32_t width, struct sink *sink)
{
	uint32_t right = width - options->look.margin;
	char attributes[64];

	snprintf(attributes, sizeof(attributes), "id=\"title\" font-size=\"%g\"",
		 options->look.font_size + TITLE_MORE);
	write_text(attributes, width / 2, lines(options, 2), svg_header_title(options), sink);
	if (options->subtitle)
		write_text("id=\"subtitle\"", width / 2, lines(options, 4), options->subtitle,
			   sink);
	sink_puts(sink, "<g id=\"bar\"><g>\n");
	svg_header_button(sink, "keys", "?", right - HELP_WIDTH, BUTTON_Y, HELP_WIDTH);
	right -= HELP_WIDTH + BUTTON_GAP;
	svg_header_button(sink, "search", "Search", right - BUTTON_WIDTH, BUTTON_Y, BUTTON_WIDTH);
	right -= BUTTON_WIDTH + BUTTON_GAP;
	svg_header_button(sink, "reset", "Reset", right - BUTTON_WIDTH, BUTTON_Y, BUTTON_WIDTH);
	sink_puts(sink, "</g></g>\n");
}

void svg_classic_write_error(const struct svg_options *options, const char *text, struct sink *sink)
{
	uint32_t width = options->width ? (uint32_t)options->width : ERROR_WIDTH;

	sink_printf(sink,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%" PRIu32
		    "\" height=\"%" PRIu32 "\">\n",
		    width, lines(options, 5));
	write_text("", width / 2, lines(options, 2), text, sink);
	sink_puts(sink, "</svg>\n");
}
