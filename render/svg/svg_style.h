/* SPDX-License-Identifier: MIT */
/*
 * Writes the style and the script of an SVG, and a content security policy that allows only this
 * style and this script, by their hashes. The script has two forms: the viewer with and without
 * lanes.
 *
 *     Content-Security-Policy: default-src 'none'; script-src 'sha256-...' 'sha256-...'; style-src 'sha256-...'
 */
#ifndef RENDER_SVG_SVG_STYLE_H
#define RENDER_SVG_SVG_STYLE_H

#include "render/svg/svg.h"

/* Finds the upper and lower colours of a background. Returns false if the name is unknown. */
bool svg_style_background(const char *name, struct colour ret[2]) WARN_UNUSED;

/* These functions write the <style> with the background gradient, and the <script>. */
void svg_style_write(const struct svg_options *options, struct sink *sink);
void svg_style_write_script(bool has_lanes, struct sink *sink);

/* Writes the <style> of an HTML page around the SVG. */
void svg_style_write_page(struct sink *sink);

/* Writes the value of the Content-Security-Policy header. */
void svg_style_write_policy(const struct svg_options *options, struct sink *sink);

/* Writes a source for the policy, " 'sha256-...'", of the bytes or of the SVG's style. */
void svg_style_write_hash(struct text bytes, struct sink *sink);
void svg_style_write_rules_hash(const struct svg_options *options, struct sink *sink);

/* The viewer's script and style, from render/svg/viewer/, without comments. */
struct text assets_viewer_js(void);
struct text assets_viewer_lanes_js(void); /* the same, with lanes.js for flame charts */
struct text assets_viewer_css(void);

#endif
