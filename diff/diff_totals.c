/* SPDX-License-Identifier: MIT */
/*
 * Tests the change of the total. The test uses the logarithms of the runs' totals, because totals
 * change by factors.
 */
#include <math.h>

#include "diff/diff_grade.h"
#include "diff/diff_verdict.h"
#include "profile/distribution.h"

/*
 * Three runs have only one degree of freedom, with which a 99% interval extends 64 standard
 * deviations to either side. The assumed spread of totals is therefore included, and counts as this
 * many degrees of freedom.
 */
#define ASSUMED_FREEDOM 2

/* The logarithms of a side's totals per exposure, one for each run. */
struct logarithms {
	double mean, squares;  /* squares: sum of squared deviations */
	double least_variance; /* variance of one run that is due to the number of its samples */
	uint32_t count;
};

/* Returns the exposure of a run: its duration, or the value that weights are normalised by. */
static double size_of(const struct diff *diff, const struct diff_run *run, bool is_per_second)
{
	if (is_per_second)
		return (double)run->time_ns;
	/*
	 * A total that is normalised by totals never changes, so runs are then compared without
	 * normalisation.
	 */
	return diff_has_shares(diff) ? 1 : (double)run->exposure;
}

static struct logarithms logarithms_of(const struct diff *diff, enum diff_side side,
				       bool is_per_second)
{
	struct logarithms all = { .count = diff->run_count[side] };

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < diff->runs.count; i++) {
			const struct diff_run *run = &diff->runs.at[i];
			double value = log((double)run->total / size_of(diff, run, is_per_second));

			if (run->side != side)
				continue;
			if (pass) {
				all.squares += (value - all.mean) * (value - all.mean);
				continue;
			}
			all.mean += value / all.count;
			if (run->has_sample_counts)
				all.least_variance += 1 / (double)run->sample_count / all.count;
		}
	return all;
}

static enum diff_verdict verdict_of_total(const struct diff *diff,
					  const struct diff_estimate *estimate, double change)
{
	if (estimate->p_value <= 1 - diff->options.confidence)
		return change > 0 ? DIFF_MORE : DIFF_LESS;
	return estimate->percent.low >= -diff->options.margin &&
			       estimate->percent.high <= diff->options.margin
		       ? DIFF_UNCHANGED
		       : DIFF_UNCERTAIN;
}

/*
 * Returns the variance of one run of a side. pooled: the variance between runs, with its degrees of
 * freedom.
 */
static double variance_of_run(const struct diff *diff, const struct logarithms *side, double pooled,
			      double freedom)
{
	double assumed =
		side->least_variance + diff->options.assumed_spread * diff->options.assumed_spread;

	if (diff_assumes_total_spread(diff))
		pooled = (pooled * freedom + assumed * ASSUMED_FREEDOM) /
			 (freedom + ASSUMED_FREEDOM);
	return fmax(pooled, side->least_variance);
}

static struct diff_total test_total(const struct diff *diff, bool is_per_second)
{
	struct logarithms before = logarithms_of(diff, DIFF_BEFORE, is_per_second);
	struct logarithms after = logarithms_of(diff, DIFF_AFTER, is_per_second);
	double freedom = (double)before.count + after.count - 2;
	double pooled = freedom > 0 ? (before.squares + after.squares) / freedom : 0;
	double variance = variance_of_run(diff, &before, pooled, freedom) / before.count +
			  variance_of_run(diff, &after, pooled, freedom) / after.count;
	double change = after.mean - before.mean;
	/*
	 * With one run per side, the assumed spread counts as exactly known; 0 degrees of freedom
	 * means the normal distribution.
	 */
	double tested =
		freedom + (freedom > 0 && diff_assumes_total_spread(diff) ? ASSUMED_FREEDOM : 0);
	double half = distribution_student_quantile(1 - diff->options.confidence, tested) *
		      sqrt(variance);
	struct diff_total total = { .is_known = true, .percent = 100 * expm1(change) };
	struct diff_estimate *estimate = &total.estimate;

	estimate->overdispersion = (struct overdispersion){ 1, tested };
	estimate->p_value = variance > 0
				    ? distribution_student_tails(change / sqrt(variance), tested)
				    : change == 0;
	estimate->percent = estimate->points =
		(struct diff_interval){ 100 * expm1(change - half), 100 * expm1(change + half) };
	estimate->needed = 1;
	total.verdict = verdict_of_total(diff, estimate, change);
	return total;
}

/* Whether runs are compared without normalisation, and all durations are known. */
static bool has_durations(const struct diff *diff)
{
	enum diff_normalisation by = diff->options.normalising.by;

	for (size_t i = 0; i < diff->runs.count; i++)
		if (!diff->runs.at[i].time_ns)
			return false;
	return by == DIFF_BY_TOTAL || by == DIFF_BY_NOTHING;
}

void diff_grade_totals(struct diff *diff)
{
	struct diff_total total;

	if (diff_has_two_units(diff)) {
		diff->overall_percent = NAN;
		diff->overall_estimate =
			(struct diff_estimate){ .p_value = NAN, .percent = { NAN, NAN } };
		return;
	}
	total = test_total(diff, false);
	diff->overall_percent = total.percent;
	diff->overall_estimate = total.estimate;
	diff->overall.verdict = total.verdict;
	diff->overall.corrected_p_value = total.estimate.p_value;
	if (has_durations(diff))
		diff->per_second = test_total(diff, true);
}
