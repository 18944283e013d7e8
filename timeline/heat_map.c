/* SPDX-License-Identifier: MIT */
#include "timeline/heat_map.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/sink.h"

#define NS_PER_MS     ((uint64_t)1000000)
#define NS_PER_SECOND (1000 * NS_PER_MS)

/* The default is 20 ms for a column of one second, as in FlameScope. */
#define ROWS_DEFAULT 50u
/*
 * In a short capture, columns are shorter than a second, so that there are at least this many
 * columns.
 */
#define COLUMNS_MIN 8u
/*
 * The number of cells in a timeline if no width is requested: enough for 600 columns of 50 bins, or
 * for 300 bins of 200 keys.
 */
#define CELLS_DEFAULT ((size_t)1 << 16)

/* Returns the number of rows of offsets; 1 with a key. */
static uint64_t rows_of_column(const struct heat_map_options *options)
{
	if (options->by != TIMELINE_BY_NOTHING)
		return 1;
	if (options->column_ns && options->bin_ns)
		return options->column_ns / options->bin_ns;
	if (options->bin_ns && NS_PER_SECOND % options->bin_ns == 0 &&
	    NS_PER_SECOND / options->bin_ns > 1 &&
	    NS_PER_SECOND / options->bin_ns <= LIMIT_HEAT_MAP_ROWS)
		return NS_PER_SECOND / options->bin_ns;
	return ROWS_DEFAULT;
}

/* Returns a bit for each kind of interval that is shown. */
static unsigned marks_of(enum heat_map_waits waits)
{
	switch (waits) {
	case HEAT_MAP_OFF_CPU:
		return 1u << INTERVAL_PLAIN | 1u << INTERVAL_PREEMPTED;
	case HEAT_MAP_RUN_QUEUE:
		return 1u << INTERVAL_RUN_QUEUE | 1u << INTERVAL_PREEMPTED;
	case HEAT_MAP_SAMPLES:
		break;
	}
	return 0;
}

bool heat_map_plan(const struct heat_map_options *options, struct timeline_options *ret,
		   struct error *err)
{
	uint64_t rows = rows_of_column(options);
	uint64_t column_ns;

	*ret = (struct timeline_options){
		.by = options->by,
		.bin_ns = NS_PER_MS,
		.marks = marks_of(options->waits),
	};
	if (options->bin_ns)
		ret->bin_ns = options->bin_ns;
	else if (options->column_ns)
		ret->bin_ns = options->column_ns / rows;
	if (!options->bin_ns && !options->column_ns)
		ret->cell_max = CELLS_DEFAULT;
	if (options->by != TIMELINE_BY_NOTHING)
		return !options->column_ns ||
		       error_set(err, ERROR_USAGE,
				 "--column cannot be combined with --by; use --bin to set the "
				 "duration of a bin");
	if (rows < 2 || rows > LIMIT_HEAT_MAP_ROWS)
		return error_set(err, ERROR_USAGE,
				 "--column must be 2 to %u times as long as --bin",
				 LIMIT_HEAT_MAP_ROWS);
	if ((options->column_ns && options->column_ns != rows * ret->bin_ns) ||
	    __builtin_mul_overflow(rows, ret->bin_ns, &column_ns))
		return error_set(err, ERROR_USAGE, "--column must be a multiple of --bin%s",
				 options->bin_ns ? "" : "; without --bin, a column has 50 bins");
	return true;
}

/* Whether the profile shows an event with this name. */
static bool is_shown(const struct timeline *timeline, str_id event)
{
	const struct profile *profile = timeline->profile;
	struct text name = strings_get(&timeline->names, event);

	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown &&
		    text_equal(strings_get(profile->strings, profile->events.at[i].name), name))
			return true;
	return false;
}

/*
 * Returns, for each row of the timeline, whether its cells are part of the heat map. Counts the
 * other rows.
 */
static bool *find_shown(struct heat_map *map, const struct timeline *timeline, bool keeps_idle)
{
	bool *ret = memory_zalloc(timeline->rows.count, sizeof(*ret));

	for (size_t i = 0; i < timeline->rows.count; i++) {
		const struct timeline_row *row = &timeline->rows.at[i];

		if (!is_shown(timeline, row->key.event))
			continue;
		map->timeless_count = saturate_add(map->timeless_count, row->timeless_count);
		if (row->key.is_idle && !keeps_idle) {
			map->idle_count = saturate_add(map->idle_count, row->sample_count);
			continue;
		}
		ret[i] = row->sample_count != 0;
		if (!ret[i])
			continue;
		map->sample_count = saturate_add(map->sample_count, row->sample_count);
		if (row->first_time_ns < map->first_time_ns)
			map->first_time_ns = row->first_time_ns;
		if (row->last_time_ns > map->last_time_ns)
			map->last_time_ns = row->last_time_ns;
	}
	return ret;
}

static uint64_t count_columns(const struct heat_map *map, uint64_t column_ns)
{
	return map->last_time_ns / column_ns - map->first_time_ns / column_ns + 1;
}

static uint64_t rows_max(const struct heat_map_options *options)
{
	return options->by == TIMELINE_BY_NOTHING ? rows_of_column(options)
						  : (uint64_t)options->row_max + 1;
}

/* Chooses the widths of columns and bins: as requested, if there are not too many columns. */
static void choose_widths(struct heat_map *map, struct timeline *timeline,
			  const struct heat_map_options *options)
{
	uint64_t rows = rows_of_column(options);
	bool is_free = !options->column_ns && !options->bin_ns;
	uint64_t column_max = options->column_max;

	/* A wait has only two cells in the timeline, but can fill all bins of the heat map. */
	if (timeline_has_intervals(timeline) &&
	    column_max > LIMIT_TIMELINE_CELLS / rows_max(options))
		column_max = LIMIT_TIMELINE_CELLS / rows_max(options);
	for (;;) {
		uint64_t column_ns = timeline->bin_ns * rows;
		uint64_t wider_ns = saturate_multiply(column_ns, timeline->level % 2 ? 5 : 2);
		bool is_short = is_free && rows > 1 && wider_ns <= NS_PER_SECOND &&
				count_columns(map, wider_ns) >= COLUMNS_MIN;
		uint64_t wider_bin_ns;

		map->bin_ns = timeline->bin_ns;
		map->column_ns = column_ns;
		if (!is_short && count_columns(map, column_ns) <= column_max)
			break;
		/* The last column must end before the clock does. */
		if (__builtin_mul_overflow(wider_ns, 2, &wider_bin_ns) || !timeline_widen(timeline))
			break;
	}
	map->is_wider = !is_free && timeline->level > 0;
	map->first_column = map->first_time_ns / map->column_ns;
	map->column_count = count_columns(map, map->column_ns);
	map->row_count = (uint32_t)rows;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/*
 * Compares rows of the timeline by their keys. Events are compared only if the rows of the heat map
 * are events.
 */
static int compare_keys(const void *left, const void *right, void *context)
{
	const struct timeline *timeline = context;
	const struct timeline_key *a = &timeline->rows.at[*(const uint32_t *)left].key;
	const struct timeline_key *b = &timeline->rows.at[*(const uint32_t *)right].key;
	int by_cpu = compare_numbers(a->cpu, b->cpu);
	int by_pid = compare_numbers(a->pid, b->pid);
	int by_tid = compare_numbers(a->tid, b->tid);

	if (timeline->options.by == TIMELINE_BY_EVENT)
		return text_compare(strings_get(&timeline->names, a->event),
				    strings_get(&timeline->names, b->event));
	if (by_cpu || by_pid || by_tid)
		return by_cpu ? by_cpu : by_pid ? by_pid : by_tid;
	return text_compare(strings_get(&timeline->names, a->comm),
			    strings_get(&timeline->names, b->comm));
}

static struct text name_of(struct heat_map *map, const struct timeline *timeline,
			   const struct timeline_row *row)
{
	const struct timeline_key *key = &row->key;
	struct text comm = strings_get(&timeline->names, row->latest_comm);
	struct sink name;
	str_id id;

	if (timeline->options.by == TIMELINE_BY_COMM)
		return strings_get(&timeline->names, key->comm);
	if (timeline->options.by == TIMELINE_BY_EVENT)
		return strings_get(&timeline->names, key->event);
	sink_init_memory(&name);
	if (timeline->options.by == TIMELINE_BY_CPU && key->cpu == EVENT_NO_CPU)
		sink_puts(&name, "CPU not recorded");
	else if (timeline->options.by == TIMELINE_BY_CPU)
		sink_printf(&name, "CPU %" PRIu32, key->cpu);
	else if (key->tid == EVENT_NO_TID)
		sink_puts(&name, "thread not recorded");
	else
		sink_printf(&name, "%.*s %" PRId32, (int)comm.length, comm.at, (int32_t)key->tid);
	id = strings_intern(&map->names, sink_memory(&name).at, sink_memory(&name).length);
	sink_deinit(&name);
	return strings_get(&map->names, id);
}

static uint64_t weight_of(const struct timeline *timeline, uint64_t sample_count, uint64_t weight)
{
	return timeline->profile->unit == UNIT_SAMPLES ? sample_count : weight;
}

/* A row of the heat map before rows are chosen and sorted. */
struct map_key {
	struct heat_map_row row;
	uint32_t number; /* rank by compare_keys */
};

struct map_keys {
	VEC(struct map_key) rows;
	VEC(uint32_t) order; /* shown rows of the timeline, sorted by key */
	uint32_t *of_row;    /* index of the key of each timeline row */
	uint32_t *places;    /* row of the heat map for each key */
};

/* Joins timeline rows that have the same key in the heat map. */
static void join_keys(struct heat_map *map, const struct timeline *timeline, const bool *is_in,
		      struct map_keys *keys)
{
	for (uint32_t i = 0; i < timeline->rows.count; i++)
		if (is_in[i])
			vec_push(&keys->order, i);
	if (keys->order.count)
		qsort_r(keys->order.at, keys->order.count, sizeof(*keys->order.at), compare_keys,
			(void *)timeline);
	for (size_t i = 0; i < keys->order.count; i++) {
		const struct timeline_row *row = &timeline->rows.at[keys->order.at[i]];
		uint32_t number = (uint32_t)keys->rows.count;
		struct heat_map_row *sum;

		if (!i ||
		    compare_keys(&keys->order.at[i - 1], &keys->order.at[i], (void *)timeline) != 0)
			vec_push(&keys->rows, (struct map_key){
						      .row = { .name = name_of(map, timeline, row),
							       .pid = row->key.pid,
							       .tid = row->key.tid,
							       .cpu = row->key.cpu },
						      .number = number,
					      });
		sum = &keys->rows.at[keys->rows.count - 1].row;
		sum->sample_count = saturate_add(sum->sample_count, row->sample_count);
		sum->weight = saturate_add(sum->weight,
					   weight_of(timeline, row->sample_count, row->weight));
		keys->of_row[keys->order.at[i]] = (uint32_t)keys->rows.count - 1;
	}
}

/* Sorts by weight, the heaviest first, then by key. */
static int compare_weights(const void *left, const void *right)
{
	const struct map_key *a = left;
	const struct map_key *b = right;

	return a->row.weight != b->row.weight ? compare_numbers(b->row.weight, a->row.weight)
					      : compare_numbers(a->number, b->number);
}

static int compare_cpus(const void *left, const void *right)
{
	const struct map_key *a = left;
	const struct map_key *b = right;

	return compare_numbers(a->row.cpu, b->row.cpu);
}

/* Sorts the rows, and joins all rows after the last row that is shown. */
static void place_keys(struct heat_map *map, struct map_keys *keys, uint32_t row_max)
{
	size_t count = keys->rows.count;
	size_t kept = count <= row_max ? count : row_max;
	struct heat_map_row rest = { .other_count = (uint32_t)(count - kept) };

	if (!count)
		return;
	qsort(keys->rows.at, count, sizeof(*keys->rows.at), compare_weights);
	if (map->by == TIMELINE_BY_CPU)
		qsort(keys->rows.at, kept, sizeof(*keys->rows.at), compare_cpus);
	for (size_t i = 0; i < count; i++) {
		const struct map_key *key = &keys->rows.at[i];

		keys->places[key->number] = (uint32_t)(i < kept ? i : kept);
		if (i < kept) {
			vec_push(&map->rows, key->row);
			continue;
		}
		rest.sample_count = saturate_add(rest.sample_count, key->row.sample_count);
		rest.weight = saturate_add(rest.weight, key->row.weight);
	}
	if (rest.other_count)
		vec_push(&map->rows, rest);
	map->row_count = (uint32_t)map->rows.count;
}

static int compare_cells(const void *left, const void *right)
{
	const struct heat_map_cell *a = left;
	const struct heat_map_cell *b = right;

	return a->column != b->column ? compare_numbers(a->column, b->column)
				      : compare_numbers(a->row, b->row);
}

/* Merges cells with the same row and column. Cells are sorted. */
static void join_cells(struct heat_map *map)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];
		struct heat_map_cell *last = kept ? &map->cells.at[kept - 1] : NULL;

		if (!last || compare_cells(last, cell) != 0) {
			map->cells.at[kept++] = *cell;
			continue;
		}
		last->sample_count = saturate_add(last->sample_count, cell->sample_count);
		last->weight = saturate_add(last->weight, cell->weight);
	}
	map->cells.count = kept;
	for (size_t i = 0; i < kept; i++) {
		map->weight = saturate_add(map->weight, map->cells.at[i].weight);
		if (map->cells.at[i].weight > map->largest)
			map->largest = map->cells.at[i].weight;
	}
}

/* Returns the row of the heat map for a row of the timeline; 0 without keys. */
static uint32_t row_of(const struct heat_map *map, const struct map_keys *keys, uint32_t row)
{
	return map->by == TIMELINE_BY_NOTHING ? 0 : keys->places[keys->of_row[row]];
}

static int compare_bounds(const void *left, const void *right)
{
	const struct timeline_cell *a = left;
	const struct timeline_cell *b = right;

	return a->row != b->row ? compare_numbers(a->row, b->row) : compare_numbers(a->bin, b->bin);
}

/* Adds a cell for the bin of a row, unless it is empty. */
static void add_bin(struct heat_map *map, uint32_t row, uint64_t bin, uint64_t count,
		    uint64_t weight)
{
	bool has_keys = map->by != TIMELINE_BY_NOTHING;

	if (count || weight)
		vec_push(
			&map->cells,
			(struct heat_map_cell){
				.column = bin / (has_keys ? 1 : map->row_count) - map->first_column,
				.row = has_keys ? row : (uint32_t)(bin % map->row_count),
				.sample_count = count,
				.weight = weight,
			});
}

/*
 * Adds up the bounds of intervals, sorted by row and bin. Each bin gets its own weight, and its
 * whole width for each interval that covers it.
 */
static void sum_bounds(struct heat_map *map, const struct timeline_cell *bounds, size_t count)
{
	uint64_t covering = 0;

	for (size_t i = 0; i < count; i++) {
		const struct timeline_cell *bound = &bounds[i];
		bool is_first = !i || bounds[i - 1].row != bound->row;
		uint64_t bin = is_first ? bound->bin : bounds[i - 1].bin + 1;
		struct timeline_cell sum = *bound;

		if (is_first)
			covering = 0;
		for (; covering && bin < bound->bin; bin++)
			add_bin(map, bound->row, bin, 0, covering * map->bin_ns);
		for (; i + 1 < count && compare_bounds(&bounds[i + 1], bound) == 0; i++) {
			sum.sample_count += bounds[i + 1].sample_count;
			sum.weight += bounds[i + 1].weight;
			sum.covering += bounds[i + 1].covering;
		}
		add_bin(map, sum.row, sum.bin, sum.sample_count,
			covering * map->bin_ns + sum.weight);
		covering += sum.covering;
	}
}

/* Adds a cell for each bin in which a thread waits. */
static void add_waits(struct heat_map *map, const struct timeline *timeline, const bool *is_in,
		      const struct map_keys *keys)
{
	VEC(struct timeline_cell) bounds = { 0 };
	uint64_t total_ns = 0;

	for (size_t i = 0; i < timeline->rows.count; i++)
		if (is_in[i])
			total_ns = saturate_add(total_ns, timeline->rows.at[i].weight);
	/* If the total saturated, the sums of bins may be wrong. */
	if (total_ns == UINT64_MAX)
		map->weight = total_ns;
	for (size_t i = 0; i < timeline->cells.count; i++) {
		struct timeline_cell bound = timeline->cells.at[i];

		if (!is_in[bound.row])
			continue;
		bound.row = row_of(map, keys, bound.row);
		vec_push(&bounds, bound);
	}
	if (bounds.count)
		qsort(bounds.at, bounds.count, sizeof(*bounds.at), compare_bounds);
	sum_bounds(map, bounds.at, bounds.count);
	vec_free(&bounds);
}

static void add_samples(struct heat_map *map, const struct timeline *timeline, const bool *is_in,
			const struct map_keys *keys)
{
	for (size_t i = 0; i < timeline->cells.count; i++) {
		const struct timeline_cell *cell = &timeline->cells.at[i];

		if (is_in[cell->row])
			add_bin(map, row_of(map, keys, cell->row), cell->bin, cell->sample_count,
				weight_of(timeline, cell->sample_count, cell->weight));
	}
}

static void add_cells(struct heat_map *map, const struct timeline *timeline, const bool *is_in,
		      const struct map_keys *keys)
{
	if (map->waits)
		add_waits(map, timeline, is_in, keys);
	else
		add_samples(map, timeline, is_in, keys);
	if (map->cells.count)
		qsort(map->cells.at, map->cells.count, sizeof(*map->cells.at), compare_cells);
	join_cells(map);
}

/* Returns the time between two samples of a busy CPU; 0 if the event has no rate. */
static uint64_t interval_ns_of(const struct profile_event *event)
{
	if (!event->has_attr || !event->sample_period)
		return 0;
	if (event->is_frequency)
		return NS_PER_SECOND / event->sample_period;
	return event->unit == UNIT_NANOSECONDS ? event->sample_period : 0;
}

/* Finds the interval of the shown event, if there is only one. */
static bool find_interval(const struct profile *profile, uint64_t *ret_ns)
{
	const struct profile_event *shown = NULL;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->is_shown && event->sample_count) {
			if (shown)
				return false;
			shown = event;
		}
	}
	*ret_ns = shown ? interval_ns_of(shown) : 0;
	return *ret_ns > 0;
}

/* The shown event has no rate. If another event has one, suggests this event. */
static bool fail_without_rate(const struct profile *profile, struct error *err)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->sample_count && !event->is_shown && interval_ns_of(event))
			return error_set(err, ERROR_USAGE,
					 "--utilisation requires an event with a sampling rate; "
					 "use --event %s",
					 strings_text(profile->strings, event->name));
	}
	return error_set(err, ERROR_USAGE,
			 "--utilisation requires a capture with a known sampling rate; record "
			 "with perf record -F 999 or -e cpu-clock");
}

static void weigh(uint64_t *weight, uint64_t sample_count, uint64_t interval_ns)
{
	*weight = saturate_multiply(sample_count, interval_ns);
}

/* Replaces each weight with the time that its samples represent. */
static bool measure_utilisation(struct heat_map *map, const struct profile *profile,
				struct error *err)
{
	uint64_t interval_ns;

	if (!find_interval(profile, &interval_ns))
		return fail_without_rate(profile, err);
	map->largest = 0;
	for (size_t i = 0; i < map->cells.count; i++) {
		struct heat_map_cell *cell = &map->cells.at[i];

		weigh(&cell->weight, cell->sample_count, interval_ns);
		if (cell->weight > map->largest)
			map->largest = cell->weight;
	}
	for (size_t i = 0; i < map->rows.count; i++)
		weigh(&map->rows.at[i].weight, map->rows.at[i].sample_count, interval_ns);
	weigh(&map->weight, map->sample_count, interval_ns);
	map->unit = UNIT_NANOSECONDS;
	map->full_weight = map->bin_ns;
	map->interval_ns = interval_ns;
	return true;
}

static bool check(const struct heat_map *map, struct error *err)
{
	bool lacks_key = map->rows.count == 1 &&
			 ((map->by == TIMELINE_BY_CPU && map->rows.at[0].cpu == EVENT_NO_CPU) ||
			  (map->by == TIMELINE_BY_THREAD && map->rows.at[0].tid == EVENT_NO_TID));

	if (lacks_key)
		return error_set(err, ERROR_USAGE,
				 map->by == TIMELINE_BY_CPU
					 ? "--by cpu: no sample has a CPU number; record it with "
					   "perf record -a or --sample-cpu"
					 : "--by thread: no sample has a thread id");
	if (map->waits && map->weight == UINT64_MAX)
		return error_set(err, ERROR_UNSUPPORTED,
				 "the waits add up to more than 2^64 ns; select fewer threads");
	if (map->cells.count)
		return true;
	if (map->waits)
		return error_set(err, ERROR_NO_MATCH, "no wait was found or selected");
	if (map->timeless_count)
		return error_set(
			err, ERROR_NO_MATCH,
			"no sample has a timestamp, which a heat map requires; record with perf "
			"record -T (folded stacks, flame graphs and merged profiles have no "
			"timestamps)");
	if (map->idle_count)
		return error_set(err, ERROR_NO_MATCH,
				 "all samples (%" PRIu64
				 ") are of the idle task; --with-idle counts "
				 "them",
				 map->idle_count);
	return error_set(err, ERROR_NO_MATCH, "no sample of this event was found or selected");
}

bool heat_map_make(struct heat_map *map, struct timeline *timeline,
		   const struct heat_map_options *options, struct error *err)
{
	struct map_keys keys = { 0 };
	bool *is_in;

	*map = (struct heat_map){
		.by = options->by,
		.waits = options->waits,
		.unit = timeline->profile->unit,
		.first_time_ns = UINT64_MAX,
	};
	strings_init(&map->names);
	is_in = find_shown(map, timeline, options->keeps_idle);
	if (map->sample_count) {
		choose_widths(map, timeline, options);
		keys.of_row = memory_zalloc(timeline->rows.count, sizeof(*keys.of_row));
		if (map->by != TIMELINE_BY_NOTHING)
			join_keys(map, timeline, is_in, &keys);
		keys.places = memory_zalloc(keys.rows.count, sizeof(*keys.places));
		place_keys(map, &keys, options->row_max);
		add_cells(map, timeline, is_in, &keys);
	}
	memory_free(is_in);
	memory_free(keys.of_row);
	memory_free(keys.places);
	vec_free(&keys.rows);
	vec_free(&keys.order);
	return check(map, err) &&
	       (!options->is_utilisation || measure_utilisation(map, timeline->profile, err));
}

void heat_map_deinit(struct heat_map *map)
{
	vec_free(&map->cells);
	vec_free(&map->rows);
	strings_deinit(&map->names);
}
