/* SPDX-License-Identifier: MIT */
#include "profile/diff_functions.h"

#include <math.h>

#include "base/saturate.h"
#include "profile/diff_test.h"

/* Callers change with what they call: that counts so many times less than what changed itself. */
#define CALLEES_DIVISOR 10
/* So does a change that may be noise; it is looked at before small ones that are none. */
#define DOUBT_DIVISOR 4
/* When something grows, the share of all else shrinks: in doubt it is what grew that changed. */
#define LESS_DIVISOR 2

struct sums {
	const struct diff *diff;
	size_t run_count;
	uint64_t *self, *total; /* by frame and run */
	uint32_t *open;         /* by frame: rows of it on the path being walked */
};

static void add(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = saturate_add(to[i], from[i]);
}

static void sum_up(struct sums *sums, const uint64_t *self, const uint64_t *total)
{
	const struct profile *profile = &sums->diff->profile;
	size_t runs = sums->run_count;
	VEC(uint32_t) path = { 0 };

	for (size_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];
		uint32_t frame = stack->frame.i;

		while (path.count >= stack->depth)
			sums->open[path.at[--path.count]]--;
		if (!sums->open[frame]++)
			add(sums->total + frame * runs, total + row * runs, runs);
		add(sums->self + frame * runs, self + row * runs, runs);
		vec_push(&path, frame);
	}
	vec_free(&path);
}

struct ranked {
	struct diff_function function;
	double importance;
	struct text name;
};

/* A change in points, for what it is worth. */
static double worth_of(const struct diff *diff, const struct diff_measure *measure)
{
	double points = diff_points(diff, measure);
	struct diff_test_noise noise;

	if (measure->is_significant)
		return fabs(points);
	noise = diff_test_noise_of(measure->dispersion.value, measure->dispersion.freedom);
	points /= sqrt(noise.factor) * DOUBT_DIVISOR;
	return points > 0 ? points : -points / LESS_DIVISOR;
}

static int compare(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;

	if (left->importance != right->importance)
		return left->importance > right->importance ? -1 : 1;
	return text_compare(left->name, right->name);
}

/* By itself every p value is wanted: somebody may ask about that function alone. */
static void test(struct sums *sums, struct diff *diff)
{
	size_t count = diff->functions.count;
	struct diff_candidate *candidates = memory_alloc(2 * count, sizeof(*candidates));

	for (size_t i = 0; i < count; i++) {
		struct diff_function *function = &diff->functions.at[i];
		size_t first = function->frame * sums->run_count;

		candidates[2 * i] = (struct diff_candidate){ &function->self, sums->self + first };
		candidates[2 * i + 1] =
			(struct diff_candidate){ &function->total, sums->total + first };
		function->total.p_value = diff_p_value(diff, &function->total, sums->total + first);
	}
	diff_correct(diff, candidates, 2 * count);
	memory_free(candidates);
}

static void sort(struct diff *diff)
{
	size_t count = diff->functions.count;
	struct ranked *ranked = memory_alloc(count, sizeof(*ranked));

	for (size_t i = 0; i < count; i++) {
		const struct diff_function *function = &diff->functions.at[i];

		ranked[i] = (struct ranked){
			.function = *function,
			.importance = worth_of(diff, &function->self) +
				      worth_of(diff, &function->total) / CALLEES_DIVISOR,
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
			 const struct diff_dispersions *dispersions)
{
	const struct profile *profile = &diff->profile;
	size_t count = profile->frames.count;
	size_t runs = diff->runs.count;
	struct sums sums = {
		.diff = diff,
		.run_count = runs,
		.self = memory_zalloc(count * runs, sizeof(*sums.self)),
		.total = memory_zalloc(count * runs, sizeof(*sums.total)),
		.open = memory_zalloc(count, sizeof(*sums.open)),
	};

	sum_up(&sums, self, total);
	for (uint32_t frame = 0; frame < count; frame++) {
		struct diff_function function = {
			.frame = frame,
			.self = diff_measure_of(diff, sums.self + frame * runs),
			.total = diff_measure_of(diff, sums.total + frame * runs),
		};

		if ((profile->frames.at[frame].kind == FRAME_GROUP) !=
		    (diff->options.alignment.key == DIFF_KEY_GROUP))
			continue;
		if (diff->freedom) {
			function.self.dispersion = dispersions->self[frame];
			function.total.dispersion = dispersions->total[frame];
		}
		diff->has_common |=
			function.total.weight[DIFF_BEFORE] && function.total.weight[DIFF_AFTER];
		vec_push(&diff->functions, function);
	}
	test(&sums, diff);
	sort(diff);
	memory_free(sums.self);
	memory_free(sums.total);
	memory_free(sums.open);
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
