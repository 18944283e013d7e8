/* SPDX-License-Identifier: MIT */
#include "render/page/page.h"

#include "render/escape.h"
#include "render/svg/embedded_file.h"
#include "render/svg/svg_style.h"

EMBEDDED_FILE(page_js, "page.js");
EMBEDDED_FILE(page_css, "page.css");

static struct text script(void)
{
	return (struct text){ page_js_begin, (uint32_t)(page_js_end - page_js_begin) };
}

static struct text style(void)
{
	return (struct text){ page_css_begin, (uint32_t)(page_css_end - page_css_begin) };
}

/* Allows the script of the page, its style, and the style of the static flame graph. */
static void write_policy(const struct svg_options *svg, struct sink *sink)
{
	struct sink policy;

	sink_init_memory(&policy);
	sink_puts(&policy, "default-src 'none'; script-src");
	svg_style_write_hash(script(), &policy);
	sink_puts(&policy, "; style-src");
	svg_style_write_hash(style(), &policy);
	svg_style_write_rules_hash(svg, &policy);
	sink_puts(sink, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	escape_xml(sink, sink_memory(&policy));
	sink_puts(sink, "\">\n");
	sink_deinit(&policy);
}

static void write_head(const struct page_options *options, const struct svg_options *svg,
		       struct sink *sink)
{
	sink_puts(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	write_policy(svg, sink);
	sink_puts(sink, "<meta name=\"viewport\" content=\"width=device-width\">\n"
			"<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	escape_xml(sink, text_of(options->data.title));
	sink_puts(sink, "</title>\n<style>");
	sink_text(sink, style());
	sink_puts(sink, "</style>\n</head>\n");
}

void page_write(const struct profile *profile, const struct page_options *options,
		struct sink *sink)
{
	struct svg_options svg = *options->svg;

	svg.form = SVG_FORM_FILE;
	svg.is_static = true;
	write_head(options, &svg, sink);
	sink_puts(sink, "<body>\n<header id=\"head\"><h1>");
	escape_xml(sink, text_of(options->data.title));
	sink_puts(sink,
		  "</h1></header>\n<main>\n<section id=\"time\" aria-label=\"Time\"></section>\n"
		  "<section id=\"graph\" aria-label=\"Flame graph\">\n");
	svg_write(profile, &svg, sink);
	sink_puts(sink, "</section>\n<section id=\"table\" aria-label=\"Functions\"></section>\n"
			"</main>\n");
	page_data_write(profile, &options->data, sink);
	sink_puts(sink, "<script>");
	sink_text(sink, script());
	sink_puts(sink, "</script>\n</body>\n</html>\n");
}
