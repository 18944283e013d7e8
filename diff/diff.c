/* SPDX-License-Identifier: MIT */
#include "diff/diff.h"

#include <math.h>

#include "base/arithmetic.h"

const char *const diff_side_names[DIFF_SIDES] = { "before", "after" };

void diff_init(struct diff *diff, const struct diff_options *options)
{
	*diff = (struct diff){ .options = *options };
	profile_init(&diff->profile);
	diff_tree_init(&diff->tree, &diff->profile, &options->alignment, options->run_count);
}

void diff_kept_deinit(struct diff_kept *kept)
{
	dispersions_deinit(&kept->dispersions);
	memory_free(kept->self);
	memory_free(kept->total);
	memory_free(kept->exact_sums);
	memory_free(kept->has_exact_total);
	vec_free(&kept->binned);
	*kept = (struct diff_kept){ 0 };
}

void diff_deinit(struct diff *diff)
{
	uint64_t *self;
	uint64_t *total;
	binned_weights binned;

	/* If compare_finish was not called, the captures are still in the tree. */
	if (!diff->profile.stacks.count) {
		diff_tree_finish(&diff->tree, &self, &total, &binned);
		diff_known_deinit(&diff->tree.known);
		memory_free(self);
		memory_free(total);
		vec_free(&binned);
	}
	diff_kept_deinit(&diff->kept);
	profile_deinit(&diff->profile);
	vec_free(&diff->aligned.pairs);
	vec_free(&diff->captures);
	vec_free(&diff->runs);
	vec_free(&diff->functions);
	vec_free(&diff->groups);
	memory_free(diff->run_self);
	memory_free(diff->run_total);
	memory_free(diff->rows);
}

uint64_t diff_scaled(const struct diff *diff, uint64_t before)
{
	return ratio_of(before, diff->exposure[DIFF_AFTER], diff->exposure[DIFF_BEFORE]).quotient;
}

/* Like diff_scaled, but returns a double, from which differences can be computed. */
static double scaled(const struct diff *diff, const struct diff_measure *measure)
{
	/* With this order of operations, the difference between equal sides is exactly 0. */
	return (double)measure->weight[DIFF_BEFORE] *
	       ((double)diff->exposure[DIFF_AFTER] / (double)diff->exposure[DIFF_BEFORE]);
}

double diff_points(const struct diff *diff, const struct diff_measure *measure)
{
	return ((double)measure->weight[DIFF_AFTER] - scaled(diff, measure)) * 100 /
	       (double)diff->total[DIFF_AFTER];
}

double diff_percent(const struct diff *diff, const struct diff_measure *measure)
{
	double before = scaled(diff, measure);
	double after = (double)measure->weight[DIFF_AFTER];

	if (!measure->weight[DIFF_BEFORE])
		return after > 0 ? INFINITY : 0;
	return (after - before) * 100 / before;
}

struct diff_measure diff_measure_of(const struct diff *diff, const uint64_t *columns)
{
	struct diff_measure measure = { .corrected_p_value = 1 };

	for (size_t i = 0; i < diff->runs.count; i++) {
		uint64_t *weight = &measure.weight[diff->runs.at[i].side];

		*weight = saturate_add(*weight, columns[i]);
	}
	return measure;
}

bool diff_has_runs(const struct diff *diff)
{
	return diff->run_count[DIFF_BEFORE] > 1 || diff->run_count[DIFF_AFTER] > 1;
}

bool diff_has_shares(const struct diff *diff)
{
	return diff->options.normalising.by == DIFF_BY_TOTAL;
}

double diff_assumed_function_spread(const struct diff *diff)
{
	enum diff_normalisation by = diff->options.normalising.by;
	double spread = diff->options.assumed_function_spread;

	if (diff_has_runs(diff))
		return 0;
	/* The cost of a unit of work varies between runs, for each function as well as for the
	 * total. */
	return by == DIFF_BY_OPERATIONS || by == DIFF_BY_TIME
		       ? fmax(spread, diff->options.assumed_spread)
		       : spread;
}

bool diff_assumes_spread(const struct diff *diff)
{
	return diff->is_graded && diff_assumed_function_spread(diff) > 0;
}

bool diff_assumes_total_spread(const struct diff *diff)
{
	return diff->run_count[DIFF_BEFORE] + diff->run_count[DIFF_AFTER] <= DIFF_SIDES + 1;
}

const struct diff_measure *diff_judged_measure(const struct diff_function *function)
{
	return function->is_judged_by_self ? &function->self : &function->total;
}

const struct diff_estimate *diff_judged_estimate(const struct diff_function *function)
{
	return function->is_judged_by_self ? &function->self_estimate : &function->total_estimate;
}

double diff_p_value(const struct diff_function *function)
{
	return fmin(function->self.corrected_p_value, function->total.corrected_p_value);
}

double diff_run_percent(const struct diff *diff, const uint64_t *columns, size_t run)
{
	return 100 * (double)columns[run] / (double)diff->runs.at[run].total;
}

bool diff_has_two_units(const struct diff *diff)
{
	const struct diff_view *views = diff->views;

	return views[DIFF_BEFORE].is_there && views[DIFF_AFTER].is_there &&
	       views[DIFF_BEFORE].unit != views[DIFF_AFTER].unit;
}

struct profile diff_view_of(const struct diff *diff, enum diff_side side)
{
	struct profile profile = diff->profile;

	if (!diff_has_two_units(diff))
		return profile;
	profile.event_name = diff->views[side].event_name;
	profile.weight_name = diff->views[side].weight_name;
	profile.unit = diff->views[side].unit;
	return profile;
}
