/* SPDX-License-Identifier: MIT */
#include "session/log_session.h"

#include "libparse/log/log_reader.h"
#include "libparse/text.h"

struct log_reading {
	struct session *session;
	uint64_t first_skipped_offset;
};

static void on_event(void *context, const struct event *event)
{
	struct log_reading *reading = context;
	struct profile *profile = &reading->session->profile;

	if (event->kind == EVENT_SAMPLE && event->sample.text && event->sample.text->row)
		log_stats_add(&reading->session->log, event->sample.text->row->cells);
	if (event->kind != EVENT_LOSS)
		return;
	profile->losses[event->loss.kind] += event->loss.count;
	if (event->offset < reading->first_skipped_offset)
		reading->first_skipped_offset = event->offset;
}

static bool build(struct session *session, struct error *err)
{
	struct log_reading reading = { session, UINT64_MAX };
	struct event_sink sink = { .context = &reading, .on_event = on_event };
	const struct log_heading *heading;
	struct log_choice choice;

	if (session->capture.format != &log_format)
		return error_set(err, ERROR_USAGE,
				 "is not a table of events; kiln info describes it");
	heading = log_reader_heading(&session->capture);
	if (!log_choice_make(heading, &session->options.log->columns, &choice, err))
		return false;
	log_stats_init(&session->log, heading, &choice, session->profile.strings,
		       session->options.log);
	if (choice.has_value) {
		struct text name = heading->columns[choice.value].name;

		session->profile.event_name =
			strings_intern(session->profile.strings, name.at, name.length);
	}
	/* A single thread reads, so that names are numbered in the order of the input. */
	if (!capture_read_all_samples(&session->capture, 1, &sink, 1, err))
		return false;
	log_stats_finish(&session->log);
	if (reading.first_skipped_offset != UINT64_MAX)
		session->profile.first_skipped_line =
			text_line_number(&session->capture.input, reading.first_skipped_offset);
	session->has_visited = true;
	session->visited_count = session->profile.sample_count = session->log.event_count;
	session->profile.view_sample_count = session->log.event_count;
	if (session->options.log->columns.value && !session->log.value_count)
		return error_set(err, ERROR_USAGE, "--value %s: the column has no numbers",
				 session->options.log->columns.value);
	return session->log.event_count || error_set(err, ERROR_NO_MATCH, "the table has no rows");
}

bool session_build_log(struct session *session, struct error *err)
{
	return build(session, err) || error_prefix(err, "%s", session->capture.input.name);
}
