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
#include "libparse/spooled.h"

extern const struct input_format svg_format;

/*
 * svg_profile.c: reads the content of the metadata element. False: it is corrupt, or of an unknown
 * version; the stacks are then incomplete.
 */
bool svg_profile_read(struct spooled *stacks, struct text content, bool is_compressed,
		      struct error *err) WARN_UNUSED;

#endif
