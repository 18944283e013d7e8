/* SPDX-License-Identifier: MIT */
#include "session/branch_reader.h"

#include "profile/branch_callchain.h"
#include "session/visit.h"

static bool has_history(const struct profile_event *event)
{
	return event->has_branches && !event->has_branch_calls;
}

static void visit(void *context, const struct visited_sample *visited)
{
	struct session *session = context;
	const struct event_sample *sample = visited->sample;
	size_t count = 0;

	if (!sample->branch_count || !has_history(visited->event))
		return;
	for (uint32_t i = 0; i < sample->branch_count; i++)
		count += branch_is_complete(&sample->branches[i]);
	/* If kernel or user code is excluded, the locations of some branches are missing. */
	if (visited->frame_count == 2 * count)
		branch_stats_add(&session->branches, sample, visited->frames, &session->locations);
	else
		session->branches.unresolved_count++;
}

bool session_build_branches(struct session *session, struct error *err)
{
	branch_stats_init(&session->branches);
	if (session_is_text(session))
		return error_set(err, ERROR_USAGE,
				 "%s: --branches requires a perf.data file; record branches with "
				 "perf record -b",
				 session->capture.input.name);
	return session_index_samples(session, err) &&
	       session_visit_samples(session, visit, session, err);
}
