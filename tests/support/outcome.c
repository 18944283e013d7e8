/* SPDX-License-Identifier: MIT */
#include "tests/support/outcome.h"

#include <assert.h>

#include "base/hash.h"
#include "libparse/formats.h"
#include "tests/support/memory_file.h"

/* What samples were read, in any order. */
struct tally {
	uint64_t count, sum;
};

static void tally_add(struct tally *tally, const struct event *event)
{
	const struct event_sample *sample = &event->sample;
	uint64_t hash = hash_pair(event->offset, event->has_time ? event->time_ns : 1);

	if (event->kind != EVENT_SAMPLE)
		return;
	hash = hash_pair(hash, (uint64_t)sample->attr << 32 | sample->tid);
	hash = hash_pair(hash, sample->present);
	hash = hash_pair(hash, sample->period);
	for (uint32_t i = 0; i < sample->ip_count; i++)
		hash = hash_pair(hash, sample->ips[i]);
	tally->count++;
	tally->sum += hash;
}

/* Reads samples in both passes. */
struct both {
	struct early_samples early;
	struct tally parts[EARLY_PARTS_MAX];
	struct tally late;
	struct event_sink log;
};

static void on_early(void *context, const struct event *event)
{
	tally_add(context, event);
}

static void on_late(void *context, const struct event *event)
{
	struct both *both = context;

	tally_add(&both->late, event);
	event_send(&both->log, event);
}

static void on_attr(void *context, const struct event *event)
{
	(void)context;
	assert(event->kind == EVENT_ATTR);
}

static bool wants_samples(void *context)
{
	(void)context;
	return true;
}

static void both_init(struct both *both, struct event_log *log)
{
	*both = (struct both){ .early.attrs.on_event = on_attr,
			       .early.begin = wants_samples,
			       .log = event_log_sink(log) };
	for (size_t i = 0; i < EARLY_PARTS_MAX; i++)
		both->early.parts[i] =
			(struct event_sink){ .context = &both->parts[i], .on_event = on_early };
}

/* The samples of the first pass are those of the second, if the first was complete. */
static void both_check(const struct both *both)
{
	struct tally all = { 0 };

	if (!both->early.is_complete)
		return;
	for (size_t i = 0; i < EARLY_PARTS_MAX; i++) {
		all.count += both->parts[i].count;
		all.sum += both->parts[i].sum;
	}
	assert(all.count == both->late.count);
	assert(all.sum == both->late.sum);
}

static bool read_capture(struct capture *capture, struct both *both, struct outcome *ret)
{
	const struct event_sink sink = { .context = both, .on_event = on_late };

	if (!capture_read_state(capture, &both->log, &ret->err))
		return false;
	for (size_t i = 0; i < capture->slices.count; i++)
		if (!capture_read_samples(capture, capture->slices.at[i], &sink, &ret->err))
			return false;
	both_check(both);
	return true;
}

void outcome_read_path(const char *path, struct outcome *ret)
{
	outcome_read_by(path, 1, ret);
}

void outcome_read_by(const char *path, unsigned thread_count, struct outcome *ret)
{
	struct both both;
	struct capture_reading reading = { .thread_count = thread_count, .early = &both.early };
	struct capture capture;

	*ret = (struct outcome){ 0 };
	event_log_init(&ret->log);
	both_init(&both, &ret->log);
	if (!capture_open_as(&capture, path, &reading, &ret->err))
		return;
	ret->good = read_capture(&capture, &both, ret);
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
