/* SPDX-License-Identifier: MIT */
/* Writes a summary of a profile: three lines, or a sentence. */
#ifndef RENDER_TEXT_SUMMARY_H
#define RENDER_TEXT_SUMMARY_H

#include "base/sink.h"
#include "profile/profile.h"

struct hottest {
	struct text name;
	uint64_t self;
};

/*
 * Fills rows with the count_max hottest functions by self weight, largest first, then by name.
 * Returns their number. A flame chart of marks has none, because sums of marks are not times.
 */
size_t summary_hottest(const struct profile *profile, struct hottest *rows, size_t count_max);

/* Writes the number of samples, the time span and the hottest leaf, in three lines. */
void summary_write(const struct profile *profile, struct sink *sink);

/*
 * Writes the largest parts of the profile and its hottest functions, with their shares of the
 * total. Writes nothing if the profile is empty.
 *
 *     compile 22.10%, inferno-collapse 14.02%, perf 3.91%; top self: memcpy 9.11%, hash 4.02%
 */
void summary_write_headline(const struct profile *profile, uint64_t total, struct sink *sink);

#endif
