/* SPDX-License-Identifier: MIT */
#include "session/time_span.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "profile/selection_time.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

static void ignore(void *context, const struct event *event)
{
	(void)context;
	(void)event;
}

/* A capture of samples at 300, 200, 100, as many as count, with the header's own idea. */
static void write_capture(struct perf_writer *writer, uint64_t sample_type, size_t count,
			  uint64_t header_first, uint64_t header_last)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_CPU_CLOCK,
		.sample_type = sample_type,
		.sample_period = 1,
	};
	uint64_t id = 7;

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, &id, 1);
	for (size_t i = 0; i < count; i++)
		perf_writer_sample(writer, &(struct writer_sample){
						   .time_ns = 100 + (i * 2 + 2) % 3 * 100,
					   });
	perf_writer_feature_begin(writer, FEATURE_SAMPLE_TIME);
	perf_writer_put_u64(writer, header_first);
	perf_writer_put_u64(writer, header_last);
	perf_writer_feature_end(writer);
	perf_writer_finish(writer);
}

Test(time_span, of_the_header_or_of_the_samples)
{
	static const struct {
		uint64_t sample_type;
		size_t count;
		uint64_t header_first, header_last;
		bool has_span;
		uint64_t first, last; /* of the second half */
	} rows[] = {
		{ SAMPLE_IP | SAMPLE_TIME, 3, 1000, 2000, true, 1500, 2000 },
		{ SAMPLE_IP | SAMPLE_TIME, 3, 0, 0, true, 200, 300 },
		/* One that makes no sense is not believed. */
		{ SAMPLE_IP | SAMPLE_TIME, 3, 2000, 1000, true, 200, 300 },
		{ SAMPLE_IP | SAMPLE_TIME, 1, 0, 0, true, 300, 300 },
		{ SAMPLE_IP | SAMPLE_TIME, 0, 0, 0, false, 0, 0 },
		{ SAMPLE_IP, 3, 0, 0, false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sink sink = { .take = ignore };
		struct selection selection = { 0 };
		struct perf_writer writer;
		struct memory_file file;
		struct capture capture;
		struct error err;

		write_capture(&writer, rows[i].sample_type, rows[i].count, rows[i].header_first,
			      rows[i].header_last);
		memory_file_open(&file, writer.file.at, writer.file.count);
		cr_assert(capture_open(&capture, file.path, &err));
		cr_assert(capture_read_state(&capture, &sink, &err));
		cr_assert(selection_time_parse("time", "50%,100%", &selection, &err));
		cr_assert_eq(time_span_place(&capture, 1 + i % 3, &selection, &err),
			     rows[i].has_span, "row %zu", i);
		if (rows[i].has_span) {
			cr_assert_eq(selection.times_ns.count, 1);
			cr_expect_eq(selection.times_ns.at[0].first, rows[i].first, "row %zu", i);
			cr_expect_eq(selection.times_ns.at[0].last, rows[i].last, "row %zu", i);
		} else {
			cr_expect_eq(err.code, ERROR_USAGE);
		}
		selection_deinit(&selection);
		capture_close(&capture);
		memory_file_close(&file);
		perf_writer_deinit(&writer);
	}
}
