/* SPDX-License-Identifier: MIT */
/*
 * Visits the samples of a session one by one in time order, with thread names and frames. Requires
 * session_index_samples. Each sample is read again from its offset in the input, so memory is
 * needed only for the list of offsets.
 */
#ifndef SESSION_VISIT_H
#define SESSION_VISIT_H

#include "session/session.h"

struct visited_sample {
	const struct event_sample *sample;
	uint64_t time_ns;
	uint64_t state_time_ns; /* when to look up the sample in the process history */
	bool has_time;
	struct text comm;
	const struct profile_event *event;
	/* Innermost first; ids in session->locations. */
	const location_id *frames;
	size_t frame_count;
	struct text trace; /* text of a tracepoint, if options.wants_trace is set */
};

/* Returns the CPU time that a sample represents, which ends at the sample; 0 if unknown. */
uint32_t visited_sample_duration_ns(const struct visited_sample *visited);

/* Calls visit for each sample; its argument is valid only during the call. */
bool session_visit_samples(struct session *session,
			   void (*visit)(void *context, const struct visited_sample *sample),
			   void *context, struct error *err) WARN_UNUSED;

#endif
