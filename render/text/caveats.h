/* SPDX-License-Identifier: MIT */
/*
 * What a reader must know before believing a profile, the largest share of it first. What changes less than
 * one percent is left to kiln info.
 *
 *     47% of the profile has frames without a name, mostly perf-5862.map (44%)
 *     1,234 samples lost while recording (12%)
 *     3 unrecognised lines skipped
 */
#ifndef RENDER_TEXT_CAVEATS_H
#define RENDER_TEXT_CAVEATS_H

#include "process/loss.h"
#include "profile/tree/name_shares.h"

/* What changes less of a profile is no caveat. */
#define CAVEAT_SHARE_MIN 0.01

enum caveat_kind {
	CAVEAT_NAMES,
	CAVEAT_LOSS,
};

struct caveat {
	double share; /* of the profile, 0 to 1; LOSS_SHARE_UNKNOWN */
	enum caveat_kind kind;
	union {
		enum name_problem problem;
		enum loss_kind loss;
	};
};

struct caveats {
	struct caveat at[NAME_PROBLEM_COUNT + LOSS_KIND_COUNT];
	size_t count;
	struct name_shares names;
};

/* The caveats about at least so much of a profile. Those whose share is not known come last. */
struct caveats caveats_of(const struct profile *profile, double share_min);

/* Writes one as above. Names in it are as the capture has them. */
void caveats_write(const struct profile *profile, const struct caveats *caveats, size_t i,
		   struct sink *sink);

/* The file that a caveat of names is mostly about. */
const struct module *caveats_worst_module(const struct profile *profile,
					  const struct caveats *caveats, size_t i);

#endif
