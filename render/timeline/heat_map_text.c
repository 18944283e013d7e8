/* SPDX-License-Identifier: MIT */
/*
 * Writes a heat map for a terminal: a row of bars for each key, or one row for all samples.
 *
 *     capture · cpu-clock · 1,234 samples over 48.8 s · a bin is 200 ms
 *     CPU 0  ▁▂▇█▃ ▁     812 ms
 *     CPU 1  ▂▂▁   ▁▇    422 ms
 *            9297.400000000 to 9346.200000000 s, a bar is 5.4 s
 */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/timeline/heat_map_output.h"
#include "render/timeline/row_label.h"
#include "render/timeline/heat_map_scale.h"

#define SUM_WIDTH 16u
#define BARS_MIN  10u

/* The bars of a row, each for one or several bins. */
struct bars {
	const struct heat_map *map;
	uint32_t bar_count, row_count;
	uint64_t bins_per_bar;
	uint64_t *weights; /* by row, then by bar */
};

/* Returns the bin of a cell. Without keys, the bins of a column are consecutive. */
static uint64_t bin_of(const struct heat_map *map, const struct heat_map_cell *cell)
{
	return map->by == TIMELINE_BY_NOTHING ? cell->column * map->row_count + cell->row
					      : cell->column;
}

static void bars_init(struct bars *bars, const struct heat_map *map, uint32_t width)
{
	bool has_keys = map->by != TIMELINE_BY_NOTHING;
	uint64_t bin_count = has_keys ? map->column_count : map->column_count * map->row_count;

	*bars = (struct bars){
		.map = map,
		.bins_per_bar = (bin_count + width - 1) / width,
		.row_count = has_keys ? map->row_count : 1,
	};
	bars->bar_count = (uint32_t)((bin_count + bars->bins_per_bar - 1) / bars->bins_per_bar);
	bars->weights =
		memory_zalloc((size_t)bars->row_count * bars->bar_count, sizeof(*bars->weights));
	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];
		uint64_t bar = bin_of(map, cell) / bars->bins_per_bar;
		uint64_t *weight =
			&bars->weights[(has_keys ? cell->row : 0) * (size_t)bars->bar_count + bar];

		*weight = saturate_add(*weight, cell->weight);
	}
}

static uint64_t largest_of(const struct bars *bars)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < (size_t)bars->row_count * bars->bar_count; i++)
		if (bars->weights[i] > largest)
			largest = bars->weights[i];
	return largest;
}

static void write_bars(const struct bars *bars, uint32_t row, const struct heat_map_scale *scale,
		       struct sink *sink)
{
	static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

	for (uint32_t i = 0; i < bars->bar_count; i++)
		sink_puts(sink, heights[heat_map_level(
					scale, bars->weights[(size_t)row * bars->bar_count + i],
					ARRAY_SIZE(heights) - 1)]);
}

/* Replaces label with the name of a row, escaped and truncated. Returns its width in characters. */
static uint32_t make_label(const struct heat_map *map, uint32_t row, struct sink *label)
{
	uint32_t width;
	struct sink name;

	sink_init_memory(&name);
	heat_map_row_name(map, row, &name);
	/* A truncated number would be a different number. */
	width = row_label_make(sink_memory(&name),
			       map->by == TIMELINE_BY_VALUE ? UINT32_MAX : ROW_LABEL_WIDTH, label);
	sink_deinit(&name);
	return width;
}

/* The width of the labels and of the gap after them; 0 without keys. */
static uint32_t label_width(const struct heat_map *map)
{
	uint32_t largest = 0;
	struct sink label;

	sink_init_memory(&label);
	for (uint32_t i = 0; i < map->rows.count; i++) {
		uint32_t width = make_label(map, i, &label);

		if (width > largest)
			largest = width;
	}
	sink_deinit(&label);
	return largest ? largest + 2 : 0;
}

/* Writes when the first bar begins, and when the last bar ends. */
static void write_axis(const struct bars *bars, uint32_t indent, struct sink *sink)
{
	const struct heat_map *map = bars->map;
	uint64_t begin_ns = map->first_column * map->column_ns;

	sink_printf(sink, "%*s", (int)indent, "");
	heat_map_time(map, begin_ns, sink);
	sink_puts(sink, " to ");
	heat_map_time(map,
		      saturate_add(begin_ns, saturate_multiply(map->column_count, map->column_ns)),
		      sink);
	sink_puts(sink, map->has_times_of_day ? ", a bar is " : " s, a bar is ");
	heat_map_duration(saturate_multiply(bars->bins_per_bar, map->bin_ns), sink);
	sink_puts(sink, "\n");
}

static void write_row(const struct bars *bars, uint32_t row, uint32_t indent,
		      const struct heat_map_scale *scale, struct sink *sink)
{
	struct sink label;
	uint32_t width;

	sink_init_memory(&label);
	if (indent) {
		width = make_label(bars->map, row, &label);
		sink_text(sink, sink_memory(&label));
		sink_printf(sink, "%*s", (int)(indent - width), "");
	}
	write_bars(bars, row, scale, sink);
	sink_char(sink, ' ');
	sink_deinit(&label);
}

void heat_map_write_text(const struct heat_map_view *view, uint32_t width, struct sink *sink)
{
	const struct heat_map *map = view->map;
	uint32_t indent = label_width(map);
	struct heat_map_scale scale = { 0 };
	struct sink facts;
	struct bars bars;

	sink_init_memory(&facts);
	heat_map_facts(view, &facts);
	escape_terminal(sink, sink_memory(&facts));
	sink_char(sink, '\n');
	sink_deinit(&facts);
	width = width > indent + SUM_WIDTH + BARS_MIN ? width - indent - SUM_WIDTH : BARS_MIN;
	bars_init(&bars, map, width);
	scale.top = largest_of(&bars);
	for (uint32_t i = 0; i < bars.row_count; i++) {
		write_row(&bars, i, indent, &scale, sink);
		number_weight(sink, indent ? map->rows.at[i].weight : map->weight, view->map->unit);
		sink_char(sink, '\n');
	}
	write_axis(&bars, indent, sink);
	memory_free(bars.weights);
}
