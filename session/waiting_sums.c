/* SPDX-License-Identifier: MIT */
#include "session/waiting_sums.h"

static uint64_t scale(uint64_t count, uint64_t factor)
{
	uint64_t product;

	return __builtin_mul_overflow(count, factor, &product) ? UINT64_MAX : product;
}

/* Makes what was counted nanoseconds. A sum that is a stack's can only be the largest of all. */
static void scale_stacks(struct profile *profile, uint64_t factor)
{
	profile->view_sample_count = 0;
	profile->lacks_sample_counts = true;
	for (size_t i = 0; i < profile->stacks.count; i++) {
		struct stack *stack = &profile->stacks.at[i];

		profile->view_sample_count += stack->self != 0;
		stack->self = scale(stack->self, factor);
		stack->total = scale(stack->total, factor);
	}
}

/* Whether something is asked for that can be told only where waits are single. */
static bool wants_single_waits(const struct pairing_options *options)
{
	return options->states || options->shortest_ns || options->longest_ns;
}

bool waiting_sums_build(struct session *session, struct error *err)
{
	struct profile *profile = &session->profile;
	uint64_t given_ns = session->options.pairing->sum_unit_ns;
	uint64_t plain_ns = given_ns ? given_ns : session->capture.format->plain_sum_ns;
	const char *name = session->capture.input.name;

	if (wants_single_waits(session->options.pairing))
		return error_set(err, ERROR_USAGE,
				 "%s: has sums of waits, not single ones, which --state, "
				 "--min-time and --max-time are about",
				 name);
	if (!session_build_profile(session, err))
		return false;
	if (profile_shows_histogram(profile))
		return error_set(
			err, ERROR_USAGE,
			"%s: %s is a histogram, of how often and not of how long together; "
			"sum() of the same keeps that",
			name, strings_text(profile->strings, profile->event_name));
	if (profile->unit == UNIT_NANOSECONDS)
		return true;
	if (!plain_ns || (profile->unit != UNIT_SAMPLES && profile->unit != UNIT_EVENTS))
		return error_set(err, ERROR_USAGE, "%s: %s is no time that threads waited", name,
				 strings_text(profile->strings, profile->event_name));
	scale_stacks(profile, plain_ns);
	profile->unit = UNIT_NANOSECONDS;
	if (!given_ns)
		session->assumed_unit_ns = plain_ns;
	return true;
}
