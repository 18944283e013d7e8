/* SPDX-License-Identifier: MIT */
#include "tests/support/outcome.h"

#include "libparse/formats.h"
#include "tests/support/memory_file.h"

static bool read_capture(struct capture *capture, struct outcome *ret)
{
	struct event_sink sink = event_log_sink(&ret->log);

	if (!capture_read_state(capture, &sink, &ret->err))
		return false;
	for (size_t i = 0; i < capture->slices.count; i++)
		if (!capture_read_samples(capture, capture->slices.at[i], &sink, &ret->err))
			return false;
	return true;
}

void outcome_read_path(const char *path, struct outcome *ret)
{
	outcome_read_by(path, 1, ret);
}

void outcome_read_by(const char *path, unsigned thread_count, struct outcome *ret)
{
	struct capture_reading reading = { .thread_count = thread_count };
	struct capture capture;

	*ret = (struct outcome){ 0 };
	event_log_init(&ret->log);
	if (!capture_open_as(&capture, path, &reading, &ret->err))
		return;
	ret->good = read_capture(&capture, ret);
	ret->is_partial = capture.is_partial;
	ret->damage = capture.damage;
	capture_close(&capture);
}

void outcome_read(const unsigned char *bytes, size_t size_bytes, struct outcome *ret)
{
	struct memory_file file;

	memory_file_open(&file, bytes, size_bytes);
	outcome_read_path(file.path, ret);
	memory_file_close(&file);
}

void outcome_deinit(struct outcome *outcome)
{
	event_log_deinit(&outcome->log);
}

static bool begins_with(const char *line, size_t length, const char *word)
{
	return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

const char *outcome_records(struct outcome *outcome)
{
	struct sink *lines = &outcome->log.lines;
	size_t kept = 0;
	size_t begin = 0;

	for (size_t i = 0; i < lines->used; i++) {
		const char *line = lines->buffer + begin;
		size_t length = i + 1 - begin;

		if (lines->buffer[i] != '\n')
			continue;
		if (!begins_with(line, length, "FACT ") && !begins_with(line, length, "ATTR ") &&
		    !begins_with(line, length, "RECORDS ")) {
			memmove(lines->buffer + kept, line, length);
			kept += length;
		}
		begin = i + 1;
	}
	lines->used = kept;
	return event_log_text(&outcome->log);
}
