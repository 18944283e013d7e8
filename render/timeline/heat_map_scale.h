/* SPDX-License-Identifier: MIT */
/*
 * Chooses the colours of a heat map: levels of equal width from 0 to the top. A single bin far
 * above all others would make the others pale, so the top is limited to twice the weight that 99 of
 * 100 bins do not exceed. Bins above the top are in the last level.
 *
 *     weight   0   |   1   |   2   |  ...  |   12   ≥ top
 */
#ifndef RENDER_TIMELINE_HEAT_MAP_SCALE_H
#define RENDER_TIMELINE_HEAT_MAP_SCALE_H

#include "timeline/heat_map.h"

#define HEAT_MAP_LEVELS 12u

struct heat_map_scale {
	uint64_t top;
	bool is_open; /* some bins are above the top */
};

struct heat_map_scale heat_map_scale_of(const struct heat_map *map);

/* Returns the level of a weight, from 1 to the number of levels. Returns 0 only for weight 0. */
uint32_t heat_map_level(const struct heat_map_scale *scale, uint64_t weight, uint32_t count);

#endif
