/* SPDX-License-Identifier: MIT */
/* Simulated captures with time bins, drawn with fixed seeds. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "diff/compare.h"
#include "diff/significance.h"
#include "tests/support/diff_maker.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"
#include "tests/support/random.h"

#define STEADY    30 /* steady functions; the first takes a third of the time */
#define BURSTING  12
#define FUNCTIONS (STEADY + BURSTING)
#define SAMPLES   10000
#define PAIRS     40

/* The samples of a capture, by function and time bin. */
struct drawn {
	uint32_t counts[FUNCTIONS][TIME_BINS];
};

/* What is drawn from. */
struct program {
	uint32_t percent_slower; /* the first function */
	uint32_t burst_samples;  /* maximum for one burst; 0: no bursts */
	bool has_phases;         /* each function runs in only two time bins */
};

static uint32_t units_of(const struct program *program, uint32_t function, uint32_t bin)
{
	uint32_t units = function ? 20 + function * 10 : 2400 + 24 * program->percent_slower;

	if (program->has_phases && function % (TIME_BINS / 2) != bin / 2)
		return 0;
	return units;
}

static void draw_steady(const struct program *program, struct random *random, struct drawn *drawn)
{
	for (uint32_t k = 0; k < SAMPLES; k++) {
		uint32_t bin = k * TIME_BINS / SAMPLES;
		uint32_t all = 0;
		uint32_t at;
		uint32_t i = 0;

		for (uint32_t function = 0; function < STEADY; function++)
			all += units_of(program, function, bin);
		at = random_below(random, all);
		while (at >= units_of(program, i, bin))
			at -= units_of(program, i++, bin);
		drawn->counts[i][bin]++;
	}
}

/* Adds bursts of each bursting function at random times, three on average. */
static void draw_bursts(const struct program *program, struct random *random, struct drawn *drawn)
{
	for (uint32_t function = STEADY; function < FUNCTIONS; function++)
		for (uint32_t i = 0; i < 30; i++) {
			uint32_t length = 1 + random_below(random, program->burst_samples);
			uint32_t begin = random_below(random, SAMPLES - length);

			if (random_below(random, 10))
				continue;
			for (uint32_t k = begin; k < begin + length; k++)
				drawn->counts[function][k * TIME_BINS / SAMPLES]++;
		}
}

static struct drawn draw(const struct program *program, struct random *random)
{
	struct drawn drawn = { 0 };

	draw_steady(program, random, &drawn);
	if (program->burst_samples)
		draw_bursts(program, random, &drawn);
	return drawn;
}

/* The number of a row's function, which is at the end of its name. */
static uint32_t function_of(const struct profile *profile, uint32_t row)
{
	struct text name = profile_frame_name(profile, profile->stacks.at[row].frame);

	return (uint32_t)(name.at[name.length - 2] - '0') * 10 +
	       (uint32_t)(name.at[name.length - 1] - '0');
}

static void add(struct diff *diff, const struct drawn *drawn, enum diff_side side,
		bool has_time_bins)
{
	struct profile_maker maker;
	struct error err;

	profile_maker_init(&maker);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		char stack[80];

		snprintf(stack, sizeof(stack), "app;main;stage%u;f%02u", i % 3, i);
		for (uint32_t bin = 0; bin < TIME_BINS; bin++)
			for (uint32_t k = 0; k < drawn->counts[i][bin]; k++)
				profile_maker_stack(&maker, stack, 1);
	}
	profile_maker_build(&maker, NULL);
	maker.profile.time_bin_count = has_time_bins ? TIME_BINS : 0;
	for (uint32_t row = 0; has_time_bins && row < maker.profile.stacks.count; row++)
		for (uint32_t bin = 0; maker.profile.stacks.at[row].self && bin < TIME_BINS; bin++)
			vec_push(&maker.profile.stack_bins,
				 (struct stack_bin){ .row = row,
						     .time_bin = bin,
						     .weight = drawn->counts[function_of(
							     &maker.profile, row)][bin] });
	cr_assert(compare_add(diff, &maker.profile, side, &err));
	profile_maker_deinit(&maker);
}

static void compare(struct diff *diff, const struct drawn *before, const struct drawn *after,
		    bool has_time_bins)
{
	struct diff_options options = diff_maker_defaults;
	struct error err;

	/* No spread between runs is assumed: only the noise within a run counts. */
	options.assumed_function_spread = 0;
	diff_init(diff, &options);
	add(diff, before, DIFF_BEFORE, has_time_bins);
	add(diff, after, DIFF_AFTER, has_time_bins);
	cr_assert(compare_finish(diff, &err));
}

static bool has_any_significant(const struct diff *diff)
{
	for (size_t i = 1; i < diff->profile.stacks.count; i++)
		if (diff_verdict_is_change(diff->rows[i].total.verdict) ||
		    diff_verdict_is_change(diff->rows[i].self.verdict))
			return true;
	for (size_t i = 0; i < diff->functions.count; i++)
		if (diff_verdict_is_change(diff->functions.at[i].verdict))
			return true;
	return false;
}

/* The number of pairs with a coloured frame although nothing changed. */
static int count_wrong(const struct program *program, uint64_t seed, bool has_time_bins)
{
	struct random random = { .state = seed };
	int wrong = 0;

	for (int pair = 0; pair < PAIRS; pair++) {
		struct drawn before = draw(program, &random);
		struct drawn after = draw(program, &random);
		struct diff diff;

		compare(&diff, &before, &after, has_time_bins);
		wrong += has_any_significant(&diff);
		diff_deinit(&diff);
	}
	return wrong;
}

Test(diff_noise, equals_are_grey)
{
	static const struct {
		const char *what;
		struct program program;
	} rows[] = {
		{ "independent", { 0 } },
		{ "short bursts", { .burst_samples = 40 } },
		{ "long bursts", { .burst_samples = 300 } },
		{ "phases", { .has_phases = true } },
		{ "bursts and phases", { .burst_samples = 100, .has_phases = true } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int wrong = count_wrong(&rows[i].program, 1000 + i, true);

		cr_expect_leq(wrong, 2, "%s: %d of %d pairs are coloured", rows[i].what, wrong,
			      PAIRS);
	}
	/* Without time bins the bursts count as changes. */
	cr_expect_geq(count_wrong(&rows[1].program, 1001, false), PAIRS / 2);
}

struct found {
	int first, significant;
};

/* How often the planted function is the first row, and significant. */
static struct found find_planted(const struct program *before, uint64_t seed)
{
	struct random random = { .state = seed };
	struct found found = { 0 };

	for (int pair = 0; pair < PAIRS; pair++) {
		struct program slower = *before;
		struct drawn drawn[DIFF_SIDES];
		const struct diff_function *planted;
		struct diff diff;

		slower.percent_slower += 10;
		drawn[DIFF_BEFORE] = draw(before, &random);
		drawn[DIFF_AFTER] = draw(&slower, &random);
		compare(&diff, &drawn[DIFF_BEFORE], &drawn[DIFF_AFTER], true);
		planted = diff_maker_find(&diff, "f00");
		found.first += planted == &diff.functions.at[0];
		found.significant += diff_verdict_is_change(planted->self.verdict);
		diff_deinit(&diff);
	}
	return found;
}

/* A function with a third of 10,000 samples becomes 10 % slower, by 3.4 standard deviations. */
Test(diff_noise, a_slower_function_is_the_first_row)
{
	static const struct program programs[] = { { 0 }, { .burst_samples = 20 } };

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct found found = find_planted(&programs[i], 77 + i);

		cr_expect_geq(found.first, PAIRS * 19 / 20, "%zu: it is the first in %d of %d", i,
			      found.first, PAIRS);
	}
}

/* A function that takes twice as long in its own time bins has no burst. */
Test(diff_noise, phases_hide_no_change)
{
	struct random random = { .state = 1984 };
	struct program program = { .has_phases = true };
	struct drawn before = draw(&program, &random);
	struct drawn after = draw(&program, &random);
	struct diff diff;

	for (uint32_t bin = 0; bin < TIME_BINS; bin++)
		after.counts[9][bin] *= 2;
	compare(&diff, &before, &after, true);
	cr_expect(diff_verdict_is_change(diff_maker_find(&diff, "f09")->self.verdict));
	cr_expect_eq(diff_maker_find(&diff, "f09"), &diff.functions.at[0]);
	diff_deinit(&diff);
}

/* A function that is new in one time bin may be a burst; one that is new in all of them is not. */
Test(diff_noise, what_is_new)
{
	struct random random = { .state = 36 };
	struct program program = { 0 };
	struct drawn before = draw(&program, &random);
	struct drawn at_once = before;
	struct drawn spread = before;
	struct diff diff;

	at_once.counts[STEADY][3] = 5 * TIME_BINS;
	for (uint32_t bin = 0; bin < TIME_BINS; bin++)
		spread.counts[STEADY][bin] = 5;
	compare(&diff, &before, &at_once, true);
	cr_expect_gt(diff_maker_find(&diff, "f30")->self_within.value, 50);
	cr_expect_not(diff_verdict_is_change(diff_maker_find(&diff, "f30")->self.verdict));
	diff_deinit(&diff);
	compare(&diff, &before, &spread, true);
	cr_expect_lt(diff_maker_find(&diff, "f30")->self_within.value, 1);
	cr_expect(diff_verdict_is_change(diff_maker_find(&diff, "f30")->self.verdict));
	diff_deinit(&diff);
	compare(&diff, &before, &at_once, false);
	cr_expect_eq(diff.freedom, 0);
	cr_expect(diff_verdict_is_change(diff_maker_find(&diff, "f30")->self.verdict));
	diff_deinit(&diff);
	assert_no_leaks();
}

/* The dispersions of functions in simulated pairs of captures. */
struct observed {
	double mean, variance, freedom; /* the latter's mean */
	int count;
};

static struct observed find_dispersions(const struct program *program, uint64_t seed)
{
	struct random random = { .state = seed };
	struct observed found = { 0 };

	for (int pair = 0; pair < 10; pair++) {
		struct drawn before = draw(program, &random);
		struct drawn after = draw(program, &random);
		struct diff diff;

		compare(&diff, &before, &after, true);
		cr_expect_eq(diff.freedom, TIME_BINS - 1);
		for (size_t i = 0; i < diff.functions.count; i++) {
			const struct diff_measure *self = &diff.functions.at[i].self;
			const struct dispersion *within = &diff.functions.at[i].self_within;

			if (self->weight[DIFF_BEFORE] < 100)
				continue;
			found.mean += within->value;
			found.variance += within->value * within->value;
			found.freedom += within->freedom;
			found.count++;
		}
		diff_deinit(&diff);
	}
	found.mean /= found.count;
	found.variance = found.variance / found.count - found.mean * found.mean;
	found.freedom /= found.count;
	return found;
}

/* The dispersion of independent samples is about 1, with the expected degrees of freedom: fifteen,
 * but one for functions that run in only two of sixteen bins. */
Test(diff_noise, dispersion_of_independent_samples)
{
	static const struct {
		struct program program;
		double freedom, freedom_error, mean_error, variance_error;
	} rows[] = {
		{ { 0 }, TIME_BINS - 1, 1, 0.1, 0.05 },
		{ { .has_phases = true }, 1, 0.5, 0.25, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct observed found = find_dispersions(&rows[i].program, 271828);

		cr_expect_gt(found.count, 200);
		cr_expect_float_eq(found.mean, 1, rows[i].mean_error, "%zu: mean %g", i,
				   found.mean);
		cr_expect_float_eq(found.freedom, rows[i].freedom, rows[i].freedom_error,
				   "%zu: freedom %g", i, found.freedom);
		cr_expect_float_eq(found.variance, 2 / found.freedom, rows[i].variance_error,
				   "%zu: variance %g", i, found.variance);
	}
}

/* How much a function varies is unknown if it runs in only one time bin. */
Test(diff_noise, a_function_in_one_time_bin)
{
	struct random random = { .state = 37 };
	struct program program = { 0 };
	struct drawn before = draw(&program, &random);
	struct drawn after = before;
	const struct diff_function *once;
	struct diff diff;

	before.counts[STEADY][0] = 200;
	after.counts[STEADY][0] = 280;
	after.counts[STEADY + 1][0] = 200;
	compare(&diff, &before, &after, true);
	once = diff_maker_find(&diff, "f30");
	cr_expect_float_eq(once->self_within.freedom, 1.2, 0.2, "%g", once->self_within.freedom);
	/* The change is 3.4 standard deviations of independent samples, judged with few degrees of
	 * freedom. */
	cr_expect_float_eq(once->self_estimate.p_value, 0.0037, 0.0003, "%g",
			   once->self_estimate.p_value);
	cr_expect_gt(diff_maker_find(&diff, "f31")->self_within.value, 50);
	diff_deinit(&diff);
}

/* Not even rounding errors may make a difference, since they would change the order of rows. */
Test(diff_noise, a_capture_does_not_differ_from_itself)
{
	static const char *const names[] = { "e", "d", "c", "b", "a" };
	static const char order[] = "abcde";
	struct diff diff;
	struct error err;

	diff_init(&diff, &diff_maker_defaults);
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct profile_maker maker;

		profile_maker_init(&maker);
		for (uint64_t i = 0; i < ARRAY_SIZE(names); i++) {
			char stack[16];

			snprintf(stack, sizeof(stack), "app;%s", names[i]);
			profile_maker_stack(&maker, stack, 122122123 + i * 1061070101);
		}
		profile_maker_build(&maker, NULL);
		cr_assert(compare_add(&diff, &maker.profile, (enum diff_side)side, &err));
		profile_maker_deinit(&maker);
	}
	cr_assert(compare_finish(&diff, &err));
	for (size_t i = 0; i < diff.functions.count; i++) {
		const struct diff_function *function = &diff.functions.at[i];
		struct text name = profile_frame_name(&diff.profile, (frame_id){ function->frame });

		cr_expect_eq(name.at[0], order[i]);
		cr_expect(diff_points(&diff, &function->self) == 0);
	}
	diff_deinit(&diff);
}
