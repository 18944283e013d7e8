/* SPDX-License-Identifier: MIT */
#include "diff/compare.h"

#include "base/arithmetic.h"
#include "diff/align/diff_align.h"
#include "diff/diff_captures.h"
#include "diff/diff_functions.h"
#include "diff/diff_grade.h"
#include "diff/diff_headline.h"
#include "diff/diff_missing.h"

/*
 * The maximum weight of a side. Larger sums may be saturated, which makes their shares meaningless.
 */
#define WEIGHT_MAX (UINT64_MAX / 4)
/*
 * Time bins are used for up to this many runs, of both sides together. More runs show the variation
 * by themselves, and bins would only cost memory.
 */
#define BINNED_RUNS_MAX 64

static bool are_same_event(struct text left, struct text right)
{
	return !diff_event_is_known(left) || !diff_event_is_known(right) ||
	       event_names_alike(left, right);
}

bool compare_has_same_event(const struct diff *diff, const struct profile *profile)
{
	return !diff->runs.count || diff->options.allows_events ||
	       are_same_event(strings_get(diff->profile.strings, diff->profile.event_name),
			      strings_get(profile->strings, profile->event_name));
}

static str_id copy(struct diff *diff, const struct profile *from, str_id id)
{
	struct text text = strings_get(from->strings, id);

	return strings_intern(diff->profile.strings, text.at, text.length);
}

/*
 * Sets the union's event name to the first known name, and its unit to the unit of the AFTER side.
 */
static void set_event(struct diff *diff, const struct diff_view *view, enum diff_side side)
{
	struct profile *profile = &diff->profile;
	struct text old = strings_get(profile->strings, profile->event_name);
	struct text new = strings_get(profile->strings, view->event_name);

	if (!diff->runs.count || (!diff_event_is_known(old) && diff_event_is_known(new))) {
		profile->event_name = view->event_name;
		profile->weight_name = view->weight_name;
	}
	if (!diff->runs.count || side == DIFF_AFTER)
		profile->unit = view->unit;
}

/* If the sides have different units, they are compared by shares. */
static bool choose_shares(struct diff *diff, struct error *err)
{
	struct diff_normalising *normalising = &diff->options.normalising;

	if (!diff_has_two_units(diff) || normalising->by == DIFF_BY_TOTAL)
		return true;
	if (!diff->is_normalised_by_default)
		return error_set(
			err, ERROR_USAGE,
			"has weights in a different unit from the other side, so only shares can "
			"be compared; use --normalise total");
	normalising->by = DIFF_BY_TOTAL;
	diff->exposure[DIFF_BEFORE] = diff->total[DIFF_BEFORE];
	diff->exposure[DIFF_AFTER] = diff->total[DIFF_AFTER];
	return true;
}

static bool check_view(const struct diff *diff, const struct profile *from,
		       const struct diff_view *known, struct error *err)
{
	struct text own = strings_get(diff->profile.strings, diff->profile.event_name);
	struct text other = strings_get(from->strings, from->event_name);

	if (!compare_has_same_event(diff, from))
		return error_set(
			err, ERROR_USAGE,
			"has the event %.*s, but %s has %.*s; choose a common event "
			"with --event, or match both with a pattern such as --event 'cycles*'",
			(int)other.length, other.at,
			known->is_there ? "an earlier input" : "the other side", (int)own.length,
			own.at);
	if (known->is_there && known->unit != from->unit)
		return error_set(err, ERROR_USAGE,
				 "has the event %.*s, in a different unit from the other runs of "
				 "its side; choose a common event with --event, or use --weight "
				 "samples",
				 (int)other.length, other.at);
	return true;
}

static bool add_view(struct diff *diff, const struct profile *profile, enum diff_side side,
		     struct error *err)
{
	struct diff_view *view = &diff->views[side];

	if (!check_view(diff, profile, view, err))
		return false;
	if (!view->is_there)
		*view = (struct diff_view){
			.event_name = copy(diff, profile, profile->event_name),
			.weight_name = copy(diff, profile, profile->weight_name),
			.unit = profile->unit,
			.is_there = true,
		};
	set_event(diff, view, side);
	if (diff->options.normalising.by == DIFF_BY_DEFAULT) {
		diff->is_normalised_by_default = true;
		diff->options.normalising.by = diff_normalisation_of(profile);
	}
	return choose_shares(diff, err);
}

/*
 * Truncates the names of both sides if one side has truncated names. Captures that were already
 * added are read again.
 */
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

bool compare_add(struct diff *diff, const struct profile *profile, enum diff_side side,
		 struct error *err)
{
	struct diff_run run = diff_run_of(profile, side, diff->options.assumes_samples);

	if (!run.total || !run.sample_count)
		return error_set(err, ERROR_USAGE,
				 "has no samples to compare on the side \"%s\"; check --event and "
				 "other options that select samples",
				 diff_side_names[side]);
	if (!add_view(diff, profile, side, err))
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

/* Returns the function or group of each frame; the caller frees the array. */
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

/* Whether both sides have time bins, and so few runs that the bins matter. */
static bool has_time_bins(const struct diff *diff)
{
	bool side_has[DIFF_SIDES] = { false };

	for (size_t i = 0; i < diff->runs.count; i++)
		side_has[diff->runs.at[i].side] |= diff->runs.at[i].has_time_bins;
	return diff->is_graded && side_has[DIFF_BEFORE] && side_has[DIFF_AFTER] &&
	       diff->runs.count <= BINNED_RUNS_MAX;
}

/* Computes and grades all results that depend on normalisation and confidence. */
static void judge(struct diff *diff)
{
	const struct diff_kept *kept = &diff->kept;
	struct diff_exact exact = { kept->exact_sums, kept->has_exact_total };

	diff->overall = diff_measure_of(diff, kept->total);
	diff_grade_totals(diff);
	diff_functions_find(diff, kept->self, kept->total, &kept->dispersions, &exact);
	grade_rows(diff, kept->self, kept->total);
	diff_headline_find(diff);
}

static void compare(struct diff *diff)
{
	struct diff_kept *kept = &diff->kept;
	struct binned_runs bins;
	struct diff_exact exact;

	*kept = (struct diff_kept){ .normalising = diff->options.normalising };
	/* run_count is an upper bound. */
	diff_tree_keep_columns(&diff->tree, (uint32_t)diff->runs.count);
	diff_align(&diff->tree, diff->runs.at, &diff->aligned);
	diff_tree_finish(&diff->tree, &kept->self, &kept->total, &kept->binned);
	diff_exact_init(&exact, diff, kept->self, kept->total);
	kept->exact_sums = exact.sums;
	kept->has_exact_total = exact.has_total;
	diff->has_exact_functions = exact.sums != NULL;
	if (diff_missing_is_needed(diff))
		diff_missing_fold(diff, kept->self, kept->total, &kept->binned);
	if (has_time_bins(diff)) {
		binned_runs_init(&bins, &diff->profile, &kept->binned, diff->runs.at,
				 diff->runs.count);
		diff->freedom = bins.freedom;
		if (diff->freedom)
			dispersions_find(&bins, &kept->dispersions);
		binned_runs_deinit(&bins);
	}
	judge(diff);
	if (!diff->options.keeps_weights)
		diff_kept_deinit(kept);
}

/* Sets the exposures of runs. False if the exposure of a run is unknown. */
static bool set_exposures(struct diff *diff, const struct diff_normalising *normalising,
			  struct error *err)
{
	uint64_t *exposures = memory_alloc(diff->runs.count, sizeof(*exposures));
	bool good = true;

	for (size_t i = 0; good && i < diff->runs.count; i++)
		good = diff_exposure(&diff->runs.at[i], normalising, &exposures[i], err);
	if (good) {
		diff->options.normalising = *normalising;
		diff->exposure[DIFF_BEFORE] = diff->exposure[DIFF_AFTER] = 0;
	}
	for (size_t i = 0; good && i < diff->runs.count; i++) {
		struct diff_run *run = &diff->runs.at[i];

		run->exposure = exposures[i];
		diff->exposure[run->side] = saturate_add(diff->exposure[run->side], exposures[i]);
	}
	memory_free(exposures);
	return good && (normalising->by != DIFF_BY_OPERATIONS ||
			diff_share_operations(diff->runs.at, diff->runs.count, normalising,
					      diff->exposure, err));
}

static bool check_weights(const struct diff *diff, struct error *err)
{
	double largest = (double)diff->total[DIFF_BEFORE] * (double)diff->exposure[DIFF_AFTER] /
			 (double)diff->exposure[DIFF_BEFORE];

	if (diff->total[DIFF_BEFORE] > WEIGHT_MAX || diff->total[DIFF_AFTER] > WEIGHT_MAX)
		return error_set(err, ERROR_LIMIT, "the weights are too large to compare");
	return largest <= (double)WEIGHT_MAX ||
	       error_set(err, ERROR_LIMIT,
			 "after scaling, the weights of the side \"before\" are too large to "
			 "compare; check --ops or --normalise");
}

bool compare_finish(struct diff *diff, struct error *err)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if (!diff->run_count[side])
			return error_set(err, ERROR_USAGE, "the side \"%s\" has no input",
					 diff_side_names[side]);
	if (diff->options.normalising.by == DIFF_BY_OPERATIONS &&
	    !diff_share_operations(diff->runs.at, diff->runs.count, &diff->options.normalising,
				   diff->exposure, err))
		return false;
	if (!check_weights(diff, err))
		return false;
	diff->profile.view_sample_count =
		diff->sample_count[DIFF_BEFORE] + diff->sample_count[DIFF_AFTER];
	compare(diff);
	return true;
}

static void forget_judgement(struct diff *diff)
{
	diff->functions.count = diff->groups.count = 0;
	diff->has_common = false;
	diff->per_second = (struct diff_total){ 0 };
	memory_free(diff->run_self);
	memory_free(diff->run_total);
	memory_free(diff->rows);
}

bool compare_again(struct diff *diff, enum diff_normalisation by, double confidence,
		   struct error *err)
{
	struct diff_normalising old = diff->options.normalising;
	struct diff_normalising next = { .by = by };
	struct error ignored;

	if (by == diff->kept.normalising.by)
		next = diff->kept.normalising;
	if (diff_has_two_units(diff) && by != DIFF_BY_TOTAL)
		return error_set(err, ERROR_USAGE,
				 "the sides have different units, so only shares are compared");
	if (!set_exposures(diff, &next, err))
		return false;
	if (!check_weights(diff, err)) {
		(void)!set_exposures(diff, &old, &ignored);
		return false;
	}
	diff->options.confidence = confidence;
	forget_judgement(diff);
	judge(diff);
	return true;
}
