/* SPDX-License-Identifier: MIT */
#include "render/page/page.h"

#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/headline_text.h"
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

static struct svg_options static_options(const struct svg_options *svg)
{
	struct svg_options options = *svg;

	options.form = SVG_FORM_FILE;
	options.is_static = true;
	options.is_part = true;
	options.is_inverted = true;
	return options;
}

/* Allows the page's script and style, and the style of the static flame graph. */
void page_write_policy(const struct svg_options *svg, struct sink *sink)
{
	struct svg_options options = static_options(svg);

	sink_puts(sink, "default-src 'none'; script-src");
	svg_style_write_hash(script(), sink);
	sink_puts(sink, "; style-src");
	svg_style_write_hash(style(), sink);
	svg_style_write_rules_hash(&options, sink);
}

static void write_policy(const struct svg_options *svg, struct sink *sink)
{
	struct sink policy;

	sink_init_memory(&policy);
	page_write_policy(svg, &policy);
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

/* Writes the facts that SVGs in kiln's own layout have above their frames. */
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

/*
 * Writes each line as a paragraph. Names cannot add lines, because their newlines have been
 * replaced with blanks.
 */
static void write_lines(struct text lines, const char *css_class, struct sink *sink)
{
	struct text line = { lines.at, 0 };

	for (const char *at = lines.at; at < lines.at + lines.length; at++) {
		if (*at != '\n') {
			line.length++;
			continue;
		}
		sink_printf(sink, "<p class=\"%s\">", css_class);
		escape_xml(sink, line);
		sink_puts(sink, "</p>\n");
		line = (struct text){ at + 1, 0 };
	}
}

static void write_name_in_line(struct sink *sink, struct text name)
{
	for (uint32_t i = 0; i < name.length; i++)
		sink_char(sink, name.at[i] == '\n' ? ' ' : name.at[i]);
}

/* Writes the lines that kiln diff prints above its table. */
static void write_comparison(const struct diff *diff, struct sink *sink)
{
	struct sink lines;

	sink_init_memory(&lines);
	headline_text_write(diff, write_name_in_line, &lines);
	sink_char(&lines, '\n');
	write_lines(sink_memory(&lines), "headline", sink);
	lines.used = 0;
	for (int side = 0; side < DIFF_SIDES; side++) {
		sink_printf(&lines, "%s: ", diff_side_names[side]);
		captures_text_side(diff, (enum diff_side)side, write_name_in_line, &lines);
		sink_puts(&lines, " · ");
		diff_text_side(diff, (enum diff_side)side, &lines);
		sink_char(&lines, '\n');
	}
	write_name_in_line(&lines, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(&lines, " · ");
	diff_text_noise(diff, &lines);
	diff_text_missing(diff, " · ", &lines);
	sink_char(&lines, '\n');
	diff_notes_write(diff, "", write_name_in_line, &lines);
	write_lines(sink_memory(&lines), "fact", sink);
	lines.used = 0;
	captures_text_differences(diff, "", write_name_in_line, &lines);
	write_lines(sink_memory(&lines), "incomplete", sink);
	sink_deinit(&lines);
}

static void write_header(const struct profile *profile, const struct page_options *options,
			 struct sink *sink)
{
	sink_puts(sink, "<header id=\"head\">\n<h1>");
	escape_xml(sink, text_of(options->data.title));
	sink_puts(sink, "</h1>\n");
	if (options->data.diff)
		write_comparison(options->data.diff, sink);
	else
		write_facts(profile, options, sink);
	sink_puts(sink, "</header>\n");
}

void page_write(const struct profile *profile, const struct page_options *options,
		struct sink *sink)
{
	struct svg_options svg = static_options(options->svg);

	write_head(options, &svg, sink);
	sink_puts(sink, "<body>\n");
	write_header(profile, options, sink);
	sink_puts(sink, "<main>\n<section id=\"time\" aria-label=\"Time\"></section>\n"
			"<section id=\"graph\" aria-label=\"Flame graph\">\n");
	if (options->data.diff)
		diff_svg_write(
			options->data.diff,
			&(struct diff_svg_options){ .svg = svg, .palette = options->palette },
			sink);
	else
		svg_write(profile, &svg, sink);
	sink_puts(sink, "</section>\n<section id=\"table\" aria-label=\"Functions\">\n");
	if (options->data.diff)
		page_table_write_diff(options->data.diff, sink);
	else
		page_table_write(profile, options->data.shows_homes, sink);
	sink_puts(sink, "</section>\n</main>\n");
	page_data_write(profile, &options->data, sink);
	sink_puts(sink, "<script>");
	sink_text(sink, script());
	sink_puts(sink, "</script>\n</body>\n</html>\n");
}
