/* SPDX-License-Identifier: MIT */
#include "timeline/log_map.h"

#include "base/arithmetic.h"
#include "base/quantile.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
/* Columns if no width is requested: about this many. */
#define COLUMNS_USUAL 200u
#define LINEAR_ROWS   20u
/* Multiples of a larger power of ten might not fit in 64 bits. */
#define POWER_MAX ((uint64_t)1000000000000000000)

/* ---- Rows ---- */

/* The limits of rows, ascending: a row is from one limit to the next. */
struct limits {
	uint64_t at[LIMIT_LOG_MAP_ROWS + 1];
	uint32_t count;
};

/* Adds a limit that is larger than the one before. Returns whether there was room. */
static bool add_limit(struct limits *limits, uint64_t value)
{
	if (limits->count && value <= limits->at[limits->count - 1])
		return true;
	if (limits->count == ARRAY_SIZE(limits->at))
		return false;
	limits->at[limits->count++] = value;
	return true;
}

/* 1, 2, 5, 10, 20, 50, ...: the first that is not less than value, which is at most POWER_MAX. */
static uint64_t round_up(uint64_t value)
{
	uint64_t power = 1;

	while (10 * power <= value)
		power *= 10;
	if (value <= power)
		return power;
	return value <= 2 * power ? 2 * power : value <= 5 * power ? 5 * power : 10 * power;
}

/* Rows of the same width. */
static bool add_linear(struct limits *limits, uint64_t smallest, uint64_t largest)
{
	uint64_t range = largest - smallest;
	uint64_t step = round_up((range > smallest / 10 ? range : smallest / 10) / LINEAR_ROWS);
	uint64_t at = smallest - smallest % step;

	while (at <= largest && at < UINT64_MAX) {
		if (!add_limit(limits, at))
			return false;
		at = saturate_add(at, step);
	}
	return add_limit(limits, at);
}

/* Rows whose limits are these numbers of tenths, times powers of ten. */
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

static void choose_limits(struct limits *limits, uint64_t smallest, uint64_t largest)
{
	static const uint8_t twelve[] = { 10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82 };
	static const uint8_t six[] = { 10, 15, 20, 30, 50, 70 };
	static const uint8_t three[] = { 10, 20, 50 };
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

/* Adds rows, the largest values first. Zeros below the first limit have a row of their own. */
static void add_rows(struct heat_map *map, struct limits *limits, bool has_zeros)
{
	for (uint32_t i = limits->count - 1; i > 0; i--)
		vec_push(&map->rows, ((struct heat_map_row){ .low = limits->at[i - 1],
							     .high = limits->at[i] }));
	if (has_zeros && limits->at[0])
		vec_push(&map->rows, ((struct heat_map_row){ .high = limits->at[0] }));
	map->row_count = (uint32_t)map->rows.count;
}

static void make_rows(struct heat_map *map, const struct log_stats *stats)
{
	uint64_t smallest = UINT64_MAX;
	uint64_t largest = 0;
	bool has_zeros = false;
	struct limits limits;

	for (size_t i = 0; i < stats->points.count; i++) {
		uint64_t value = stats->points.at[i].value;

		has_zeros |= !value;
		if (value && value < smallest)
			smallest = value;
		if (value > largest)
			largest = value;
	}
	choose_limits(&limits, largest ? smallest : 1, largest ? largest : 1);
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
		return round_up(duration_ns);
	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++)
		if (duration_ns <= seconds[i] * NS_PER_SECOND)
			return seconds[i] * NS_PER_SECOND;
	return round_up(duration_ns / (86400 * NS_PER_SECOND) + 1) * 86400 * NS_PER_SECOND;
}

static void choose_columns(struct heat_map *map, const struct log_stats *stats,
			   const struct log_map_options *options)
{
	uint64_t least_ns = stats->has_times_of_day ? NS_PER_SECOND : 1;
	uint64_t bin_ns = options->bin_ns;

	for (size_t i = 0; i < stats->points.count; i++) {
		uint64_t time_ns = stats->points.at[i].time_ns;

		if (time_ns < map->first_time_ns)
			map->first_time_ns = time_ns;
		if (time_ns > map->last_time_ns)
			map->last_time_ns = time_ns;
	}
	if (!bin_ns)
		bin_ns = usual_duration((map->last_time_ns - map->first_time_ns) / COLUMNS_USUAL);
	if (!options->bin_ns && bin_ns < least_ns)
		bin_ns = least_ns;
	while (map->last_time_ns / bin_ns - map->first_time_ns / bin_ns >= options->column_max) {
		bin_ns = saturate_multiply(bin_ns, 2);
		map->is_wider = options->bin_ns != 0;
	}
	map->bin_ns = map->column_ns = bin_ns;
	map->first_column = map->first_time_ns / bin_ns;
	map->column_count = map->last_time_ns / bin_ns - map->first_column + 1;
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

/* Sorts the events by column, then by row, and counts equal ones. */
static void add_cells(struct heat_map *map, const struct log_stats *stats)
{
	size_t count = stats->points.count;
	uint64_t *places = memory_alloc(count, sizeof(*places));

	for (size_t i = 0; i < count; i++) {
		const struct log_point *point = &stats->points.at[i];
		uint64_t column = point->time_ns / map->bin_ns - map->first_column;

		places[i] = column * map->row_count + row_of(map, point->value);
	}
	quantile_sort(places, count);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && places[next] == places[i];)
			next++;
		add_cell(map, places[i], next - i);
	}
	memory_free(places);
}

bool log_map_make(struct heat_map *map, const struct log_stats *stats,
		  const struct log_map_options *options, struct error *err)
{
	*map = (struct heat_map){
		.by = TIMELINE_BY_VALUE,
		.unit = UNIT_EVENTS,
		.value_unit = log_stats_are_durations(stats) ? UNIT_NANOSECONDS : UNIT_MILLIONTHS,
		.has_times_of_day = stats->has_times_of_day,
		.first_time_ns = UINT64_MAX,
		.timeless_count = stats->value_count - stats->points.count,
	};
	strings_init(&map->names);
	if (!stats->points.count)
		return error_set(err, ERROR_NO_MATCH,
				 "no event has both a time and a value; choose the columns with "
				 "--time and --value");
	make_rows(map, stats);
	choose_columns(map, stats, options);
	add_cells(map, stats);
	return true;
}
