/* SPDX-License-Identifier: MIT */
#include "diff/diff_headline.h"

#include <math.h>

#include "diff/diff_cost.h"
#include "diff/diff_verdict.h"

/*
 * Functions may add up to slightly more than the change of the total. Up to this factor, they
 * explain all of it, provided that their intervals allow this.
 */
#define ALL_OF_IT_MAX 1.25

/* Sums of changes. */
struct change_sums {
	/* In percentage points: [0] for all functions, [1] for the counted ones. */
	double more[2], less[2];
	double squares; /* sum of squared errors of the counted functions */
};

typedef bool is_counted(const struct diff *diff, const struct diff_function *function,
			struct diff_headline_part *part);

const char *diff_story_name(enum diff_story story)
{
	static const char *const names[] = {
		[DIFF_STORY_NOTHING] = "nothing",       [DIFF_STORY_EXPLAINED] = "explained",
		[DIFF_STORY_OFFSET] = "offset",         [DIFF_STORY_MOVED] = "moved",
		[DIFF_STORY_CHANGED] = "changed",       [DIFF_STORY_CALLERS] = "callers",
		[DIFF_STORY_NOT_GRADED] = "not graded",
	};

	return names[story];
}

/* Whether to count a function because its self cost certainly changed. */
static bool counts_by_cost(const struct diff *diff, const struct diff_function *function,
			   struct diff_headline_part *part)
{
	struct diff_cost cost = diff_cost_of(diff, &function->self, &function->self_estimate);

	part->points = cost.points;
	part->interval = cost.points_interval;
	return diff_verdict_is_change(function->self.verdict) &&
	       (cost.points_interval.low > 0 || cost.points_interval.high < 0);
}

static bool counts_by_self(const struct diff *diff, const struct diff_function *function,
			   struct diff_headline_part *part)
{
	part->points = diff_points(diff, &function->self);
	part->interval = function->self_estimate.points;
	return diff_verdict_is_change(function->self.verdict);
}

static bool counts_by_total(const struct diff *diff, const struct diff_function *function,
			    struct diff_headline_part *part)
{
	part->points = diff_points(diff, &function->total);
	part->interval = function->total_estimate.points;
	return diff_verdict_is_change(function->total.verdict);
}

/* Without grades: whether to count a function because its change is large. */
static bool counts_by_size(const struct diff *diff, const struct diff_function *function,
			   struct diff_headline_part *part)
{
	part->points = diff_points(diff, &function->self);
	part->interval = (struct diff_interval){ NAN, NAN };
	return fabs(part->points) >= diff->options.margin;
}

/* Keeps the largest changes; of equally large changes, the more important one. */
static void add_part(struct diff_headline *headline, const struct diff_headline_part *part)
{
	size_t at = headline->part_count;

	while (at && fabs(headline->parts[at - 1].points) < fabs(part->points))
		at--;
	if (at == DIFF_HEADLINE_NAMED)
		return;
	headline->part_count += headline->part_count < DIFF_HEADLINE_NAMED;
	for (size_t i = headline->part_count - 1; i > at; i--)
		headline->parts[i] = headline->parts[i - 1];
	headline->parts[at] = *part;
}

/* Half the width of the interval of the change of self, in points. */
static double error_of_self(const struct diff_function *function)
{
	const struct diff_interval *interval = &function->self_estimate.points;

	return (interval->high - interval->low) / 2;
}

/* Finds the functions to count. Returns false if there are none. */
static bool count(struct diff *diff, is_counted *counts, struct change_sums *sums)
{
	struct diff_headline *headline = &diff->headline;

	*sums = (struct change_sums){ 0 };
	headline->count = headline->part_count = 0;
	for (size_t i = 0; i < diff->functions.count; i++) {
		struct diff_headline_part part = { .function = i };
		double error = error_of_self(&diff->functions.at[i]);
		bool does = counts(diff, &diff->functions.at[i], &part);
		double *to = part.points > 0 ? sums->more : sums->less;

		to[0] += part.points;
		if (!does)
			continue;
		to[1] += part.points;
		sums->squares += error * error;
		headline->count++;
		add_part(headline, &part);
	}
	return headline->count > 0;
}

/* Finds the share of the total's change that the counted functions explain. */
static enum diff_story explain(const struct diff *diff, struct diff_headline *headline,
			       const struct change_sums *sums)
{
	double all = diff_cost_of(diff, &diff->overall, &diff->overall_estimate).points;
	double part;

	headline->together = sums->more[1] + sums->less[1];
	headline->rest = all - headline->together;
	part = headline->together / all;
	if (!(part > 0) ||
	    (part > 1 && (part > ALL_OF_IT_MAX || fabs(headline->rest) > sqrt(sums->squares))))
		return DIFF_STORY_OFFSET;
	headline->explained = 100 * fmin(part, 1);
	return DIFF_STORY_EXPLAINED;
}

/*
 * Some functions gain the shares that others lose. Returns the percentage of the gains or, if
 * larger, of the losses that the counted functions explain.
 */
static double share_moved(const struct change_sums *sums)
{
	double more = sums->more[0] > 0 ? sums->more[1] / sums->more[0] : 0;
	double less = sums->less[0] < 0 ? sums->less[1] / sums->less[0] : 0;

	return 100 * fmax(more, less);
}

/*
 * If the total changed, but no function certainly did, names the function with the largest change
 * in the same direction.
 */
static void name_suspect(struct diff *diff)
{
	bool is_more = diff->overall.verdict == DIFF_MORE;
	struct diff_headline_part most = { .points = 0 };

	for (size_t i = 0; i < diff->functions.count; i++) {
		struct diff_headline_part part = { .function = i };

		counts_by_cost(diff, &diff->functions.at[i], &part);
		if (is_more ? part.points > most.points : part.points < most.points)
			most = part;
	}
	if (fabs(most.points) >= diff->options.margin)
		add_part(&diff->headline, &most);
}

static enum diff_story find_story(struct diff *diff)
{
	struct diff_headline *headline = &diff->headline;
	bool has_changed = headline->has_total && diff_verdict_is_change(diff->overall.verdict);
	struct change_sums sums;

	if (!diff->is_graded) {
		count(diff, counts_by_size, &sums);
		return DIFF_STORY_NOT_GRADED;
	}
	if (has_changed && count(diff, counts_by_cost, &sums))
		return explain(diff, headline, &sums);
	if (count(diff, counts_by_self, &sums)) {
		if (!diff_has_shares(diff))
			return DIFF_STORY_CHANGED;
		headline->explained = share_moved(&sums);
		return DIFF_STORY_MOVED;
	}
	if (count(diff, counts_by_total, &sums))
		return DIFF_STORY_CALLERS;
	if (has_changed)
		name_suspect(diff);
	return DIFF_STORY_NOTHING;
}

void diff_headline_find(struct diff *diff)
{
	struct diff_headline *headline = &diff->headline;

	*headline = (struct diff_headline){
		.has_total = diff_has_costs(diff),
		.explained = NAN,
		.together = NAN,
		.rest = NAN,
	};
	headline->story = find_story(diff);
	for (size_t i = 0; i < diff->functions.count; i++)
		headline->shifted_count += diff->functions.at[i].verdict == DIFF_SHIFTED;
}
