/* SPDX-License-Identifier: MIT */
#include "session/sampling.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "profile/tree/stack_merger.h"
#include "render/text/folded.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/random.h"

#define SAMPLES 3000
/*
 * type, misc and size; ip; pid, tid; time; period; number of addresses, mark, two addresses, mark,
 * three addresses; cgroup
 */
#define SAMPLE_BYTES (8 + 8 + 8 + 8 + 8 + 8 + 24 + 32 + 8)

static void write_capture(struct perf_writer *writer)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_CPU_CLOCK,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD |
			       SAMPLE_CALLCHAIN | SAMPLE_CGROUP,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	struct random random = { 7 };

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	for (uint32_t i = 0; i < 4; i++)
		perf_writer_ksymbol(writer, 1, 0xffffffffc0000000 + 0x100ull * i, 0x100, 0,
				    (const char *const[]){ "first", "second", "third", "last" }[i]);
	for (uint32_t i = 0; i < 3; i++)
		perf_writer_comm(writer, 1, 7 + i, 7 + i,
				 (const char *const[]){ "zeta", "alpha", "beta" }[i], 0);
	/* The same code at another address in each process. */
	for (uint32_t i = 0; i < 3; i++)
		perf_writer_mmap(writer, 1,
				 &(struct writer_mmap){ .pid = 7 + i,
							.tid = 7 + i,
							.address = 0x10000ull * (7 + i),
							.length = 0x2000,
							.path = "/bin/app" });
	for (uint64_t i = 0; i < SAMPLES; i++) {
		/* Each thread appears in several slices, the last one late. */
		uint32_t tid = i % 101 < 60 ? 7 : i % 101 < 90 || i < SAMPLES / 2 ? 8 : 9;
		uint64_t base = 0xffffffffc0000000;
		uint64_t ips[] = { CALLCHAIN_KERNEL, base + random_below(&random, 0x400),
				   base + random_below(&random, 0x400), CALLCHAIN_USER,
				   /* The last page is not mapped. */
				   0x10000ull * tid + random_below(&random, 0x3000),
				   0x10000ull * tid + random_below(&random, 0x20),
				   0x10000ull * tid + 0x10 + random_below(&random, 2) * 0x2ff0 };

		perf_writer_sample(writer,
				   &(struct writer_sample){ .misc = CPU_MODE_KERNEL,
							    .ip = ips[1],
							    .pid = tid,
							    .tid = tid,
							    .time_ns = 100 + i,
							    .period = i + 1,
							    .ips = ips,
							    .ip_count = ARRAY_SIZE(ips),
							    .cgroup = 9 - i * 8 / SAMPLES });
	}
	perf_writer_finish(writer);
}

#define TEXT_SAMPLE_BYTES 235

/*
 * Writes the same samples in the form of perf script: frames of the kernel, of a program, and of
 * Java methods that were inlined into others. Each of them is the leaf of some samples.
 */
static void write_text(struct sink *text)
{
	static const char *const comms[] = { "alpha", "gamma", "delta" };
	struct random random = { 7 };

	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t tid = i % 101 < 60 ? 7 : i % 101 < 90 || i < SAMPLES / 2 ? 8 : 9;
		char frames[3][64];

		snprintf(frames[0], sizeof(frames[0]), "\t%16x k%x+0x%x ([kernel.kallsyms])\n",
			 (unsigned)random_below(&random, 0x400), i % 16, tid);
		snprintf(frames[1], sizeof(frames[1]), "\t%16x read_%04x+0x1 (/bin/app)\n",
			 (unsigned)random_below(&random, 0x400), i);
		snprintf(frames[2], sizeof(frames[2]),
			 "\t%16x La;::a%x->Lb;::b (/tmp/perf-7.map)\n",
			 (unsigned)random_below(&random, 0x20), i % 16);
		sink_printf(text, "%s %u/%u [000] %8u.%06u: %9u cpu-clock: \n", comms[tid - 7], tid,
			    tid, 100u, i, i + 1);
		for (uint32_t k = 0; k < 3; k++)
			sink_puts(text, frames[(i + k) % 3]);
		sink_printf(text, "\t%16x main+0x40 (/bin/app)\n\n",
			    0x10 + random_below(&random, 2));
	}
}

/* Replaces the slices by slices of this many samples each. */
static void cut_slices(struct session *session, size_t samples, uint64_t sample_count)
{
	bool is_text = session_is_text(session);
	struct capture *capture = &session->capture;
	uint64_t end = capture->slices.at[capture->slices.count - 1].end;
	/* The first slice also has the records before the samples. */
	uint64_t begin = capture->slices.at[0].begin;

	capture->slices.count = 0;
	for (uint64_t left = SAMPLES; left;) {
		uint64_t taken = left < samples ? left : samples;
		uint64_t next;

		left -= taken;
		next = end - left * (is_text ? TEXT_SAMPLE_BYTES : SAMPLE_BYTES);
		vec_push(&capture->slices, (struct slice){ begin, next, sample_count });
		begin = next;
	}
}

static void on_progress(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
	atomic_size_t *call_count = context;

	(void)done_bytes;
	(void)total_bytes;
	(*call_count)++;
}

struct division {
	const char *what;
	unsigned thread_count;
	size_t samples_per_slice;
	uint64_t sample_count; /* of the slices: a hint that decides the rounds */
	size_t callchains_kept;
	size_t stacks_kept_bytes;
};

static const struct division divisions[] = {
	{ "one slice, more threads", 4, SAMPLES, 0, 0, 0 },
	{ "a slice for each thread", 3, SAMPLES / 3, 0, 0, 0 },
	{ "as many slices as one round has", 2, SAMPLES / 32, 0, 0, 0 },
	{ "several rounds, sizes unknown", 2, 17, 0, 0, 0 },
	{ "several rounds, many samples", 3, 17, (uint64_t)1 << 40, 0, 0 },
	{ "one round, as few samples", 2, 17, 17, 0, 0 },
	{ "a slice for each sample", 4, 1, 0, 0, 0 },
	{ "one worker", 1, 1, 0, 0, 0 },
	{ "callchains resolved after each round", 3, 17, 0, 1, 0 },
	{ "callchains resolved after some rounds", 2, 3, 0, 400, 0 },
	{ "one worker that resolves several times", 1, 1, 0, 10, 0 },
	{ "stacks merged after each round", 3, 17, 0, 0, 1 },
	{ "callchains and stacks merged after each round", 2, 17, 0, 1, 1 },
	{ "stacks merged after some rounds", 2, 3, 0, 1, 40000 },
	{ "one worker that merges stacks", 1, 1, 0, 1, 1 },
};
static const struct division whole = { "whole", 1, SAMPLES, 0, 0, 0 };

#define VIEW_COUNT 4

/* What decides which stacks there are. */
static const struct view views[VIEW_COUNT] = {
	{ .grouping = GROUPING_BY_COMM, .naming.shows_offsets = true },
	{ .grouping = { .by = { GROUP_CGROUP, GROUP_COMM }, .count = 2 } },
	{ .grouping = { .by = { GROUP_TID }, .count = 1 },
	  .naming.shows_offsets = true,
	  .selection.user_only = true },
	{ .grouping = { .by = { GROUP_DSO }, .count = 1 }, .selection.kernel_only = true },
};

/* Text captures have no cgroups. */
static const struct view text_views[VIEW_COUNT] = {
	{ .grouping = GROUPING_BY_COMM, .naming.shows_offsets = true },
	{ .grouping = { .by = { GROUP_TID }, .count = 1 }, .selection.user_only = true },
	{ .grouping = { .by = { GROUP_DSO }, .count = 1 }, .selection.kernel_only = true },
	{ .grouping = GROUPING_BY_COMM, .selection.depth_max = 2, .is_reversed = true },
};

static void fold(const struct memory_file *file, const struct division *division,
		 const struct view *view, struct sink *sink)
{
	atomic_size_t call_count = 0;
	struct session_options options = {
		.view = view,
		.thread_count = division->thread_count,
		.ignores_host = true,
		.on_progress = on_progress,
		.progress_context = &call_count,
		.callchains_kept = division->callchains_kept,
		.stacks_kept_bytes = division->stacks_kept_bytes,
	};
	struct session session;
	struct error err;

	cr_assert(session_open(&session, file->path, &options, &err), "%s", err.text);
	cut_slices(&session, division->samples_per_slice, division->sample_count);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	cr_expect_eq(session.profile.sample_count, SAMPLES, "%s", division->what);
	cr_expect_eq(call_count, session.capture.slices.count, "%s", division->what);
	folded_write(&session.profile, sink);
	/* Exports list frames in this order. */
	for (uint32_t i = 0; i < session.profile.frames.count; i++) {
		sink_text(sink, profile_frame_name(&session.profile, (frame_id){ i }));
		sink_char(sink, '\n');
	}
	sink_char(sink, '\0');
	session_close(&session);
}

/* The result is the same, as the divisions below show. */
Test(sampling, a_memory_limit_makes_rounds_smaller)
{
	static const struct {
		uint64_t memory_bytes;
		size_t callchains, callchain_bytes, stack_bytes;
	} rows[] = {
		{ 64 << 20, 1 << 13, 2 << 20, 4 << 20 },
		{ (uint64_t)1 << 40, 1 << 19, 128 << 20, 256 << 20 },
	};
	struct perf_writer writer;
	struct memory_file file;

	write_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct session_options options = { .thread_count = 2,
						   .ignores_host = true,
						   .memory_bytes = rows[i].memory_bytes };
		struct sampling sampling = { 0 };
		struct session session;
		struct error err;

		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		sampling_init(&sampling, &session, false);
		cr_expect_eq(sampling.callchains_kept, rows[i].callchains);
		cr_expect_eq(sampling.callchains_kept_bytes, rows[i].callchain_bytes);
		cr_expect_eq(sampling.stacks_kept_bytes, rows[i].stack_bytes);
		sampling_deinit(&sampling);
		session_close(&session);
	}
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* Each division with two of the views, in turn: all of them take a minute with sanitizers. */
static void check_divisions(const struct memory_file *file, const struct view shown[VIEW_COUNT],
			    const struct sink expected[VIEW_COUNT])
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(divisions); i++) {
		const struct division *division = &divisions[i / 2];
		size_t view = (i / 2 + i % 2) % VIEW_COUNT;
		struct sink got;

		sink_init_memory(&got);
		fold(file, division, &shown[view], &got);
		cr_expect_str_eq(got.buffer, expected[view].buffer, "%s, view %zu", division->what,
				 view);
		sink_deinit(&got);
	}
}

/* For any division into slices, rounds and workers, each sample is read once. */
Test(sampling, divisions_make_no_difference)
{
	struct perf_writer writer;
	struct memory_file file;
	struct sink expected[VIEW_COUNT];

	write_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	for (size_t i = 0; i < VIEW_COUNT; i++) {
		sink_init_memory(&expected[i]);
		fold(&file, &whole, &views[i], &expected[i]);
	}
	cr_assert(strstr(expected[0].buffer, "beta;[app+0x10];[app+0x"), "%s", expected[0].buffer);
	cr_assert(strstr(expected[0].buffer, "[unknown];[app+0x"), "%s", expected[0].buffer);
	cr_assert(strstr(expected[0].buffer, ";last"), "%s", expected[0].buffer);
	cr_assert(strstr(expected[1].buffer, "cgroup 5;beta;"), "%s", expected[1].buffer);
	cr_assert_not(strstr(expected[2].buffer, "first"), "%s", expected[2].buffer);
	cr_assert_not(strstr(expected[3].buffer, "app"), "%s", expected[3].buffer);
	check_divisions(&file, views, expected);
	for (size_t i = 0; i < VIEW_COUNT; i++)
		sink_deinit(&expected[i]);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* For one view only: so many threads take half a minute in an emulator. */
Test(sampling, more_workers_than_parts_of_stacks)
{
	static const struct division many = { "many workers", STACK_PARTS_COUNT + 1, 1, 0, 1, 0 };
	struct perf_writer writer;
	struct memory_file file;
	struct sink expected, got;

	write_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	sink_init_memory(&expected);
	fold(&file, &whole, &views[0], &expected);
	sink_init_memory(&got);
	fold(&file, &many, &views[0], &got);
	cr_expect_str_eq(got.buffer, expected.buffer);
	sink_deinit(&got);
	sink_deinit(&expected);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* Raw texts become frames only at the end, whenever their samples are resolved. */
Test(sampling, divisions_of_a_text_make_no_difference)
{
	/* A caller of several frames, and a leaf of several frames. */
	static const char *const contained[][2] = {
		{ "alpha;main;La:::a0;Lb:::b;read_0000;k0 1\n",
		  "alpha;main;read_0002;k2;La:::a2;Lb:::b 3\n" },
		{ "tid 7;main;La:::a0;Lb:::b;read_0000 1\n",
		  "tid 7;main;read_0002;La:::a2;Lb:::b 3\n" },
		{ "[kernel.kallsyms];k0", "[kernel.kallsyms];k1" },
		{ "gamma;k1;read_", "gamma;Lb:::b;La:::a" },
	};
	struct memory_file file;
	struct sink expected[VIEW_COUNT];
	struct sink text;

	sink_init_memory(&text);
	write_text(&text);
	cr_assert_eq(text.used, SAMPLES * TEXT_SAMPLE_BYTES, "%zu", text.used);
	memory_file_open(&file, text.buffer, text.used);
	for (size_t i = 0; i < VIEW_COUNT; i++) {
		sink_init_memory(&expected[i]);
		fold(&file, &whole, &text_views[i], &expected[i]);
		for (size_t k = 0; k < 2; k++)
			cr_expect(strstr(expected[i].buffer, contained[i][k]), "%s: %.300s",
				  contained[i][k], expected[i].buffer);
	}
	check_divisions(&file, text_views, expected);
	for (size_t i = 0; i < VIEW_COUNT; i++)
		sink_deinit(&expected[i]);
	memory_file_close(&file);
	sink_deinit(&text);
	assert_no_leaks();
}

/* Of each hundred samples, this many have new stacks: in the first half, and in the second. */
static void write_repeating(struct sink *text, const uint32_t new_of_hundred[2])
{
	uint32_t stack_count = 0;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		bool is_new = i % 100 < new_of_hundred[i >= SAMPLES / 2];
		uint32_t stack = is_new ? stack_count++ : i % stack_count;

		sink_printf(text, "app 7/7 [000] %8u.%06u: %9u cpu-clock: \n", 100u, i, 1u);
		sink_printf(text, "\t%16x main_%0146u (/bin/app)\n\n", stack, stack);
	}
}

static bool sampling_finds_few_repeated(const struct sink *text)
{
	struct session_options options = { .thread_count = 1, .ignores_host = true };
	struct sampling sampling;
	struct memory_file file;
	struct session session;
	struct error err;
	bool found;

	cr_assert_eq(text->used, SAMPLES * TEXT_SAMPLE_BYTES, "%zu", text->used);
	memory_file_open(&file, text->buffer, text->used);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cut_slices(&session, SAMPLES / 16, 0);
	sampling_init(&sampling, &session, false);
	cr_assert(sampling_read(&sampling, &session, &err), "%s", err.text);
	found = sampling.resolves_rounds;
	sampling_deinit(&sampling);
	session_close(&session);
	memory_file_close(&file);
	return found;
}

/* Callchains that hardly repeat are not merged. If fewer are new later, they will repeat. */
Test(sampling, callchains_that_hardly_repeat)
{
	static const struct {
		const char *what;
		uint32_t new_of_hundred[2];
		bool hardly_repeat;
	} rows[] = {
		{ "all are new", { 100, 100 }, true },
		{ "most are new", { 70, 67 }, true },
		{ "fewer are new later", { 74, 60 }, false },
		{ "all are new at first", { 100, 60 }, false },
		{ "few are new", { 20, 40 }, false },
		{ "all are new later", { 20, 100 }, true },
		{ "hardly any is new", { 1, 0 }, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink text;

		sink_init_memory(&text);
		write_repeating(&text, rows[i].new_of_hundred);
		cr_expect_eq(sampling_finds_few_repeated(&text), rows[i].hardly_repeat, "%s",
			     rows[i].what);
		sink_deinit(&text);
	}
	assert_no_leaks();
}

/* There is no worker without a slice. */
Test(sampling, workers)
{
	static const struct {
		unsigned thread_count;
		size_t slices, workers;
	} rows[] = {
		{ 1, 1, 1 }, { 4, 0, 1 }, { 4, 1, 1 }, { 4, 100, 4 }, { 64, 100, 64 }, { 64, 9, 9 },
	};
	struct perf_writer writer;
	struct memory_file file;

	write_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct session_options options = { .thread_count = rows[i].thread_count,
						   .ignores_host = true };
		struct sampling sampling;
		struct session session;
		struct error err;

		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		session.capture.slices.count = 0;
		for (size_t k = 0; k < rows[i].slices; k++)
			vec_push(&session.capture.slices, (struct slice){ 0 });
		sampling_init(&sampling, &session, false);
		cr_expect_eq(sampling.count, rows[i].workers, "row %zu: %zu", i, sampling.count);
		cr_expect_not(sampling.keeps_tries);
		sampling_deinit(&sampling);
		session_close(&session);
	}
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* Folded input is kept as tries unless an option needs its frames or their order. */
Test(sampling, tries)
{
	static const char folded[] = "a;b 1\na;c 2\n";
	static const struct {
		const char *what;
		struct view view;
		bool keeps_rows, keeps_tries;
	} rows[] = {
		{ "plain", { .is_reversed = false }, false, true },
		{ "rows", { .is_reversed = false }, true, false },
		{ "reversed", { .is_reversed = true }, false, false },
		{ "by DSO", { .grouping = { .by = { GROUP_DSO }, .count = 1 } }, false, false },
		{ "interpreter frames",
		  { .naming.interpreter = INTERPRETER_HIDDEN },
		  false,
		  false },
		{ "depth", { .selection.depth_max = 1 }, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct session_options options = { .view = &rows[i].view, .thread_count = 1 };
		struct sampling sampling;
		struct memory_file file;
		struct session session;
		struct error err;

		memory_file_open(&file, folded, sizeof(folded) - 1);
		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		sampling_init(&sampling, &session, rows[i].keeps_rows);
		cr_expect_eq(sampling.keeps_tries, rows[i].keeps_tries, "%s", rows[i].what);
		sampling_deinit(&sampling);
		session_close(&session);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

#define LINES_PER_SLICE 20

/* Slices of folded text begin at any line. */
static void cut_lines(struct capture *capture, const char *text)
{
	uint64_t end = capture->slices.at[capture->slices.count - 1].end;
	uint64_t begin = capture->slices.at[0].begin;
	size_t line_count = 0;

	capture->slices.count = 0;
	for (uint64_t at = begin; at < end; at++) {
		if (text[at] != '\n' || (++line_count % LINES_PER_SLICE && at + 1 < end))
			continue;
		vec_push(&capture->slices, (struct slice){ begin, at + 1, 0 });
		begin = at + 1;
	}
}

/* Line numbers count from the beginning of the file, whichever worker skipped the line first. */
Test(sampling, first_skipped_line)
{
	static const unsigned threads[] = { 1, 2, 8 };
	struct sink text;

	sink_init_memory(&text);
	for (int i = 1; i <= 2000; i++)
		sink_printf(&text, i == 777 || i == 1500 ? "no number here\n" : "main;f%d %d\n",
			    i % 50, i);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		struct session_options options = { .thread_count = threads[i] };
		struct memory_file file;
		struct session session;
		struct error err;

		memory_file_open(&file, text.buffer, text.used);
		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		cut_lines(&session.capture, text.buffer);
		cr_assert(session_build_profile(&session, &err), "%s", err.text);
		cr_expect_eq(session.profile.first_skipped_line, 777, "%u threads: %lu", threads[i],
			     (unsigned long)session.profile.first_skipped_line);
		cr_expect_eq(session.profile.losses[LOSS_SKIPPED_LINES], 2);
		session_close(&session);
		memory_file_close(&file);
	}
	sink_deinit(&text);
	assert_no_leaks();
}
