/* SPDX-License-Identifier: MIT */
#include "offcpu/wait_sums.h"

bool wait_sums_scale(void *context, const struct profile *profile, uint64_t *factor_ret,
		     struct error *err)
{
	struct wait_sums *sums = context;
	const char *event = strings_text(profile->strings, profile->event_name);

	if (profile_shows_histogram(profile))
		return error_set(err, ERROR_USAGE,
				 "%s is a histogram, which counts waits; print their sum() instead",
				 event);
	*factor_ret = 0;
	if (profile->unit == UNIT_NANOSECONDS)
		return true;
	if (!sums->plain_ns || (profile->unit != UNIT_SAMPLES && profile->unit != UNIT_EVENTS))
		return error_set(err, ERROR_USAGE, "%s is not a time that threads waited", event);
	*factor_ret = sums->plain_ns;
	if (sums->is_assumed)
		sums->assumed_ns = sums->plain_ns;
	return true;
}
