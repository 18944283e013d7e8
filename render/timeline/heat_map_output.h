/* SPDX-License-Identifier: MIT */
/*
 * Writes the bins of a heat map as TSV or JSON:
 *
 *     start         end           cpu     samples   weight
 *     9297.420000000 9297.440000000 CPU 0  12        800000
 */
#ifndef RENDER_TIMELINE_HEAT_MAP_OUTPUT_H
#define RENDER_TIMELINE_HEAT_MAP_OUTPUT_H

#include "base/sink.h"
#include "timeline/heat_map.h"

/* A heat map and what it is of. */
struct heat_map_view {
	const struct heat_map *map;
	const struct profile *profile; /* its events, unit and facts */
};

void heat_map_write_tsv(const struct heat_map_view *view, struct sink *sink);
void heat_map_write_json(const struct heat_map_view *view, struct sink *sink);

/* What rows of the heat map are: "cpu"; "offset" without a key. */
const char *heat_map_key_name(enum timeline_by by);

/* Writes the name of a row: "make 412", or "12 others". */
void heat_map_row_name(const struct heat_map *map, uint32_t row, struct sink *sink);

/* Writes a time in seconds, with nine decimals, as --time reads it. */
void heat_map_seconds(uint64_t time_ns, struct sink *sink);

#endif
