/* SPDX-License-Identifier: MIT */
#include "eventlog/log_stats.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/quantile.h"
#include "base/scan.h"
#include "base/sink.h"

#define NS_PER_SECOND 1000000000u
#define NS_PER_HOUR   ((uint64_t)3600 * NS_PER_SECOND)
#define NS_PER_DAY    (24 * NS_PER_HOUR)
#define MILLIONTHS    6

void log_stats_init(struct log_stats *stats, const struct log_heading *heading,
		    const struct log_choice *choice, struct strings *strings,
		    const struct log_stats_options *options)
{
	*stats = (struct log_stats){
		.heading = heading,
		.choice = *choice,
		.strings = strings,
		.options = *options,
		.first_ns = UINT64_MAX,
		.clock.earliest_ns = UINT64_MAX,
	};
	idtable_init(&stats->row_table);
}

void log_stats_deinit(struct log_stats *stats)
{
	for (size_t i = 0; i < stats->rows.count; i++)
		vec_free(&stats->rows.at[i].values);
	vec_free(&stats->rows);
	vec_free(&stats->top);
	vec_free(&stats->cells);
	vec_free(&stats->points);
	idtable_deinit(&stats->row_table);
}

/* The number of decimals of a time unit in nanoseconds: 6 for milliseconds. */
static unsigned decimals_of(uint64_t unit_ns)
{
	unsigned decimals = 0;

	for (; unit_ns >= 10; unit_ns /= 10)
		decimals++;
	return decimals;
}

/*
 * Reads a number in a column with this unit, which is a power of ten. A number without a unit is
 * returned in millionths. False for negative numbers.
 */
static bool read_value(struct text cell, uint64_t unit_ns, uint64_t *ret)
{
	struct text rest = cell;
	struct scanned_number number;

	if (!scan_number(&rest, unit_ns ? decimals_of(unit_ns) : MILLIONTHS, &number) ||
	    rest.length || number.value < 0)
		return false;
	*ret = (uint64_t)number.value;
	return true;
}

/*
 * Converts the time of day of an event to the time since the first midnight. A step back by more
 * than half a day means that midnight has passed. A step forward by as much means that the event is
 * from before midnight, as in a log with two writers.
 */
static uint64_t add_days(struct log_stats *stats, uint64_t of_day_ns)
{
	struct log_clock *clock = &stats->clock;
	uint64_t previous_ns = clock->has_times_of_day ? clock->previous_ns : of_day_ns;

	if (of_day_ns + NS_PER_DAY / 2 < previous_ns)
		clock->day_ns = saturate_add(clock->day_ns, NS_PER_DAY);
	else if (clock->day_ns && previous_ns + NS_PER_DAY / 2 < of_day_ns)
		clock->day_ns -= NS_PER_DAY;
	else
		clock->is_unordered |= of_day_ns + NS_PER_HOUR < previous_ns;
	clock->has_times_of_day = true;
	clock->previous_ns = of_day_ns;
	return saturate_add(clock->day_ns, of_day_ns);
}

/* Times without a unit are seconds. */
static bool read_time(struct log_stats *stats, const struct text *cells, uint64_t *ns_ret)
{
	const struct log_column *column;
	struct text cell, rest;

	if (!stats->choice.has_time)
		return false;
	column = &stats->heading->columns[stats->choice.time];
	cell = cells[stats->choice.time];
	rest = cell;
	if (scan_time_of_day(&rest, ns_ret) && !rest.length) {
		*ns_ret = add_days(stats, *ns_ret);
		return true;
	}
	return read_value(cell, column->unit_ns ? column->unit_ns : NS_PER_SECOND, ns_ret);
}

/* In CSV, two quotes stand for one. */
static uint32_t intern(struct log_stats *stats, struct text cell)
{
	struct sink sink;
	uint32_t id;

	if (stats->heading->separator == ' ' || cell.length < 2 ||
	    !memmem(cell.at, cell.length, "\"\"", 2))
		return strings_intern(stats->strings, cell.at, cell.length).i;
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < cell.length; i++) {
		sink_char(&sink, cell.at[i]);
		i += cell.at[i] == '"' && i + 1 < cell.length && cell.at[i + 1] == '"';
	}
	id = strings_intern(stats->strings, sink_memory(&sink).at, sink_memory(&sink).length).i;
	sink_deinit(&sink);
	return id;
}

static struct log_row *row_of(struct log_stats *stats, const struct text *cells)
{
	size_t size_bytes = sizeof(uint32_t) * stats->choice.key_count;
	struct idtable_probe probe;
	struct log_row row = { .event_count = 0 };
	uint64_t hash = 0;
	uint32_t id;

	for (uint32_t i = 0; i < stats->choice.key_count; i++) {
		row.keys[i] = intern(stats, cells[stats->choice.keys[i]]);
		hash = hash_pair(hash, row.keys[i]);
	}
	probe = idtable_find(&stats->row_table, hash);
	while ((id = idtable_next(&stats->row_table, &probe)) != IDTABLE_NONE)
		if (memcmp(stats->rows.at[id].keys, row.keys, size_bytes) == 0)
			return &stats->rows.at[id];
	id = (uint32_t)stats->rows.count;
	vec_push(&stats->rows, row);
	idtable_add(&stats->row_table, hash, id);
	return &stats->rows.at[id];
}

static void store_cells(struct log_stats *stats, const struct text *cells, uint32_t first)
{
	for (uint32_t i = 0; i < stats->heading->count; i++)
		stats->cells.at[first + i] = intern(stats, cells[i]);
}

/* Whether an event has a smaller value. If values are equal, the later event is smaller. */
static bool is_less(const struct log_event *left, const struct log_event *right)
{
	return left->value != right->value ? left->value < right->value
					   : left->ordinal > right->ordinal;
}

static void swap(struct log_event *left, struct log_event *right)
{
	struct log_event event = *left;

	*left = *right;
	*right = event;
}

/* While events are added, `top` is a heap with the smallest event first. */
static void sift_down(struct log_event *heap, size_t count, size_t at)
{
	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++)
			if (is_less(&heap[child], &heap[least]))
				least = child;
		if (least == at)
			return;
		swap(&heap[at], &heap[least]);
		at = least;
	}
}

static void sift_up(struct log_event *heap, size_t at)
{
	for (; at && is_less(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

/*
 * Keeps an event if its value is one of the largest. If values are equal, keeps the first events.
 */
static void keep_event(struct log_stats *stats, const struct text *cells, uint64_t value)
{
	struct log_event event = { .value = value, .ordinal = stats->event_count };
	size_t count = stats->top.count;

	if (count < stats->options.top_count) {
		event.cells = (uint32_t)stats->cells.count;
		for (uint32_t i = 0; i < stats->heading->count; i++)
			vec_push(&stats->cells, 0);
		store_cells(stats, cells, event.cells);
		vec_push(&stats->top, event);
		sift_up(stats->top.at, count);
	} else if (count && value > stats->top.at[0].value) {
		event.cells = stats->top.at[0].cells;
		store_cells(stats, cells, event.cells);
		stats->top.at[0] = event;
		sift_down(stats->top.at, count, 0);
	}
}

static void add_time(struct log_stats *stats, uint64_t time_ns)
{
	struct log_clock *clock = &stats->clock;

	stats->time_count++;
	if (time_ns < stats->first_ns)
		stats->first_ns = time_ns;
	if (time_ns > stats->last_ns)
		stats->last_ns = time_ns;
	if (time_ns % NS_PER_DAY < clock->earliest_ns)
		clock->earliest_ns = time_ns % NS_PER_DAY;
	if (time_ns % NS_PER_DAY > clock->latest_ns)
		clock->latest_ns = time_ns % NS_PER_DAY;
}

void log_stats_add(struct log_stats *stats, const struct text *cells)
{
	const struct log_choice *choice = &stats->choice;
	struct log_row *row = row_of(stats, cells);
	uint64_t time_ns = 0;
	bool has_time = read_time(stats, cells, &time_ns);
	uint64_t value;

	stats->event_count++;
	row->event_count++;
	if (has_time)
		add_time(stats, time_ns);
	if (!choice->has_value ||
	    !read_value(cells[choice->value], stats->heading->columns[choice->value].unit_ns,
			&value))
		return;
	stats->value_count++;
	stats->total = saturate_add(stats->total, value);
	row->total = saturate_add(row->total, value);
	if (!row->values.count || value > row->largest) {
		row->largest = value;
		row->largest_time_ns = time_ns;
		row->has_largest_time = has_time;
		row->largest_time = has_time ? intern(stats, cells[choice->time]) : 0;
	}
	vec_push(&row->values, value);
	if (has_time && stats->options.keeps_points)
		vec_push(&stats->points, ((struct log_point){ time_ns, value }));
	keep_event(stats, cells, value);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct log_stats *stats = context;
	const struct log_row *left = a;
	const struct log_row *right = b;

	if (left->total != right->total)
		return left->total > right->total ? -1 : 1;
	if (left->event_count != right->event_count)
		return left->event_count > right->event_count ? -1 : 1;
	for (uint32_t i = 0; i < stats->choice.key_count; i++)
		if (left->keys[i] != right->keys[i])
			return left->keys[i] < right->keys[i] ? -1 : 1;
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	return is_less(a, b) - is_less(b, a);
}

/* In a log that is not sorted by time, a step back does not mean that midnight has passed. */
static void join_days(struct log_stats *stats)
{
	if (!stats->clock.has_times_of_day || !stats->clock.is_unordered)
		return;
	stats->first_ns = stats->clock.earliest_ns;
	stats->last_ns = stats->clock.latest_ns;
	for (size_t i = 0; i < stats->points.count; i++)
		stats->points.at[i].time_ns %= NS_PER_DAY;
}

void log_stats_finish(struct log_stats *stats)
{
	join_days(stats);
	if (stats->top.count > 1)
		qsort(stats->top.at, stats->top.count, sizeof(*stats->top.at), compare_events);
	for (size_t i = 0; i < stats->rows.count; i++)
		quantile_sort(stats->rows.at[i].values.at, stats->rows.at[i].values.count);
	if (stats->rows.count > 1)
		qsort_r(stats->rows.at, stats->rows.count, sizeof(*stats->rows.at), compare_rows,
			stats);
}
