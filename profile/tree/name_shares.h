/* SPDX-License-Identifier: MIT */
/*
 * Computes the share of a profile's weight in stacks with unnamed frames, or with names that may be
 * wrong.
 *
 *     stack                     weight   without a name
 *     app;[libz.so];read             3   libz.so
 *     app;main;[unknown]             5   perf-5862.map
 *     app;main;[libz.so];[libz.so]   1   libz.so
 *     app;main;read                  2   -
 *                                        9 of 11, mostly perf-5862.map with 5
 *
 * A stack counts only once, even with several such frames. The worst module is the one whose
 * unnamed frames have the largest sum of self and total weight. If no leaf is unnamed, it is the
 * one with the largest area of unnamed frames in a flame graph.
 */
#ifndef PROFILE_TREE_NAME_SHARES_H
#define PROFILE_TREE_NAME_SHARES_H

#include "profile/profile.h"

enum name_problem {
	NAME_UNKNOWN,    /* frames without a name */
	NAME_UNVERIFIED, /* named by a file whose match is not verified */
	NAME_NO_INLINES, /* without inlined functions, because debug information was incomplete */
	NAME_PROBLEM_COUNT,
};

struct name_share {
	uint64_t weight;       /* weight of stacks with such a frame */
	module_id worst;       /* row 0: code that is not in a known file */
	uint64_t worst_weight; /* weight of stacks with such a frame in that module */
	uint32_t module_count; /* modules with such frames */
};

struct name_shares {
	struct name_share problems[NAME_PROBLEM_COUNT];
	uint64_t total; /* total weight of the profile */
};

struct name_shares name_shares_of(const struct profile *profile);

/* Whether the module's names come from a file whose match is not verified. */
bool name_shares_is_unverified(const struct module *module);

/* Returns a weight as a share of the total, from 0 to 1. */
double name_shares_part(const struct name_shares *shares, uint64_t weight);

#endif
