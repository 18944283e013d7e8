/* SPDX-License-Identifier: MIT */
#include "session/track_reader.h"

#include "base/arithmetic.h"
#include "process/process_history.h"
#include "profile/selection/choose_event.h"
#include "session/visited_stack.h"

struct track_reader {
	struct session *session;
	struct visited_stack stack;
	bool requires_times; /* samples without a time are only counted */
};

static uint64_t weight_of(const struct track_reader *reader, const struct visited_sample *visited)
{
	const struct event_sample *sample = visited->sample;

	if (weighing_unit(&reader->session->view.weighing, visited->event) == UNIT_SAMPLES)
		return sample->text ? sample->text->sample_count : 1;
	return sample->text || sample->period ? sample->period : 1;
}

static str_id intern(struct session *session, struct text text)
{
	return strings_intern(session->profile.strings, text.at, text.length);
}

/* Returns the track of a sample, with the current name of its thread. */
static struct track *track_of(struct track_reader *reader, const struct visited_sample *visited,
			      str_id comm)
{
	struct session *session = reader->session;
	const struct event_sample *sample = visited->sample;
	struct track key = {
		.cpu = EVENT_NO_CPU,
		.event = (uint32_t)(visited->event - session->profile.events.at),
		.unit = weighing_unit(&session->view.weighing, visited->event),
		.comm = comm,
	};
	struct track *track;

	if (sample->present & SAMPLE_HAS_TID) {
		key.pid = sample->pid;
		key.tid = sample->tid;
		if (!sample->tid && sample->present & SAMPLE_HAS_CPU)
			key.cpu = sample->cpu;
	} else {
		key.comm_key = key.comm;
	}
	track = tracks_find(&session->tracks, &key);
	track->comm = key.comm;
	return track;
}

static void add_sample(void *context, const struct visited_sample *visited)
{
	struct track_reader *reader = context;
	struct session *session = reader->session;
	struct track_sample sample = {
		.time_ns = visited->has_time ? visited->time_ns : 0,
		.weight = weight_of(reader, visited),
		.duration_ns = visited->has_time ? visited_sample_duration_ns(visited) : 0,
		.comm = intern(session, visited->comm),
	};

	reader->stack.frames.count = 0;
	if (!visited->event->is_shown || !visited_stack_append(&reader->stack, visited))
		return;
	if (reader->requires_times && !visited->has_time) {
		session->tracks.timeless_count++;
		return;
	}
	sample.stack = tracks_stack(&session->tracks, reader->stack.frames.at,
				    (uint32_t)reader->stack.frames.count);
	track_add(track_of(reader, visited, sample.comm), &sample);
	session->profile.view_sample_count =
		saturate_add(session->profile.view_sample_count,
			     visited->sample->text ? visited->sample->text->sample_count : 1);
}

static void name_processes(struct session *session)
{
	char buffer[COMM_BYTES];

	for (size_t i = 0; i < session->tracks.rows.count; i++) {
		struct track *track = &session->tracks.rows.at[i];

		track->process = track->comm;
		if (!session_is_text(session) && track->pid != track->tid)
			track->process =
				intern(session, process_history_last_comm(&session->state.history,
									  session->profile.strings,
									  track->pid, buffer));
	}
}

static bool check(const struct session *session, struct error *err)
{
	const struct weighing *weighing = &session->view.weighing;

	if (weighing->kind != WEIGHING_PERIOD && weighing->kind != WEIGHING_SAMPLES)
		return error_set(err, ERROR_USAGE,
				 "this format stores each sample separately, so --weight must be "
				 "period or samples");
	return true;
}

static bool build(struct session *session, bool requires_times, struct error *err)
{
	struct track_reader reader = { .session = session, .requires_times = requires_times };
	bool good;

	if (!check(session, err) || !session_index_samples(session, err))
		return false;
	if (session->profile.is_counted)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: counters have no stacks; use kiln report",
				 session->capture.input.name);
	if (!choose_event(&session->profile, &session->view, err))
		return error_prefix(err, "%s", session->capture.input.name);
	visited_stack_init(&reader.stack, session);
	good = session_visit_samples(session, add_sample, &reader, err);
	visited_stack_finish(&reader.stack, &session->profile);
	name_processes(session);
	tracks_finish(&session->tracks);
	return good;
}

bool session_build_tracks(struct session *session, struct error *err)
{
	return build(session, false, err);
}

bool session_build_timed_tracks(struct session *session, struct error *err)
{
	if (!build(session, true, err))
		return false;
	return session->tracks.rows.count || !session->tracks.timeless_count ||
	       error_set(err, ERROR_FORMAT,
			 "%s: no sample has a time, which this format requires; use pprof or "
			 "speedscope",
			 session->capture.input.name);
}
