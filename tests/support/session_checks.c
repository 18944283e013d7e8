/* SPDX-License-Identifier: MIT */
#include "tests/support/session_checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "render/text/folded.h"
#include "render/text/info.h"
#include "render/report/report.h"

/* Does not start the service, whose processes would take longer than reading a small capture. */
static const struct service no_service = { .socket = -1 };

void session_checks_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	__builtin_trap();
}

bool session_checks_is_perf(const void *bytes, size_t size_bytes)
{
	return size_bytes >= 8 &&
	       (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0);
}

bool session_checks_open(struct session *session, const char *path,
			 const struct session_options *options)
{
	struct session_options alone = options ? *options : (struct session_options){ 0 };
	struct error err = { 0 };

	if (!alone.thread_count)
		alone.thread_count = 1;
	alone.ignores_host = true;
	alone.readers = &no_service;
	if (session_open(session, path, &alone, &err))
		return true;
	session_checks_error(&err);
	return false;
}

void session_checks_error(const struct error *err)
{
	require(err->code != ERROR_NONE && err->text[0]);
}

void session_checks_tree(const struct profile *profile)
{
	const struct stack *stacks = profile->stacks.at;
	uint64_t self = 0;

	require(profile->stacks.count > 0 && stacks[0].depth == 0);
	require(stacks[0].end == profile->stacks.count);
	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		self = saturate_add(self, stacks[i].self);
		require(stacks[i].end > i && stacks[i].end <= profile->stacks.count);
		if (!i)
			continue;
		require(stacks[i].parent < i && stacks[i].end <= stacks[stacks[i].parent].end);
		require(stacks[i].depth == stacks[stacks[i].parent].depth + 1);
		require(stacks[i].frame.i < profile->frames.count);
		require(profile_frame_name(profile, stacks[i].frame).length > 0);
	}
	require(stacks[0].total == self);
}

/* The root has the samples and the weight that were counted for the event in view. */
static void check_counts(const struct profile *profile)
{
	uint64_t samples = 0;
	uint64_t weight = 0;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		require(strings_get(profile->strings, event->name).length > 0);
		if (event->name.i != profile->event_name.i)
			continue;
		samples += event->sample_count;
		weight = saturate_add(weight, event->period_sum);
	}
	require(samples == profile->view_sample_count);
	require(weight == profile->stacks.at[0].total);
}

/*
 * Each line has frames, a blank and a number. Lines ascend, except for rows of histograms, which
 * are in the order of their buckets. The sum of the numbers is total.
 */
static void check_folded(struct text folded, uint64_t total, bool has_histograms)
{
	const char *end = folded.at + folded.length;
	struct text last = { "", 0 };
	uint64_t sum = 0;

	for (const char *at = folded.at; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct text line = { at, (uint32_t)(newline - at) };
		const char *blank;

		require(newline != NULL);
		blank = memrchr(line.at, ' ', line.length);
		require(blank != NULL && blank > line.at && blank + 1 < newline);
		sum = saturate_add(sum, strtoull(blank + 1, NULL, 10));
		line.length = (uint32_t)(blank - at);
		require(!last.length || has_histograms || text_compare(last, line) < 0);
		last = line;
		at = newline + 1;
	}
	require(sum == total);
}

static void write_all(const struct profile *profile, bool is_text, struct sink *sink)
{
	static const struct grouping columns[] = {
		{ .by = { GROUP_SYMBOL }, .count = 1 },
		{ .by = { GROUP_DSO }, .count = 1 },
		{ .by = { GROUP_COMM }, .count = 1 },
		{ .by = { GROUP_SYMBOL, GROUP_COMM, GROUP_DSO }, .count = 3 },
	};
	struct report_options options = { .limit = 0 };
	size_t table = profile->stacks.count % (2 * ARRAY_SIZE(columns));
	size_t begin = sink->used;

	folded_write(profile, sink);
	/* Counts with a decimal point do not add up as integers. */
	if (profile->unit != UNIT_MILLIONTHS)
		check_folded((struct text){ sink->buffer + begin, (uint32_t)(sink->used - begin) },
			     profile->stacks.at[0].total, is_text);
	/* One of the tables: all of them would take as long as building the profile. */
	options.columns = &columns[table / 2];
	options.format = table % 2 ? TABLE_FORMAT_JSON : TABLE_FORMAT_TEXT;
	report_write(profile, &options, sink);
	info_write_json(profile, NULL, sink);
}

void session_checks_build(struct session *session)
{
	struct error err = { 0 };
	struct sink sink;

	if (!session_build_profile(session, &err)) {
		session_checks_error(&err);
		return;
	}
	session_checks_tree(&session->profile);
	check_counts(&session->profile);
	sink_init_memory(&sink);
	write_all(&session->profile, session_is_text(session), &sink);
	sink_deinit(&sink);
}
