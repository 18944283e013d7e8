/* SPDX-License-Identifier: MIT */
#include "tests/support/diff_simulator.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/diff_maker.h"
#include "tests/support/profile_maker.h"

/* Possible bursts; one in ten of them happens. */
#define BURST_CHANCES 30
#define PERIOD        1000000
/* Above this mean, a rounded normal number replaces a Poisson number. */
#define POISSON_MAX 400

struct drawn {
	double counts[SIMULATED_FUNCTIONS][TIME_BINS];
};

static double uniform(struct random *random)
{
	return ((double)(random_u64(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct random *random)
{
	double radius = sqrt(-2 * log(uniform(random)));

	return radius * cos(6.283185307179586 * uniform(random));
}

static double poisson(struct random *random, double mean)
{
	double sum = 0;
	double count = 0;

	if (mean > POISSON_MAX)
		return fmax(0, round(mean + sqrt(mean) * normal(random)));
	/* Arrivals one after another. */
	for (sum = -log(uniform(random)); sum < mean; count++)
		sum -= log(uniform(random));
	return count;
}

static double units_of(const struct simulated_program *program, uint32_t function)
{
	if (function < SIMULATED_STEADY)
		return function ? 20 + function * 10 : 2400 * (1 + program->slower);
	return 0;
}

static void draw_steady(const struct simulated_program *program, double samples,
			struct random *random, struct drawn *drawn)
{
	double units[SIMULATED_FUNCTIONS] = { 0 };
	double all = 0;

	for (uint32_t i = 0; i < SIMULATED_STEADY; i++)
		all += units[i] = units_of(program, i);
	units[SIMULATED_FUNCTIONS - 1] = program->lookup_share / (1 - program->lookup_share) * all;
	all /= 1 - program->lookup_share;
	for (uint32_t i = 0; i < SIMULATED_FUNCTIONS; i++) {
		double mean = samples * units[i] / all / TIME_BINS;

		if (program->between_runs > 0)
			mean *= exp(program->between_runs * normal(random));
		for (uint32_t bin = 0; bin < TIME_BINS && units[i] > 0; bin++)
			drawn->counts[i][bin] += poisson(random, mean);
	}
}

static void draw_bursts(const struct simulated_program *program, double samples,
			struct random *random, struct drawn *drawn)
{
	for (uint32_t i = 0; i < SIMULATED_BURSTING * BURST_CHANCES; i++) {
		uint32_t length = 1 + random_below(random, program->burst_samples);
		double begin = uniform(random) * fmax(0, samples - length);

		if (random_below(random, 10))
			continue;
		for (uint32_t k = 0; k < length; k++) {
			double bin = (begin + k) / samples * TIME_BINS;

			drawn->counts[SIMULATED_STEADY + i / BURST_CHANCES]
				     [bin < TIME_BINS ? (uint32_t)bin : TIME_BINS - 1]++;
		}
	}
}

/* The weight of this many samples together. */
static uint64_t weigh(const struct simulated_program *program, double count, struct random *random)
{
	double varies = program->has_varying_periods ? 0.1 * sqrt(count) * normal(random) : 0;

	return (uint64_t)(fmax(0, count + varies) * PERIOD);
}

/* The number of a row's function, which is at the end of its name. */
static uint32_t function_of(const struct profile *profile, uint32_t row)
{
	struct text name = profile_frame_name(profile, profile->stacks.at[row].frame);

	return (uint32_t)(name.at[name.length - 2] - '0') * 10 +
	       (uint32_t)(name.at[name.length - 1] - '0');
}

static void add_stack_bins(struct profile *profile, uint64_t weights[][TIME_BINS])
{
	profile->time_bin_count = TIME_BINS;
	for (uint32_t row = 0; row < profile->stacks.count; row++)
		for (uint32_t bin = 0; profile->stacks.at[row].self && bin < TIME_BINS; bin++)
			vec_push(&profile->stack_bins,
				 (struct stack_bin){
					 .row = row,
					 .time_bin = bin,
					 .weight = weights[function_of(profile, row)][bin] });
}

void diff_simulator_add(struct diff *diff, const struct simulated_program *program,
			enum diff_side side, struct random *random)
{
	double length = exp(program->length_varies * normal(random));
	uint64_t weights[SIMULATED_FUNCTIONS][TIME_BINS];
	struct drawn drawn = { 0 };
	struct profile_maker maker;
	struct error err;
	double all = 0;

	draw_steady(program, program->samples * length, random, &drawn);
	if (program->burst_samples)
		draw_bursts(program, program->samples * length, random, &drawn);
	profile_maker_init(&maker);
	for (uint32_t i = 0; i < SIMULATED_FUNCTIONS; i++) {
		uint64_t weight = 0;
		char stack[80];

		for (uint32_t bin = 0; bin < TIME_BINS; bin++) {
			all += drawn.counts[i][bin];
			weight += weights[i][bin] = weigh(program, drawn.counts[i][bin], random);
		}
		snprintf(stack, sizeof(stack), "app;main;stage%u;f%02u", i % 3, i);
		if (weight)
			profile_maker_stack(&maker, stack, weight);
	}
	profile_maker_build(&maker, NULL);
	maker.profile.view_sample_count = (uint64_t)all;
	if (program->has_times)
		add_stack_bins(&maker.profile, weights);
	if (!compare_add(diff, &maker.profile, side, &err))
		abort();
	profile_maker_deinit(&maker);
}

void diff_simulator_compare(struct diff *diff, const struct simulated_program *before,
			    const struct simulated_program *after, uint32_t runs,
			    struct random *random)
{
	struct diff_options options = diff_maker_defaults;
	struct error err;

	options.run_count = 2 * runs;
	diff_init(diff, &options);
	for (uint32_t i = 0; i < runs; i++) {
		diff_simulator_add(diff, before, DIFF_BEFORE, random);
		diff_simulator_add(diff, after, DIFF_AFTER, random);
	}
	if (!compare_finish(diff, &err))
		abort();
}

bool diff_simulator_has_change(const struct diff *diff)
{
	for (size_t i = 0; i < diff->functions.count; i++)
		if (diff_verdict_is_change(diff->functions.at[i].verdict))
			return true;
	for (size_t i = 1; i < diff->profile.stacks.count; i++)
		if (diff_verdict_is_change(diff->rows[i].total.verdict) ||
		    diff_verdict_is_change(diff->rows[i].self.verdict))
			return true;
	return false;
}
