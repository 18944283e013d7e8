/* SPDX-License-Identifier: MIT */
#include "render/page/page.h"

#include "render/escape.h"
#include "render/page/page_table.h"
#include "render/svg/embedded_file.h"
#include "render/svg/svg_header.h"
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

/* What every SVG says above its frames. */
static void write_facts(const struct profile *profile, const struct page_options *options,
			struct sink *sink)
{
	struct svg_weights weights;
	struct svg_header header = {
		.profile = profile,
		.weights = &weights,
		.options = options->svg,
	};
	struct sink line;

	svg_weights_init(&weights, profile, options->svg);
	header.caveats = caveats_of_total(profile, weights.total, CAVEAT_SHARE_MIN);
	sink_init_memory(&line);
	svg_header_write_facts(&header, &line);
	sink_puts(sink, "<p>");
	escape_xml(sink, sink_memory(&line));
	line.used = 0;
	svg_header_write_incompleteness(&header, &line);
	if (line.used)
		sink_puts(sink, "</p>\n<p class=\"incomplete\">");
	escape_xml(sink, sink_memory(&line));
	sink_puts(sink, "</p>\n");
	sink_deinit(&line);
}

static void write_header(const struct profile *profile, const struct page_options *options,
			 struct sink *sink)
{
	sink_puts(sink, "<header id=\"head\">\n<h1>");
	escape_xml(sink, text_of(options->data.title));
	sink_puts(sink, "</h1>\n");
	write_facts(profile, options, sink);
	sink_puts(sink, "</header>\n");
}

void page_write(const struct profile *profile, const struct page_options *options,
		struct sink *sink)
{
	struct svg_options svg = *options->svg;

	svg.form = SVG_FORM_FILE;
	svg.is_static = true;
	svg.is_part = true;
	svg.is_inverted = true;
	write_head(options, &svg, sink);
	sink_puts(sink, "<body>\n");
	write_header(profile, options, sink);
	sink_puts(sink, "<main>\n<section id=\"time\" aria-label=\"Time\"></section>\n"
			"<section id=\"graph\" aria-label=\"Flame graph\">\n");
	svg_write(profile, &svg, sink);
	sink_puts(sink, "</section>\n<section id=\"table\" aria-label=\"Functions\">\n");
	page_table_write(profile, options->data.shows_homes, sink);
	sink_puts(sink, "</section>\n</main>\n");
	page_data_write(profile, &options->data, sink);
	sink_puts(sink, "<script>");
	sink_text(sink, script());
	sink_puts(sink, "</script>\n</body>\n</html>\n");
}
