/* SPDX-License-Identifier: MIT */
#include "diff/outlier.h"

#include <math.h>

#include "profile/distribution.h"

void outlier_group_init(struct outlier_group *group, const struct outlier_member *members,
			size_t count)
{
	double with_function = 0, samples = 0, sum = 0;

	*group = (struct outlier_group){ .count = count };
	for (size_t i = 0; i < count; i++) {
		sum += members[i].share;
		samples += members[i].samples;
		with_function += members[i].share * members[i].samples;
		group->inverses += 1 / members[i].samples;
	}
	group->mean = sum / (double)count;
	group->pooled = fmin(1, with_function / samples);
	for (size_t i = 0; i < count; i++)
		group->squares += pow(members[i].share - group->mean, 2);
}

struct outlier outlier_test(const struct outlier_group *group, const struct outlier_member *member)
{
	double others = (double)group->count - 1;
	double distance = member->share - group->mean;
	/* The mean of all members is between the share of this one and the mean of the others. */
	double others_distance = -distance / others;
	double squares =
		group->squares - distance * distance - others * others_distance * others_distance;
	/* What remains of equal shares after rounding is no variance. */
	double between = squares > 1e-12 * group->squares ? squares / (others - 1) : 0;
	double of_one_sample = group->pooled * (1 - group->pooled);
	double chance = of_one_sample / member->samples;
	double others_chance = of_one_sample * (group->inverses - 1 / member->samples) / others;
	double variance = fmax(between, chance) + fmax(between, others_chance) / others;
	struct outlier ret = {
		.others_mean = group->mean + others_distance,
		.others_deviation = sqrt(between),
		.p_value = 1,
	};

	if (variance > 0)
		ret.p_value = distribution_student_tails(
			(member->share - ret.others_mean) / sqrt(variance), others - 1);
	return ret;
}
