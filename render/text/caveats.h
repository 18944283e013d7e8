/* SPDX-License-Identifier: MIT */
/*
 * Lists the reasons why a profile may be wrong or incomplete, sorted by the share of the profile
 * that each reason affects. Warnings and SVGs omit shares below one percent; kiln info shows all.
 *
 *     47% of the profile has frames without a name, mostly perf-5862.map (44%)
 *     1,234 samples lost while recording (12%)
 *     3 unrecognised lines skipped
 */
#ifndef RENDER_TEXT_CAVEATS_H
#define RENDER_TEXT_CAVEATS_H

#include "process/loss.h"
#include "profile/tree/name_shares.h"

/* Warnings and SVGs omit shares smaller than this. */
#define CAVEAT_SHARE_MIN 0.01

enum caveat_kind {
	CAVEAT_NAMES,
	CAVEAT_LOSS,
};

struct caveat {
	double share; /* of the profile, 0 to 1, or LOSS_SHARE_UNKNOWN */
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

/* Finds the caveats with at least this share. Caveats with an unknown share come last. */
struct caveats caveats_of(const struct profile *profile, double share_min);

/* Like caveats_of, but shares are relative to `total` instead of the profile's total. */
struct caveats caveats_of_total(const struct profile *profile, uint64_t total, double share_min);

/* Writes a caveat as above. Names are as in the capture, unescaped. */
void caveats_write(const struct profile *profile, const struct caveats *caveats, size_t i,
		   struct sink *sink);

/*
 * For a caveat about frames without a name, returns the module with the most weight in such frames.
 */
const struct module *caveats_worst_module(const struct profile *profile,
					  const struct caveats *caveats, size_t i);

#endif
