/* SPDX-License-Identifier: MIT */
/*
 * The style and the script of a picture, and the policy under which a browser runs these and nothing
 * else: they are all a picture has, so their hashes are all it must allow.
 *
 *     Content-Security-Policy: default-src 'none'; script-src 'sha256-...'; style-src 'sha256-...'
 */
#ifndef RENDER_SVG_SVG_STYLE_H
#define RENDER_SVG_SVG_STYLE_H

#include "render/svg/svg.h"

/* The two colours of a background, above and below. False: there is none of that name. */
bool svg_style_background(const char *name, struct colour ret[2]) WARN_UNUSED;

/* <style>, <script>, and before them the gradient of the background. */
void svg_style_write(const struct svg_options *options, struct sink *sink);
void svg_style_write_script(struct sink *sink);

/* The style of a page around the picture, with its element. */
void svg_style_write_page(struct sink *sink);

/* The policy, without the name of the header. */
void svg_style_write_policy(const struct svg_options *options, struct sink *sink);

/* The viewer's script and style, embedded when kiln is built from render/svg/viewer/. */
struct text assets_viewer_js(void);
struct text assets_viewer_css(void);

#endif
