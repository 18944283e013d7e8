/* SPDX-License-Identifier: MIT */
#include "session/visit.h"

#include <inttypes.h>

#include "base/read_cache.h"
#include "process/process_history.h"
#include "session/unwinding.h"

#define NS_PER_SECOND 1000000000u

struct visitor {
	struct session *session;
	struct ingest ingest;
	struct resolver resolver;
	struct location_list frames;
	struct sink trace;
	/* the sample's key, for resolving functions to which its fields point */
	struct callchain_key code_key;
	struct location_list code;
	bool *is_wanted_event; /* by event; freed at the end */
	void (*visit)(void *context, const struct visited_sample *sample);
	void *context;
};

/* Appends the locations of a callchain. */
static void resolve(struct visitor *visitor, const struct callchain_key *key, const uint64_t *ips,
		    uint32_t ip_count, struct location_list *ret)
{
	resolver_callchain(&visitor->resolver, key, ips, ip_count, ret);
	locations_extend(&visitor->session->locations);
}

/* Whether the sample is selected by its innermost frame. */
static bool is_selected(const struct visitor *visitor)
{
	const struct session *session = visitor->session;

	return selection_includes_leaf(
		&session->view.selection, &session->profile, &session->locations,
		visitor->frames.count ? visitor->frames.at[0] : LOCATION_NONE);
}

/* Writes the function that a field points to, or its address. */
static void write_function(void *context, uint64_t address, bool has_offset, struct sink *sink)
{
	struct visitor *visitor = context;
	struct session *session = visitor->session;
	const struct location *location;

	visitor->code.count = 0;
	resolve(visitor, &visitor->code_key, &address, 1, &visitor->code);
	location = visitor->code.count ? &session->locations.rows.at[visitor->code.at[0].i] : NULL;
	if (!location || !location->is_named) {
		sink_printf(sink, "0x%" PRIx64, address);
		return;
	}
	sink_text(sink, strings_get(session->profile.strings, location->name));
	if (has_offset)
		sink_printf(sink, "+0x%" PRIx64, location->address - location->symbol_start);
}

static struct text trace_of(struct visitor *visitor, const struct event_sample *sample,
			    const struct callchain_key *key)
{
	struct function_names functions = { .context = visitor, .write = write_function };

	visitor->trace.used = 0;
	visitor->code_key = ingest_code_key(key);
	capture_write_trace(&visitor->session->capture, sample, &functions, &visitor->trace);
	return sink_memory(&visitor->trace);
}

/* Returns the event of a sample; NULL if a text file has changed since it was first read. */
static const struct profile_event *event_of(const struct visitor *visitor,
					    const struct event_sample *sample,
					    const struct callchain_key *key)
{
	const struct session *session = visitor->session;
	const struct text_head *head;

	if (!sample->text)
		return &session->profile.events.at[sample->attr];
	head = text_samples_head(&session->text, key->head);
	return head ? &session->profile.events.at[head->event] : NULL;
}

static void on_event(void *context, const struct event *event)
{
	struct visitor *visitor = context;
	const struct profile *profile = &visitor->session->profile;
	const struct event_sample *sample = &event->sample;
	struct visited_sample visited = { .sample = sample, .time_ns = event->time_ns };
	char buffer[COMM_BYTES];
	struct callchain_key key;
	const uint64_t *ips;
	uint32_t ip_count;

	if (event->kind != EVENT_SAMPLE)
		return;
	key = ingest_key_of(&visitor->ingest, event);
	visited.event = event_of(visitor, sample, &key);
	if (!visited.event || !visitor->is_wanted_event[visited.event - profile->events.at])
		return;
	ips = ingest_callchain_of(&visitor->ingest, sample, &key, &ip_count);
	visitor->frames.count = 0;
	resolve(visitor, &key, ips, ip_count, &visitor->frames);
	if (!is_selected(visitor))
		return;
	visited.has_time = event->has_time;
	visited.state_time_ns = process_state_time_of(&visitor->session->state, event);
	if (visitor->session->options.wants_trace)
		visited.trace = trace_of(visitor, sample, &key);
	visited.comm = sample->text && sample->text->comm.at
			       ? sample->text->comm
			       : comm_text(profile->strings, key.comm, sample->tid, buffer);
	visited.frames = visitor->frames.at;
	visited.frame_count = visitor->frames.count;
	visitor->session->visited_count++;
	visitor->visit(visitor->context, &visited);
}

uint32_t visited_sample_duration_ns(const struct visited_sample *visited)
{
	const struct profile_event *event = visited->event;
	uint64_t period = visited->sample->period;
	uint64_t duration_ns = 0;

	if (event->unit == UNIT_NANOSECONDS)
		duration_ns = period ? period : event->is_frequency ? 0 : event->sample_period;
	else if (event->is_frequency && event->sample_period)
		duration_ns = NS_PER_SECOND / event->sample_period;
	return duration_ns < UINT32_MAX ? (uint32_t)duration_ns : UINT32_MAX;
}

static bool *find_events(const struct profile *profile, const char *pattern)
{
	enum event_match best = profile_match_events(profile, pattern);
	bool *ret = memory_alloc(profile->events.count, sizeof(*ret));

	for (size_t i = 0; i < profile->events.count; i++)
		ret[i] = profile_match_event(profile, &profile->events.at[i], pattern) == best;
	return ret;
}

bool session_visit_samples(struct session *session,
			   void (*visit)(void *context, const struct visited_sample *sample),
			   void *context, struct error *err)
{
	struct visitor visitor = {
		.session = session,
		.visit = visit,
		.context = context,
		.is_wanted_event = find_events(&session->profile, session->view.event_pattern),
	};
	struct event_sink sink = { .context = &visitor, .on_event = on_event };
	struct ingest_options options = session_ingest_options(session, true);
	struct unwinding_worker *unwinding = unwinding_worker_create(session->unwinding);
	bool good = true;

	session->has_visited = true;
	options.keeps_rows = false;
	options.unwinder = unwinding_hook(unwinding);
	sink_init_memory(&visitor.trace);
	ingest_init(&visitor.ingest, &session->state, &session->profile, &session->view, &options);
	session_init_resolver(session, locations_places(&session->locations), session->rows.count,
			      &visitor.resolver);
	if (session_is_text(session))
		visitor.resolver.text = &session->text;
	session->capture.cache = read_cache_create();
	for (size_t i = 0; good && i < session->rows.count; i++) {
		uint64_t offset = session->rows.at[i].offset;
		struct slice one = { .begin = offset, .end = offset + 1 };

		/* All samples of a line are delivered at once. */
		if (i && session->rows.at[i - 1].offset == offset)
			continue;
		good = capture_read_samples(&session->capture, one, &sink, err);
	}
	read_cache_destroy(session->capture.cache);
	session->capture.cache = NULL;
	resolver_deinit(&visitor.resolver);
	ingest_deinit(&visitor.ingest);
	unwinding_worker_destroy(unwinding);
	vec_free(&visitor.frames);
	vec_free(&visitor.code);
	sink_deinit(&visitor.trace);
	memory_free(visitor.is_wanted_event);
	return good;
}
