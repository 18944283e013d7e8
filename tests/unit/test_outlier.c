/* SPDX-License-Identifier: MIT */
#include "diff/outlier.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "tests/support/random.h"

#define HOSTS 8

static double p_value_of(const struct outlier_group *group, const struct outlier_member *member)
{
	struct outlier outlier = outlier_of(group, member);

	return outlier_p_value(group, member, &outlier);
}

Test(outlier, is_students_test_for_one_new_observation)
{
	static const struct outlier_member members[] = {
		{ 0.10, 1e9 }, { 0.11, 1e9 }, { 0.12, 1e9 }, { 0.30, 1e9 }
	};
	const double t = 0.19 / sqrt(0.0001 + 0.0001 / 3);
	struct outlier_group group;
	struct outlier outlier;
	double p_value;

	outlier_group_init(&group, members, ARRAY_SIZE(members));
	outlier = outlier_of(&group, &members[3]);
	p_value = outlier_p_value(&group, &members[3], &outlier);
	cr_expect(fabs(outlier.others_mean - 0.11) < 1e-9);
	cr_expect(fabs(outlier.others_deviation - 0.01) < 1e-9);
	/* With two degrees of freedom, the two-sided tail is 1 - t / sqrt(2 + t * t). */
	cr_expect(fabs(p_value - (1 - t / sqrt(2 + t * t))) < 1e-6, "%g", p_value);
	cr_expect(fabs(outlier_least_t(4, p_value) - t) < 1e-3);
	cr_expect(p_value_of(&group, &members[0]) > 0.5);
}

Test(outlier, members_that_agree_by_chance_have_a_variance)
{
	static const struct outlier_member few[] = {
		{ 0.10, 50 }, { 0.10, 50 }, { 0.10, 50 }, { 0.14, 50 }
	};
	static const struct outlier_member same[] = { { 0, 50 }, { 0, 50 }, { 0, 50 } };
	struct outlier_group group;

	outlier_group_init(&group, few, ARRAY_SIZE(few));
	cr_expect(p_value_of(&group, &few[3]) > 0.3);
	cr_expect_eq(outlier_of(&group, &few[3]).others_deviation, 0);
	outlier_group_init(&group, same, ARRAY_SIZE(same));
	cr_expect_eq(p_value_of(&group, &same[0]), 1);
}

/* A share that varies between hosts by a tenth, measured with few or many samples. */
static void simulate(struct random *random, uint32_t samples, struct outlier_member *members)
{
	for (int i = 0; i < HOSTS; i++) {
		uint32_t share = 180 + random_below(random, 21) + random_below(random, 21);
		uint32_t hits = 0;

		for (uint32_t k = 0; k < samples; k++)
			hits += random_below(random, 1000) < share;
		members[i] = (struct outlier_member){ (double)hits / samples, samples };
	}
}

/* Of hosts that do not differ, at most about 5 % have a p-value below 0.05. */
Test(outlier, false_alarms_are_as_rare_as_p_values_say)
{
	static const uint32_t sample_counts[] = { 30, 300, 3000 };
	struct random random = { .state = 4711 };

	for (size_t k = 0; k < ARRAY_SIZE(sample_counts); k++) {
		int alarms = 0, tests = 0;

		for (int round = 0; round < 150; round++) {
			struct outlier_member members[HOSTS];
			struct outlier_group group;

			simulate(&random, sample_counts[k], members);
			outlier_group_init(&group, members, HOSTS);
			for (int i = 0; i < HOSTS; i++, tests++)
				alarms += p_value_of(&group, &members[i]) < 0.05;
		}
		cr_expect(alarms <= tests * 0.06, "%d of %d with %u samples", alarms, tests,
			  sample_counts[k]);
		cr_expect(alarms >= tests * 0.01, "%d of %d with %u samples", alarms, tests,
			  sample_counts[k]);
	}
}

#define RARE_HOSTS     40
#define RARE_FUNCTIONS 300

/*
 * Hosts with few and many samples, and functions with shares from 0.01 to 1 %: one sample of 30 is
 * 3 %, and means nothing. After correction for 12,000 comparisons, no host differs.
 */
Test(outlier, few_samples_of_a_rare_function_are_chance)
{
	static const uint32_t sample_counts[] = { 30, 300, 3000 };
	struct outlier_member members[RARE_HOSTS];
	struct random random = { .state = 1234 };
	struct outlier_group group;
	int alarms = 0;

	for (uint32_t function = 0; function < RARE_FUNCTIONS; function++) {
		uint32_t share = 1000 / (function + 1) + 10; /* of 100,000 */

		for (size_t i = 0; i < RARE_HOSTS; i++) {
			uint32_t samples = sample_counts[i % 3], hits = 0;

			for (uint32_t k = 0; k < samples; k++)
				hits += random_below(&random, 100000) < share;
			members[i] = (struct outlier_member){ (double)hits / samples, samples };
		}
		outlier_group_init(&group, members, RARE_HOSTS);
		for (size_t i = 0; i < RARE_HOSTS; i++)
			alarms += p_value_of(&group, &members[i]) * RARE_FUNCTIONS * RARE_HOSTS <
				  0.05;
	}
	cr_expect_eq(alarms, 0, "%d", alarms);
	/* A host that does differ is found. */
	members[5].share += 0.05;
	outlier_group_init(&group, members, RARE_HOSTS);
	cr_expect(p_value_of(&group, &members[5]) * RARE_FUNCTIONS * RARE_HOSTS < 1e-6);
}
