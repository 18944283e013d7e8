/* SPDX-License-Identifier: MIT */
#include "timeline/timeline.h"

#include <criterion/criterion.h>

#include "tests/support/random.h"
#include "timeline/heat_map.h"

#define EVENT_COUNT  2
#define SAMPLE_COUNT 20000

static void make_profile(struct profile *profile)
{
	static const char *const names[EVENT_COUNT] = { "cpu-clock", "page-faults" };

	profile_init(profile);
	for (size_t i = 0; i < EVENT_COUNT; i++)
		vec_push(&profile->events,
			 (struct profile_event){
				 .name = strings_intern_text(profile->strings, names[i]),
				 .unit = UNIT_NANOSECONDS,
				 .is_shown = i == 0,
			 });
	profile->unit = UNIT_NANOSECONDS;
}

struct sample {
	uint64_t time_ns, weight;
	uint32_t event, cpu, tid;
};

static void add(struct timeline *timeline, const struct sample *sample)
{
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = sample->time_ns != UINT64_MAX,
		.time_ns = sample->time_ns,
		.sample = { .pid = sample->tid,
			    .tid = sample->tid,
			    .cpu = sample->cpu,
			    .present = SAMPLE_HAS_TID | SAMPLE_HAS_CPU },
	};
	const struct callchain_key key = { .event = sample->event, .comm = UINT32_MAX };

	timeline_on_sample(timeline, &(struct ingested_sample){
					     .event = &event,
					     .key = &key,
					     .sample_count = 1,
					     .weight = sample->weight,
				     });
}

/* A random sample; times are near to each other, or far apart. */
static struct sample sample_of(struct random *random)
{
	return (struct sample){
		.time_ns = (uint64_t)random_below(random, 1u << 31) *
			   random_below(random, random_below(random, 4) ? 64 : 1u << 30),
		.weight = random_below(random, 1000),
		.event = random_below(random, EVENT_COUNT),
		.cpu = random_below(random, 40),
		.tid = 1 + random_below(random, 40),
	};
}

static void expect_same_map(struct timeline *a, struct timeline *b, enum timeline_by by)
{
	const struct heat_map_options options = { .by = by, .column_max = 100, .row_max = 8 };
	struct heat_map maps[2];
	struct error err;

	cr_assert_eq(a->bin_ns, b->bin_ns);
	cr_assert(heat_map_make(&maps[0], a, &options, &err), "%s", err.text);
	cr_assert(heat_map_make(&maps[1], b, &options, &err), "%s", err.text);
	cr_assert_eq(maps[0].cells.count, maps[1].cells.count);
	for (size_t i = 0; i < maps[0].cells.count; i++) {
		const struct heat_map_cell *left = &maps[0].cells.at[i];
		const struct heat_map_cell *right = &maps[1].cells.at[i];

		cr_expect(left->column == right->column && left->row == right->row &&
			  left->sample_count == right->sample_count &&
			  left->weight == right->weight);
	}
	for (size_t i = 0; i < maps[0].rows.count; i++)
		cr_expect(text_equal(maps[0].rows.at[i].name, maps[1].rows.at[i].name));
	heat_map_deinit(&maps[0]);
	heat_map_deinit(&maps[1]);
}

/* For any order of samples, and any distribution to workers. */
Test(timeline, depends_on_samples_alone)
{
	static const enum timeline_by keys[] = { TIMELINE_BY_NOTHING, TIMELINE_BY_CPU,
						 TIMELINE_BY_THREAD, TIMELINE_BY_COMM,
						 TIMELINE_BY_EVENT };
	struct profile profile;

	make_profile(&profile);
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		const struct timeline_options options = { .by = keys[k], .bin_ns = 1000 };
		struct timeline all;
		struct timeline merged;
		struct timeline parts[3];
		struct random random = { .state = 7 };

		timeline_init(&all, &options, &profile);
		timeline_init(&merged, &options, &profile);
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			timeline_init(&parts[i], &options, &profile);
		for (size_t i = 0; i < SAMPLE_COUNT; i++) {
			struct sample sample = sample_of(&random);

			add(&all, &sample);
			add(&parts[random_below(&random, ARRAY_SIZE(parts))], &sample);
		}
		for (size_t i = ARRAY_SIZE(parts); i-- > 0;)
			timeline_merge(&merged, &parts[i]);
		expect_same_map(&all, &merged, keys[k]);
		timeline_deinit(&all);
		timeline_deinit(&merged);
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			timeline_deinit(&parts[i]);
	}
	profile_deinit(&profile);
}

/* Bins are merged so that memory does not grow; no weight is lost. */
Test(timeline, has_bounded_cells_and_exact_sums)
{
	const struct timeline_options options = { .by = TIMELINE_BY_NOTHING, .bin_ns = 10 };
	struct profile profile;
	struct timeline timeline;
	uint64_t weight = 0;

	make_profile(&profile);
	timeline_init(&timeline, &options, &profile);
	for (uint64_t i = 0; i < 3 * LIMIT_TIMELINE_CELLS; i++)
		add(&timeline, &(struct sample){ .time_ns = 17 * i, .weight = 3, .tid = 1 });
	cr_expect_leq(timeline.cells.count, LIMIT_TIMELINE_CELLS);
	/* Bins of 10 ns became 20 ns, and then 100 ns. */
	cr_expect_eq(timeline.bin_ns, 100);
	for (size_t i = 0; i < timeline.cells.count; i++)
		weight += timeline.cells.at[i].weight;
	cr_expect_eq(weight, 9 * LIMIT_TIMELINE_CELLS);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}

/* Only bins with samples have cells, however far apart the samples are. */
Test(timeline, ten_years_between_two_samples_are_two_cells)
{
	static const uint64_t times_ns[] = { 5, 315360000ull * 1000000000, UINT64_MAX - 1 };
	const struct heat_map_options map_options = { .column_max = 100, .row_max = 8 };
	struct timeline_options options;
	struct profile profile;
	struct timeline timeline;
	struct heat_map map;
	struct error err;

	make_profile(&profile);
	cr_assert(heat_map_plan(&map_options, &options, &err));
	timeline_init(&timeline, &options, &profile);
	for (size_t i = 0; i < ARRAY_SIZE(times_ns); i++)
		add(&timeline,
		    &(struct sample){ .time_ns = times_ns[i], .weight = i + 1, .tid = 1 });
	cr_expect_eq(timeline.cells.count, ARRAY_SIZE(times_ns));
	cr_assert(heat_map_make(&map, &timeline, &map_options, &err), "%s", err.text);
	cr_expect_leq(map.column_count, 100);
	cr_expect_eq(map.weight, 6);
	heat_map_deinit(&map);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}

/* A single instant, samples without a time, and samples of the idle task. */
Test(heat_map, says_which_samples_it_lacks)
{
	const struct heat_map_options map_options = { .column_max = 100, .row_max = 8 };
	struct timeline_options options;
	struct profile profile;
	struct timeline timeline;
	struct heat_map map;
	struct error err;

	make_profile(&profile);
	cr_assert(heat_map_plan(&map_options, &options, &err));
	timeline_init(&timeline, &options, &profile);
	add(&timeline, &(struct sample){ .time_ns = UINT64_MAX, .weight = 1, .tid = 1 });
	cr_assert_not(heat_map_make(&map, &timeline, &map_options, &err));
	cr_expect(strstr(err.text, "no sample has a time"), "%s", err.text);
	heat_map_deinit(&map);
	add(&timeline, &(struct sample){ .time_ns = 1234567890, .weight = 2, .tid = 1 });
	add(&timeline, &(struct sample){ .time_ns = 1234567890, .weight = 4 });
	add(&timeline, &(struct sample){ .time_ns = 1234567890, .event = 1, .tid = 1 });
	cr_assert(heat_map_make(&map, &timeline, &map_options, &err), "%s", err.text);
	cr_assert_eq(map.cells.count, 1);
	cr_expect_eq(map.column_count, 1);
	cr_expect_eq(map.cells.at[0].weight, 2);
	cr_expect_eq(heat_map_time_ns(&map, &map.cells.at[0]), 1234000000);
	cr_expect_eq(map.idle_count, 1);
	cr_expect_eq(map.timeless_count, 1);
	heat_map_deinit(&map);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}

/* Each of five CPUs has a row; the last row stands for the three that are not shown. */
Test(heat_map, adds_up_the_rows_that_are_not_shown)
{
	const struct heat_map_options map_options = { .by = TIMELINE_BY_CPU,
						      .column_max = 100,
						      .row_max = 2 };
	struct timeline_options options;
	struct profile profile;
	struct timeline timeline;
	struct heat_map map;
	struct error err;

	make_profile(&profile);
	cr_assert(heat_map_plan(&map_options, &options, &err));
	timeline_init(&timeline, &options, &profile);
	for (uint32_t cpu = 0; cpu < 5; cpu++)
		add(&timeline, &(struct sample){ 1000, 10 * cpu, 0, 9 - cpu, 1 });
	cr_assert(heat_map_make(&map, &timeline, &map_options, &err), "%s", err.text);
	cr_assert_eq(map.rows.count, 3);
	cr_expect(text_is(map.rows.at[0].name, "CPU 5"));
	cr_expect(text_is(map.rows.at[1].name, "CPU 6"));
	cr_expect_eq(map.rows.at[2].other_count, 3);
	cr_expect_eq(map.rows.at[2].weight, 30);
	cr_expect_eq(map.cells.count, 3);
	heat_map_deinit(&map);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}

Test(heat_map, widths_must_fit)
{
	static const struct {
		struct heat_map_options options;
		uint64_t bin_ns; /* 0: refused */
	} rows[] = {
		{ { .bin_ns = 0 }, 1000000 },
		{ { .bin_ns = 20000000 }, 20000000 },
		{ { .bin_ns = 3 }, 3 },
		{ { .column_ns = 500000000 }, 10000000 },
		{ { .column_ns = 500 }, 10 },
		{ { .column_ns = 7 }, 0 },
		{ { .column_ns = 1000, .bin_ns = 300 }, 0 },
		{ { .column_ns = 1000, .bin_ns = 1000 }, 0 },
		{ { .column_ns = 1000000, .bin_ns = 1 }, 0 },
		{ { .column_ns = 1000, .by = TIMELINE_BY_CPU }, 0 },
		{ { .bin_ns = 1000, .by = TIMELINE_BY_CPU }, 1000 },
		{ { .bin_ns = UINT64_MAX / 2 }, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct timeline_options options;
		struct error err;
		bool good = heat_map_plan(&rows[i].options, &options, &err);

		cr_expect_eq(good, rows[i].bin_ns != 0, "row %zu", i);
		cr_expect(!good || options.bin_ns == rows[i].bin_ns, "row %zu", i);
	}
}

struct wait {
	uint64_t begin_ns, end_ns;
};

/* Adds the part of a wait that is in the windows, as ingest does. */
static void add_wait(struct timeline *timeline, const struct wait *wait, uint32_t cpu)
{
	const struct interval interval = {
		.begin_ns = wait->begin_ns,
		.duration_ns =
			time_windows_part(timeline->options.windows, wait->begin_ns, wait->end_ns),
		.mark = INTERVAL_PLAIN,
	};
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = true,
		.time_ns = wait->begin_ns,
		.sample = { .pid = 9,
			    .tid = 9,
			    .cpu = cpu,
			    .present = SAMPLE_HAS_TID | SAMPLE_HAS_CPU },
	};
	const struct callchain_key key = { .comm = UINT32_MAX };

	if (interval.duration_ns)
		timeline_on_sample(timeline, &(struct ingested_sample){
						     .event = &event,
						     .key = &key,
						     .sample_count = 1,
						     .weight = interval.duration_ns,
						     .interval = &interval,
					     });
}

static uint64_t weight_at(const struct heat_map *map, uint64_t time_ns)
{
	for (size_t i = 0; i < map->cells.count; i++)
		if (heat_map_time_ns(map, &map->cells.at[i]) == time_ns)
			return map->cells.at[i].weight;
	return 0;
}

/*
 * Whatever the bins, each bin has the part of every wait that is both in the bin and in a window.
 */
Test(timeline, divides_waits_exactly)
{
	enum {
		WAITS = 300
	};
	const struct time_window rows[] = { { 1000, 5000 }, { 5003, 5007 }, { 9000, 300000 } };
	const struct time_windows windows = {
		.rows = { .at = (struct time_window *)rows, .count = 3 },
		.is_limited = true,
	};
	const struct heat_map_options how = {
		.by = TIMELINE_BY_CPU,
		.waits = HEAT_MAP_OFF_CPU,
		.column_max = 100,
		.row_max = 0,
	};
	struct profile profile;

	make_profile(&profile);
	for (size_t k = 0; k < 2; k++) {
		struct timeline_options options;
		struct timeline all;
		struct timeline parts[2];
		struct random random = { .state = 3 };
		struct heat_map map;
		struct wait waits[WAITS];
		uint64_t total_ns = 0;
		struct error err;

		cr_assert(heat_map_plan(&how, &options, &err));
		options.bin_ns = 10;
		options.cell_max = 256;
		options.windows = k ? &windows : NULL;
		timeline_init(&all, &options, &profile);
		for (size_t i = 0; i < 2; i++)
			timeline_init(&parts[i], &options, &profile);
		for (size_t i = 0; i < WAITS; i++) {
			uint64_t begin_ns = random_below(&random, 200000);

			waits[i] = (struct wait){
				begin_ns,
				begin_ns + 1 +
					random_below(&random, 1u << random_below(&random, 18))
			};
			add_wait(&all, &waits[i], (uint32_t)(i % 3));
			add_wait(&parts[i % 2], &waits[i], (uint32_t)(i % 3));
		}
		timeline_merge(&parts[0], &parts[1]);
		cr_assert_eq(parts[0].bin_ns, all.bin_ns);
		cr_assert_geq(all.level, 2u, "bins must have been merged");
		cr_assert(heat_map_make(&map, k ? &parts[0] : &all, &how, &err), "%s", err.text);
		for (uint64_t at_ns = map.first_column * map.bin_ns; at_ns <= map.last_time_ns;
		     at_ns += map.bin_ns) {
			uint64_t expected_ns = 0;

			for (size_t i = 0; i < WAITS; i++) {
				uint64_t from_ns =
					waits[i].begin_ns > at_ns ? waits[i].begin_ns : at_ns;
				uint64_t to_ns = waits[i].end_ns < at_ns + map.bin_ns
							 ? waits[i].end_ns
							 : at_ns + map.bin_ns;

				if (from_ns < to_ns)
					expected_ns +=
						time_windows_part(options.windows, from_ns, to_ns);
			}
			cr_expect_eq(weight_at(&map, at_ns), expected_ns, "bin %lu",
				     (unsigned long)at_ns);
			total_ns += expected_ns;
		}
		cr_expect_eq(map.weight, total_ns);
		heat_map_deinit(&map);
		timeline_deinit(&all);
		timeline_deinit(&parts[0]);
		timeline_deinit(&parts[1]);
	}
	profile_deinit(&profile);
}

/*
 * Time and memory depend on the number of waits: each wait adds two cells, whatever its duration.
 */
Test(timeline, holds_long_waits_in_little_memory)
{
	const struct timeline_options options = { .by = TIMELINE_BY_NOTHING,
						  .bin_ns = 1,
						  .marks = 1u << INTERVAL_PLAIN };
	const struct heat_map_options how = {
		.waits = HEAT_MAP_OFF_CPU,
		.column_ns = 50,
		.bin_ns = 1,
		.column_max = UINT64_MAX,
	};
	const struct wait years = { 5, 5 + (uint64_t)10 * 365 * 86400 * 1000000000 };
	struct profile profile;
	struct timeline timeline;
	struct heat_map map;
	struct error err;

	make_profile(&profile);
	timeline_init(&timeline, &options, &profile);
	add_wait(&timeline, &years, 0);
	cr_expect_eq(timeline.cells.count, 2u);
	cr_assert(heat_map_make(&map, &timeline, &how, &err), "%s", err.text);
	cr_expect_leq(map.cells.count, LIMIT_TIMELINE_CELLS);
	cr_expect_eq(map.weight, years.end_ns - years.begin_ns);
	cr_expect(map.is_wider);
	heat_map_deinit(&map);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}

/* 60 threads that wait for 10 years are more than 2^64 ns: an error, and no wrong sum. */
Test(timeline, refuses_waits_that_overflow)
{
	const struct timeline_options options = { .by = TIMELINE_BY_NOTHING,
						  .bin_ns = 1000000,
						  .marks = 1u << INTERVAL_PLAIN };
	const struct heat_map_options how = { .waits = HEAT_MAP_OFF_CPU, .column_max = 300 };
	const struct wait years = { 0, (uint64_t)10 * 365 * 86400 * 1000000000 };
	struct profile profile;
	struct timeline timeline;
	struct heat_map map;
	struct error err;

	make_profile(&profile);
	timeline_init(&timeline, &options, &profile);
	for (uint32_t i = 0; i < 60; i++)
		add_wait(&timeline, &years, i);
	cr_assert_not(heat_map_make(&map, &timeline, &how, &err));
	cr_expect(strstr(err.text, "2^64"), "%s", err.text);
	heat_map_deinit(&map);
	timeline_deinit(&timeline);
	profile_deinit(&profile);
}
