/* SPDX-License-Identifier: MIT */
/* The names that most of a profile's weight ended in, over all stacks. */
#ifndef RENDER_SVG_HOTTEST_H
#define RENDER_SVG_HOTTEST_H

#include "profile/profile.h"

struct hottest {
	struct text name;
	uint64_t self;
};

/* Fills rows with the count_max hottest, hottest first; equal ones by name. Returns how many. */
size_t hottest_find(const struct profile *profile, struct hottest *rows, size_t count_max);

#endif
