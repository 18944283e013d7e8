/* SPDX-License-Identifier: MIT */
#include "timeline/spike_groups.h"

#include <math.h>

#include <criterion/criterion.h>

#include "tests/support/random.h"

/* Simulated captures: bins of 1 ms with one sample each, of functions with fixed shares. */
#define BINS      20000u
#define FUNCTIONS 30u
#define RARE      FUNCTIONS /* the frame of a function that runs in spikes only */
#define PERIOD    500u
#define WIDTH     20u
#define SEEDS     20u

struct simulation {
	struct function_series series;
	VEC(uint32_t) frames; /* of each bin; UINT32_MAX: no sample */
};

/* A random function; the functions have shares of 1/2, 1/4, 1/8, and so on. */
static uint32_t usual_frame(struct random *random)
{
	uint64_t bits = random_u64(random) >> 8;
	uint32_t frame = 0;

	while (frame + 1 < FUNCTIONS && bits & 1) {
		bits >>= 1;
		frame++;
	}
	return frame;
}

static bool is_planted(size_t bin)
{
	return bin >= PERIOD && bin % PERIOD < WIDTH;
}

static void make_series(struct simulation *simulation)
{
	struct function_series *series = &simulation->series;

	series->bin_count = simulation->frames.count;
	for (uint32_t frame = 0; frame <= RARE; frame++) {
		vec_push(&series->begins, series->cells.count);
		for (uint32_t bin = 0; bin < series->bin_count; bin++)
			if (simulation->frames.at[bin] == frame)
				vec_push(&series->cells, (struct function_cell){ bin, 1, 1 });
	}
	vec_push(&series->begins, series->cells.count);
	for (uint32_t bin = 0; bin < series->bin_count; bin++)
		vec_push(&series->bin_samples, simulation->frames.at[bin] != UINT32_MAX);
}

/* is_idle: the spikes have no samples, instead of those of the rare function. */
static void simulate(struct simulation *simulation, uint64_t seed, bool has_spikes, bool is_idle)
{
	struct random random = { .state = seed * 0x9e3779b97f4a7c15ull + 1 };
	/* Functions run for some bins at a time, so samples are not independent. */
	uint32_t frame = 0;

	*simulation = (struct simulation){ 0 };
	for (size_t bin = 0; bin < BINS; bin++) {
		if (random_u64(&random) >> 62 != 0)
			frame = usual_frame(&random);
		vec_push(&simulation->frames, !has_spikes || !is_planted(bin) ? frame
					      : is_idle                       ? UINT32_MAX
									      : RARE);
	}
	make_series(simulation);
}

static void simulation_deinit(struct simulation *simulation)
{
	function_series_deinit(&simulation->series);
	vec_free(&simulation->frames);
}

static const struct spike_options options = { .narrowest = 10,
					      .widest = 1000,
					      .confidence = 0.999 };

Test(spikes, planted_spikes_are_ranked_first_with_function_and_period)
{
	unsigned found = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct simulation simulation;
		struct spikes spikes;
		struct spike_groups groups;
		size_t planted = (BINS - 1) / PERIOD;
		size_t ranked = 0;

		simulate(&simulation, seed, true, false);
		spikes_find(&spikes, &simulation.series, &options);
		spike_groups_init(&groups, &spikes);
		while (ranked < spikes.at.count && spikes.at.at[ranked].kind == SPIKE_FUNCTION &&
		       spikes.at.at[ranked].functions[0].frame == RARE &&
		       is_planted((spikes.at.at[ranked].begin + spikes.at.at[ranked].end) / 2))
			ranked++;
		found += ranked == planted && groups.at.at[0].is_periodic &&
			 fabs(groups.at.at[0].period - PERIOD) < 1 &&
			 groups.at.at[0].width >= WIDTH - 2 && groups.at.at[0].width <= WIDTH + 2;
		spike_groups_deinit(&groups);
		spikes_deinit(&spikes);
		simulation_deinit(&simulation);
	}
	cr_expect_geq(found, SEEDS - 1, "only %u of %u", found, SEEDS);
}

Test(spikes, a_steady_capture_has_none)
{
	unsigned quiet = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct simulation simulation;
		struct spikes spikes;

		simulate(&simulation, seed, false, false);
		spikes_find(&spikes, &simulation.series, &options);
		cr_expect_gt(spikes.test_count, 0);
		quiet += spikes.at.count == 0;
		spikes_deinit(&spikes);
		simulation_deinit(&simulation);
	}
	cr_expect_geq(quiet, SEEDS - 1, "only %u of %u", quiet, SEEDS);
}

Test(spikes, a_stall_is_fewer_samples)
{
	struct simulation simulation;
	struct spikes spikes;
	struct spike_groups groups;

	simulate(&simulation, 7, true, true);
	spikes_find(&spikes, &simulation.series, &options);
	spike_groups_init(&groups, &spikes);
	cr_assert_gt(groups.at.count, 0);
	cr_expect_eq(groups.at.at[0].kind, SPIKE_FEWER);
	cr_expect(groups.at.at[0].is_periodic);
	cr_expect_float_eq(groups.at.at[0].period, PERIOD, 1);
	cr_expect_eq(spikes.at.at[0].samples, 0);
	spike_groups_deinit(&groups);
	spikes_deinit(&spikes);
	simulation_deinit(&simulation);
}

Test(spikes, no_two_overlap_and_p_values_ascend)
{
	struct simulation simulation;
	struct spikes spikes;

	simulate(&simulation, 3, true, false);
	spikes_find(&spikes, &simulation.series, &options);
	for (size_t i = 0; i < spikes.at.count; i++) {
		const struct spike *spike = &spikes.at.at[i];

		cr_expect_lt(spike->begin, spike->end);
		cr_expect_leq(spike->end, BINS);
		cr_expect_lt(spike->p_value, 1 - options.confidence);
		if (i)
			cr_expect_leq(spikes.at.at[i - 1].p_value, spike->p_value);
		for (size_t k = 0; k < i; k++)
			cr_expect(spikes.at.at[k].end <= spike->begin ||
				  spike->end <= spikes.at.at[k].begin);
	}
	spikes_deinit(&spikes);
	simulation_deinit(&simulation);
}

Test(spikes, captures_of_few_bins_have_none)
{
	for (size_t count = 0; count < 8; count++) {
		struct simulation simulation = { 0 };
		struct spikes spikes;

		for (size_t bin = 0; bin < count; bin++)
			vec_push(&simulation.frames, 0);
		make_series(&simulation);
		spikes_find(&spikes, &simulation.series, &options);
		cr_expect_eq(spikes.at.count, 0);
		spikes_deinit(&spikes);
		simulation_deinit(&simulation);
	}
}

static void expect_period(const size_t *begins, size_t count, double period)
{
	struct spikes spikes = { 0 };
	struct spike_groups groups;

	for (size_t i = 0; i < count; i++)
		vec_push(&spikes.at, (struct spike){ .kind = SPIKE_MORE,
						     .begin = begins[i],
						     .end = begins[i] + 5 });
	spike_groups_init(&groups, &spikes);
	cr_assert_eq(groups.at.count, 1);
	cr_expect_eq(groups.at.at[0].is_periodic, period > 0);
	if (period > 0)
		cr_expect_float_eq(groups.at.at[0].period, period, 0.5);
	spike_groups_deinit(&groups);
	spikes_deinit(&spikes);
}

Test(spikes, periods_are_found_although_some_are_missing)
{
	static const size_t regular[] = { 100, 201, 300, 399, 500, 601, 700, 800, 901, 1000 };
	static const size_t missing[] = { 100, 201, 300, 500, 601, 700, 901, 1000, 1100, 1200 };
	static const size_t random[] = { 100, 137, 350, 420, 690, 700, 1100, 1111, 1500, 1790 };
	static const size_t few[] = { 100, 200, 300 };

	expect_period(regular, ARRAY_SIZE(regular), 100);
	expect_period(missing, ARRAY_SIZE(missing), 100);
	expect_period(random, ARRAY_SIZE(random), 0);
	expect_period(few, ARRAY_SIZE(few), 0);
}
