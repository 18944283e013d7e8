/* SPDX-License-Identifier: MIT */
/*
 * Writes a finished profile as a merged profile: a run of one capture.
 */
#ifndef MERGING_PROFILE_RUN_H
#define MERGING_PROFILE_RUN_H

#include "base/sink.h"
#include "libparse/event.h"
#include "profile/profile.h"
#include "profile/view.h"

struct profile_run_options {
	const struct event_label *labels; /* sorted by key, at most LIMIT_MERGED_LABELS */
	uint32_t label_count;
	bool is_partial;
};

/* Sets how a profile must be built for profile_run_write. */
void profile_run_set_view(struct view *view);

bool profile_run_write(const struct profile *profile, const struct profile_run_options *options,
		       struct sink *sink, struct error *err) WARN_UNUSED;

#endif
