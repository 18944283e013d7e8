/* SPDX-License-Identifier: MIT */
/*
 * A heat map shows the bins of a timeline as columns and rows. Without a key, a column is a second
 * (or another unit of time), and a row is an offset within it. Anything that happens every second
 * then becomes a horizontal line:
 *
 *     offset
 *     980 ms | .  .  .  #           bin = column * rows + row
 *     ...    | .  :  .  .
 *      20 ms | .  #  .  .
 *       0 ms | .  .  :  .
 *              10 11 12 13  s       time on the capture's clock
 *
 * With a key, a row is a CPU, thread, comm or event, and a column is a bin:
 *
 *     CPU 0  | . : # . . . # . .
 *     CPU 1  | . . . . : : . . .
 *
 * Columns begin at multiples of their width on the capture's clock, so all heat maps of a capture
 * have the same bins, regardless of the window that they show.
 */
#ifndef TIMELINE_HEAT_MAP_H
#define TIMELINE_HEAT_MAP_H

#include "timeline/timeline.h"

/*
 * Maximum number of rows that show offsets in a column. An SVG with more rows would not fit on a
 * screen, because each row is at least a pixel high.
 */
#define LIMIT_HEAT_MAP_ROWS 1000u

/* Intervals that are shown instead of samples: weights are thread-time. */
enum heat_map_waits {
	HEAT_MAP_SAMPLES,
	HEAT_MAP_OFF_CPU,   /* the waits of kiln offcpu */
	HEAT_MAP_RUN_QUEUE, /* runnable: after a wake-up, or preempted */
};

struct heat_map_options {
	enum timeline_by by;
	uint64_t column_ns, bin_ns; /* if 0, they depend on the duration of the capture */
	uint64_t column_max;        /* bins are merged until there are at most this many columns */
	uint32_t row_max;           /* maximum number of keys with a row; others share a row */
	bool keeps_idle;            /* count samples of the idle task */
	bool is_utilisation;        /* weights are times, computed from the sampling rate */
	enum heat_map_waits waits;
};

struct heat_map_row {
	struct text name; /* only with a key; stored in heat_map.names */
	uint32_t pid, tid, cpu;
	uint64_t sample_count, weight;
	uint32_t other_count; /* not 0: the number of keys that share this row */
	uint64_t low, high;   /* by value: low <= value < high; both 0: only zeros */
};

struct heat_map_cell {
	uint64_t column; /* from 0 */
	uint32_t row;
	uint64_t sample_count, weight;
};

struct heat_map {
	enum timeline_by by;
	enum heat_map_waits waits;
	enum weight_unit unit;
	enum weight_unit value_unit; /* by value: of the rows */
	bool has_times_of_day;       /* times are since the first midnight */
	uint64_t full_weight;        /* weight of a bin in which a CPU was always busy; or 0 */
	uint64_t interval_ns;        /* with full_weight: time between two samples of a busy CPU */
	uint64_t column_ns, bin_ns;  /* with a key, both are equal */
	uint64_t first_column; /* time at which the first column begins, divided by column_ns */
	uint64_t column_count;
	uint32_t row_count;
	bool is_wider;                   /* bins are wider than requested */
	VEC(struct heat_map_cell) cells; /* without empty cells; by column, then by row */
	VEC(struct heat_map_row) rows;   /* with a key */
	struct strings names;
	/* sums over all cells; a wait counts as a sample in the bin where it begins */
	uint64_t sample_count, weight;
	uint64_t largest;                    /* the largest weight of a cell */
	uint64_t idle_count, timeless_count; /* samples that are not in a cell */
	uint64_t valueless_count; /* by value: events without a value, which are not in a cell */
	uint64_t first_time_ns, last_time_ns; /* times of the first and last sample in a cell */
};

/* Checks the widths, and returns the options that the timeline for this heat map needs. */
bool heat_map_plan(const struct heat_map_options *options, struct timeline_options *ret,
		   struct error *err) WARN_UNUSED;

/*
 * Makes a heat map of the events that the profile shows, in its unit. Merges bins of the timeline.
 * Fails if no sample has a time or a key, or if utilisation is requested for an event without a
 * rate.
 */
bool heat_map_make(struct heat_map *map, struct timeline *timeline,
		   const struct heat_map_options *options, struct error *err) WARN_UNUSED;
void heat_map_deinit(struct heat_map *map);

/* Returns the time at which the bin of a cell begins, on the capture's clock. */
static inline uint64_t heat_map_time_ns(const struct heat_map *map,
					const struct heat_map_cell *cell)
{
	uint64_t begin_ns = (map->first_column + cell->column) * map->column_ns;

	return map->by == TIMELINE_BY_NOTHING ? begin_ns + cell->row * map->bin_ns : begin_ns;
}

#endif
