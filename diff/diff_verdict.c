/* SPDX-License-Identifier: MIT */
#include "diff/diff_verdict.h"

#include <math.h>

/*
 * 80th percentile of the normal distribution: with estimate->needed times the data, a change is
 * found in four of five cases.
 */
#define POWER_Z 0.8416
/*
 * With few samples, the exact test may find a change significant although the interval includes 0.
 * The end of the interval that is nearer to 0 is then moved to this share of the change.
 */
#define NEAR_END_SHARE 1e-3

const char *diff_verdict_name(enum diff_verdict verdict)
{
	static const char *const names[] = {
		[DIFF_NOT_GRADED] = "not graded",
		[DIFF_UNCERTAIN] = "uncertain",
		[DIFF_UNCHANGED] = "unchanged",
		[DIFF_SHIFTED] = "shifted",
		[DIFF_MORE] = "more",
		[DIFF_LESS] = "less",
	};

	return names[verdict];
}

double diff_verdict_deviations(const struct diff_counts *counts, double noise_factor)
{
	double before = counts->count[DIFF_BEFORE] / noise_factor;
	double after = counts->count[DIFF_AFTER] / noise_factor;
	const double *exposure = counts->exposure;

	if (counts->has_shares)
		return significance_of_shares(before, counts->all[DIFF_BEFORE] / noise_factor,
					      after, counts->all[DIFF_AFTER] / noise_factor);
	return significance_of_rates(before, after,
				     exposure[DIFF_AFTER] /
					     (exposure[DIFF_BEFORE] + exposure[DIFF_AFTER]));
}

/* The share or rate of one side. */
struct side_share {
	double value;
	double low, high; /* its confidence interval */
};

static struct side_share side_share_of(const struct diff_counts *counts, int side,
				       double deviations, double noise_factor)
{
	double count = counts->count[side] / noise_factor;
	double all = (counts->has_shares ? counts->all : counts->exposure)[side] / noise_factor;
	struct significance_interval interval =
		counts->has_shares ? significance_share_interval(count, all, deviations)
				   : significance_rate_interval(count, all, deviations);

	return (struct side_share){ count / all, interval.low, interval.high };
}

/* Computes the interval of the difference from the intervals of both sides (Newcombe 1998). */
static struct diff_interval difference_of(const struct side_share *before,
					  const struct side_share *after)
{
	double change = after->value - before->value;

	return (struct diff_interval){
		change - hypot(after->value - after->low, before->high - before->value),
		change + hypot(after->high - after->value, before->value - before->low),
	};
}

/*
 * Computes one end of the interval of the ratio (Donner and Zou 2012), from opposite ends of the
 * intervals of both sides.
 */
static double ratio_of(double after, double after_end, double before, double before_end,
		       double sign)
{
	double product = after * before;
	double square = product * product - after_end * before_end * (2 * after - after_end) *
						    (2 * before - before_end);

	return (product + sign * sqrt(fmax(0, square))) / (before_end * (2 * before - before_end));
}

static struct diff_interval percent_of(const struct side_share *before,
				       const struct side_share *after)
{
	double low = ratio_of(after->value, after->low, before->value, before->high, -1);
	double high = before->low > 0
			      ? ratio_of(after->value, after->high, before->value, before->low, 1)
			      : INFINITY;

	/* If before->high is twice before->value, both numerator and denominator are 0. */
	if (!isfinite(low))
		low = after->low * (2 * after->value - after->low) /
		      (2 * after->value * before->value);
	return (struct diff_interval){ 100 * (fmax(low, 0) - 1), 100 * (high - 1) };
}

static double percent_observed(const struct side_share *before, const struct side_share *after)
{
	return before->value > 0  ? 100 * (after->value / before->value - 1)
	       : after->value > 0 ? INFINITY
				  : 0;
}

/*
 * Widens the interval to include the observed change, and makes it agree with the test, so that it
 * excludes 0 only if the change is significant.
 */
static void agree(struct diff_interval *interval, double change, bool is_significant)
{
	interval->low = fmin(interval->low, change);
	interval->high = fmax(interval->high, change);
	if (!is_significant) {
		interval->low = fmin(interval->low, 0);
		interval->high = fmax(interval->high, 0);
	} else if (change > 0) {
		interval->low = fmax(interval->low, fmin(change, 1) * NEAR_END_SHARE);
	} else {
		interval->high = fmin(interval->high, fmax(change, -1) * NEAR_END_SHARE);
	}
}

static double needed_for(double reach, double error, double distance)
{
	double deviations = reach * error / distance;

	return distance > 0 ? fmax(1, deviations * deviations) : INFINITY;
}

enum diff_verdict diff_verdict_find(const struct diff_counts *counts,
				    const struct diff_terms *terms, struct diff_estimate *estimate)
{
	double factor = estimate->overdispersion.factor;
	struct side_share before = side_share_of(counts, DIFF_BEFORE, terms->deviations, factor);
	struct side_share after = side_share_of(counts, DIFF_AFTER, terms->deviations, factor);
	/* The points of a rate are relative to the samples of the AFTER side. */
	double scale = counts->has_shares
			       ? 100
			       : 100 * counts->exposure[DIFF_AFTER] / counts->all[DIFF_AFTER];
	double points = (after.value - before.value) * scale;
	double reach = terms->deviations + POWER_Z;
	double error;

	estimate->points = difference_of(&before, &after);
	estimate->points.low *= scale;
	estimate->points.high *= scale;
	error = (estimate->points.high - estimate->points.low) / 2 / terms->deviations;
	estimate->percent = percent_of(&before, &after);
	agree(&estimate->points, points, terms->is_significant);
	agree(&estimate->percent, percent_observed(&before, &after), terms->is_significant);
	estimate->needed = 1;
	if (terms->is_significant)
		return points > 0 ? DIFF_MORE : DIFF_LESS;
	if (estimate->points.low >= -terms->margin && estimate->points.high <= terms->margin)
		return DIFF_UNCHANGED;
	/*
	 * The smaller of two amounts of data: one that would show a change, and one that would show
	 * that there is no change.
	 */
	estimate->needed = fmin(needed_for(reach, error, fabs(points)),
				needed_for(reach, error, terms->margin - fabs(points)));
	return DIFF_UNCERTAIN;
}
