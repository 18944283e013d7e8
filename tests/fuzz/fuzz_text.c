/* SPDX-License-Identifier: MIT */
/*
 * Captures that are text, of every format, to events. For any input: nothing in an event lies
 * outside the record, and reading all slices as one gives the same events as reading them one by
 * one.
 */
#include <stdint.h>

#include "compat/collapse.h"
#include "libparse/text.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct tally {
	const struct capture *capture;
	uint64_t sum;    /* of all bytes of events, so that all are read */
	uint64_t stacks; /* in events; one may stand for no sample: "c 0" */
	uint64_t samples, skipped;
	uint64_t last_offset;
	uint64_t last_count; /* stacks at last_offset */
};

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void touch(struct tally *tally, struct text text)
{
	for (uint32_t i = 0; i < text.length; i++)
		tally->sum += (unsigned char)text.at[i];
}

/* In the formats of the scripts, a name may be empty. */
static bool is_drop_in(const struct input_format *format)
{
	return format == &perl_format || format == &inferno_format;
}

static void take_frame(void *context, const struct event_frame *frame)
{
	struct tally *tally = context;

	require(frame->name.at && frame->module.at);
	require(frame->name.length || !frame->is_exact || is_drop_in(tally->capture->format));
	touch(tally, frame->name);
	touch(tally, frame->module);
}

static void touch_frame(struct tally *tally, struct text raw)
{
	touch(tally, raw);
	tally->capture->format->read_frame(tally->capture->reader, raw, take_frame, tally);
}

static void take(void *context, const struct event *event)
{
	struct tally *tally = context;
	const struct event_text_sample *text = event->sample.text;

	if (event->kind == EVENT_LOSS)
		tally->skipped += event->loss.count;
	if (event->kind != EVENT_SAMPLE)
		return;
	require(text && text->event.length && event->offset < tally->capture->input.size_bytes);
	require(event->offset >= tally->last_offset);
	if (event->offset != tally->last_offset)
		tally->last_count = 0;
	tally->last_offset = event->offset;
	tally->last_count++;
	tally->stacks++;
	tally->samples += text->sample_count;
	tally->sum += event->sample.period + event->sample.pid + event->sample.tid +
		      event->sample.cpu + event->time_ns + event->has_time;
	touch(tally, text->event);
	if (text->comm.at)
		touch(tally, text->comm);
	for (uint32_t i = 0; text->row && i < text->row->count; i++)
		touch(tally, text->row->cells[i]);
	if (text->syscall) {
		require(text->syscall->name.length);
		touch(tally, text->syscall->name);
		touch(tally, text->syscall->error);
		tally->sum += text->syscall->duration_ns + text->syscall->call_count;
	}
	require(!text->stray_count || text->stray_count < text->frame_count);
	for (uint32_t i = 0; i < text->frame_count; i++)
		touch_frame(tally, text->frames[i]);
}

static void read_slice(struct tally *tally, uint64_t begin, uint64_t end)
{
	struct event_sink sink = { .context = tally, .on_event = take };
	struct error err;

	if (begin < end)
		require(capture_read_samples(
			tally->capture, (struct slice){ .begin = begin, .end = end }, &sink, &err));
}

static void ignore(void *context, const struct event *event)
{
	(void)context;
	(void)event;
}

static void read_capture(struct capture *capture)
{
	struct event_sink state = { .on_event = ignore };
	struct tally cut = { .capture = capture };
	struct tally whole = { .capture = capture };
	struct tally single = { .capture = capture };
	struct error err = { 0 };

	if (!capture_read_state(capture, &state, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return;
	}
	for (size_t i = 0; i < capture->slices.count; i++)
		read_slice(&cut, capture->slices.at[i].begin, capture->slices.at[i].end);
	read_slice(&whole, 0, capture->input.size_bytes);
	require(cut.sum == whole.sum && cut.samples == whole.samples);
	require(cut.skipped == whole.skipped);
	if (whole.stacks) {
		read_slice(&single, whole.last_offset, whole.last_offset + 1);
		require(single.stacks == whole.last_count);
		require(single.last_offset == whole.last_offset);
	}
}

/* Reads any input as the drop-ins do. */
static void read_collapsed(const char *path, const struct input_format *format, uint8_t switches)
{
	static const char *const skip_after[] = { "main", "f" };
	struct collapse_options options = {
		.with_tid = switches & 1,
		.marks_kernel = switches & 2,
		.shows_addresses = switches & 4,
		.has_source_lines = switches & 8,
		.skip_after = skip_after,
		.skip_after_count = switches & 16 ? ARRAY_SIZE(skip_after) : 0,
		.marks_jit = true,
	};
	struct capture_reading reading = {
		.format = format,
		.format_options = &options,
	};
	struct capture capture;
	struct error err = { 0 };

	/* Only an input that looks compressed, but is not, cannot be opened. */
	if (!capture_open_as(&capture, path, &reading, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return;
	}
	read_capture(&capture);
	capture_close(&capture);
}

/* Reads the input as kiln syscalls or kiln events does. */
static void read_first(const char *path, const struct input_format *const *formats)
{
	struct capture_reading reading = { .first_formats = formats };
	struct capture capture;
	struct error err = { 0 };

	if (!capture_open_as(&capture, path, &reading, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return;
	}
	if (capture.format->only_command)
		read_capture(&capture);
	capture_close(&capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *path = memory_file_reuse(bytes, size);
	struct capture capture;
	struct error err = { 0 };

	read_collapsed(path, &perl_format, size ? bytes[size - 1] : 0);
	read_collapsed(path, &inferno_format, size ? bytes[size - 1] : 0);
	read_first(path, formats_of_calls);
	read_first(path, formats_of_logs);
	if (capture_open(&capture, path, &err)) {
		if (capture.format->read_frame)
			read_capture(&capture);
		capture_close(&capture);
	} else {
		require(err.code != ERROR_NONE && err.text[0]);
	}
	return 0;
}
