/* SPDX-License-Identifier: MIT */
/*
 * Verdicts and their intervals, for captures simulated with fixed seeds.
 * tests/bench/verdict-rates.c simulates more captures.
 */
#include "diff/diff_verdict.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "profile/distribution.h"
#include "tests/support/diff_maker.h"
#include "tests/support/diff_simulator.h"
#include "tests/support/leaks.h"

#define PAIRS 20

static const double z99 = 2.5758;

static struct diff_counts shares(double before, double all_before, double after, double all_after)
{
	return (struct diff_counts){
		.count = { before, after },
		.all = { all_before, all_after },
		.exposure = { all_before, all_after },
		.has_shares = true,
	};
}

static enum diff_verdict judge(const struct diff_counts *counts, double noise_factor,
			       struct diff_estimate *estimate)
{
	double deviations = diff_verdict_deviations(counts, noise_factor);
	struct diff_terms terms = {
		.deviations = z99,
		.margin = 0.5,
		.is_significant = deviations > z99,
	};

	*estimate = (struct diff_estimate){ .overdispersion = { noise_factor, 0 } };
	return diff_verdict_find(counts, &terms, estimate);
}

Test(diff_verdict, verdicts)
{
	static const struct {
		const char *what;
		double before, all_before, after, all_after, noise;
		enum diff_verdict verdict;
	} rows[] = {
		{ "ten times as much", 150, 10000, 1500, 10000, 1, DIFF_MORE },
		{ "half", 1000, 10000, 500, 10000, 1, DIFF_LESS },
		{ "half, of other sizes", 1000, 10000, 2500, 50000, 1, DIFF_LESS },
		{ "new", 0, 10000, 100, 10000, 1, DIFF_MORE },
		{ "gone", 100, 10000, 0, 10000, 1, DIFF_LESS },
		{ "the same, of few samples", 30, 100, 30, 100, 1, DIFF_UNCERTAIN },
		{ "the same, of many", 30000, 100000, 30000, 100000, 1, DIFF_UNCERTAIN },
		{ "the same, of very many", 300000, 1000000, 300000, 1000000, 1, DIFF_UNCHANGED },
		{ "the same, in bursts", 300000, 1000000, 300000, 1000000, 100, DIFF_UNCERTAIN },
		{ "a tenth more", 3000, 10000, 3204, 10000, 1, DIFF_MORE },
		{ "a tenth more, of little", 30, 10000, 33, 10000, 1, DIFF_UNCHANGED },
		{ "a tenth more, in bursts", 3000, 10000, 3204, 10000, 4, DIFF_UNCERTAIN },
		{ "all on both sides", 5000, 5000, 10000, 10000, 1, DIFF_UNCHANGED },
		{ "nothing on both sides", 0, 5000, 0, 10000, 1, DIFF_UNCHANGED },
		{ "all of few", 20, 20, 20, 20, 1, DIFF_UNCERTAIN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_counts counts = shares(rows[i].before, rows[i].all_before,
						   rows[i].after, rows[i].all_after);
		struct diff_estimate estimate;
		enum diff_verdict verdict = judge(&counts, rows[i].noise, &estimate);

		cr_expect_eq(verdict, rows[i].verdict, "%s: %s [%g, %g]", rows[i].what,
			     diff_verdict_name(verdict), estimate.points.low, estimate.points.high);
		cr_expect_eq(estimate.needed > 1, verdict == DIFF_UNCERTAIN, "%s", rows[i].what);
	}
}

Test(diff_verdict, intervals)
{
	struct diff_counts counts = shares(3000, 10000, 3204, 10000);
	struct diff_counts rates = counts;
	struct diff_estimate estimate;

	/* The change is 2.04 points, plus or minus 2.58 times 0.6533. The interval of 6.8 % is
	 * similar. */
	judge(&counts, 1, &estimate);
	cr_expect_float_eq(estimate.points.low, 0.357, 0.005, "%g", estimate.points.low);
	cr_expect_float_eq(estimate.points.high, 3.723, 0.005, "%g", estimate.points.high);
	cr_expect_float_eq(estimate.percent.low, 1.15, 0.03, "%g", estimate.percent.low);
	cr_expect_float_eq(estimate.percent.high, 12.77, 0.05, "%g", estimate.percent.high);
	/* With a noise factor of 4, as with a quarter of the samples, the interval is twice as
	 * wide. */
	judge(&counts, 4, &estimate);
	cr_expect_float_eq(estimate.points.high - estimate.points.low, 2 * 3.366, 0.01);
	/* The interval of a new function has a lower end, but no upper one. */
	counts = shares(0, 10000, 100, 10000);
	judge(&counts, 1, &estimate);
	cr_expect_float_eq(estimate.percent.low, 1369, 20, "%g", estimate.percent.low);
	cr_expect_eq(estimate.percent.high, INFINITY);
	cr_expect_float_eq(estimate.points.low, 0.67, 0.1, "%g", estimate.points.low);
	/* Rates with twice the exposure after: 1000 samples before correspond to 2000 after. */
	rates = (struct diff_counts){ .count = { 1000, 2600 },
				      .all = { 10000, 20000 },
				      .exposure = { 1, 2 } };
	cr_expect_eq(judge(&rates, 1, &estimate), DIFF_MORE);
	cr_expect_float_eq(estimate.percent.low, 18, 2, "%g", estimate.percent.low);
	cr_expect_float_eq(estimate.percent.high, 43, 2, "%g", estimate.percent.high);
	cr_expect_float_eq((estimate.points.low + estimate.points.high) / 2, 3, 0.1);
}

/* Of 4000 intervals of 99 %, no more than 1 % miss the truth, apart from chance. */
Test(diff_verdict, intervals_hold_what_is_true)
{
	static const double truth[] = { 0.001, 0.01, 0.3 };
	struct random random = { .state = 99 };

	for (size_t i = 0; i < ARRAY_SIZE(truth); i++) {
		int missed = 0;

		for (int pair = 0; pair < 4000; pair++) {
			struct diff_estimate estimate;
			double found[2] = { 0 };
			struct diff_counts counts;

			for (int side = 0; side < 2; side++)
				for (int k = 0; k < 1000; k++)
					found[side] += random_below(&random, 1000000) <
						       truth[i] * (1 + side) * 1e6;
			counts = shares(found[0], 1000, found[1], 1000);
			judge(&counts, 1, &estimate);
			missed += estimate.points.low > 100 * truth[i] ||
				  estimate.points.high < 100 * truth[i];
		}
		cr_expect_leq(missed, 60, "%g: %d missed", truth[i], missed);
	}
}

/* The number of samples reported as needed suffices in four of five cases. */
Test(diff_verdict, what_is_needed_suffices)
{
	struct diff_counts counts = shares(300, 10000, 320, 10000);
	struct diff_estimate estimate;
	double needed;

	cr_assert_eq(judge(&counts, 1, &estimate), DIFF_UNCERTAIN);
	needed = estimate.needed;
	cr_expect_gt(needed, 2);
	for (int side = 0; side < DIFF_SIDES; side++) {
		counts.count[side] *= needed;
		counts.all[side] *= needed;
	}
	cr_expect_neq(judge(&counts, 1, &estimate), DIFF_UNCERTAIN);
}

/*
 * If three runs per side agree, tenfold growth is not noise, and is as certain as with one run per
 * side.
 */
Test(diff_verdict, runs_that_agree_hide_nothing)
{
	static const double before[] = { 1.5, 1.8, 1.5 };
	static const double after[] = { 14.7, 14.4, 15.4 };

	for (uint32_t runs = 1; runs <= ARRAY_SIZE(before); runs++) {
		struct diff_options options = diff_maker_defaults;
		const struct diff_function *lookup;
		struct random random = { .state = 1 };
		struct diff diff;
		struct error err;

		options.run_count = 2 * runs;
		diff_init(&diff, &options);
		for (uint32_t i = 0; i < runs; i++) {
			struct simulated_program program = { .samples = 10000 };

			program.lookup_share = before[i] / 100;
			diff_simulator_add(&diff, &program, DIFF_BEFORE, &random);
			program.lookup_share = after[i] / 100;
			diff_simulator_add(&diff, &program, DIFF_AFTER, &random);
		}
		cr_assert(compare_finish(&diff, &err));
		lookup = diff_maker_find(&diff, "f42");
		cr_expect_eq(lookup, &diff.functions.at[0]);
		cr_expect_eq(lookup->verdict, DIFF_MORE, "%u runs: p = %g", runs,
			     lookup->total.corrected_p_value);
		cr_expect_gt(lookup->total_estimate.points.low, 10);
		cr_expect_lt(lookup->total_estimate.points.high, 16.5);
		diff_deinit(&diff);
	}
	assert_no_leaks();
}

/* Self and total of a leaf function are one test: two leaves and their caller are three tests, and p is corrected
 * for three. */
Test(diff_verdict, what_is_the_same_is_tested_once)
{
	static const char *const before[] = { "app;a 500", "app;b 9500", NULL };
	static const char *const after[] = { "app;a 600", "app;b 9400", NULL };
	const struct diff_function *function;
	struct error err;
	struct diff diff;

	diff_init(&diff, &diff_maker_defaults);
	diff_maker_add(&diff, before, DIFF_BEFORE);
	diff_maker_add(&diff, after, DIFF_AFTER);
	cr_assert(compare_finish(&diff, &err));
	function = diff_maker_find(&diff, "a");
	cr_expect_float_eq(function->self.corrected_p_value, 3 * function->self_estimate.p_value,
			   1e-9);
	cr_expect_eq(function->total.corrected_p_value, function->self.corrected_p_value);
	cr_expect_eq(function->total.verdict, function->self.verdict);
	diff_deinit(&diff);
}

/* Two functions that changed equally have equal intervals, in either order of their p values. */
Test(diff_verdict, equal_changes_have_equal_intervals)
{
	static const char *const before[] = { "app;first 200", "app;rest 9600", "app;second 200",
					      NULL };
	static const char *const after[] = { "app;first 900", "app;rest 8200", "app;second 900",
					     NULL };
	const struct diff_function *first, *second;
	struct diff diff;

	diff_maker_compare(&diff, &diff_maker_defaults, before, after);
	first = diff_maker_find(&diff, "first");
	second = diff_maker_find(&diff, "second");
	cr_assert_eq(first->verdict, DIFF_MORE);
	cr_expect_eq(first->self.corrected_p_value, second->self.corrected_p_value);
	cr_expect_eq(diff_judged_estimate(first)->points.low,
		     diff_judged_estimate(second)->points.low);
	cr_expect_eq(diff_judged_estimate(first)->percent.high,
		     diff_judged_estimate(second)->percent.high);
	diff_deinit(&diff);
}

Test(diff_verdict, equal_programs_have_not_changed)
{
	static const struct {
		const char *what;
		struct simulated_program program;
	} rows[] = {
		{ "independent", { .samples = 10000 } },
		{ "varying periods", { .samples = 100000, .has_varying_periods = true } },
		{ "bursts", { .samples = 10000, .burst_samples = 40, .has_times = true } },
		{ "long bursts", { .samples = 2000, .burst_samples = 300, .has_times = true } },
		{ "runs vary by 3 %", { .samples = 100000, .between_runs = 0.03 } },
	};
	static const uint32_t runs[] = { 1, 2, 3, 5 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t k = 0; k < ARRAY_SIZE(runs); k++) {
			struct random random = { .state = 1000 + 10 * i + k };
			int wrong = 0;

			for (int pair = 0; pair < PAIRS; pair++) {
				struct diff diff;

				diff_simulator_compare(&diff, &rows[i].program, &rows[i].program,
						       runs[k], &random);
				wrong += diff_simulator_has_change(&diff);
				diff_deinit(&diff);
			}
			cr_expect_leq(wrong, 1, "%s, %u runs: %d of %d", rows[i].what, runs[k],
				      wrong, PAIRS);
		}
}

/* How often the verdict is "more", by number of runs: with more runs never less often. */
Test(diff_verdict, more_runs_find_no_less)
{
	static const struct {
		const char *what, *name;
		struct simulated_program before, after;
		int least[5]; /* with 1, 2, 3 and 5 runs; last: as the first row, with 1 run */
	} rows[] = {
		{ "1.5 % becomes 15 %",
		  "f42",
		  { .samples = 10000, .lookup_share = 0.015 },
		  { .samples = 10000, .lookup_share = 0.15 },
		  { 20, 20, 20, 20, 20 } },
		{ "a third, 10 % slower",
		  "f00",
		  { .samples = 10000 },
		  { .samples = 10000, .slower = 0.1 },
		  { 0, 0, 10, 19, 19 } },
	};
	static const uint32_t runs[] = { 1, 2, 3, 5 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int last = 0;

		for (size_t k = 0; k < ARRAY_SIZE(runs); k++) {
			struct random random = { .state = 77 + k };
			int first = 0;
			int more = 0;

			for (int pair = 0; pair < PAIRS; pair++) {
				const struct diff_function *function;
				struct diff diff;

				diff_simulator_compare(&diff, &rows[i].before, &rows[i].after,
						       runs[k], &random);
				function = diff_maker_find(&diff, rows[i].name);
				first += function == &diff.functions.at[0];
				more += function->self.verdict == DIFF_MORE;
				diff_deinit(&diff);
			}
			cr_expect_geq(more, rows[i].least[k], "%s, %u runs: %d", rows[i].what,
				      runs[k], more);
			cr_expect_geq(more, last, "%s, %u runs: %d", rows[i].what, runs[k], more);
			cr_expect_geq(first, rows[i].least[4], "%s, %u runs: first %d",
				      rows[i].what, runs[k], first);
			last = more;
		}
	}
}

/*
 * Totals are as certain as the runs agree on them. For one run per side, an agreement is assumed.
 */
Test(diff_verdict, totals)
{
	struct simulated_program program = { .samples = 10000, .length_varies = 0.03 };
	struct random random = { .state = 5 };

	for (uint32_t runs = 1; runs <= 3; runs += 2) {
		struct simulated_program longer = program;
		int wrong = 0;
		int found = 0;

		longer.samples *= 1.5;
		for (int pair = 0; pair < PAIRS; pair++) {
			struct diff diff;

			diff_simulator_compare(&diff, &program, &program, runs, &random);
			wrong += diff_verdict_is_change(diff.overall.verdict);
			diff_deinit(&diff);
			diff_simulator_compare(&diff, &program, &longer, runs, &random);
			found += diff.overall.verdict == DIFF_MORE;
			diff_deinit(&diff);
		}
		cr_expect_leq(wrong, 1, "%u runs: %d of %d", runs, wrong, PAIRS);
		cr_expect_geq(found, 18, "%u runs: %d of %d", runs, found, PAIRS);
	}
}

/* Compares two runs before with one run after, which has `longer` times as many samples. */
static enum diff_verdict total_of_three_runs(double longer, struct random *random)
{
	struct simulated_program before = { .samples = 10000, .length_varies = 0.03 };
	struct simulated_program after = before;
	struct diff_options options = diff_maker_defaults;
	enum diff_verdict verdict;
	struct diff diff;
	struct error err;

	after.samples *= longer;
	options.run_count = 3;
	diff_init(&diff, &options);
	diff_simulator_add(&diff, &before, DIFF_BEFORE, random);
	diff_simulator_add(&diff, &before, DIFF_BEFORE, random);
	diff_simulator_add(&diff, &after, DIFF_AFTER, random);
	cr_assert(compare_finish(&diff, &err));
	verdict = diff.overall.verdict;
	diff_deinit(&diff);
	return verdict;
}

/*
 * With only one degree of freedom nothing would be significant, although with one run per side some
 * changes are.
 */
Test(diff_verdict, totals_of_two_runs_and_one)
{
	struct random random = { .state = 6 };
	int wrong = 0;
	int found = 0;

	for (int pair = 0; pair < PAIRS; pair++) {
		wrong += diff_verdict_is_change(total_of_three_runs(1, &random));
		found += total_of_three_runs(1.5, &random) == DIFF_MORE;
	}
	cr_expect_leq(wrong, 1, "%d of %d", wrong, PAIRS);
	cr_expect_geq(found, 18, "%d of %d", found, PAIRS);
}
