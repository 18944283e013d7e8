/* SPDX-License-Identifier: MIT */
/*
 * verdict-rates [PAIRS [SEED]]: prints how often a comparison of simulated captures reports a
 * change that is none, and how often it finds a real change. All seeds are fixed; docs/noise.md has
 * the results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/attributes.h"
#include "base/memory.h"
#include "profile/distribution.h"
#include "tests/support/diff_maker.h"
#include "tests/support/diff_simulator.h"

static const uint32_t run_counts[] = { 1, 2, 3, 5, 10 };
static uint64_t seed; /* added to the seeds of all cells */

/* The number of pairs in which something is called a change. */
static int count_wrong(const struct simulated_program *program, uint32_t runs, int pairs)
{
	struct random random = { .state = 20261122 + runs + seed };
	int wrong = 0;

	for (int i = 0; i < pairs; i++) {
		struct diff diff;

		diff_simulator_compare(&diff, program, program, runs, &random);
		wrong += diff_simulator_has_change(&diff);
		diff_deinit(&diff);
	}
	return wrong;
}

static void print_errors(int pairs)
{
	static const double samples[] = { 2000, 10000, 100000, 1000000 };
	static const struct {
		const char *what;
		struct simulated_program program;
	} rows[] = {
		{ "independent", { .samples = 0 } },
		{ "varying periods", { .has_varying_periods = true } },
		{ "runs vary by 3%", { .between_runs = 0.03 } },
		{ "runs vary by 10%", { .between_runs = 0.1 } },
		{ "bursts of 40, times", { .burst_samples = 40, .has_times = true } },
		{ "bursts of 300, times", { .burst_samples = 300, .has_times = true } },
		{ "bursts of 40, no times", { .burst_samples = 40 } },
		{ "bursts of 300, no times", { .burst_samples = 300 } },
	};

	printf("Equal programs: of %d comparisons, percent with any change\n", pairs);
	printf("%-26s %9s %6s %6s %6s %6s %6s\n", "", "samples", "1 run", "2", "3", "5", "10");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t k = 0; k < sizeof(samples) / sizeof(*samples); k++) {
			struct simulated_program program = rows[i].program;

			program.samples = samples[k];
			printf("%-26s %9.0f", rows[i].what, samples[k]);
			for (size_t r = 0; r < sizeof(run_counts) / sizeof(*run_counts); r++) {
				printf(" %6.1f",
				       100.0 * count_wrong(&program, run_counts[r], pairs) / pairs);
				fflush(stdout);
			}
			printf("\n");
		}
}

struct found {
	int first, more, total;
	int known; /* "more" by a test that knows the variance, instead of estimating it */
};

/* The number of changes that a corrected test would find if it knew the standard deviation of the
 * changes in all pairs. */
static int count_known(const double *points, int pairs, size_t tested)
{
	double least = distribution_normal_quantile(0.01 / (double)tested);
	double mean = 0;
	double squares = 0;
	int count = 0;

	for (int i = 0; i < pairs; i++)
		mean += points[i] / pairs;
	for (int i = 0; i < pairs; i++)
		squares += (points[i] - mean) * (points[i] - mean);
	for (int i = 0; i < pairs; i++)
		count += points[i] > least * sqrt(squares / (pairs - 1));
	return count;
}

static struct found find(const struct simulated_program *before,
			 const struct simulated_program *after, const char *name, uint32_t runs,
			 int pairs)
{
	struct random random = { .state = 4711 + runs + seed };
	double *points = memory_alloc((size_t)pairs, sizeof(*points));
	struct found found = { 0 };
	size_t tested = 1;

	for (int i = 0; i < pairs; i++) {
		const struct diff_function *function;
		struct diff diff;

		diff_simulator_compare(&diff, before, after, runs, &random);
		function = diff_maker_find(&diff, name);
		found.first += function == &diff.functions.at[0];
		found.more += function->self.verdict == DIFF_MORE;
		found.total += diff_verdict_is_change(diff.overall.verdict);
		points[i] = diff_points(&diff, &function->self);
		tested = diff.functions.count;
		diff_deinit(&diff);
	}
	found.known = count_known(points, pairs, tested);
	memory_free(points);
	return found;
}

static void print_power(int pairs)
{
	static const struct {
		const char *what, *name;
		struct simulated_program before, after;
	} rows[] = {
		{ "1.5% becomes 15%",
		  "f42",
		  { .samples = 10000, .lookup_share = 0.015 },
		  { .samples = 10000, .lookup_share = 0.15 } },
		{ "the same, runs vary by 3%",
		  "f42",
		  { .samples = 10000, .lookup_share = 0.015, .between_runs = 0.03 },
		  { .samples = 10000, .lookup_share = 0.15, .between_runs = 0.03 } },
		{ "the same, bursts of 40",
		  "f42",
		  { .samples = 10000, .lookup_share = 0.015, .burst_samples = 40 },
		  { .samples = 10000, .lookup_share = 0.15, .burst_samples = 40 } },
		{ "the same, and times",
		  "f42",
		  { .samples = 10000,
		    .lookup_share = 0.015,
		    .burst_samples = 40,
		    .has_times = true },
		  { .samples = 10000,
		    .lookup_share = 0.15,
		    .burst_samples = 40,
		    .has_times = true } },
		{ "a third, 10% slower",
		  "f00",
		  { .samples = 10000 },
		  { .samples = 10000, .slower = 0.1 } },
		{ "the same, bursts, times",
		  "f00",
		  { .samples = 10000, .burst_samples = 40, .has_times = true },
		  { .samples = 10000, .slower = 0.1, .burst_samples = 40, .has_times = true } },
		{ "1.5% becomes 2%",
		  "f42",
		  { .samples = 10000, .lookup_share = 0.015 },
		  { .samples = 10000, .lookup_share = 0.02 } },
	};

	printf("\nChanged programs, 10,000 samples a run: of %d comparisons, percent first / more, and more "
	       "if the variance were known\n",
	       pairs);
	printf("%-28s %11s %11s %11s %11s %11s\n", "", "1 run", "2", "3", "5", "10");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double known[ARRAY_SIZE(run_counts)];

		printf("%-28s", rows[i].what);
		for (size_t r = 0; r < sizeof(run_counts) / sizeof(*run_counts); r++) {
			struct found found = find(&rows[i].before, &rows[i].after, rows[i].name,
						  run_counts[r], pairs);

			printf(" %5.1f/%5.1f", 100.0 * found.first / pairs,
			       100.0 * found.more / pairs);
			fflush(stdout);
			known[r] = 100.0 * found.known / pairs;
		}
		printf("\n%-28s", "  known variance");
		for (size_t r = 0; r < ARRAY_SIZE(known); r++)
			printf("       %5.1f", known[r]);
		printf("\n");
	}
}

static void print_totals(int pairs)
{
	static const double varies[] = { 0.01, 0.03, 0.1 };

	printf("\nTotals of equal programs: of %d comparisons, percent called a change\n", pairs);
	printf("%-26s %6s %6s %6s %6s %6s\n", "length of runs varies by", "1 run", "2", "3", "5",
	       "10");
	for (size_t i = 0; i < sizeof(varies) / sizeof(*varies); i++) {
		struct simulated_program program = { .samples = 10000, .length_varies = varies[i] };

		printf("%-26g", varies[i]);
		for (size_t r = 0; r < sizeof(run_counts) / sizeof(*run_counts); r++)
			printf(" %6.1f",
			       100.0 * find(&program, &program, "f00", run_counts[r], pairs).total /
				       pairs);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	int pairs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 400;

	seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	print_errors(pairs);
	print_power(pairs);
	print_totals(pairs);
	return 0;
}
