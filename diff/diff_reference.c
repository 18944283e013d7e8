/* SPDX-License-Identifier: MIT */
#include "diff/diff_reference.h"

#include <math.h>
#include <stdlib.h>

/* Of fewer samples on a side a ratio is mostly chance; of fewer functions their median is one of those that
 * changed. */
#define SAMPLES_MIN   30
#define FUNCTIONS_MIN 3

static bool has_enough(const struct diff *diff, const struct diff_measure *measure)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if ((double)measure->weight[side] * (double)diff->sample_count[side] <
		    SAMPLES_MIN * (double)diff->total[side])
			return false;
	return true;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median change of functions themselves, in percent; NAN: they are too few. */
static double find_percent(const struct diff *diff, const struct diff_candidate *candidates,
			   size_t count)
{
	double *percents = memory_alloc(count, sizeof(*percents));
	size_t found = 0;
	double median = NAN;

	for (size_t i = 0; i < count; i++)
		if (candidates[i].is_self && has_enough(diff, candidates[i].measure))
			percents[found++] = diff_percent(diff, candidates[i].measure);
	if (found >= FUNCTIONS_MIN) {
		qsort(percents, found, sizeof(*percents), compare);
		median = (percents[(found - 1) / 2] + percents[found / 2]) / 2;
	}
	memory_free(percents);
	return median;
}

/* Whether it weighs more in each run, by more than half of the interval, which is what may be noise. */
static bool weighs_more(const struct diff *diff, const struct diff_measure *measure,
			const struct diff_interval *interval)
{
	double before = (double)measure->weight[DIFF_BEFORE] / diff->run_count[DIFF_BEFORE];
	double after = (double)measure->weight[DIFF_AFTER] / diff->run_count[DIFF_AFTER];

	return !isfinite(interval->high) ||
	       after > before * (1 + (interval->high - interval->low) / 200);
}

void diff_reference_settle(struct diff *diff, const struct diff_candidate *candidates, size_t count)
{
	double percent;

	diff->shift_percent = NAN;
	if (!diff->is_graded || diff->options.normalising.by != DIFF_BY_TOTAL)
		return;
	percent = find_percent(diff, candidates, count);
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
