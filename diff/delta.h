/* SPDX-License-Identifier: MIT */
/* What a row of a profile gained since another, or lost, by itself; where there is another. */
#ifndef DIFF_DELTA_H
#define DIFF_DELTA_H

#include <stdbool.h>
#include <stdint.h>

struct delta {
	int64_t value; /* in what the profile counts */
	bool is_known;
};

#endif
