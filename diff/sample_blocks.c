/* SPDX-License-Identifier: MIT */
#include "diff/sample_blocks.h"

#include "base/workers.h"

struct worker {
	const struct session *session;
	size_t slice_begin, slice_end;
	struct ingest ingest; /* knows what is selected */
	struct time_bins bins;
	bool failed;
	struct error err;
};

static void note_sample(void *context, const struct event *event)
{
	struct worker *worker = context;
	const struct event_text *text = event->sample.text;
	struct callchain_key key;

	if (event->kind != EVENT_SAMPLE || !event->has_time)
		return;
	if (!selection_is_empty(worker->ingest.options.selection)) {
		key = ingest_key_of(&worker->ingest, event);
		if (!ingest_takes(&worker->ingest, event, &key))
			return;
	}
	time_bins_add(&worker->bins, event->time_ns, text ? text->sample_count : 1);
}

static void look_at_samples(void *context, size_t index)
{
	struct worker *worker = (struct worker *)context + index;
	const struct capture *capture = &worker->session->capture;
	struct event_sink sink = { .context = worker, .take = note_sample };

	for (size_t i = worker->slice_begin; i < worker->slice_end && !worker->failed; i++)
		worker->failed =
			!capture_read_samples(capture, capture->slices.at[i], &sink, &worker->err);
}

struct first_look {
	bool has_samples, has_times;
};

static void look_once(void *context, const struct event *event)
{
	struct first_look *look = context;

	look->has_samples |= event->kind == EVENT_SAMPLE;
	look->has_times |= event->kind == EVENT_SAMPLE && event->has_time;
}

/* Whether the first samples there are have times: the rest of what has none need not be read twice. */
static bool has_times(const struct capture *capture)
{
	struct first_look look = { 0 };
	struct event_sink sink = { .context = &look, .take = look_once };
	struct error ignored;

	/* What cannot be read is found out by who wants to know more of it. */
	for (size_t i = 0; i < capture->slices.count && !look.has_samples; i++)
		if (!capture_read_samples(capture, capture->slices.at[i], &sink, &ignored))
			return true;
	return look.has_times;
}

static bool find(const struct session *session, struct time_blocks *ret, struct error *err)
{
	struct ingest_options options = session_ingest_options(session, false);
	size_t slice_count = session->capture.slices.count;
	size_t count = session->options.thread_count;
	struct worker *workers = memory_zalloc(count, sizeof(*workers));
	struct time_bins *all = memory_zalloc(1, sizeof(*all));
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		workers[i].session = session;
		workers[i].slice_begin = slice_count * i / count;
		workers[i].slice_end = slice_count * (i + 1) / count;
		ingest_init(&workers[i].ingest, &session->state, &options);
	}
	workers_run(session->options.thread_count, count, look_at_samples, workers);
	for (size_t i = 0; i < count; i++) {
		if (good && workers[i].failed)
			*err = workers[i].err;
		good = good && !workers[i].failed;
		time_bins_merge(all, &workers[i].bins);
		ingest_deinit(&workers[i].ingest);
	}
	time_blocks_make(ret, all);
	memory_free(workers);
	memory_free(all);
	return good;
}

bool sample_blocks_find(const struct session *session, struct time_blocks *ret, struct error *err)
{
	*ret = (struct time_blocks){ 0 };
	return !has_times(&session->capture) || find(session, ret, err);
}
