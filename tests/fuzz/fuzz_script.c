/* SPDX-License-Identifier: MIT */
/*
 * Single samples in the order of time, with all fields, as kiln script prints them.
 */
#include <stdint.h>

#include "base/arithmetic.h"
#include "render/text/script.h"
#include "session/visit.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

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

	/* A line of folded stacks stands for many samples. */
	printer->visited_count++;
	printer->count = saturate_add(
		printer->count, visited->sample->text ? visited->sample->text->sample_count : 1);
	printer->sink.used = 0;
	script_write(&printer->writer, &sample, &printer->sink);
	require(printer->sink.used > 0);
}

static void print_samples(struct session *session)
{
	struct script_options all = { .fields = UINT32_MAX };
	struct printer printer = { .count = 0 };
	struct error err = { 0 };

	if (!session_index_samples(session, &err)) {
		session_checks_error(&err);
		return;
	}
	sink_init_memory(&printer.sink);
	script_writer_init(&printer.writer, &session->profile, &session->locations, &all);
	require(session_visit_samples(session, print, &printer, &err));
	/* A record with the counters of a group is one sample of each counter. */
	require(printer.visited_count >= session->rows.count);
	require(printer.count == session->profile.sample_count);
	script_writer_deinit(&printer.writer);
	sink_deinit(&printer.sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct session_options options = { .wants_trace = true, .shows_recorded = true };
	struct session session;

	if (!session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return 0;
	print_samples(&session);
	session_close(&session);
	return 0;
}
