/* SPDX-License-Identifier: MIT */
/*
 * Colours that functions were given once and are to keep: what flamegraph.pl calls palette.map.
 *
 *     main->rgb(243,179,42)        a line for each name, sorted by name
 *     operator->->rgb(213,39,9)    the last arrow counts
 */
#ifndef RENDER_SVG_PALETTE_MAP_H
#define RENDER_SVG_PALETTE_MAP_H

#include "base/sink.h"
#include "render/svg/colour.h"

struct palette_map_row {
	struct colour colour;
	bool is_set;
};

struct palette_map {
	struct strings names;
	VEC(struct palette_map_row) rows; /* by str_id */
};

void palette_map_init(struct palette_map *map);
void palette_map_deinit(struct palette_map *map);

/* Adds what a file says. False with the first line that says nothing; what is before it was added. */
bool palette_map_read(struct palette_map *map, struct text file, struct error *err) WARN_UNUSED;

/* Writes all that is known, sorted by name. */
void palette_map_write(const struct palette_map *map, struct sink *sink);

/* Sets the colour of a name. */
void palette_map_set(struct palette_map *map, struct text name, struct colour colour);

/* The colour of a name; false: it has none. */
bool palette_map_find(struct palette_map *map, struct text name, struct colour *ret);

#endif
