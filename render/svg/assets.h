/* SPDX-License-Identifier: MIT */
/* The viewer's script and style, embedded when kiln is built from render/svg/viewer/. */
#ifndef RENDER_SVG_ASSETS_H
#define RENDER_SVG_ASSETS_H

#include "base/strings.h"

struct text assets_viewer_js(void);
struct text assets_viewer_css(void);

#endif
