/* SPDX-License-Identifier: MIT */
#include "diff/sample_bins.h"

struct bins_worker {
	struct ingest ingest; /* decides which samples are selected */
	struct time_histogram histogram;
};

static void add_sample(void *context, const struct event *event)
{
	struct bins_worker *worker = context;
	const struct event_text_sample *text = event->sample.text;
	const struct ingest_options *options = &worker->ingest.options;
	struct callchain_key key;

	if (event->kind != EVENT_SAMPLE || !event->has_time)
		return;
	/* An interval may end after the last selected sample. */
	if (options->intervals || options->has_measured_waits) {
		time_histogram_add(&worker->histogram,
				   time_windows_nearest(options->windows, event->time_ns), 1);
		return;
	}
	if (!selection_is_empty(&worker->ingest.view->selection)) {
		key = ingest_key_of(&worker->ingest, event);
		if (!ingest_selects(&worker->ingest, event, &key))
			return;
	}
	time_histogram_add(&worker->histogram, event->time_ns, text ? text->sample_count : 1);
}

struct first_samples {
	bool has_samples, has_times;
};

static void note_sample(void *context, const struct event *event)
{
	struct first_samples *first = context;

	first->has_samples |= event->kind == EVENT_SAMPLE;
	first->has_times |= event->kind == EVENT_SAMPLE && event->has_time;
}

/* Looks only at the first slice with samples, so that a capture without times is not read twice. */
static bool has_times(const struct capture *capture)
{
	struct first_samples first = { 0 };
	struct event_sink sink = { .context = &first, .on_event = note_sample };
	struct error ignored;

	/* Errors are ignored, because the full pass reports them. */
	for (size_t i = 0; i < capture->slices.count && !first.has_samples; i++)
		if (!capture_read_samples(capture, capture->slices.at[i], &sink, &ignored))
			return true;
	return first.has_times;
}

static bool find_bins(const struct sample_bins_source *source, struct time_bins *ret,
		      struct error *err)
{
	size_t count = source->thread_count;
	uint32_t bin_max =
		source->view->time_bin_max ? source->view->time_bin_max : TIME_EQUAL_BINS_MAX;
	struct bins_worker *workers = memory_zalloc(count, sizeof(*workers));
	struct event_sink *sinks = memory_alloc(count, sizeof(*sinks));
	struct time_histogram *all = memory_zalloc(1, sizeof(*all));
	bool good;

	for (size_t i = 0; i < count; i++) {
		sinks[i] = (struct event_sink){ .context = &workers[i], .on_event = add_sample };
		ingest_init(&workers[i].ingest, source->state, source->profile, source->view,
			    &source->ingest);
	}
	good = capture_read_all_samples(source->capture, source->thread_count, sinks, count, err);
	for (size_t i = 0; i < count; i++) {
		time_histogram_merge(all, &workers[i].histogram);
		ingest_deinit(&workers[i].ingest);
	}
	if (source->view->time_bin_ns && source->view->has_both_bins)
		time_bins_make_both(ret, all, source->view->time_bin_ns, bin_max);
	else if (source->view->time_bin_ns)
		time_bins_make_equal(ret, all, source->view->time_bin_ns, bin_max);
	else
		time_bins_make(ret, all);
	memory_free(workers);
	memory_free(sinks);
	memory_free(all);
	return good;
}

bool sample_bins_find(const struct sample_bins_source *source, struct time_bins *ret,
		      struct error *err)
{
	*ret = (struct time_bins){ .parts = 1 };
	return !has_times(source->capture) || find_bins(source, ret, err);
}
