/* SPDX-License-Identifier: MIT */
/*
 * Tests whether one member of a group differs from the others. Members are hosts, for example, and
 * the value of a member is the share of a function in its samples:
 *
 *     host     web-1   web-2   web-3   web-4
 *     parse     4.0%    3.9%    4.3%    9.7%     web-4: 9.7%, others 4.1% with a standard deviation of 0.2
 *
 * A member differs only if two tests both find a difference; the p-value is the larger of the two.
 *
 * - Student's t test for one new observation: can the value be from the same distribution as the
 *   values of the others? The variance is the one between the other members, so differences that
 *   are usual in the group are not found. The variance is at least that of independent samples: a
 *   few members can agree by chance.
 * - The test of two shares (diff/significance.h): can this member have this share by chance, with
 *   so few samples?
 */
#ifndef DIFF_OUTLIER_H
#define DIFF_OUTLIER_H

#include <stddef.h>

/* With fewer members, the variance between the others cannot be computed. */
#define OUTLIER_MEMBERS_MIN 3

struct outlier_member {
	double share;   /* from 0 to 1 */
	double samples; /* all samples of the member, with and without the function; above 0 */
};

/* Statistics of all members together, which the test needs. */
struct outlier_group {
	size_t count;
	double mean;     /* of the shares */
	double squares;  /* sum of the squared differences from the mean */
	double inverses; /* sum of 1 / samples */
	double samples;  /* of all members */
	double hits;     /* samples with the function */
};

struct outlier {
	double others_mean, others_deviation; /* shares of the other members */
	double t;                             /* with count - 2 degrees of freedom */
};

/* count is at least OUTLIER_MEMBERS_MIN. */
void outlier_group_init(struct outlier_group *group, const struct outlier_member *members,
			size_t count);

/* Compares one member with the others. */
struct outlier outlier_of(const struct outlier_group *group, const struct outlier_member *member);

/*
 * The t that a member must reach for a p-value of error_rate. Most members have a smaller t, so
 * their p-values are not needed.
 */
double outlier_least_t(size_t member_count, double error_rate);

/* The two-sided p-value of both tests, for one comparison. */
double outlier_p_value(const struct outlier_group *group, const struct outlier_member *member,
		       const struct outlier *outlier);

#endif
