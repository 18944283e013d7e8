/* SPDX-License-Identifier: MIT */
#include "render/svg/summary.h"

#include "render/escape.h"
#include "render/svg/hottest.h"
#include "render/number.h"

void summary_write(const struct profile *profile, struct sink *sink)
{
	uint64_t total = profile->stacks.count ? profile->stacks.at[0].total : 0;
	struct hottest hottest;

	sink_puts(sink, "samples:      ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, " of ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, "\ntime span:    ");
	if (profile_has_time(profile))
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
	else
		sink_puts(sink, "unknown, the samples have no times");
	sink_puts(sink, "\nhottest leaf: ");
	if (hottest_find(profile, &hottest, 1)) {
		escape_terminal(sink, hottest.name);
		sink_puts(sink, ", ");
		number_percent(sink, hottest.self, total);
	} else {
		sink_puts(sink, "none, there are no samples");
	}
	sink_char(sink, '\n');
}
