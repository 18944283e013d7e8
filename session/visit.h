/* SPDX-License-Identifier: MIT */
/*
 * Every sample of a session, one by one in order of time, with its thread's name and its frames.
 * Needs session_index_samples first: the samples are read again, each from its place in the input,
 * so that a capture of any size needs no more memory than its list of places.
 */
#ifndef SESSION_VISIT_H
#define SESSION_VISIT_H

#include "session/session.h"

struct visited_sample {
	const struct event_sample *sample;
	uint64_t time_ns;
	bool has_time;
	struct text comm;
	const struct profile_event *event;
	/* Innermost first: what session->locations has of each frame. */
	const location_id *frames;
	size_t frame_count;
	struct text trace; /* what a tracepoint says, when options.wants_trace */
};

/* Calls visit for each sample; what it is given is valid during the call. */
bool session_visit_samples(struct session *session,
			   void (*visit)(void *context, const struct visited_sample *sample),
			   void *context, struct error *err) WARN_UNUSED;

#endif
