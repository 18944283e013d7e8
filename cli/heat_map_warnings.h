/* SPDX-License-Identifier: MIT */
/* How a heat map differs from what was requested. */
#ifndef CLI_HEAT_MAP_WARNINGS_H
#define CLI_HEAT_MAP_WARNINGS_H

#include "cli/settings.h"
#include "timeline/heat_map.h"

/* Warns about bins that are wider than requested, and about samples or events without a time. */
void heat_map_warnings_print(const struct settings *settings, const struct heat_map *map);

#endif
