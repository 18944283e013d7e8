/* SPDX-License-Identifier: MIT */
/* What was mapped and running when a sample was taken, wherever the records are in the file. */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "session/visit.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

static void put_sample(struct perf_writer *writer, uint64_t time_ns)
{
	perf_writer_sample(writer, &(struct writer_sample){
					   .misc = CPU_MODE_USER,
					   .ip = 0x1010,
					   .pid = 5,
					   .tid = 5,
					   .time_ns = time_ns,
				   });
}

/*
 * A program loads one library, and then another at the same address. perf record --per-thread
 * writes no times, except in FORK records.
 */
static void begin_history(struct perf_writer *writer, bool has_times, bool is_pipe)
{
	struct perf_attr attr = {
		.type = TYPE_RAW,
		.sample_type = SAMPLE_IP | SAMPLE_TID | (has_times ? SAMPLE_TIME : 0),
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_COMM_EXEC,
	};
	struct writer_mmap mmap = {
		.pid = 5, .tid = 5, .address = 0x1000, .length = 0x1000, .path = "/lib/a.so"
	};
	uint64_t id = 40;

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	writer->is_pipe = is_pipe;
	perf_writer_event(writer, "loads", &attr, &id, 1);
	perf_writer_comm(writer, 1000, 4, 4, "shell", 0);
	perf_writer_fork(writer, 1010, 5, 4, 5, 4, 0);
	put_sample(writer, 1020);
	perf_writer_comm(writer, 1030, 5, 5, "app", MISC_COMM_EXEC);
	perf_writer_mmap(writer, 1040, &mmap);
	put_sample(writer, 1050);
	put_sample(writer, 1060);
	mmap.path = "/lib/b.so";
	perf_writer_mmap(writer, 1070, &mmap);
	put_sample(writer, 1080);
	perf_writer_comm(writer, 1090, 5, 5, "renamed", 0);
	put_sample(writer, 1100);
}

static void write_history(struct perf_writer *writer, bool has_times, bool is_pipe)
{
	begin_history(writer, has_times, is_pipe);
	perf_writer_finish(writer);
}

#define PIPE_HEADER_BYTES 16

/* Moves the attr, which is the first record of a pipe, to the end. */
static void move_attr(struct perf_writer *writer)
{
	unsigned char *attr = writer->file.at + PIPE_HEADER_BYTES;
	size_t size_bytes = attr[6] | (size_t)attr[7] << 8;
	size_t rest_bytes = writer->file.count - PIPE_HEADER_BYTES - size_bytes;
	unsigned char copy[256];

	cr_assert_leq(size_bytes, sizeof(copy));
	memcpy(copy, attr, size_bytes);
	memmove(attr, attr + size_bytes, rest_bytes);
	memcpy(attr + rest_bytes, copy, size_bytes);
}

#define HISTORY "app;[a.so] 2\napp;[b.so] 1\nrenamed;[b.so] 1\nshell;[unknown] 1\n"

static void expect_folded(struct perf_writer *writer, const char *expected, const char *what,
			  bool is_partial)
{
	struct session_options options = { .ignores_host = true, .thread_count = 2 };
	struct memory_file file;
	struct session session;
	struct error err;
	struct sink sink;

	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(&sink);
	folded_write(&session.profile, &sink);
	cr_expect(text_is(sink_memory(&sink), expected), "%s: %.*s", what, (int)sink.used,
		  sink.buffer);
	cr_expect_eq(session.capture.is_partial, is_partial, "%s", what);
	sink_deinit(&sink);
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(writer);
}

static void expect_history(struct perf_writer *writer, const char *what, bool is_partial)
{
	expect_folded(writer, HISTORY, what, is_partial);
}

Test(session_history, samples_have_the_state_of_their_time_or_place)
{
	struct perf_writer writer;

	write_history(&writer, true, false);
	expect_history(&writer, "with times", false);
	write_history(&writer, false, false);
	expect_history(&writer, "without times", false);
	write_history(&writer, false, true);
	expect_history(&writer, "without times, piped", false);
	assert_no_leaks();
}

/* perf record --tail-synthesize: what was mapped before the capture follows the samples. */
Test(session_history, records_that_perf_synthesized_may_follow_the_samples)
{
	static const struct writer_mmap mmap = {
		.pid = 6, .address = 0x1000, .length = 0x1000, .path = "/lib/c.so"
	};
	static const struct writer_sample sample = {
		.misc = CPU_MODE_USER, .ip = 0x1010, .pid = 6, .tid = 6, .time_ns = 1110
	};

	for (int has_times = 0; has_times < 2; has_times++) {
		struct perf_writer writer;

		begin_history(&writer, has_times, true);
		perf_writer_sample(&writer, &sample);
		perf_writer_mmap(&writer, 0, &mmap);
		perf_writer_finish(&writer);
		expect_folded(&writer, ":6;[c.so] 1\n" HISTORY,
			      has_times ? "with times" : "without times", false);
	}
	assert_no_leaks();
}

/* As perf record --tail-synthesize writes a pipe. */
Test(session_history, attrs_may_follow_all_other_records)
{
	struct perf_writer writer;

	write_history(&writer, true, true);
	move_attr(&writer);
	expect_history(&writer, "with times", false);
	write_history(&writer, false, true);
	move_attr(&writer);
	expect_history(&writer, "without times", false);
	assert_no_leaks();
}

/* A corrupt attr after the others ends the capture, but does not refuse what precedes it. */
Test(session_history, a_late_attr_may_be_corrupt)
{
	static const unsigned char corrupt[16] = { [0] = RECORD_HEADER_ATTR, [6] = 16, [12] = 255 };
	struct perf_writer writer;

	write_history(&writer, true, true);
	move_attr(&writer);
	for (size_t i = 0; i < sizeof(corrupt); i++)
		vec_push(&writer.file, corrupt[i]);
	expect_history(&writer, "with a corrupt attr", true);
	assert_no_leaks();
}

struct visits {
	const struct session *session;
	struct sink paths; /* of what is mapped at the samples */
};

static void visit(void *context, const struct visited_sample *visited)
{
	struct visits *visits = context;
	const struct process_history *history = &visits->session->state.history;
	const struct event_sample *sample = visited->sample;
	space_id space =
		process_history_find(history, sample->pid, sample->tid, visited->state_time_ns)
			.space;
	const struct mapping *mapping = address_spaces_find(&history->spaces, space, sample->ip);
	const struct modules *modules = visits->session->profile.modules;

	sink_printf(&visits->paths, "%s ",
		    mapping ? strings_text(visits->session->profile.strings,
					   modules_get(modules, mapping->module)->path)
			    : "-");
}

Test(session_history, visited_samples_can_be_looked_up)
{
	for (int has_times = 0; has_times < 2; has_times++) {
		struct session_options options = { .ignores_host = true };
		struct session session;
		struct visits visits = { .session = &session };
		struct perf_writer writer;
		struct memory_file file;
		struct error err;

		write_history(&writer, has_times, false);
		memory_file_open(&file, writer.file.at, writer.file.count);
		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		cr_assert(session_index_samples(&session, &err), "%s", err.text);
		sink_init_memory(&visits.paths);
		cr_assert(session_visit_samples(&session, visit, &visits, &err), "%s", err.text);
		cr_expect(text_is(sink_memory(&visits.paths),
				  "- /lib/a.so /lib/a.so /lib/b.so /lib/b.so "),
			  "%d: %.*s", has_times, (int)visits.paths.used, visits.paths.buffer);
		sink_deinit(&visits.paths);
		session_close(&session);
		memory_file_close(&file);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
