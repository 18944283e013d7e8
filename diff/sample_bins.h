/* SPDX-License-Identifier: MIT */
/*
 * Finds the time bins of a capture, in a pass over the times of the selected samples. Samples are
 * read in full only in a later pass.
 */
#ifndef DIFF_SAMPLE_BINS_H
#define DIFF_SAMPLE_BINS_H

#include "libparse/formats.h"
#include "profile/ingest.h"

struct sample_bins_source {
	const struct capture *capture;
	const struct process_state *state;
	const struct profile *profile;
	const struct view *view; /* which samples are selected */
	struct ingest_options ingest;
	unsigned thread_count;
};

/* Finds the bins. If samples have no times, ret has no bins. */
bool sample_bins_find(const struct sample_bins_source *source, struct time_bins *ret,
		      struct error *err) WARN_UNUSED;

#endif
