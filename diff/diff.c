/* SPDX-License-Identifier: MIT */
#include "diff/diff.h"

#include <math.h>

#include "base/ratio.h"
#include "base/saturate.h"
#include "diff/align/diff_align.h"
#include "diff/diff_functions.h"
#include "diff/diff_grade.h"
#include "diff/diff_missing.h"

/* Of a side: beyond it sums may have been cut off, and shares of them mean nothing. */
#define WEIGHT_MAX (UINT64_MAX / 4)
/* Of both sides together: each has TIME_BINS numbers a function, and so many runs tell enough themselves. */
#define BLOCK_RUNS_MAX 64

void diff_init(struct diff *diff, const struct diff_options *options)
{
	*diff = (struct diff){ .options = *options };
	profile_init(&diff->profile);
	diff_tree_init(&diff->tree, &diff->profile, &options->alignment, options->run_count);
}

void diff_deinit(struct diff *diff)
{
	uint64_t *self;
	uint64_t *total;
	binned_weights parts;

	/* What was added and never compared is still in the tree. */
	if (!diff->profile.stacks.count) {
		diff_tree_finish(&diff->tree, &self, &total, &parts);
		diff_known_deinit(&diff->tree.known);
		memory_free(self);
		memory_free(total);
		vec_free(&parts);
	}
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

static const char *const side_names[] = { [DIFF_BEFORE] = "before", [DIFF_AFTER] = "after" };

/* Names of both sides are cut where one has them so. Where some are in the tree already it is too late. */
static void choose_naming(struct diff *diff, const struct profile *profile)
{
	if (diff->options.alignment.naming != DIFF_NAMING_ALIGNED || !diff_frames_are_cut(profile))
		return;
	if (diff->runs.count) {
		diff->wants_cut_names = true;
		return;
	}
	diff->options.alignment.naming = DIFF_NAMING_CUT;
	diff->tree.frames.alignment.naming = DIFF_NAMING_CUT;
}

bool diff_add(struct diff *diff, const struct profile *profile, enum diff_side side,
	      struct error *err)
{
	struct diff_run run = diff_run_of(profile, side, diff->options.assumes_samples);

	if (!run.total || !run.sample_count)
		return error_set(err, ERROR_USAGE,
				 "has no samples to compare on the side %s; see what it holds with "
				 "kiln info, and what --event and the selection leave of it",
				 side_names[side]);
	if (!diff_view_add(diff, profile, side, err))
		return false;
	choose_naming(diff, profile);
	diff->profile.is_reversed = profile->is_reversed;
	if (!diff_exposure(&run, &diff->options.normalising, &run.exposure, err))
		return false;
	diff->has_sample_counts[side] =
		run.has_sample_counts && (!diff->run_count[side] || diff->has_sample_counts[side]);
	diff->is_graded =
		diff->has_sample_counts[DIFF_BEFORE] && diff->has_sample_counts[DIFF_AFTER];
	diff_tree_add(&diff->tree, profile, (uint32_t)diff->runs.count, side == DIFF_BEFORE);
	run.has_exact_functions = diff_run_has_exact(profile, &diff->options.alignment);
	vec_push(&diff->runs, run);
	diff_captures_add(&diff->captures, profile, side, diff->profile.strings);
	diff->missing[side] = saturate_add(diff->missing[side], run.missing);
	diff->lacks_narrow[side] |= run.lacks_narrow;
	diff->run_count[side]++;
	diff->total[side] = saturate_add(diff->total[side], run.total);
	diff->sample_count[side] += run.sample_count;
	diff->exposure[side] = saturate_add(diff->exposure[side], run.exposure);
	return true;
}

uint64_t diff_scaled(const struct diff *diff, uint64_t before)
{
	return ratio_of(before, diff->exposure[DIFF_AFTER], diff->exposure[DIFF_BEFORE]).quotient;
}

/* In doubles, for differences, which are no whole numbers. */
static double scaled(const struct diff *diff, const struct diff_measure *measure)
{
	/* In this order, so that of equals the difference is 0. */
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
	/* What a unit of work costs varies from run to run in all functions, as it does in the total. */
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

double diff_run_percent(const struct diff *diff, const uint64_t *columns, size_t run)
{
	return 100 * (double)columns[run] / (double)diff->runs.at[run].total;
}

/* The function or group of every frame; the caller's to free. */
static const struct diff_function **index_functions(const struct diff *diff)
{
	const struct diff_function **by_frame =
		memory_zalloc(diff->profile.frames.count, sizeof(*by_frame));

	for (size_t i = 0; i < diff->functions.count; i++)
		by_frame[diff->functions.at[i].frame] = &diff->functions.at[i];
	for (size_t i = 0; i < diff->groups.count; i++)
		by_frame[diff->groups.at[i].frame] = &diff->groups.at[i];
	return by_frame;
}

static void grade_rows(struct diff *diff, const uint64_t *self, const uint64_t *total)
{
	const struct profile *profile = &diff->profile;
	size_t count = profile->stacks.count;
	size_t runs = diff->runs.count;
	const struct diff_function **by_frame = index_functions(diff);

	diff->rows = memory_zalloc(count, sizeof(*diff->rows));
	for (size_t i = 0; i < count; i++) {
		struct diff_row *row = &diff->rows[i];
		const struct diff_function *function =
			i ? by_frame[profile->stacks.at[i].frame.i] : NULL;

		row->self = diff_measure_of(diff, self + i * runs);
		row->total = diff_measure_of(diff, total + i * runs);
		if (!function)
			continue;
		diff_grade_row(diff, &row->self, &function->self, &function->self_estimate);
		diff_grade_row(diff, &row->total, &function->total, &function->total_estimate);
	}
	diff->rows[0].total = diff->overall;
	memory_free(by_frame);
}

/* Whether blocks tell anything, at a price that is worth it: beside many runs they add nothing. */
static bool has_time_bins(const struct diff *diff)
{
	bool side_has[DIFF_SIDES] = { false };

	for (size_t i = 0; i < diff->runs.count; i++)
		side_has[diff->runs.at[i].side] |= diff->runs.at[i].has_time_bins;
	return diff->is_graded && side_has[DIFF_BEFORE] && side_has[DIFF_AFTER] &&
	       diff->runs.count <= BLOCK_RUNS_MAX;
}

static void compare(struct diff *diff)
{
	struct dispersions by_frame = { 0 };
	struct binned_runs blocks;
	binned_weights parts;
	struct diff_exact exact;
	uint64_t *self;
	uint64_t *total;

	/* Fewer captures may have been added than were announced. */
	diff_tree_keep_columns(&diff->tree, (uint32_t)diff->runs.count);
	diff_align(&diff->tree, diff->runs.at, &diff->aligned);
	diff_tree_finish(&diff->tree, &self, &total, &parts);
	diff_exact_init(&exact, diff, self, total);
	diff->has_exact_functions = exact.sums != NULL;
	if (diff_missing_is_needed(diff))
		diff_missing_fold(diff, self, total, &parts);
	if (has_time_bins(diff)) {
		binned_runs_init(&blocks, &diff->profile, &parts, diff->runs.at, diff->runs.count);
		diff->freedom = blocks.freedom;
		if (diff->freedom)
			dispersions_find(&blocks, &by_frame);
		binned_runs_deinit(&blocks);
	}
	diff->overall = diff_measure_of(diff, total);
	diff_grade_overall(diff);
	diff_functions_find(diff, self, total, &by_frame, &exact);
	diff_exact_deinit(&exact);
	grade_rows(diff, self, total);
	diff_headline_find(diff);
	dispersions_deinit(&by_frame);
	vec_free(&parts);
	memory_free(self);
	memory_free(total);
}

bool diff_finish(struct diff *diff, struct error *err)
{
	double largest;

	for (int side = 0; side < DIFF_SIDES; side++)
		if (!diff->run_count[side])
			return error_set(err, ERROR_USAGE, "there is nothing %s to compare",
					 side_names[side]);
	if (diff->options.normalising.by == DIFF_BY_OPERATIONS &&
	    !diff_share_operations(diff->runs.at, diff->runs.count, &diff->options.normalising,
				   diff->exposure, err))
		return false;
	largest = (double)diff->total[DIFF_BEFORE] * (double)diff->exposure[DIFF_AFTER] /
		  (double)diff->exposure[DIFF_BEFORE];
	if (diff->total[DIFF_BEFORE] > WEIGHT_MAX || diff->total[DIFF_AFTER] > WEIGHT_MAX)
		return error_set(err, ERROR_LIMIT, "weights are too large to be compared");
	if (largest > (double)WEIGHT_MAX)
		return error_set(err, ERROR_LIMIT,
				 "weights before are too large to be compared at the scale of "
				 "after; check the numbers of --ops or --normalise");
	diff->profile.view_sample_count =
		diff->sample_count[DIFF_BEFORE] + diff->sample_count[DIFF_AFTER];
	compare(diff);
	return true;
}
