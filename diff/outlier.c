/* SPDX-License-Identifier: MIT */
#include "diff/outlier.h"

#include <math.h>

#include "diff/significance.h"
#include "profile/distribution.h"

/* Differences between equal shares that are this small are rounding errors, not variance. */
#define ROUNDING 1e-12

void outlier_group_init(struct outlier_group *group, const struct outlier_member *members,
			size_t count)
{
	double sum = 0;

	*group = (struct outlier_group){ .count = count };
	for (size_t i = 0; i < count; i++) {
		sum += members[i].share;
		group->samples += members[i].samples;
		group->hits += members[i].share * members[i].samples;
		group->inverses += 1 / members[i].samples;
	}
	group->mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		group->squares +=
			(members[i].share - group->mean) * (members[i].share - group->mean);
}

/* The variance of a share, multiplied by the number of samples, for independent samples. */
static double variance_of_one_sample(const struct outlier_group *group)
{
	double pooled = fmin(1, group->hits / group->samples);

	return pooled * (1 - pooled);
}

struct outlier outlier_of(const struct outlier_group *group, const struct outlier_member *member)
{
	double others = (double)group->count - 1;
	double distance = member->share - group->mean;
	/*
	 * The mean of all members is between the share of this member and the mean of the others.
	 */
	double others_distance = -distance / others;
	double squares =
		group->squares - distance * distance - others * others_distance * others_distance;
	double between = squares > ROUNDING * group->squares ? squares / (others - 1) : 0;
	double of_one_sample = variance_of_one_sample(group);
	double chance = of_one_sample / member->samples;
	double others_chance = of_one_sample * (group->inverses - 1 / member->samples) / others;
	double variance = fmax(between, chance) + fmax(between, others_chance) / others;
	struct outlier ret = {
		.others_mean = fmax(0, group->mean + others_distance),
		.others_deviation = sqrt(between),
	};

	if (variance > 0)
		ret.t = (distance - others_distance) / sqrt(variance);
	return ret;
}

double outlier_least_t(size_t member_count, double error_rate)
{
	return distribution_student_quantile(error_rate, (double)member_count - 2);
}

double outlier_p_value(const struct outlier_group *group, const struct outlier_member *member,
		       const struct outlier *outlier)
{
	double hits = member->share * member->samples;
	double of_others = distribution_student_tails(outlier->t, (double)group->count - 2);
	double of_samples = distribution_normal_tails(
		significance_of_shares(fmax(0, group->hits - hits),
				       group->samples - member->samples, hits, member->samples));

	return fmax(of_others, of_samples);
}
