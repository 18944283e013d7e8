/* SPDX-License-Identifier: MIT */
#include "session/memory_reader.h"

#include "profile/weighing.h"
#include "session/visit.h"

static void visit(void *context, const struct visited_sample *visited)
{
	static const struct weighing cost = { .kind = WEIGHING_COST };
	struct session *session = context;
	const struct event_sample *sample = visited->sample;

	if (!(sample->present & SAMPLE_HAS_DATA_SOURCE))
		return;
	memory_stats_add(
		&session->memory,
		&(struct memory_access){
			.sample = sample,
			.weight = weighing_of(&cost, NULL, sample),
			.location = visited->frame_count ? visited->frames[0] : LOCATION_NONE,
			.comm = visited->comm,
		});
}

static bool has_sources(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].sample_type & SAMPLE_HAS_DATA_SOURCE)
			return true;
	return false;
}

static bool check(const struct session *session, struct error *err)
{
	const struct memory_stats *memory = &session->memory;
	const char *input = session->capture.input.name;

	if (memory->sample_count)
		return true;
	if (memory->addressless_count)
		return error_set(err, ERROR_NO_MATCH,
				 "%s: no access has an address; record addresses with perf mem "
				 "record",
				 input);
	return !memory->other_count ||
	       error_set(err, ERROR_NO_MATCH,
			 "%s: no sample accesses memory: the events record no data source; "
			 "record with perf mem record",
			 input);
}

bool session_build_memory(struct session *session, struct error *err)
{
	memory_stats_init(&session->memory, session->options.memory_by);
	if (!has_sources(&session->profile))
		return error_set(err, ERROR_USAGE,
				 "%s: --mem requires a perf.data file with data sources; record "
				 "them with perf mem record",
				 session->capture.input.name);
	if (!session_index_samples(session, err) ||
	    !session_visit_samples(session, visit, session, err))
		return false;
	return check(session, err);
}
