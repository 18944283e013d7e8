/* SPDX-License-Identifier: MIT */
#include "diff/diff_functions.h"

#include <math.h>

#include "base/arithmetic.h"
#include "diff/diff_grade.h"
#include "diff/diff_verdict.h"
#include "profile/missing.h"

/*
 * A change of a function's total counts this many times less than a change of its self weight,
 * because callers change whenever their callees do.
 */
#define CALLEES_DIVISOR 10
/*
 * A change that may be noise counts this many times less. If it is large, it still ranks before
 * small significant changes.
 */
#define DOUBT_DIVISOR 4
/*
 * When one function grows, the shares of others shrink. The rank of a decrease that may be noise is
 * therefore also divided by this.
 */
#define LESS_DIVISOR 2

/* The weights of functions over all stacks, by frame and run. */
struct frame_weights {
	size_t count;
	size_t run_count;
	uint64_t *self, *total;
};

static void frame_weights_init(struct frame_weights *weights, const struct diff *diff,
			       const uint64_t *self, const uint64_t *total)
{
	const struct profile *profile = &diff->profile;
	size_t runs = diff->runs.count;
	uint32_t *ends = memory_zalloc(profile->frames.count, sizeof(*ends));

	*weights =
		(struct frame_weights){ .count = profile->frames.count * runs, .run_count = runs };
	weights->self = memory_zalloc(weights->count, sizeof(*weights->self));
	weights->total = memory_zalloc(weights->count, sizeof(*weights->total));
	for (size_t row = 1; row < profile->stacks.count; row++) {
		uint32_t frame = profile->stacks.at[row].frame.i;

		saturate_add_all(weights->self + frame * runs, self + row * runs, runs);
		if (stack_is_outermost(profile->stacks.at, row, &ends[frame]))
			saturate_add_all(weights->total + frame * runs, total + row * runs, runs);
	}
	memory_free(ends);
}

/* Whether some runs lack stacks, and all of these runs have exact sums of functions. */
static bool has_exact_sums(const struct diff *diff)
{
	bool lacks = false;

	for (size_t i = 0; i < diff->runs.count; i++) {
		const struct diff_run *run = &diff->runs.at[i];

		if (run->lacks_narrow || (run->lacks_left_out && !run->has_exact_functions))
			return false;
		lacks |= run->lacks_left_out;
	}
	return lacks;
}

static void set_known(struct diff_exact *exact, const struct diff *diff,
		      const struct diff_known *known)
{
	size_t runs = diff->runs.count;

	for (size_t frame = 0; frame < diff->profile.frames.count; frame++) {
		uint64_t *sums = exact->sums + 2 * (frame * runs + known->column);
		bool is_there = frame < known->frame_count && known->sums[frame].total;

		sums[0] = is_there ? known->sums[frame].self : 0;
		sums[1] = is_there ? known->sums[frame].total : 0;
		exact->has_total[frame] &= !is_there || known->has_total[frame];
	}
}

void diff_exact_init(struct diff_exact *exact, struct diff *diff, const uint64_t *self,
		     const uint64_t *total)
{
	size_t count = diff->profile.frames.count;
	size_t runs = diff->runs.count;
	struct frame_weights weights;

	*exact = (struct diff_exact){ 0 };
	if (has_exact_sums(diff)) {
		frame_weights_init(&weights, diff, self, total);
		exact->sums = memory_alloc(2 * count * runs, sizeof(*exact->sums));
		exact->has_total = memory_alloc(count, sizeof(*exact->has_total));
		for (size_t i = 0; i < count * runs; i++) {
			exact->sums[2 * i] = weights.self[i];
			exact->sums[2 * i + 1] = weights.total[i];
		}
		memset(exact->has_total, true, count);
		for (size_t i = 0; i < diff->tree.known.count; i++)
			set_known(exact, diff, &diff->tree.known.at[i]);
		memory_free(weights.self);
		memory_free(weights.total);
	}
	diff_known_deinit(&diff->tree.known);
}

/* Replaces the weights with the exact sums. */
static void use_exact(struct frame_weights *weights, const struct diff_exact *exact)
{
	for (size_t i = 0; i < weights->count; i++) {
		weights->self[i] = exact->sums[2 * i];
		if (exact->has_total[i / weights->run_count])
			weights->total[i] = exact->sums[2 * i + 1];
	}
}

struct ranked_function {
	struct diff_function function;
	double importance;
	struct text name;
};

/* The importance of a change, in points. */
static double worth_of(const struct diff *diff, const struct diff_measure *measure,
		       const struct diff_estimate *estimate)
{
	double points = diff_points(diff, measure);

	if (!diff->is_graded || diff_verdict_is_change(measure->verdict))
		return fabs(points);
	points /= sqrt(estimate->overdispersion.factor) * DOUBT_DIVISOR;
	return points > 0 ? points : -points / LESS_DIVISOR;
}

static int compare(const void *a, const void *b)
{
	const struct ranked_function *left = a;
	const struct ranked_function *right = b;

	if (left->importance != right->importance)
		return left->importance > right->importance ? -1 : 1;
	return text_compare(left->name, right->name);
}

static bool calls_nothing(const struct diff *diff, const struct diff_function *function)
{
	size_t first = function->frame * diff->runs.count;

	return memcmp(diff->run_self + first, diff->run_total + first,
		      diff->runs.count * sizeof(*diff->run_self)) == 0;
}

/*
 * Whether the total of a function is unknown, because the stacks of one side may end before they
 * reach the function.
 */
static bool lacks_total(const struct diff *diff, const struct diff_function *function)
{
	return diff->is_graded && diff->aligned.has_other_depth &&
	       diff->profile.frames.at[function->frame].kind != FRAME_GROUP &&
	       !calls_nothing(diff, function);
}

/*
 * Marks the total of a function as uncertain, because its callees have different callers on each
 * side.
 */
static void forget_total(const struct diff *diff, struct diff_function *function)
{
	double points = diff_points(diff, &function->total);

	function->total.verdict = DIFF_UNCERTAIN;
	function->total.corrected_p_value = 1;
	function->total_estimate.p_value = 1;
	function->total_estimate.points =
		(struct diff_interval){ fmin(points, -100), fmax(points, 100) };
	function->total_estimate.percent = (struct diff_interval){ -100, INFINITY };
	function->total_estimate.needed = INFINITY;
}

static enum diff_verdict verdict_of(const struct diff *diff, struct diff_function *function)
{
	enum diff_verdict self = function->self.verdict;
	enum diff_verdict total = function->total.verdict;

	if (lacks_total(diff, function)) {
		forget_total(diff, function);
		function->is_judged_by_self = true;
		return self;
	}
	function->is_judged_by_self =
		!diff_verdict_is_change(total) &&
		(diff_verdict_is_change(self) || (self == DIFF_SHIFTED && total != DIFF_SHIFTED) ||
		 (self == DIFF_UNCERTAIN && total == DIFF_UNCHANGED));
	return function->is_judged_by_self ? self : total;
}

static void add_candidates(const struct diff *diff, const diff_functions *functions,
			   struct diff_candidate *to)
{
	size_t runs = diff->runs.count;

	for (size_t i = 0; i < functions->count; i++) {
		struct diff_function *function = &functions->at[i];
		size_t first = function->frame * runs;

		to[2 * i] = (struct diff_candidate){ &function->self,
						     &function->self_estimate,
						     function->self_within,
						     diff->run_self + first,
						     true,
						     false };
		to[2 * i + 1] = (struct diff_candidate){ &function->total,
							 &function->total_estimate,
							 function->total_within,
							 diff->run_total + first,
							 false,
							 calls_nothing(diff, function) };
	}
}

static void grade(struct diff *diff)
{
	size_t count = 2 * (diff->functions.count + diff->groups.count);
	struct diff_candidate *candidates = memory_alloc(count, sizeof(*candidates));

	add_candidates(diff, &diff->functions, candidates);
	add_candidates(diff, &diff->groups, candidates + 2 * diff->functions.count);
	diff_grade_functions(diff, candidates, count);
	diff_grade_shifts(diff, candidates, count);
	memory_free(candidates);
	for (size_t i = 0; i < diff->functions.count; i++)
		diff->functions.at[i].verdict = verdict_of(diff, &diff->functions.at[i]);
	for (size_t i = 0; i < diff->groups.count; i++)
		diff->groups.at[i].verdict = verdict_of(diff, &diff->groups.at[i]);
}

static void sort(struct diff *diff)
{
	size_t count = diff->functions.count;
	struct ranked_function *ranked = memory_alloc(count, sizeof(*ranked));

	for (size_t i = 0; i < count; i++) {
		const struct diff_function *function = &diff->functions.at[i];

		ranked[i] = (struct ranked_function){
			.function = *function,
			.importance = worth_of(diff, &function->self, &function->self_estimate) +
				      worth_of(diff, &function->total, &function->total_estimate) /
					      CALLEES_DIVISOR,
			.name = profile_frame_name(&diff->profile, (frame_id){ function->frame }),
		};
	}
	if (count)
		qsort(ranked, count, sizeof(*ranked), compare);
	for (size_t i = 0; i < count; i++)
		diff->functions.at[i] = ranked[i].function;
	memory_free(ranked);
}

void diff_functions_find(struct diff *diff, const uint64_t *self, const uint64_t *total,
			 const struct dispersions *dispersions, const struct diff_exact *exact)
{
	const struct profile *profile = &diff->profile;
	size_t runs = diff->runs.count;
	struct frame_weights weights;

	frame_weights_init(&weights, diff, self, total);
	if (exact->sums)
		use_exact(&weights, exact);
	diff->run_self = weights.self;
	diff->run_total = weights.total;
	for (uint32_t frame = 0; frame < profile->frames.count; frame++) {
		bool is_group = profile->frames.at[frame].kind == FRAME_GROUP;
		struct diff_function function = {
			.frame = frame,
			.self = diff_measure_of(diff, diff->run_self + frame * runs),
			.total = diff_measure_of(diff, diff->run_total + frame * runs),
		};

		/*
		 * Skip the frame that represents missing stacks, because the exact sums include
		 * these stacks.
		 */
		if (exact->sums && missing_is_frame(profile, (frame_id){ frame }))
			continue;
		/* Options such as --event can exclude all samples of a function. */
		if (!function.total.weight[DIFF_BEFORE] && !function.total.weight[DIFF_AFTER])
			continue;
		if (diff->freedom) {
			function.self_within = dispersions->self[frame];
			function.total_within = dispersions->total[frame];
		}
		if (is_group != (diff->options.alignment.key == DIFF_KEY_GROUP)) {
			vec_push(&diff->groups, function);
			continue;
		}
		diff->has_common |=
			function.total.weight[DIFF_BEFORE] && function.total.weight[DIFF_AFTER];
		vec_push(&diff->functions, function);
	}
	grade(diff);
	sort(diff);
}

static uint64_t larger_self(const struct diff *diff, const struct diff_function *function)
{
	uint64_t before = diff_scaled(diff, function->self.weight[DIFF_BEFORE]);
	uint64_t after = function->self.weight[DIFF_AFTER];

	return before > after ? before : after;
}

size_t diff_functions_hottest(const struct diff *diff, const struct diff_function **rows,
			      size_t count_max)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->functions.count; i++) {
		const struct diff_function *function = &diff->functions.at[i];
		uint64_t self = larger_self(diff, function);
		size_t at = count;

		while (at && larger_self(diff, rows[at - 1]) < self)
			at--;
		if (at == count_max || !self)
			continue;
		count += count < count_max;
		for (size_t k = count - 1; k > at; k--)
			rows[k] = rows[k - 1];
		rows[at] = function;
	}
	return count;
}
