/* SPDX-License-Identifier: MIT */
#include "diff/diff_cost.h"

#include <math.h>

#define SECOND_NS 1e9

/* The change of the totals as a factor, with its interval. */
struct total_growth {
	double factor, low, high;
};

enum diff_work diff_work_of(const struct diff *diff)
{
	static const enum diff_work by[] = {
		[DIFF_BY_DEFAULT] = DIFF_WORK_RUN,    [DIFF_BY_TOTAL] = DIFF_WORK_RUN,
		[DIFF_BY_TIME] = DIFF_WORK_SECOND,    [DIFF_BY_CPU] = DIFF_WORK_CPU_SECOND,
		[DIFF_BY_SAMPLES] = DIFF_WORK_SAMPLE, [DIFF_BY_OPERATIONS] = DIFF_WORK_OPERATION,
		[DIFF_BY_NOTHING] = DIFF_WORK_RUN,    [DIFF_BY_FACTOR] = DIFF_WORK_SCALED_RUN,
	};

	return by[diff->options.normalising.by];
}

bool diff_has_costs(const struct diff *diff)
{
	return !diff_has_two_units(diff) && (!diff_has_shares(diff) || diff->per_second.is_known);
}

/* Units of work of a side. */
static double diff_work_size(const struct diff *diff, enum diff_side side)
{
	const struct diff_normalising *normalising = &diff->options.normalising;

	switch (diff_work_of(diff)) {
	case DIFF_WORK_OPERATION:
		return (double)normalising->operations[side];
	case DIFF_WORK_SECOND:
	case DIFF_WORK_CPU_SECOND:
		return (double)diff->exposure[side] / SECOND_NS;
	case DIFF_WORK_SAMPLE:
		return (double)diff->exposure[side];
	case DIFF_WORK_SCALED_RUN:
		return (double)diff->exposure[side] / (double)normalising->factor;
	case DIFF_WORK_RUN:
		break;
	}
	return diff->run_count[side];
}

static struct total_growth growth_of(const struct diff *diff)
{
	double before = (double)diff->total[DIFF_BEFORE] / diff_work_size(diff, DIFF_BEFORE);
	double after = (double)diff->total[DIFF_AFTER] / diff_work_size(diff, DIFF_AFTER);
	const struct diff_interval *percent = &diff->overall_estimate.percent;
	double middle = 1 + diff->overall_percent / 100;
	double factor = after / before;

	/*
	 * The interval is around the mean of the logarithms, so it is shifted to the ratio of the
	 * means.
	 */
	return (struct total_growth){
		.factor = factor,
		.low = factor * (1 + percent->low / 100) / middle,
		.high = factor * (1 + percent->high / 100) / middle,
	};
}

/*
 * Combines the errors of the share and of the growth of the total: the squares of these errors add
 * up.
 */
static struct diff_interval points_from_share(const struct total_growth *growth, double share_after,
					      double change, const struct diff_measure *measure,
					      const struct diff_estimate *estimate,
					      const struct diff *diff)
{
	double points = diff_points(diff, measure);

	return (struct diff_interval){
		change - hypot(growth->factor * (points - estimate->points.low),
			       share_after * (growth->factor - growth->low)),
		change + hypot(growth->factor * (estimate->points.high - points),
			       share_after * (growth->high - growth->factor)),
	};
}

/* One end of the interval in percent; the squares of the errors of logarithms add up. */
static double percent_end(double ratio, double share_ratio, double share_end, double factor,
			  double factor_end)
{
	double away = hypot(log(share_end / share_ratio), log(factor_end / factor));

	return 100 * (ratio * exp(factor_end > factor ? away : -away) - 1);
}

static struct diff_interval percent_from_share(const struct total_growth *growth,
					       const struct diff_measure *measure,
					       const struct diff_estimate *estimate,
					       const struct diff *diff)
{
	double share_ratio = 1 + diff_percent(diff, measure) / 100;
	double ratio = share_ratio * growth->factor;
	double low = 1 + estimate->percent.low / 100;
	double high = 1 + estimate->percent.high / 100;

	/* A function that exists on only one side does not have a finite ratio. */
	if (!isfinite(share_ratio))
		return (struct diff_interval){ 100 * (low * growth->low - 1), INFINITY };
	if (!(share_ratio > 0))
		return (struct diff_interval){ -100, 100 * (high * growth->high - 1) };
	return (struct diff_interval){
		low > 0 ? percent_end(ratio, share_ratio, low, growth->factor, growth->low) : -100,
		isfinite(high) ? percent_end(ratio, share_ratio, high, growth->factor, growth->high)
			       : INFINITY,
	};
}

static void find_intervals(const struct diff *diff, const struct diff_measure *measure,
			   const struct diff_estimate *estimate, const struct total_growth *growth,
			   struct diff_cost *cost)
{
	double share_after =
		100 * (double)measure->weight[DIFF_AFTER] / (double)diff->total[DIFF_AFTER];

	if (!diff->is_graded) {
		cost->points_interval = cost->percent_interval = (struct diff_interval){ NAN, NAN };
		return;
	}
	if (diff_has_shares(diff)) {
		cost->points_interval = points_from_share(growth, share_after, cost->points,
							  measure, estimate, diff);
		cost->percent_interval = percent_from_share(growth, measure, estimate, diff);
		return;
	}
	/*
	 * Costs were compared directly. Only points must be converted, because they refer to the
	 * total after.
	 */
	cost->percent_interval = estimate->percent;
	cost->points_interval = (struct diff_interval){
		estimate->points.low * growth->factor,
		estimate->points.high * growth->factor,
	};
}

struct diff_cost diff_cost_of(const struct diff *diff, const struct diff_measure *measure,
			      const struct diff_estimate *estimate)
{
	struct total_growth growth = growth_of(diff);
	struct diff_cost cost;
	double change;

	for (int side = 0; side < DIFF_SIDES; side++)
		cost.value[side] =
			(double)measure->weight[side] / diff_work_size(diff, (enum diff_side)side);
	change = cost.value[DIFF_AFTER] - cost.value[DIFF_BEFORE];
	cost.points =
		100 * change * diff_work_size(diff, DIFF_BEFORE) / (double)diff->total[DIFF_BEFORE];
	cost.percent = cost.value[DIFF_BEFORE] > 0 ? 100 * change / cost.value[DIFF_BEFORE]
		       : change > 0                ? INFINITY
						   : 0;
	find_intervals(diff, measure, estimate, &growth, &cost);
	return cost;
}
