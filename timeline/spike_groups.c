/* SPDX-License-Identifier: MIT */
#include "timeline/spike_groups.h"

#include <math.h>
#include <stdlib.h>

#include "timeline/spikes.h"

/* The probability that uniformly distributed times are reported as periodic. */
#define PERIOD_ERROR_RATE 0.01
/*
 * Rayleigh's test is meant for a given period. Here, the period is fitted to the times, which
 * counts as this many attempts.
 */
#define PERIOD_ATTEMPTS 3
#define P_VALUE_MIN     1e-300
/* A period is reported only if the deviation, relative to the period, does not exceed this. */
#define PERIOD_DEVIATION_MAX 0.15

static uint32_t top_frame(const struct spike *spike)
{
	return spike->kind == SPIKE_FUNCTION && spike->function_count ? spike->functions[0].frame
								      : UINT32_MAX;
}

static struct spike_group *group_of(struct spike_groups *groups, const struct spike *spike)
{
	for (size_t i = 0; i < groups->at.count; i++)
		if (groups->at.at[i].kind == spike->kind &&
		    groups->at.at[i].frame == top_frame(spike))
			return &groups->at.at[i];
	vec_push(&groups->at,
		 (struct spike_group){ .kind = spike->kind, .frame = top_frame(spike) });
	return &groups->at.at[groups->at.count - 1];
}

static int compare_groups(const void *a, const void *b)
{
	const struct spike_group *left = a;
	const struct spike_group *right = b;

	if (left->log_p_value != right->log_p_value)
		return left->log_p_value < right->log_p_value ? -1 : 1;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return (left->frame > right->frame) - (left->frame < right->frame);
}

/* Inserts a spike at its time. Groups are small: at most LIMIT_SPIKES. */
static void add_member(struct spike_group *group, const struct spikes *spikes, size_t index)
{
	size_t at = group->members.count;

	vec_push(&group->members, index);
	for (; at && spikes->at.at[group->members.at[at - 1]].begin > spikes->at.at[index].begin;
	     at--)
		group->members.at[at] = group->members.at[at - 1];
	group->members.at[at] = index;
}

static int compare_numbers(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return values[count / 2];
}

/*
 * Fits times[i] = origin + period * multiple, by least squares; spikes may be missing. Returns the
 * deviation.
 */
static double fit_period(const double *times, size_t count, double *period)
{
	double multiple = 0;
	double sum_m = 0, sum_t = 0, sum_mm = 0, sum_mt = 0, sum_tt = 0;
	double n = (double)count;
	double slope, rest;

	for (size_t i = 0; i < count; i++) {
		double time = times[i] - times[0];

		if (i)
			multiple += fmax(1, round((times[i] - times[i - 1]) / *period));
		sum_m += multiple;
		sum_t += time;
		sum_mm += multiple * multiple;
		sum_mt += multiple * time;
		sum_tt += time * time;
	}
	slope = (n * sum_mt - sum_m * sum_t) / (n * sum_mm - sum_m * sum_m);
	rest = (sum_tt - sum_t * sum_t / n) - slope * (sum_mt - sum_m * sum_t / n);
	*period = slope;
	return sqrt(fmax(0, rest) / (n - 1));
}

/* The probability that uniformly distributed times are this close to one phase (Rayleigh 1880). */
static double phase_p_value(const double *times, size_t count, double period)
{
	double x = 0;
	double y = 0;

	for (size_t i = 0; i < count; i++) {
		x += cos(2 * M_PI * times[i] / period);
		y += sin(2 * M_PI * times[i] / period);
	}
	return exp(-(x * x + y * y) / (double)count);
}

static void find_period(struct spike_group *group, const struct spikes *spikes)
{
	size_t count = group->members.count;
	double *times = memory_alloc(count, sizeof(*times));
	double *widths = memory_alloc(count, sizeof(*widths));
	double *gaps = memory_alloc(count, sizeof(*gaps));

	for (size_t i = 0; i < count; i++) {
		const struct spike *spike = &spikes->at.at[group->members.at[i]];

		times[i] = (double)spike->begin;
		widths[i] = (double)(spike->end - spike->begin);
		if (i)
			gaps[i - 1] = times[i] - times[i - 1];
	}
	group->width = (uint64_t)median(widths, count);
	if (count >= SPIKE_PERIOD_COUNT) {
		group->period = median(gaps, count - 1);
		group->deviation = fit_period(times, count, &group->period);
		group->is_periodic = group->period > 1 &&
				     group->deviation <= PERIOD_DEVIATION_MAX * group->period &&
				     phase_p_value(times, count, group->period) * PERIOD_ATTEMPTS <
					     PERIOD_ERROR_RATE;
	}
	memory_free(times);
	memory_free(widths);
	memory_free(gaps);
}

void spike_groups_init(struct spike_groups *groups, const struct spikes *spikes)
{
	*groups = (struct spike_groups){ 0 };
	for (size_t i = 0; i < spikes->at.count; i++) {
		struct spike_group *group = group_of(groups, &spikes->at.at[i]);

		add_member(group, spikes, i);
		/* The smallest p values underflow to 0. */
		group->log_p_value += log(fmax(spikes->at.at[i].p_value, P_VALUE_MIN));
	}
	if (groups->at.count)
		qsort(groups->at.at, groups->at.count, sizeof(*groups->at.at), compare_groups);
	for (size_t i = 0; i < groups->at.count; i++)
		find_period(&groups->at.at[i], spikes);
}

void spike_groups_deinit(struct spike_groups *groups)
{
	for (size_t i = 0; i < groups->at.count; i++)
		vec_free(&groups->at.at[i].members);
	vec_free(&groups->at);
}
