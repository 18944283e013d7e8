/* SPDX-License-Identifier: MIT */
/*
 * Writes a heat map as SVG or as rows of bars for a terminal, or its bins as TSV or JSON:
 *
 *     start           end             cpu    samples  events
 *     9297.420000000  9297.440000000  CPU 0  12       800000
 */
#ifndef RENDER_TIMELINE_HEAT_MAP_OUTPUT_H
#define RENDER_TIMELINE_HEAT_MAP_OUTPUT_H

#include "base/sink.h"
#include "profile/selection/marks.h"
#include "timeline/heat_map.h"

/* A heat map, and its description. */
struct heat_map_view {
	const struct heat_map *map;
	const struct profile *profile; /* provides the events, unit and facts */
	bool keeps_idle;
	const char *title;                /* of the SVG; NULL means "Heat Map" */
	const char *command;              /* for the metadata; NULL if none */
	bool is_metadata_stripped;        /* omit how the SVG was made */
	const struct placed_marks *marks; /* drawn over the map, and listed as JSON; NULL if none */
};

/* The SVG is static if scripts do not run; in a browser, users can select a time window. */
void heat_map_write_svg(const struct heat_map_view *view, struct sink *sink);

/* width: the width of the terminal, in characters. */
void heat_map_write_text(const struct heat_map_view *view, uint32_t width, struct sink *sink);

void heat_map_write_tsv(const struct heat_map_view *view, struct sink *sink);
void heat_map_write_json(const struct heat_map_view *view, struct sink *sink);

/* Whether a mark is at least partly in the heat map. */
bool heat_map_has_mark(const struct heat_map *map, const struct placed_mark *mark);

/* Returns the name of the waits in the heat map: "off-CPU time". Without waits, returns NULL. */
const char *heat_map_waits_name(const struct heat_map *map);

/* Returns what the heat map counts: "sample", "wait" or "event". */
const char *heat_map_counted(const struct heat_map *map);

/* Returns the name of the key of the rows, such as "cpu"; "offset" without a key. */
const char *heat_map_key_name(enum timeline_by by);

/* Writes the name of a row: "make 412", or "12 others". */
void heat_map_row_name(const struct heat_map *map, uint32_t row, struct sink *sink);

/*
 * Writes a description of the heat map: "capture · cpu-clock · 1,234 samples over 48.8 s · a bin is
 * 20 ms, a column 1 s".
 */
void heat_map_facts(const struct heat_map_view *view, struct sink *sink);

/* Writes a duration exactly: 20 ms, 1 s, 2.5 µs. */
void heat_map_duration(uint64_t duration_ns, struct sink *sink);

/* Writes a time in seconds, with nine decimals, as --time reads it. */
void heat_map_seconds(uint64_t time_ns, struct sink *sink);

/* Writes a time like heat_map_seconds, or as a time of day if the heat map has times of day. */
void heat_map_time(const struct heat_map *map, uint64_t time_ns, struct sink *sink);

#endif
