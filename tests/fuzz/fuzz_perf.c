/* SPDX-License-Identifier: MIT */
/*
 * perf.data from its first byte to its last sample. Besides crashes, it checks for any input that
 * events refer to existing attrs, that slices follow each other without a gap, and that reading all
 * slices as one gives the same number of samples.
 */
#include <stdint.h>

#include "libparse/formats.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/feature_facts.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct tally {
	uint64_t sum; /* of all bytes of events, so that all are read */
	uint64_t attrs, samples, losses;
	uint32_t largest_attr; /* named by a sample, plus 1 */
	const struct capture *capture;
};

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void touch_bytes(struct tally *tally, const void *bytes, size_t size_bytes)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size_bytes; i++)
		tally->sum += at[i];
}

static void touch_text(struct tally *tally, struct text text)
{
	require(text.at != NULL);
	touch_bytes(tally, text.at, text.length);
}

/* A text that ended with a NUL in the file contains no NUL. */
static void touch_name(struct tally *tally, struct text text)
{
	touch_text(tally, text);
	require(!memchr(text.at, '\0', text.length));
}

static void touch_span(struct tally *tally, struct span span)
{
	touch_bytes(tally, span.at, span_left(&span));
}

static void touch_build_id(struct tally *tally, const struct build_id *id)
{
	require(id->size_bytes <= BUILD_ID_BYTES_MAX);
	touch_bytes(tally, id->bytes, id->size_bytes);
}

/* Touches the text of a tracepoint, and its fields one by one. */
static void touch_trace(struct tally *tally, const struct event_sample *sample)
{
	struct sink line;

	sink_init_memory(&line);
	capture_write_trace(tally->capture, sample, NULL, &line);
	touch_text(tally, sink_memory(&line));
	sink_deinit(&line);
}

static void touch_sample(struct tally *tally, const struct event_sample *sample)
{
	tally->samples++;
	if (sample->attr >= tally->largest_attr)
		tally->largest_attr = sample->attr + 1;
	require(sample->ip_count <= LIMIT_CALLCHAIN_ENTRIES);
	if (sample->ip_count)
		touch_bytes(tally, sample->ips, sample->ip_count * sizeof(*sample->ips));
	require(sample->user_stack_used_bytes <= span_left(&sample->user_stack));
	touch_span(tally, sample->raw);
	touch_trace(tally, sample);
	if (sample->branch_count)
		touch_bytes(tally, sample->branches,
			    sample->branch_count * sizeof(*sample->branches));
	touch_span(tally, sample->user_registers);
	touch_span(tally, sample->user_stack);
	touch_span(tally, sample->interrupt_registers);
}

static void take(void *context, const struct event *event)
{
	struct tally *tally = context;

	switch (event->kind) {
	case EVENT_FACT:
		require(event->fact.name < FACT_COUNT);
		require(event->fact.value.length <= LIMIT_FACT_BYTES);
		touch_text(tally, event->fact.value);
		break;
	case EVENT_ATTR:
		require(event->attr.index == tally->attrs++);
		touch_text(tally, event->attr.name);
		for (uint32_t i = 0; i < event->attr.field_count; i++)
			touch_name(tally, event->attr.fields[i].name);
		break;
	case EVENT_BUILD_ID:
		touch_name(tally, event->build_id.path);
		touch_build_id(tally, &event->build_id.build_id);
		break;
	case EVENT_COMM:
		touch_name(tally, event->comm.comm);
		break;
	case EVENT_MMAP:
		touch_name(tally, event->mmap.path);
		touch_build_id(tally, &event->mmap.build_id);
		break;
	case EVENT_CGROUP:
		touch_name(tally, event->cgroup.path);
		break;
	case EVENT_CLOCK:
	case EVENT_NAMESPACES:
		break;
	case EVENT_DEFERRED_CALLCHAIN:
		touch_span(tally, event->deferred_callchain.ips);
		break;
	case EVENT_KSYMBOL:
		touch_name(tally, event->ksymbol.name);
		break;
	case EVENT_LOSS:
		require(event->loss.kind < LOSS_KIND_COUNT);
		tally->losses++;
		break;
	case EVENT_RECORD_COUNT:
		require(event->record_count.count > 0);
		if (event->record_count.name.at)
			touch_text(tally, event->record_count.name);
		break;
	case EVENT_SAMPLE:
		touch_sample(tally, &event->sample);
		break;
	case EVENT_FORK:
	case EVENT_CONTEXT_SWITCH:
	case EVENT_EXIT:
		break;
	}
}

static void read_slices(const struct capture *capture, struct tally *tally)
{
	struct event_sink sink = { .context = tally, .on_event = take };
	struct error err;

	for (size_t i = 0; i < capture->slices.count; i++) {
		struct slice slice = capture->slices.at[i];

		require(slice.begin < slice.end);
		/* In a directory or its archive, there may be a gap between two files. */
		require(i == 0 || slice.begin == capture->slices.at[i - 1].end ||
			capture->directory.files.count);
		require(capture_read_samples(capture, slice, &sink, &err));
	}
}

/* All slices as one. */
static void read_whole(const struct capture *capture, struct tally *tally)
{
	struct event_sink sink = { .context = tally, .on_event = take };
	struct slice whole;
	struct error err;

	if (!capture->slices.count)
		return;
	whole.begin = capture->slices.at[0].begin;
	whole.end = capture->slices.at[capture->slices.count - 1].end;
	require(capture_read_samples(capture, whole, &sink, &err));
}

static void read_capture(struct capture *capture)
{
	struct tally state = { .capture = capture };
	struct tally sliced = { .capture = capture };
	struct tally whole = { .capture = capture };
	struct event_sink sink = { .context = &state, .on_event = take };
	struct error err = { 0 };

	if (!capture_read_state(capture, &sink, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return;
	}
	require(!capture->is_partial || capture->damage.code != ERROR_NONE);
	read_slices(capture, &sliced);
	if (capture->directory.files.count)
		return;
	read_whole(capture, &whole);
	require(sliced.samples == whole.samples && sliced.losses == whole.losses);
	require(sliced.sum == whole.sum);
	require(sliced.largest_attr <= state.attrs);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *path = memory_file_reuse(bytes, size);
	struct capture capture;
	struct error err = { 0 };

	if (capture_open(&capture, path, &err)) {
		/* Text is fuzz_text's. */
		if (!capture.format->read_frame)
			read_capture(&capture);
		capture_close(&capture);
	} else {
		require(err.code != ERROR_NONE && err.text[0]);
	}
	return 0;
}
