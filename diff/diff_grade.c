/* SPDX-License-Identifier: MIT */
#include "diff/diff_grade.h"

#include <math.h>
#include <stdlib.h>

#include "diff/diff_spread.h"
#include "profile/distribution.h"

/* Quantiles are cached in steps of half a degree of freedom, up to this many degrees. */
#define FREEDOM_MAX   200
#define FREEDOM_STEPS (2 * FREEDOM_MAX)
/*
 * The minimum number of samples per side, because the ratio of fewer samples is mostly noise; and
 * the minimum number of functions, because the median of fewer functions may be a function that
 * changed.
 */
#define SAMPLES_MIN   30
#define FUNCTIONS_MIN 3

/* Quantiles of one probability by degrees of freedom; 0 if not computed yet. */
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

/* Converts weights to samples by the mean weight of a sample. */
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

/* Counts by run, for the model of spread. */
struct graded_runs {
	struct diff_spread_runs spread;
	enum diff_side *side;
	double *size, *per_weight; /* by run; per_weight: samples per unit of weight */
};

static void runs_init(struct graded_runs *runs, const struct diff *diff)
{
	size_t count = diff->runs.count;

	*runs = (struct graded_runs){
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

static void runs_deinit(struct graded_runs *runs)
{
	memory_free(runs->side);
	memory_free(runs->size);
	memory_free(runs->per_weight);
}

/* Finds the overdispersion of each candidate; the model is fitted to self weights. */
static void find_overdispersion(const struct diff *diff, const struct diff_candidate *candidates,
				size_t count)
{
	size_t run_count = diff->runs.count;
	struct diff_spread_row *rows = memory_alloc(count, sizeof(*rows));
	struct diff_spread_row *fitted = memory_alloc(count, sizeof(*fitted));
	double *counts = memory_alloc(count * run_count, sizeof(*counts));
	size_t fitted_count = 0;
	struct diff_spread spread;
	struct graded_runs runs;

	runs_init(&runs, diff);
	for (size_t i = 0; i < count; i++) {
		const struct diff_candidate *candidate = &candidates[i];
		double *own = counts + i * run_count;

		for (size_t run = 0; run < run_count; run++)
			own[run] = (double)candidate->columns[run] * runs.per_weight[run];
		rows[i] = (struct diff_spread_row){
			own,
			overdispersion_of(candidate->within.value, candidate->within.freedom),
		};
		if (candidate->is_self)
			fitted[fitted_count++] = rows[i];
	}
	diff_spread_fit(&spread, &runs.spread, fitted, fitted_count);
	for (size_t i = 0; i < count; i++)
		candidates[i].estimate->overdispersion =
			diff_spread_overdispersion(&spread, &rows[i]);
	runs_deinit(&runs);
	memory_free(counts);
	memory_free(fitted);
	memory_free(rows);
}

static double p_value_of(const struct diff *diff, const struct diff_measure *measure,
			 const struct overdispersion *over)
{
	struct diff_counts counts = counts_of(diff, measure);

	return distribution_student_tails(diff_verdict_deviations(&counts, over->factor),
					  over->freedom);
}

/*
 * Tests the candidates that have enough samples to be significant, and corrects their p values.
 * Returns the number of tested candidates.
 */
static size_t test(const struct diff *diff, const struct diff_candidate *candidates, size_t count,
		   struct significance_row *rows)
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
	least = significance_least_count(
		together, count,
		counts.exposure[DIFF_AFTER] /
			(counts.exposure[DIFF_BEFORE] + counts.exposure[DIFF_AFTER]),
		1 - diff->options.confidence);
	for (size_t i = 0; i < count; i++) {
		const struct diff_candidate *candidate = &candidates[i];

		candidate->estimate->p_value =
			p_value_of(diff, candidate->measure, &candidate->estimate->overdispersion);
		if (together[i] >= least && !candidate->is_twin)
			rows[tested++] =
				(struct significance_row){ candidate->estimate->p_value, i };
	}
	significance_correct(rows, tested);
	memory_free(together);
	return tested;
}

static void judge(const struct diff *diff, const struct diff_candidate *candidate,
		  struct quantiles *quantiles)
{
	struct diff_counts counts = counts_of(diff, candidate->measure);
	struct diff_terms terms = {
		.deviations = find_quantile(quantiles, candidate->estimate->overdispersion.freedom),
		.margin = diff->options.margin,
		.is_significant =
			candidate->measure->corrected_p_value <= 1 - diff->options.confidence,
	};

	candidate->measure->verdict = diff_verdict_find(&counts, &terms, candidate->estimate);
}

/*
 * The confidence of intervals follows from Holm's correction: the interval of the first of n
 * comparisons is corrected for n comparisons, the next one for n - 1, and so on. All comparisons
 * without a change have the confidence of the first such comparison.
 */
static void find_verdicts(const struct diff *diff, const struct diff_candidate *candidates,
			  size_t count, const struct significance_row *rows, size_t tested)
{
	struct quantiles *quantiles = memory_zalloc(1, sizeof(*quantiles));
	double error_rate = 1 - diff->options.confidence;
	size_t changed = 0;

	for (size_t i = 0; i < tested; i++)
		candidates[rows[i].index].measure->corrected_p_value = rows[i].p_value;
	for (; changed < tested && rows[changed].p_value <= error_rate; changed++) {
		/* Candidates with equal p values have equal confidence. */
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
	struct significance_row *rows;
	size_t tested;

	if (!diff->is_graded || !count)
		return;
	rows = memory_alloc(count, sizeof(*rows));
	find_overdispersion(diff, candidates, count);
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
		fmax(p_value_of(diff, row, &estimate->overdispersion), function->corrected_p_value);
	if (row->corrected_p_value <= 1 - diff->options.confidence)
		row->verdict = function->verdict;
}

static bool has_enough(const struct diff *diff, const struct diff_measure *measure)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if ((double)measure->weight[side] * (double)diff->sample_count[side] <
		    SAMPLES_MIN * (double)diff->total[side])
			return false;
	return true;
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Returns the median change of self weights, in percent, or NAN if there are too few functions. */
static double find_median_change(const struct diff *diff, const struct diff_candidate *candidates,
				 size_t count)
{
	double *percents = memory_alloc(count, sizeof(*percents));
	size_t found = 0;
	double median = NAN;

	for (size_t i = 0; i < count; i++)
		if (candidates[i].is_self && has_enough(diff, candidates[i].measure))
			percents[found++] = diff_percent(diff, candidates[i].measure);
	if (found >= FUNCTIONS_MIN) {
		qsort(percents, found, sizeof(*percents), compare_doubles);
		median = (percents[(found - 1) / 2] + percents[found / 2]) / 2;
	}
	memory_free(percents);
	return median;
}

/*
 * Whether the mean weight of the AFTER runs exceeds that of the BEFORE runs by more than half the
 * width of the interval.
 */
static bool weighs_more(const struct diff *diff, const struct diff_measure *measure,
			const struct diff_interval *interval)
{
	double before = (double)measure->weight[DIFF_BEFORE] / diff->run_count[DIFF_BEFORE];
	double after = (double)measure->weight[DIFF_AFTER] / diff->run_count[DIFF_AFTER];

	return !isfinite(interval->high) ||
	       after > before * (1 + (interval->high - interval->low) / 200);
}

void diff_grade_shifts(struct diff *diff, const struct diff_candidate *candidates, size_t count)
{
	double percent;

	diff->shift_percent = NAN;
	if (!diff->is_graded || diff->options.normalising.by != DIFF_BY_TOTAL)
		return;
	percent = find_median_change(diff, candidates, count);
	for (size_t i = 0; i < count; i++) {
		struct diff_measure *measure = candidates[i].measure;
		const struct diff_interval *interval = &candidates[i].estimate->percent;

		if (!diff_verdict_is_change(measure->verdict) ||
		    !(interval->low <= percent && percent <= interval->high))
			continue;
		if (measure->verdict == DIFF_MORE && weighs_more(diff, measure, interval))
			continue;
		measure->verdict = DIFF_SHIFTED;
		diff->shift_percent = percent;
	}
}
