/* SPDX-License-Identifier: MIT */
/*
 * Wait times that a tool summed up before it printed them. Nothing has to be paired, but the unit of the
 * numbers has to be known:
 *
 *     offcputime            microseconds, which its reader makes nanoseconds
 *     offcputime -f         folded stacks: microseconds, unless a "# unit:" line says otherwise
 *     bpftrace maps         the suffix of their names, @off_us; else nanoseconds
 */
#ifndef OFFCPU_WAIT_SUMS_H
#define OFFCPU_WAIT_SUMS_H

#include "profile/profile.h"

struct wait_sums {
	uint64_t plain_ns;   /* what a number without a unit is; 0: not known, so it is no time */
	bool is_assumed;     /* plain_ns is a guess */
	uint64_t assumed_ns; /* the guess, once a profile was built with it; 0: it was not needed */
};

/* A weight_scaler (profile/tree/build.h): context is a struct wait_sums. */
bool wait_sums_scale(void *context, const struct profile *profile, uint64_t *factor_ret,
		     struct error *err) WARN_UNUSED;

#endif
