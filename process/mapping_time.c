/* SPDX-License-Identifier: MIT */
#include "process/mapping_time.h"

/* Two clocks drift apart by less than one part in this number. */
#define DRIFT 1000

static int64_t place(const struct recording_time *recording, uint64_t mapped_ns)
{
	uint64_t before_end_ns;

	/* Mappings from before the recording have no time. */
	if (!mapped_ns)
		mapped_ns = recording->first_ns;
	if (!mapped_ns)
		return 0;
	if (recording->clock->is_known) {
		uint64_t wall_ns = wall_clock_of(recording->clock, mapped_ns);

		return wall_ns > INT64_MAX ? INT64_MAX : (int64_t)wall_ns;
	}
	if (mapped_ns > recording->last_ns)
		return recording->written_ns;
	before_end_ns = recording->last_ns - mapped_ns;
	before_end_ns -= before_end_ns / DRIFT;
	/* A result before 1970 means that one of the clocks is wrong. */
	if (recording->written_ns <= 0 || before_end_ns >= (uint64_t)recording->written_ns)
		return 0;
	return recording->written_ns - (int64_t)before_end_ns;
}

void mapping_time_set(struct modules *modules, const struct recording_time *recording)
{
	for (size_t i = 0; i < modules->rows.count; i++)
		if (modules->rows.at[i].mapped_bytes)
			modules->rows.at[i].mapped_wall_ns =
				place(recording, modules->rows.at[i].mapped_ns);
}
