/* SPDX-License-Identifier: MIT */
/*
 * How much of a profile rests on frames without a name, or with a name that may be wrong.
 *
 *     stack                     weight   without a name
 *     app;[libz.so];read             3   libz.so
 *     app;main;[unknown]             5   perf-5862.map
 *     app;main;[libz.so];[libz.so]   1   libz.so
 *     app;main;read                  2   -
 *                                        9 of 11, mostly perf-5862.map with 5
 *
 * A stack counts once, however many such frames it has. Mostly is where such frames have the largest area in a
 * flame graph: a stack has more of a program than of the library that called its main.
 */
#ifndef PROFILE_TREE_NAME_SHARES_H
#define PROFILE_TREE_NAME_SHARES_H

#include "profile/profile.h"

enum name_problem {
	NAME_UNKNOWN,    /* frames without a name */
	NAME_UNVERIFIED, /* named by a file that nothing proves to be the captured one */
	NAME_NO_INLINES, /* of files whose debug information cannot be read, or not all of it */
	NAME_PROBLEM_COUNT,
};

struct name_share {
	uint64_t weight; /* of stacks with such a frame */
	module_id worst; /* the module with the most such frames; row 0: code in no known file */
	uint64_t worst_weight; /* of stacks with such a frame of that module */
	uint32_t module_count; /* that have such frames */
};

struct name_shares {
	struct name_share problems[NAME_PROBLEM_COUNT];
	uint64_t total; /* of the profile */
};

struct name_shares name_shares_of(const struct profile *profile);

/* From 0 to 1. */
double name_shares_part(const struct name_shares *shares, uint64_t weight);

#endif
