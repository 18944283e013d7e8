/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_style.h"

#include "base/base64.h"
#include "base/sha256.h"
#include "render/svg/embedded_file.h"

EMBEDDED_FILE(assets_js, "viewer.js");
EMBEDDED_FILE(assets_viewer_lanes, "viewer_lanes.js");
EMBEDDED_FILE(assets_css, "viewer.css");

struct text assets_viewer_js(void)
{
	return (struct text){ assets_js_begin, (uint32_t)(assets_js_end - assets_js_begin) };
}

struct text assets_viewer_lanes_js(void)
{
	return (struct text){ assets_viewer_lanes_begin,
			      (uint32_t)(assets_viewer_lanes_end - assets_viewer_lanes_begin) };
}

struct text assets_viewer_css(void)
{
	return (struct text){ assets_css_begin, (uint32_t)(assets_css_end - assets_css_begin) };
}

static const char page_style[] = "body{margin:0}svg{display:block}";

bool svg_style_background(const char *name, struct colour ret[2])
{
	static const struct {
		const char *name;
		uint32_t above, below;
	} rows[] = {
		{ "yellow", 0xeeeeee, 0xeeeeb0 }, { "blue", 0xeeeeee, 0xe0e0ff },
		{ "green", 0xeef2ee, 0xe0ffe0 },  { "grey", 0xf8f8f8, 0xe8e8e8 },
		{ "gray", 0xf8f8f8, 0xe8e8e8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(name, rows[i].name) == 0) {
			ret[0] = colour_of_rgb(rows[i].above);
			ret[1] = colour_of_rgb(rows[i].below);
			return true;
		}
	if (!colour_parse(text_of(name), &ret[0]))
		return false;
	ret[1] = ret[0];
	return true;
}

/*
 * Writes the background. A background that the user chose stays the same in dark mode, and so do
 * the colours on it.
 */
static void write_background(const char *name, struct sink *sink)
{
	static const char on_light[] = "--ink:#000;--quiet:#333;--warn:#7c2d12;--line:#8c959f;"
				       "--button:#f6f8fa;--focus:#0550ae;--faded:#e3e5e8";
	static const char on_dark[] = "--ink:#fff;--quiet:#d1d5da;--warn:#fed7aa;--line:#8c959f;"
				      "--button:#24292f;--focus:#79c0ff;--faded:#2a313c";
	struct colour colours[2];

	if (!name || !svg_style_background(name, colours))
		return;
	sink_printf(sink, ".kiln{--page:#%06x;%s}\n.kiln #ground{fill:url(#background)}\n",
		    colour_rgb(colours[1]),
		    colour_wants_light_text(colours[1]) ? on_dark : on_light);
}

static void write_rule(const char *colour, const char *before, const char *behind,
		       struct sink *sink)
{
	struct colour value;

	/*
	 * The text comes from the command line, so write only the colour that was parsed from it.
	 */
	if (colour && colour_parse(text_of(colour), &value))
		sink_printf(sink, "%s#%06x%s\n", before, colour_rgb(value), behind);
}

/* Writes the content of the style element. The policy contains its hash. */
static void write_rules(const struct svg_options *options, struct sink *sink)
{
	struct colour hit;

	sink_char(sink, '\n');
	sink_text(sink, assets_viewer_css());
	write_background(options->background, sink);
	write_rule(options->ink_colour, ".kiln{--ink:", "}", sink);
	write_rule(options->ink_colour, ".kiln{--quiet:", "}", sink);
	write_rule(options->search_colour, ".kiln{--hit:", "}", sink);
	if (options->search_colour && colour_parse(text_of(options->search_colour), &hit) &&
	    colour_wants_light_text(hit))
		sink_puts(sink, ".kiln #frames text.hit{fill:#fff}\n");
	write_rule(options->stroke_colour, ".kiln #frames{stroke:", "}", sink);
}

void svg_style_write(const struct svg_options *options, struct sink *sink)
{
	struct colour colours[2];

	sink_puts(sink, "<style>");
	write_rules(options, sink);
	sink_puts(sink, "</style>\n");
	if (!options->background || !svg_style_background(options->background, colours))
		return;
	sink_printf(sink,
		    "<defs><linearGradient id=\"background\" x2=\"0\" y2=\"1\">"
		    "<stop stop-color=\"#%06x\" offset=\"5%%\"/>"
		    "<stop stop-color=\"#%06x\" offset=\"95%%\"/></linearGradient></defs>\n",
		    colour_rgb(colours[0]), colour_rgb(colours[1]));
}

static void write_script(bool has_lanes, struct sink *sink)
{
	sink_char(sink, '\n');
	sink_text(sink, has_lanes ? assets_viewer_lanes_js() : assets_viewer_js());
}

void svg_style_write_script(bool has_lanes, struct sink *sink)
{
	sink_puts(sink, "<script><![CDATA[");
	write_script(has_lanes, sink);
	sink_puts(sink, "]]></script>\n");
}

void svg_style_write_page(struct sink *sink)
{
	sink_puts(sink, "<style>");
	sink_puts(sink, page_style);
	sink_puts(sink, "</style>\n");
}

void svg_style_write_hash(struct text bytes, struct sink *sink)
{
	unsigned char hash[SHA256_BYTES];

	sha256_of(bytes, hash);
	sink_puts(sink, " 'sha256-");
	base64_write(sink, (struct text){ (const char *)hash, sizeof(hash) });
	sink_char(sink, '\'');
}

void svg_style_write_rules_hash(const struct svg_options *options, struct sink *sink)
{
	struct sink scratch;

	sink_init_memory(&scratch);
	write_rules(options, &scratch);
	svg_style_write_hash(sink_memory(&scratch), sink);
	sink_deinit(&scratch);
}

void svg_style_write_policy(const struct svg_options *options, struct sink *sink)
{
	struct sink scratch;

	sink_init_memory(&scratch);
	sink_puts(sink, "default-src 'none'; script-src");
	for (int has_lanes = 0; has_lanes < 2; has_lanes++) {
		scratch.used = 0;
		write_script(has_lanes, &scratch);
		svg_style_write_hash(sink_memory(&scratch), sink);
	}
	sink_puts(sink, "; style-src");
	svg_style_write_rules_hash(options, sink);
	if (options->form == SVG_FORM_PAGE)
		svg_style_write_hash(text_of(page_style), sink);
	sink_deinit(&scratch);
}
