/* SPDX-License-Identifier: MIT */
/*
 * Flame graphs as inputs: pictures that kiln, flamegraph.pl or inferno drew.
 *
 *     SVG ─ xml ─┬─ <metadata id="profile">  the profile itself, of kiln: svg_profile ──┐
 *                └─ boxes and their titles:                        svg_boxes ───────────┴▶ spooled
 *
 * Where kiln's profile is there and whole, the boxes are not looked at.
 */
#ifndef LIBPARSE_SVG_SVG_READER_H
#define LIBPARSE_SVG_SVG_READER_H

#include "libparse/formats.h"

extern const struct input_format svg_format;

#endif
