/* SPDX-License-Identifier: MIT */
/*
 * Flame graphs as input: SVGs from kiln, flamegraph.pl or inferno.
 *
 *     SVG ─ xml ─┬─ <metadata id="profile">, by kiln:  svg_profile ────┐
 *                └─ rectangles and their titles:       svg_rectangles ─┴▶ spooled
 *
 * If kiln's profile is present and intact, the rectangles are ignored.
 */
#ifndef LIBPARSE_SVG_SVG_READER_H
#define LIBPARSE_SVG_SVG_READER_H

#include "base/json_reader.h"
#include "libparse/formats.h"
#include "libparse/spooled.h"

extern const struct input_format svg_format;

/*
 * Reads the content of the metadata element (svg_profile.c). Returns false, with err, if the
 * profile is corrupt or has an unknown version. The stacks are then incomplete.
 */
bool svg_profile_read(struct spooled *stacks, struct text content, bool is_compressed,
		      struct error *err) WARN_UNUSED;

/*
 * Reads the rows of that profile (svg_rows.c). `rows` is at the object; the frames have already
 * been read. Returns false if a row is corrupt or has no parent, or if the columns do not have the
 * same number of rows.
 */
bool svg_rows_read(struct spooled *stacks, struct json_reader rows) WARN_UNUSED;

/* Returns the number of rows before they are read. Returns 0 if the rows are corrupt. */
uint64_t svg_rows_count(struct json_reader rows);

#endif
