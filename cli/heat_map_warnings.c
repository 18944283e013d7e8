/* SPDX-License-Identifier: MIT */
#include "cli/heat_map_warnings.h"

#include "cli/command.h"
#include "render/timeline/heat_map_output.h"

void heat_map_warnings_print(const struct settings *settings, const struct heat_map *map)
{
	struct sink width;

	if (map->is_wider) {
		sink_init_memory(&width);
		heat_map_duration(map->bin_ns, &width);
		sink_char(&width, '\0');
		command_warn(settings, "bins are %s wide, because the number of bins is limited",
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
