/* SPDX-License-Identifier: MIT */
#include "session/time_span.h"

#include "base/memory.h"
#include "base/workers.h"
#include "profile/selection_time.h"

struct worker {
	const struct capture *capture;
	size_t slice_begin, slice_end;
	struct time_span span;
	bool failed;
	struct error err;
};

static void note_time(void *context, const struct event *event)
{
	struct time_span *span = context;

	if (event->kind != EVENT_SAMPLE || !event->has_time)
		return;
	if (event->time_ns < span->first_ns)
		span->first_ns = event->time_ns;
	if (event->time_ns > span->last_ns)
		span->last_ns = event->time_ns;
}

static void look_at_samples(void *context, size_t index)
{
	struct worker *worker = (struct worker *)context + index;
	struct event_sink sink = { .context = &worker->span, .take = note_time };

	for (size_t i = worker->slice_begin; i < worker->slice_end && !worker->failed; i++)
		worker->failed = !capture_read_samples(
			worker->capture, worker->capture->slices.at[i], &sink, &worker->err);
}

bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err)
{
	size_t slice_count = capture->slices.count;
	struct worker *workers;
	bool good = true;

	*ret = (struct time_span){ capture->sample_first_ns, capture->sample_last_ns };
	if (ret->last_ns && ret->first_ns <= ret->last_ns)
		return true;
	*ret = (struct time_span){ UINT64_MAX, 0 };
	workers = memory_zalloc(thread_count, sizeof(*workers));
	for (size_t i = 0; i < thread_count; i++)
		workers[i] = (struct worker){
			.capture = capture,
			.slice_begin = slice_count * i / thread_count,
			.slice_end = slice_count * (i + 1) / thread_count,
			.span = *ret,
		};
	workers_run(thread_count, thread_count, look_at_samples, workers);
	for (size_t i = 0; i < thread_count && good; i++) {
		const struct worker *worker = &workers[i];

		if (worker->failed)
			*err = worker->err;
		good = !worker->failed;
		if (worker->span.first_ns < ret->first_ns)
			ret->first_ns = worker->span.first_ns;
		if (worker->span.last_ns > ret->last_ns)
			ret->last_ns = worker->span.last_ns;
	}
	memory_free(workers);
	return good;
}

bool time_span_place(const struct capture *capture, unsigned thread_count,
		     struct selection *selection, struct error *err)
{
	struct time_span span;

	if (!selection->time_shares.count)
		return true;
	/* The list is the caller's until there is another. */
	selection->times_ns = (selection_ranges){ 0 };
	if (!time_span_find(capture, thread_count, &span, err))
		return false;
	if (span.first_ns > span.last_ns)
		return error_set(err, ERROR_USAGE,
				 "%s: --time in percent: there is no sample with a time",
				 capture->input.name);
	selection_time_place(&selection->time_shares, span.first_ns, span.last_ns,
			     &selection->times_ns);
	return true;
}
