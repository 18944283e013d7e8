/* SPDX-License-Identifier: MIT */
/*
 * Spikes as a ranked table, or as JSON:
 *
 *     1. compact_table  (svc): 19 windows, every 500 ms ± 3.00 ms, 20.0 ms wide
 *        total   self  elsewhere  function
 *       100.0% 100.0%       0.0%  compact_table  (svc)
 *       samples  usual        p  --time
 *            20     20    1e-40  1056.299982,1056.319981999
 */
#ifndef RENDER_TEXT_SPIKE_TABLE_H
#define RENDER_TEXT_SPIKE_TABLE_H

#include "base/sink.h"
#include "timeline/spike_groups.h"

/* An option that selects samples, such as --comm nginx. */
struct spike_selection {
	const char *option;
	const char *value; /* as given; NULL: not given */
};

struct spike_table_options {
	bool is_json;
	uint64_t limit;         /* maximum number of windows per group; 0 means the default */
	const char *input_name; /* this and the next two: for suggested commands */
	const struct spike_selection *selection;
	size_t selection_count;
	uint64_t narrowest_ns, widest_ns; /* widths of the windows that were tested */
	double confidence;
};

void spike_table_write(const struct profile *profile, const struct spikes *spikes,
		       const struct spike_groups *groups, const struct spike_table_options *options,
		       struct sink *sink);

#endif
