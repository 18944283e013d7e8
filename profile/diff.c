/* SPDX-License-Identifier: MIT */
#include "profile/diff.h"

#include <math.h>

#include "base/ratio.h"
#include "base/saturate.h"
#include "profile/diff_functions.h"
#include "profile/diff_missing.h"
#include "profile/diff_test.h"

/* Of a side: beyond it sums may have been cut off, and shares of them mean nothing. */
#define WEIGHT_MAX (UINT64_MAX / 4)

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
	diff_parts parts;

	/* What was added and never compared is still in the tree. */
	if (!diff->profile.stacks.count) {
		diff_tree_finish(&diff->tree, &self, &total, &parts);
		diff_known_deinit(&diff->tree.known);
		memory_free(self);
		memory_free(total);
		vec_free(&parts);
	}
	profile_deinit(&diff->profile);
	vec_free(&diff->runs);
	vec_free(&diff->functions);
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
	struct diff_run run = diff_run_of(profile, side);
	uint64_t exposure;

	if (!run.total || !run.sample_count)
		return error_set(err, ERROR_USAGE,
				 "has no samples to compare on the side %s; see what it holds with "
				 "kiln info, and what --event and the selection leave of it",
				 side_names[side]);
	if (!diff_view_add(diff, profile, side, err))
		return false;
	choose_naming(diff, profile);
	diff->profile.is_reversed = profile->is_reversed;
	if (!diff_exposure(&run, &diff->options.normalising, &exposure, err))
		return false;
	diff_tree_add(&diff->tree, profile, (uint32_t)diff->runs.count, side == DIFF_BEFORE);
	run.has_exact_functions = diff_run_has_exact(profile, &diff->options.alignment);
	vec_push(&diff->runs, run);
	diff->missing[side] = saturate_add(diff->missing[side], run.missing);
	diff->lacks_narrow[side] |= run.lacks_narrow;
	diff->run_count[side]++;
	diff->total[side] = saturate_add(diff->total[side], run.total);
	diff->sample_count[side] += run.sample_count;
	diff->exposure[side] = saturate_add(diff->exposure[side], exposure);
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

/* The number of samples that would weigh as much, each as much as the side's samples do on average. */
static double sample_count(const struct diff *diff, const struct diff_measure *measure,
			   enum diff_side side)
{
	return (double)measure->weight[side] * (double)diff->sample_count[side] /
	       (double)diff->total[side];
}

/* The share of samples that are after's where nothing changed, for rates of these exposures. */
static double share_after(const struct diff *diff, const uint64_t exposure[DIFF_SIDES])
{
	double rate[DIFF_SIDES];

	for (int side = 0; side < DIFF_SIDES; side++)
		rate[side] = (double)exposure[side] * (double)diff->sample_count[side] /
			     (double)diff->total[side];
	return rate[DIFF_AFTER] / (rate[DIFF_BEFORE] + rate[DIFF_AFTER]);
}

/* Whether what is compared are shares of each side's samples. */
static bool compares_shares(const struct diff *diff)
{
	return diff->options.normalising.by == DIFF_BY_TOTAL;
}

/* Runs that differ among themselves by more than chance tell more than the count of samples does. */
static double test_runs(const struct diff *diff, const uint64_t *columns, bool is_overall)
{
	double *values[DIFF_SIDES];
	size_t count[DIFF_SIDES] = { 0 };
	double p_value;

	for (int side = 0; side < DIFF_SIDES; side++)
		values[side] = memory_alloc(diff->runs.count, sizeof(**values));
	for (size_t i = 0; i < diff->runs.count; i++) {
		const struct diff_run *run = &diff->runs.at[i];
		uint64_t exposure = 1;
		struct error ignored;

		/* It was had when the run was added. */
		if (!is_overall || !compares_shares(diff))
			(void)!diff_exposure(run, &diff->options.normalising, &exposure, &ignored);
		values[run->side][count[run->side]++] = (double)columns[i] / (double)exposure;
	}
	p_value = diff_test_means(values[DIFF_BEFORE], count[DIFF_BEFORE], values[DIFF_AFTER],
				  count[DIFF_AFTER]);
	memory_free(values[DIFF_BEFORE]);
	memory_free(values[DIFF_AFTER]);
	return p_value;
}

struct diff_measure diff_measure_of(const struct diff *diff, const uint64_t *columns)
{
	struct diff_measure measure = { .p_value = 1, .corrected_p_value = 1 };

	for (size_t i = 0; i < diff->runs.count; i++) {
		uint64_t *weight = &measure.weight[diff->runs.at[i].side];

		*weight = saturate_add(*weight, columns[i]);
	}
	return measure;
}

bool diff_has_runs(const struct diff *diff)
{
	return diff->run_count[DIFF_BEFORE] > 1 && diff->run_count[DIFF_AFTER] > 1;
}

double diff_p_value(const struct diff *diff, const struct diff_measure *measure,
		    const uint64_t *columns)
{
	double before = sample_count(diff, measure, DIFF_BEFORE);
	double after = sample_count(diff, measure, DIFF_AFTER);
	struct diff_test_noise noise =
		diff_test_noise_of(measure->dispersion.value, measure->dispersion.freedom);
	double p_value;

	if (compares_shares(diff))
		p_value = diff_test_shares(before / noise.factor,
					   (double)diff->sample_count[DIFF_BEFORE] / noise.factor,
					   after / noise.factor,
					   (double)diff->sample_count[DIFF_AFTER] / noise.factor);
	else
		p_value = diff_test_rates(before / noise.factor, after / noise.factor,
					  share_after(diff, diff->exposure));
	p_value = diff_test_by_freedom(p_value, noise.freedom);
	return diff_has_runs(diff) ? fmax(p_value, test_runs(diff, columns, false)) : p_value;
}

/* Normalised by itself a total never changes: then runs are compared as they are. */
static void compare_totals(struct diff *diff)
{
	uint64_t *columns = memory_alloc(diff->runs.count, sizeof(*columns));
	uint64_t runs[DIFF_SIDES] = { diff->run_count[DIFF_BEFORE], diff->run_count[DIFF_AFTER] };
	const uint64_t *exposure = compares_shares(diff) ? runs : diff->exposure;
	struct diff_measure *overall = &diff->overall;

	for (size_t i = 0; i < diff->runs.count; i++)
		columns[i] = diff->runs.at[i].total;
	*overall = diff_measure_of(diff, columns);
	if (diff_has_two_units(diff)) {
		memory_free(columns);
		return;
	}
	overall->p_value = diff_test_rates((double)diff->sample_count[DIFF_BEFORE],
					   (double)diff->sample_count[DIFF_AFTER],
					   share_after(diff, exposure));
	if (diff_has_runs(diff))
		overall->p_value = fmax(overall->p_value, test_runs(diff, columns, true));
	overall->corrected_p_value = overall->p_value;
	overall->is_significant = overall->p_value <= 1 - diff->options.confidence;
	memory_free(columns);
}

double diff_overall_percent(const struct diff *diff)
{
	double before = (double)diff->total[DIFF_BEFORE] / diff->run_count[DIFF_BEFORE];
	double after = (double)diff->total[DIFF_AFTER] / diff->run_count[DIFF_AFTER];

	return compares_shares(diff) ? (after - before) * 100 / before
				     : diff_percent(diff, &diff->overall);
}

void diff_correct(const struct diff *diff, const struct diff_candidate *candidates, size_t count)
{
	double error_rate = 1 - diff->options.confidence;
	double *together = memory_alloc(count, sizeof(*together));
	VEC(struct diff_test_row) rows = { 0 };
	double least;

	for (size_t i = 0; i < count; i++)
		together[i] = sample_count(diff, candidates[i].measure, DIFF_BEFORE) +
			      sample_count(diff, candidates[i].measure, DIFF_AFTER);
	least = diff_test_least_count(together, count, share_after(diff, diff->exposure),
				      error_rate);
	for (size_t i = 0; i < count; i++) {
		struct diff_measure *measure = candidates[i].measure;

		if (together[i] < least)
			continue;
		measure->p_value = diff_p_value(diff, measure, candidates[i].columns);
		vec_push(&rows, (struct diff_test_row){ measure->p_value, i });
	}
	diff_test_correct(rows.at, rows.count);
	for (size_t i = 0; i < rows.count; i++) {
		struct diff_measure *measure = candidates[rows.at[i].index].measure;

		measure->corrected_p_value = rows.at[i].p_value;
		measure->is_significant = rows.at[i].p_value <= error_rate;
	}
	vec_free(&rows);
	memory_free(together);
}

static void compare_rows(struct diff *diff, const uint64_t *self, const uint64_t *total,
			 const struct diff_dispersions *dispersions)
{
	size_t count = diff->profile.stacks.count;
	size_t runs = diff->runs.count;
	struct diff_candidate *candidates = memory_alloc(count, sizeof(*candidates));

	diff->rows = memory_alloc(count, sizeof(*diff->rows));
	for (size_t i = 0; i < count; i++) {
		struct diff_row *row = &diff->rows[i];

		row->self = diff_measure_of(diff, self + i * runs);
		row->total = diff_measure_of(diff, total + i * runs);
		if (diff->freedom) {
			row->self.dispersion = dispersions->self[i];
			row->total.dispersion = dispersions->total[i];
		}
		candidates[i] = (struct diff_candidate){ &row->self, self + i * runs };
	}
	diff_correct(diff, candidates, count);
	for (size_t i = 1; i < count; i++)
		candidates[i - 1] =
			(struct diff_candidate){ &diff->rows[i].total, total + i * runs };
	diff_correct(diff, candidates, count - 1);
	diff->rows[0].total = diff->overall;
	memory_free(candidates);
}

/* Whether blocks tell anything: both sides have some, and there are no runs to tell more. */
static bool wants_blocks(const struct diff *diff)
{
	bool side_has[DIFF_SIDES] = { false };

	for (size_t i = 0; i < diff->runs.count; i++)
		side_has[diff->runs.at[i].side] |= diff->runs.at[i].has_blocks;
	return side_has[DIFF_BEFORE] && side_has[DIFF_AFTER] && !diff_has_runs(diff);
}

static void compare(struct diff *diff)
{
	struct diff_dispersions by_row = { 0 };
	struct diff_dispersions by_frame = { 0 };
	struct diff_blocks blocks;
	diff_parts parts;
	struct diff_exact exact;
	uint64_t *self;
	uint64_t *total;

	diff_tree_finish(&diff->tree, &self, &total, &parts);
	diff_exact_init(&exact, diff, self, total);
	diff->has_exact_functions = exact.sums != NULL;
	if (diff_missing_is_needed(diff))
		diff_missing_fold(diff, self, total, &parts);
	if (wants_blocks(diff)) {
		diff_blocks_init(&blocks, &diff->profile, &parts, diff->runs.at, diff->runs.count);
		diff->freedom = blocks.freedom;
		if (diff->freedom)
			diff_blocks_find(&blocks, &by_row, &by_frame);
		diff_blocks_deinit(&blocks);
	}
	compare_totals(diff);
	compare_rows(diff, self, total, &by_row);
	diff_functions_find(diff, self, total, &by_frame, &exact);
	diff_exact_deinit(&exact);
	diff_dispersions_deinit(&by_row);
	diff_dispersions_deinit(&by_frame);
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
	largest = (double)diff->total[DIFF_BEFORE] * (double)diff->exposure[DIFF_AFTER] /
		  (double)diff->exposure[DIFF_BEFORE];
	if (largest > (double)WEIGHT_MAX || diff->total[DIFF_BEFORE] > WEIGHT_MAX ||
	    diff->total[DIFF_AFTER] > WEIGHT_MAX)
		return error_set(err, ERROR_LIMIT, "weights are too large to be compared");
	diff->profile.view_sample_count =
		diff->sample_count[DIFF_BEFORE] + diff->sample_count[DIFF_AFTER];
	compare(diff);
	return true;
}
