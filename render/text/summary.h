/* SPDX-License-Identifier: MIT */
/* Three lines about a profile: how many samples, over what time, and where they mostly ended. */
#ifndef RENDER_TEXT_SUMMARY_H
#define RENDER_TEXT_SUMMARY_H

#include "base/sink.h"
#include "profile/profile.h"

struct hottest {
	struct text name;
	uint64_t self;
};

/* Fills rows with the count_max hottest, hottest first; equal ones by name. Returns how many. */
size_t hottest_find(const struct profile *profile, struct hottest *rows, size_t count_max);

void summary_write(const struct profile *profile, struct sink *sink);

#endif
