/* SPDX-License-Identifier: MIT */
/* Writes a summary of a profile in three lines: samples, time span, hottest leaf. */
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
 * Returns their number.
 */
size_t summary_hottest(const struct profile *profile, struct hottest *rows, size_t count_max);

void summary_write(const struct profile *profile, struct sink *sink);

#endif
