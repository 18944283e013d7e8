/* SPDX-License-Identifier: MIT */
#include "timeline/log_map.h"

#include "base/arithmetic.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
#define NS_PER_DAY    (86400 * NS_PER_SECOND)
/* The approximate number of columns if no width is requested. */
#define COLUMNS_USUAL 200u
#define LINEAR_ROWS   20u
/* The next usual duration might not fit in 64 bits. */
#define BIN_MAX ((uint64_t)1 << 63)
/* Multiples of a larger power of ten might not fit in 64 bits. */
#define POWER_MAX ((uint64_t)1000000000000000000)

/* ---- Rows ---- */

/*
 * The limits of rows, ascending. A row extends from one limit to the next. Zeros may have an
 * additional row.
 */
struct limits {
	uint64_t at[LIMIT_LOG_MAP_ROWS];
	uint32_t count;
	/* Limits are multiples of this, so that no row lies between two values. */
	uint64_t resolution;
};

/* The largest power of ten that divides both. */
static uint64_t divide_by_tens(uint64_t power, uint64_t number)
{
	while (number % power)
		power /= 10;
	return power;
}

/* Adds a limit that is larger than the previous one. Returns whether there was space. */
static bool add_limit(struct limits *limits, uint64_t value)
{
	uint64_t rest = value % limits->resolution;

	if (rest)
		value = saturate_add(value, limits->resolution - rest);
	if (limits->count && value <= limits->at[limits->count - 1])
		return true;
	if (limits->count == ARRAY_SIZE(limits->at))
		return false;
	limits->at[limits->count++] = value;
	return true;
}

/* Adds rows of the same width. */
static bool add_linear(struct limits *limits, uint64_t smallest, uint64_t largest)
{
	uint64_t range = largest - smallest;
	uint64_t step =
		round_number_from((range > smallest / 10 ? range : smallest / 10) / LINEAR_ROWS);
	uint64_t at;

	if (step < limits->resolution)
		step = limits->resolution;
	at = smallest - smallest % step;
	while (at <= largest && at < UINT64_MAX) {
		if (!add_limit(limits, at))
			return false;
		at = saturate_add(at, step);
	}
	return add_limit(limits, at);
}

/* Adds rows whose limits are these numbers of tenths, multiplied by powers of ten. */
static bool add_decades(struct limits *limits, const uint8_t *tenths, uint32_t count,
			uint64_t smallest, uint64_t largest)
{
	for (uint64_t power = 1;; power *= 10) {
		for (uint32_t i = 0; i < count; i++) {
			uint64_t limit = ratio_of(tenths[i], power, 10).quotient;

			if (limit <= smallest)
				limits->count = 0;
			if (!add_limit(limits, limit))
				return false;
			if (limit > largest)
				return true;
		}
		if (power == POWER_MAX)
			return add_limit(limits, UINT64_MAX);
	}
}

/*
 * On a logarithmic scale, rows have about the same width (the E series of resistors, IEC 60063).
 * Otherwise, wider rows would look like modes.
 */
static void choose_limits(struct limits *limits, uint64_t smallest, uint64_t largest)
{
	static const uint8_t twelve[] = { 10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82 };
	static const uint8_t six[] = { 10, 15, 22, 33, 47, 68 };
	static const uint8_t three[] = { 10, 22, 47 };
	static const uint8_t one[] = { 10 };
	static const struct {
		const uint8_t *tenths;
		uint32_t count;
	} series[] = { { twelve, 12 }, { six, 6 }, { three, 3 }, { one, 1 } };

	limits->count = 0;
	if (largest / 10 < smallest && add_linear(limits, smallest, largest))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(series); i++) {
		limits->count = 0;
		if (add_decades(limits, series[i].tenths, series[i].count, smallest, largest))
			return;
	}
}

/* Adds rows, the largest values first. Zeros below the first limit have a separate row. */
static void add_rows(struct heat_map *map, struct limits *limits, bool has_zeros)
{
	for (uint32_t i = limits->count; i-- > 1;)
		vec_push(&map->rows, ((struct heat_map_row){ .low = limits->at[i - 1],
							     .high = limits->at[i] }));
	if (has_zeros && (!limits->count || limits->at[0]))
		vec_push(&map->rows, ((struct heat_map_row){ .high = 0 }));
	map->row_count = (uint32_t)map->rows.count;
}

static void make_rows(struct heat_map *map, const struct log_stats *stats)
{
	struct limits limits = { .resolution = POWER_MAX };
	uint64_t smallest = UINT64_MAX;
	uint64_t largest = 0;
	bool has_zeros = false;

	for (size_t i = 0; i < stats->points.count; i++) {
		uint64_t value = stats->points.at[i].value;

		limits.resolution = divide_by_tens(limits.resolution, value);
		has_zeros |= !value;
		if (value && value < smallest)
			smallest = value;
		if (value > largest)
			largest = value;
	}
	if (largest)
		choose_limits(&limits, smallest, largest);
	add_rows(map, &limits, has_zeros);
}

/* The last row includes 2^64 - 1. */
static uint32_t row_of(const struct heat_map *map, uint64_t value)
{
	uint32_t low = 0;
	uint32_t high = map->row_count - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (value >= map->rows.at[middle].low)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- Columns ---- */

/* The shortest usual duration that is not less than this one. */
static uint64_t usual_duration(uint64_t duration_ns)
{
	static const uint32_t seconds[] = { 1,   2,   5,    10,   15,   30,   60,    120,
					    300, 600, 1200, 1800, 3600, 7200, 14400, 43200 };

	if (duration_ns <= NS_PER_SECOND)
		return round_number_from(duration_ns);
	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++)
		if (duration_ns <= seconds[i] * NS_PER_SECOND)
			return seconds[i] * NS_PER_SECOND;
	return round_number_from((duration_ns - 1) / NS_PER_DAY + 1) * NS_PER_DAY;
}

/* Finds the first and the last time. Returns the largest power of ten that divides all times. */
static uint64_t measure_times(struct heat_map *map, const struct log_stats *stats)
{
	uint64_t resolution_ns = POWER_MAX;

	for (size_t i = 0; i < stats->points.count; i++) {
		uint64_t time_ns = stats->points.at[i].time_ns;

		resolution_ns = divide_by_tens(resolution_ns, time_ns);
		if (time_ns < map->first_time_ns)
			map->first_time_ns = time_ns;
		if (time_ns > map->last_time_ns)
			map->last_time_ns = time_ns;
	}
	return resolution_ns;
}

static uint64_t count_columns(const struct heat_map *map, uint64_t bin_ns)
{
	return map->last_time_ns / bin_ns - map->first_time_ns / bin_ns + 1;
}

static void choose_columns(struct heat_map *map, const struct log_stats *stats,
			   const struct log_map_options *options)
{
	uint64_t resolution_ns = measure_times(map, stats);
	uint64_t span_ns = map->last_time_ns - map->first_time_ns;
	uint64_t bin_ns = options->bin_ns;

	if (!bin_ns) {
		bin_ns = usual_duration(span_ns / COLUMNS_USUAL);
		/*
		 * Times are not more exact than this, so there would be empty columns between them.
		 */
		if (!span_ns && resolution_ns > NS_PER_SECOND)
			resolution_ns = NS_PER_SECOND;
		if (bin_ns < resolution_ns)
			bin_ns = resolution_ns;
	}
	while (count_columns(map, bin_ns) > options->column_max) {
		bin_ns = bin_ns < BIN_MAX ? usual_duration(bin_ns + 1) : UINT64_MAX;
		map->is_wider = options->bin_ns != 0;
	}
	map->bin_ns = map->column_ns = bin_ns;
	map->first_column = map->first_time_ns / bin_ns;
	map->column_count = count_columns(map, bin_ns);
}

/* ---- Cells ---- */

static void add_cell(struct heat_map *map, uint64_t place, uint64_t count)
{
	struct heat_map_cell cell = {
		.column = place / map->row_count,
		.row = (uint32_t)(place % map->row_count),
		.sample_count = count,
		.weight = count,
	};
	struct heat_map_row *row = &map->rows.at[cell.row];

	vec_push(&map->cells, cell);
	row->sample_count += count;
	row->weight += count;
	map->sample_count += count;
	map->weight += count;
	if (count > map->largest)
		map->largest = count;
}

static void add_cells(struct heat_map *map, const struct log_stats *stats)
{
	size_t count = (size_t)(map->column_count * map->row_count);
	uint64_t *counts = memory_zalloc(count, sizeof(*counts));

	for (size_t i = 0; i < stats->points.count; i++) {
		const struct log_point *point = &stats->points.at[i];
		uint64_t column = point->time_ns / map->bin_ns - map->first_column;

		counts[column * map->row_count + row_of(map, point->value)]++;
	}
	for (size_t i = 0; i < count; i++)
		if (counts[i])
			add_cell(map, i, counts[i]);
	memory_free(counts);
}

/* Sets an error that explains why there is no event with a time and a value. */
static bool explain(const struct log_stats *stats, struct error *err)
{
	const struct log_choice *choice = &stats->choice;
	struct text time = stats->heading->columns[choice->has_time ? choice->time : 0].name;

	if (!choice->has_value)
		return error_set(err, ERROR_NO_MATCH,
				 "the events have no value; choose a column with --value");
	if (!choice->has_time)
		return error_set(err, ERROR_NO_MATCH,
				 "the events have no time; choose a column with --time");
	if (!stats->time_count)
		return error_set(
			err, ERROR_NO_MATCH,
			"column %.*s contains no time that kiln can read; a time is a number or a "
			"time of day, such as 12:34:56",
			(int)time.length, time.at);
	return error_set(err, ERROR_NO_MATCH, "no event has both a time and a value");
}

bool log_map_make(struct heat_map *map, const struct log_stats *stats,
		  const struct log_map_options *options, struct error *err)
{
	*map = (struct heat_map){
		.by = TIMELINE_BY_VALUE,
		.unit = UNIT_EVENTS,
		.value_unit = log_stats_are_durations(stats) ? UNIT_NANOSECONDS : UNIT_MILLIONTHS,
		.has_times_of_day = stats->clock.has_times_of_day,
		.first_time_ns = UINT64_MAX,
		.timeless_count = stats->value_count - stats->points.count,
		.valueless_count = stats->event_count - stats->value_count,
	};
	strings_init(&map->names);
	if (!stats->points.count)
		return explain(stats, err);
	make_rows(map, stats);
	choose_columns(map, stats, options);
	add_cells(map, stats);
	return true;
}
