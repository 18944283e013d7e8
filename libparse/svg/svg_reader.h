/* SPDX-License-Identifier: MIT */
/*
 * Flame graphs as input: SVGs drawn by kiln, flamegraph.pl or inferno.
 *
 *     SVG ─ xml ─┬─ <metadata id="profile">, by kiln:  svg_profile ────┐
 *                └─ rectangles and their titles:       svg_rectangles ─┴▶ spooled
 *
 * If kiln's profile is present and intact, the rectangles are ignored.
 */
#ifndef LIBPARSE_SVG_SVG_READER_H
#define LIBPARSE_SVG_SVG_READER_H

#include "libparse/formats.h"

extern const struct input_format svg_format;

#endif
