/* SPDX-License-Identifier: MIT */
/* Writes the heat maps of kiln heatmap and kiln events, with the options of their SVGs. */
#ifndef CLI_HEAT_MAP_WRITER_H
#define CLI_HEAT_MAP_WRITER_H

#include "cli/settings.h"
#include "render/timeline/heat_map_output.h"

enum heat_map_form {
	HEAT_MAP_SVG,
	HEAT_MAP_TEXT,
	HEAT_MAP_JSON,
	HEAT_MAP_TSV,
};

/*
 * Writes a heat map. Warns about bins that are wider than requested, and about samples or events
 * that are not in the heat map. The options replace the title and the metadata of `view`.
 */
void heat_map_writer_write(const struct settings *settings, enum heat_map_form form,
			   const struct heat_map_view *view, struct sink *sink);

#endif
