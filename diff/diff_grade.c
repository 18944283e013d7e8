/* SPDX-License-Identifier: MIT */
#include "diff/diff_grade.h"

#include <math.h>

#include "diff/diff_spread.h"
#include "profile/distribution.h"

/* Quantiles are looked up by half degrees of freedom; those of more than this are those of this. */
#define FREEDOM_MAX   200
#define FREEDOM_STEPS (2 * FREEDOM_MAX)
/* What is assumed of totals is worth so many degrees of freedom beside the only one that three runs have: alone
 * that is 99 % sure of nothing within 64 standard deviations. */
#define ASSUMED_FREEDOM 2

/* Of one probability, by degrees of freedom; 0: not asked for yet. */
struct quantiles {
	double tails;
	double by_freedom[FREEDOM_STEPS + 1];
	double normal;
};

static double find_quantile(struct quantiles *quantiles, double freedom)
{
	size_t step = (size_t)fmax(1, floor(2 * fmin(freedom, FREEDOM_MAX)));
	double *known = freedom > 0 ? &quantiles->by_freedom[step] : &quantiles->normal;

	if (!(*known > 0))
		*known = distribution_student_quantile(quantiles->tails,
						       freedom > 0 ? (double)step / 2 : 0);
	return *known;
}

static double exposure_in_samples(const struct diff *diff, enum diff_side side)
{
	return (double)diff->exposure[side] * (double)diff->sample_count[side] /
	       (double)diff->total[side];
}

/* A weight is as many samples as weigh so much on average. */
static struct diff_counts counts_of(const struct diff *diff, const struct diff_measure *measure)
{
	struct diff_counts counts = { .has_shares = diff_has_shares(diff) };

	for (int side = 0; side < DIFF_SIDES; side++) {
		counts.count[side] = (double)measure->weight[side] *
				     (double)diff->sample_count[side] / (double)diff->total[side];
		counts.all[side] = (double)diff->sample_count[side];
		counts.exposure[side] = exposure_in_samples(diff, (enum diff_side)side);
	}
	return counts;
}

/* What the model of spread works on: counts by run. */
struct runs {
	struct diff_spread_runs spread;
	enum diff_side *side;
	double *size, *per_weight; /* by run; the latter is samples */
};

static void runs_init(struct runs *runs, const struct diff *diff)
{
	size_t count = diff->runs.count;

	*runs = (struct runs){
		.side = memory_alloc(count, sizeof(*runs->side)),
		.size = memory_alloc(count, sizeof(double)),
		.per_weight = memory_alloc(count, sizeof(double)),
	};
	for (size_t i = 0; i < count; i++) {
		const struct diff_run *run = &diff->runs.at[i];

		runs->side[i] = run->side;
		runs->per_weight[i] = (double)run->sample_count / (double)run->total;
		runs->size[i] = (double)run->exposure * runs->per_weight[i];
	}
	runs->spread = (struct diff_spread_runs){
		.side = runs->side,
		.size = runs->size,
		.count = count,
		.has_shares = diff_has_shares(diff),
		.assumed_spread = diff_assumed_function_spread(diff),
	};
}

static void runs_deinit(struct runs *runs)
{
	memory_free(runs->side);
	memory_free(runs->size);
	memory_free(runs->per_weight);
}

/* Finds what every candidate is to be tested by, from what functions do themselves. */
static void find_noise(const struct diff *diff, const struct diff_candidate *candidates,
		       size_t count)
{
	size_t run_count = diff->runs.count;
	struct diff_spread_row *rows = memory_alloc(count, sizeof(*rows));
	struct diff_spread_row *learnt = memory_alloc(count, sizeof(*learnt));
	double *counts = memory_alloc(count * run_count, sizeof(*counts));
	size_t learnt_count = 0;
	struct diff_spread spread;
	struct runs runs;

	runs_init(&runs, diff);
	for (size_t i = 0; i < count; i++) {
		const struct diff_candidate *candidate = &candidates[i];
		double *own = counts + i * run_count;

		for (size_t run = 0; run < run_count; run++)
			own[run] = (double)candidate->columns[run] * runs.per_weight[run];
		rows[i] = (struct diff_spread_row){
			own,
			diff_test_noise_of(candidate->within.value, candidate->within.freedom),
		};
		if (candidate->is_self)
			learnt[learnt_count++] = rows[i];
	}
	diff_spread_fit(&spread, &runs.spread, learnt, learnt_count);
	for (size_t i = 0; i < count; i++)
		candidates[i].estimate->noise = diff_spread_noise(&spread, &rows[i]);
	runs_deinit(&runs);
	memory_free(counts);
	memory_free(learnt);
	memory_free(rows);
}

static double p_value_of(const struct diff *diff, const struct diff_measure *measure,
			 const struct diff_test_noise *noise)
{
	struct diff_counts counts = counts_of(diff, measure);

	return diff_test_p_value(diff_verdict_deviations(&counts, noise->factor), noise->freedom);
}

/* The p values of those that could be significant at all, corrected; returns how many are. */
static size_t test(const struct diff *diff, const struct diff_candidate *candidates, size_t count,
		   struct diff_test_row *rows)
{
	double *together = memory_alloc(count, sizeof(*together));
	struct diff_counts counts = { 0 };
	size_t tested = 0;
	double least;

	for (size_t i = 0; i < count; i++) {
		counts = counts_of(diff, candidates[i].measure);
		together[i] = candidates[i].is_twin
				      ? 0
				      : counts.count[DIFF_BEFORE] + counts.count[DIFF_AFTER];
	}
	least = diff_test_least_count(together, count,
				      counts.exposure[DIFF_AFTER] / (counts.exposure[DIFF_BEFORE] +
								     counts.exposure[DIFF_AFTER]),
				      1 - diff->options.confidence);
	for (size_t i = 0; i < count; i++) {
		const struct diff_candidate *candidate = &candidates[i];

		candidate->estimate->p_value =
			p_value_of(diff, candidate->measure, &candidate->estimate->noise);
		if (together[i] >= least && !candidate->is_twin)
			rows[tested++] = (struct diff_test_row){ candidate->estimate->p_value, i };
	}
	diff_test_correct(rows, tested);
	memory_free(together);
	return tested;
}

static void judge(const struct diff *diff, const struct diff_candidate *candidate,
		  struct quantiles *quantiles)
{
	struct diff_counts counts = counts_of(diff, candidate->measure);
	struct diff_terms terms = {
		.deviations = find_quantile(quantiles, candidate->estimate->noise.freedom),
		.margin = diff->options.margin,
		.is_significant =
			candidate->measure->corrected_p_value <= 1 - diff->options.confidence,
	};

	candidate->measure->verdict = diff_verdict_find(&counts, &terms, candidate->estimate);
}

/*
 * Intervals are as sure as Holm's correction lets the test be: the first of n is compared at a confidence
 * for n, the next for one less; all that are no change are at that of the first of them.
 */
static void find_verdicts(const struct diff *diff, const struct diff_candidate *candidates,
			  size_t count, const struct diff_test_row *rows, size_t tested)
{
	struct quantiles *quantiles = memory_zalloc(1, sizeof(*quantiles));
	double error_rate = 1 - diff->options.confidence;
	size_t changed = 0;

	for (size_t i = 0; i < tested; i++)
		candidates[rows[i].index].measure->corrected_p_value = rows[i].p_value;
	for (; changed < tested && rows[changed].p_value <= error_rate; changed++) {
		/* Rounding decides which of equal ones is first: all have its confidence. */
		if (!changed || rows[changed].p_value > rows[changed - 1].p_value)
			*quantiles = (struct quantiles){
				.tails = error_rate / (double)(tested - changed),
			};
		judge(diff, &candidates[rows[changed].index], quantiles);
	}
	*quantiles = (struct quantiles){
		.tails = error_rate / (double)(tested > changed ? tested - changed : 1),
	};
	for (size_t i = 0; i < count; i++)
		if (candidates[i].measure->corrected_p_value > error_rate)
			judge(diff, &candidates[i], quantiles);
	memory_free(quantiles);
}

void diff_grade_functions(const struct diff *diff, const struct diff_candidate *candidates,
			  size_t count)
{
	struct diff_test_row *rows;
	size_t tested;

	if (!diff->is_graded || !count)
		return;
	rows = memory_alloc(count, sizeof(*rows));
	find_noise(diff, candidates, count);
	tested = test(diff, candidates, count, rows);
	find_verdicts(diff, candidates, count, rows, tested);
	for (size_t i = 1; i < count; i++)
		if (candidates[i].is_twin) {
			*candidates[i].measure = *candidates[i - 1].measure;
			*candidates[i].estimate = *candidates[i - 1].estimate;
		}
	memory_free(rows);
}

void diff_grade_row(const struct diff *diff, struct diff_measure *row,
		    const struct diff_measure *function, const struct diff_estimate *estimate)
{
	double points = diff_points(diff, row);
	bool is_same_way = function->verdict == DIFF_MORE ? points > 0 : points < 0;

	row->corrected_p_value = 1;
	row->verdict = function->verdict;
	if (!diff_verdict_is_change(function->verdict))
		return;
	row->verdict = DIFF_UNCERTAIN;
	if (!is_same_way)
		return;
	row->corrected_p_value =
		fmax(p_value_of(diff, row, &estimate->noise), function->corrected_p_value);
	if (row->corrected_p_value <= 1 - diff->options.confidence)
		row->verdict = function->verdict;
}

/* The logarithms of the totals of a side's runs, over what they are compared by: totals change by factors. */
struct logarithms {
	double mean, squares;  /* the latter around the mean */
	double least_variance; /* of one run: that of counting its samples */
	uint32_t count;
};

/* By length, or by what all is normalised by. */
static double size_of(const struct diff *diff, const struct diff_run *run, bool is_by_length)
{
	if (is_by_length)
		return (double)run->time_ns;
	/* Normalised by itself a total never changes: then runs are compared as they are. */
	return diff_has_shares(diff) ? 1 : (double)run->exposure;
}

static struct logarithms logarithms_of(const struct diff *diff, enum diff_side side,
				       bool is_by_length)
{
	struct logarithms all = { .count = diff->run_count[side] };

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < diff->runs.count; i++) {
			const struct diff_run *run = &diff->runs.at[i];
			double value = log((double)run->total / size_of(diff, run, is_by_length));

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

/* Of one run of a side; pooled is that between runs, with its degrees of freedom. */
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

static struct diff_total judge_total(const struct diff *diff, bool is_by_length)
{
	struct logarithms before = logarithms_of(diff, DIFF_BEFORE, is_by_length);
	struct logarithms after = logarithms_of(diff, DIFF_AFTER, is_by_length);
	double freedom = (double)before.count + after.count - 2;
	double pooled = freedom > 0 ? (before.squares + after.squares) / freedom : 0;
	double variance = variance_of_run(diff, &before, pooled, freedom) / before.count +
			  variance_of_run(diff, &after, pooled, freedom) / after.count;
	double change = after.mean - before.mean;
	/* What one run a side is assumed to vary by is taken as known: 0. */
	double tested =
		freedom + (freedom > 0 && diff_assumes_total_spread(diff) ? ASSUMED_FREEDOM : 0);
	double half = distribution_student_quantile(1 - diff->options.confidence, tested) *
		      sqrt(variance);
	struct diff_total total = { .is_known = true, .percent = 100 * expm1(change) };
	struct diff_estimate *estimate = &total.estimate;

	estimate->noise = (struct diff_test_noise){ 1, tested };
	estimate->p_value = variance > 0
				    ? distribution_student_tails(change / sqrt(variance), tested)
				    : change == 0;
	estimate->percent = estimate->points =
		(struct diff_interval){ 100 * expm1(change - half), 100 * expm1(change + half) };
	estimate->needed = 1;
	total.verdict = verdict_of_total(diff, estimate, change);
	return total;
}

/* Whether runs are compared as they are, and it is known how long each was. */
static bool has_lengths(const struct diff *diff)
{
	enum diff_normalisation by = diff->options.normalising.by;

	for (size_t i = 0; i < diff->runs.count; i++)
		if (!diff->runs.at[i].time_ns)
			return false;
	return by == DIFF_BY_TOTAL || by == DIFF_BY_NOTHING;
}

void diff_grade_overall(struct diff *diff)
{
	struct diff_total total;

	if (diff_has_two_units(diff)) {
		diff->overall_percent = NAN;
		diff->overall_estimate =
			(struct diff_estimate){ .p_value = NAN, .percent = { NAN, NAN } };
		return;
	}
	total = judge_total(diff, false);
	diff->overall_percent = total.percent;
	diff->overall_estimate = total.estimate;
	diff->overall.verdict = total.verdict;
	diff->overall.corrected_p_value = total.estimate.p_value;
	if (has_lengths(diff))
		diff->per_second = judge_total(diff, true);
}
