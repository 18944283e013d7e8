/* SPDX-License-Identifier: MIT */
/*
 * Searches one capture for spikes, for kiln spikes and for kiln diff --spikes:
 *
 *     settings ──prepare──▶ view with time bins ──read──▶ profile ──run──▶ spikes, groups
 */
#ifndef TOOLS_SPIKE_SEARCH_H
#define TOOLS_SPIKE_SEARCH_H

#include "cli/settings.h"
#include "timeline/spike_groups.h"

struct spike_search {
	struct spike_options options;
	uint64_t narrowest_ns, widest_ns; /* widths of windows; after the search, in whole bins */
	struct function_series series;
	struct spikes spikes;
	struct spike_groups groups;
};

/* Reads --width, and sets the view that the search needs: samples by time, without idle time. */
bool spike_search_prepare(struct spike_search *search, struct settings *settings,
			  struct error *err) WARN_UNUSED;

/* Searches the profile, which must have timestamps. input_name: for the error. */
bool spike_search_run(struct spike_search *search, const struct profile *profile,
		      const char *input_name, struct error *err) WARN_UNUSED;
void spike_search_deinit(struct spike_search *search);

/*
 * Reads a capture and finds the windows of its most significant group of spikes. Adds them to
 * times_ns. Returns a description of the windows, such as "9 spikes of compact", which the caller
 * frees. Returns NULL after an error. Finding no spikes is an error.
 */
char *spike_search_windows(const struct settings *settings, const char *path,
			   selection_ranges *times_ns, struct error *err) WARN_UNUSED;

#endif
