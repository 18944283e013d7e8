/* SPDX-License-Identifier: MIT */
/*
 * A capture from its bytes to what the commands print. Beside that nothing crashes: the tree of
 * stacks is a tree, nothing that was counted is lost between samples, sums and outputs, and the
 * number of threads cannot be seen in what is written.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "render/text/folded.h"
#include "render/text/info.h"
#include "render/text/latency.h"
#include "render/text/report.h"
#include "render/text/script.h"
#include "session/off_cpu.h"
#include "session/visit.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Every so many inputs are read by two threads as well, and sample by sample. */
#define THREADS_EVERY 16
#define SCRIPT_EVERY  4

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_tree(const struct profile *profile)
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

/* What was counted of the event in view is what the root has, in samples and in weight. */
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

/* Each line is frames, a blank and a number; lines ascend; the numbers add up. */
static void check_folded(struct text folded, uint64_t total)
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
		require(!last.length || text_compare(last, line) < 0);
		last = line;
		at = newline + 1;
	}
	require(sum == total);
}

static void write_all(const struct profile *profile, struct sink *sink)
{
	static const struct grouping columns[] = {
		{ .by = { GROUP_SYMBOL }, .count = 1 },
		{ .by = { GROUP_DSO }, .count = 1 },
		{ .by = { GROUP_COMM }, .count = 1 },
		{ .by = { GROUP_SYMBOL, GROUP_COMM, GROUP_DSO }, .count = 3 },
	};
	size_t begin = sink->used;

	folded_write(profile, sink);
	/* Counts with a decimal point do not add up as integers. */
	if (profile->unit != UNIT_MILLIONTHS)
		check_folded((struct text){ sink->buffer + begin, (uint32_t)(sink->used - begin) },
			     profile->stacks.at[0].total);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		for (int is_json = 0; is_json < 2; is_json++)
			report_write(profile,
				     &(struct report_options){ .columns = &columns[i],
							       .is_json = is_json },
				     sink);
	info_write_json(profile, NULL, sink);
}

static bool open_session(struct session *session, const char *path,
			 const struct session_options *options)
{
	struct error err = { 0 };

	if (!session_open(session, path, options, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return false;
	}
	return true;
}

static int compare_offsets(const void *a, const void *b)
{
	const struct sample_row *left = a;
	const struct sample_row *right = b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Slices are long; cut behind every sample there is work for several threads in a small input. */
static void cut_slices(struct session *session)
{
	struct session_options options = session->options;
	struct session index;
	struct error err;
	VEC(struct slice) cut = { 0 };
	size_t row = 0;

	require(open_session(&index, session->capture.input.name, &options));
	require(session_index_samples(&index, &err));
	if (index.rows.count)
		qsort(index.rows.at, index.rows.count, sizeof(*index.rows.at), compare_offsets);
	for (size_t i = 0; i < session->capture.slices.count; i++) {
		struct slice slice = session->capture.slices.at[i];

		for (; row < index.rows.count && index.rows.at[row].offset < slice.end; row++) {
			uint64_t offset = index.rows.at[row].offset;

			require(offset >= slice.begin);
			if (offset == slice.begin)
				continue;
			vec_push(&cut, (struct slice){ .begin = slice.begin, .end = offset });
			slice.begin = offset;
		}
		vec_push(&cut, slice);
	}
	session_close(&index);
	session->capture.slices.count = 0;
	for (size_t i = 0; i < cut.count; i++)
		vec_push(&session->capture.slices, cut.at[i]);
	vec_free(&cut);
}

/* False when the input cannot be read, which the error then says. */
static bool build(const char *path, unsigned thread_count, bool uses_perf_names, struct sink *sink)
{
	const struct view view = {
		.grouping = GROUPING_BY_COMM,
		.is_reversed = uses_perf_names,
		.naming.uses_perf_names = uses_perf_names,
	};
	struct session_options options = {
		.view = &view,
		.thread_count = thread_count,
		.ignores_host = true,
	};
	struct session session;
	struct error err = { 0 };
	bool good;

	if (!open_session(&session, path, &options))
		return false;
	if (thread_count > 1)
		cut_slices(&session);
	/* Only now: a capture without branches would be refused. */
	session.view.has_branch_history = !uses_perf_names;
	good = session_build_profile(&session, &err);
	if (good) {
		check_tree(&session.profile);
		check_counts(&session.profile);
		write_all(&session.profile, sink);
	} else {
		require(err.code != ERROR_NONE && err.text[0]);
	}
	session_close(&session);
	return good;
}

/* The time between what the capture has, as it is asked for. */
static void build_intervals(const char *path, const struct pairing_options *pairing)
{
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.pairing = pairing,
	};
	struct session session;
	struct error err = { 0 };
	struct sink sink;

	if (!open_session(&session, path, &options))
		return;
	sink_init_memory(&sink);
	if (session_build_offcpu(&session, &err)) {
		check_tree(&session.profile);
		require(session.profile.view_sample_count <=
				session.offcpu.pairing.intervals.count ||
			!session.offcpu.has_intervals);
		latency_write(&session.profile, &(struct latency_options){ .row_name = "stack" },
			      &sink);
	} else {
		require(err.code != ERROR_NONE && err.text[0]);
	}
	sink_deinit(&sink);
	session_close(&session);
}

static void build_all_intervals(const char *path)
{
	static const struct pairing_options pairings[] = {
		{ .has_preempted = true,
		  .open = PAIRING_OPEN_INCLUDE,
		  .is_forced = true,
		  .reads_records = true },
		{ .has_run_queue = true, .has_waker_chain = true, .is_forced = true },
		{ .is_wall = true, .is_forced = true, .reads_records = true },
		{ .groups_by_duration = true, .has_wakers = true, .is_forced = true },
		{ .span = "sched:sched_switch,raw_syscalls:sys_enter", .is_forced = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairings); i++)
		build_intervals(path, &pairings[i]);
}

static void check_threads(const char *path, const struct sink *one)
{
	struct sink two;

	sink_init_memory(&two);
	require(build(path, 2, false, &two));
	require(text_equal(sink_memory(one), sink_memory(&two)));
	sink_deinit(&two);
}

struct printer {
	struct script_writer writer;
	struct sink sink;
	uint64_t count;
	uint64_t visited_count; /* a line of text may stand for no sample */
};

static void print(void *context, const struct visited_sample *visited)
{
	struct printer *printer = context;
	struct script_sample sample = {
		.sample = visited->sample,
		.time_ns = visited->time_ns,
		.comm = visited->comm,
		.event = visited->event,
		.frames = visited->frames,
		.frame_count = visited->frame_count,
	};

	/* A line of folded stacks stands for many. */
	printer->visited_count++;
	printer->count = saturate_add(
		printer->count, visited->sample->text ? visited->sample->text->sample_count : 1);
	printer->sink.used = 0;
	script_write(&printer->writer, &sample, &printer->sink);
	require(printer->sink.used > 0);
}

static void print_samples(const char *path)
{
	struct session_options options = { .thread_count = 1, .ignores_host = true };
	struct script_options all = { .fields = UINT32_MAX };
	struct printer printer = { .count = 0 };
	struct session session;
	struct error err;

	if (!open_session(&session, path, &options))
		return;
	if (session_index_samples(&session, &err)) {
		sink_init_memory(&printer.sink);
		script_writer_init(&printer.writer, &session.profile, &session.locations, &all);
		require(session_visit_samples(&session, print, &printer, &err));
		/* A record that reads a group of counters is a sample of each. */
		require(printer.visited_count >= session.rows.count);
		require(printer.count == session.profile.sample_count);
		script_writer_deinit(&printer.writer);
		sink_deinit(&printer.sink);
	}
	session_close(&session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static unsigned count;
	struct memory_file file;
	struct sink sink;

	memory_file_open(&file, bytes, size);
	sink_init_memory(&sink);
	if (build(file.path, 1, false, &sink)) {
		if (count % THREADS_EVERY == 0)
			check_threads(file.path, &sink);
		if (count % SCRIPT_EVERY == 0) {
			print_samples(file.path);
			(void)build(file.path, 1, true, &sink);
			build_all_intervals(file.path);
		}
		count++;
	}
	sink_deinit(&sink);
	memory_file_close(&file);
	return 0;
}
