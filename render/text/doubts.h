/* SPDX-License-Identifier: MIT */
/*
 * What a reader must know before believing a profile, the largest share of it first. What changes less than
 * one percent is left to kiln info.
 *
 *     47% of the profile has frames without a name, mostly perf-5862.map (44%)
 *     1,234 samples lost while recording (12%)
 *     3 lines skipped that are no part of a sample
 */
#ifndef RENDER_TEXT_DOUBTS_H
#define RENDER_TEXT_DOUBTS_H

#include "process/loss.h"
#include "profile/tree/name_shares.h"

/* What changes less of a profile is no doubt. */
#define DOUBT_SHARE_MIN 0.01

enum doubt_kind {
	DOUBT_OF_NAMES,
	DOUBT_LOSS,
};

struct doubt {
	double share; /* of the profile, 0 to 1; LOSS_SHARE_UNKNOWN */
	enum doubt_kind kind;
	union {
		enum name_problem problem;
		enum loss_kind loss;
	};
};

struct doubts {
	struct doubt at[NAME_PROBLEM_COUNT + LOSS_KIND_COUNT];
	size_t count;
	struct name_shares names;
};

/* The doubts about at least so much of a profile. Those whose share is not known come last. */
struct doubts doubts_of(const struct profile *profile, double share_min);

/* Writes one as above. Names in it are as the capture has them. */
void doubts_write(const struct profile *profile, const struct doubts *doubts, size_t i,
		  struct sink *sink);

/* The file that a doubt of names is mostly about. */
const struct module *doubts_worst(const struct profile *profile, const struct doubts *doubts,
				  size_t i);

#endif
