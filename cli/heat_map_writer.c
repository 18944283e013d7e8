/* SPDX-License-Identifier: MIT */
#include "cli/heat_map_writer.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/svg_output.h"

static void warn(const struct settings *settings, const struct heat_map *map)
{
	struct sink width;

	if (map->is_wider) {
		sink_init_memory(&width);
		heat_map_duration(map->bin_ns, &width);
		sink_char(&width, '\0');
		command_warn(settings,
			     "bins are %s wide, which is more than requested, because the number "
			     "of bins is limited",
			     sink_memory(&width).at);
		sink_deinit(&width);
	}
	if (map->timeless_count)
		command_warn(settings, "%llu %s%s without a time %s not in the heat map",
			     (unsigned long long)map->timeless_count, heat_map_counted(map),
			     map->timeless_count == 1 ? "" : "s",
			     map->timeless_count == 1 ? "is" : "are");
	if (map->valueless_count)
		command_warn(settings, "%llu event%s without a value %s not in the heat map",
			     (unsigned long long)map->valueless_count,
			     map->valueless_count == 1 ? "" : "s",
			     map->valueless_count == 1 ? "is" : "are");
}

void heat_map_writer_write(const struct settings *settings, enum heat_map_form form,
			   const struct heat_map_view *view, struct sink *sink)
{
	struct heat_map_view copy = *view;
	struct sink command;

	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	copy.title = settings->svg.title;
	copy.command = sink_memory(&command).at;
	copy.is_metadata_stripped = settings->svg.is_metadata_stripped;
	switch (form) {
	case HEAT_MAP_SVG:
		heat_map_write_svg(&copy, sink);
		break;
	case HEAT_MAP_TEXT:
		heat_map_write_text(&copy, output_terminal_width(), sink);
		break;
	case HEAT_MAP_JSON:
		heat_map_write_json(&copy, sink);
		break;
	case HEAT_MAP_TSV:
		heat_map_write_tsv(&copy, sink);
		break;
	}
	warn(settings, copy.map);
	sink_deinit(&command);
}
