/* SPDX-License-Identifier: MIT */
#include "libparse/perf/readings.h"

#include <criterion/criterion.h>

#include "libparse/formats.h"
#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

#define LEADER 42
#define MEMBER 43

static struct perf_attr group_attr(uint64_t more_flags)
{
	return (struct perf_attr){
		.type = TYPE_SOFTWARE,
		.sample_period = 1000,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_READ | SAMPLE_ID,
		.read_format = READ_FORMAT_GROUP | READ_FORMAT_ID,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | more_flags,
	};
}

struct step {
	uint32_t tid;
	uint64_t leader, member; /* totals so far */
};

/*
 * Writes an event for the leader and one for a member, and compares the samples that the reader
 * makes of these readings.
 */
static void expect_gains(enum perf_writer_order order, bool is_pipe, uint64_t more_flags,
			 const struct step *steps, size_t count, const char *expected)
{
	static const uint64_t ids[] = { LEADER, MEMBER };
	struct perf_attr attr = group_attr(more_flags);
	struct perf_writer writer;
	struct outcome outcome;

	perf_writer_init(&writer, order);
	writer.is_pipe = is_pipe;
	perf_writer_event(&writer, "leader", &attr, &ids[0], 1);
	perf_writer_event(&writer, "member", &attr, &ids[1], 1);
	for (size_t i = 0; i < count; i++) {
		uint64_t words[] = { 2, steps[i].leader, LEADER, steps[i].member, MEMBER };

		perf_writer_sample(&writer, &(struct writer_sample){
						    .ip = 0x1000,
						    .pid = 7,
						    .tid = steps[i].tid,
						    .time_ns = 100 + i,
						    .read_words = words,
						    .read_count = ARRAY_SIZE(words),
					    });
	}
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect_str_eq(outcome_records(&outcome), expected, "%s\nwanted:\n%s",
			 event_log_text(&outcome.log), expected);
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

#define SAMPLE_AT(time, attr, tid, id, period)                                             \
	"SAMPLE time=" #time " attr=" #attr " mode=2 pid=7 tid=" #tid " ip=0x1000 id=" #id \
	" period=" #period "\n"

/* A sample counts as one of each counter that has grown since the previous reading. */
Test(perf_readings, gains_of_a_group)
{
	static const struct step steps[] = {
		{ 7, 1000, 7 }, { 8, 2001, 7 }, { 7, 3000, 9 }, { 7, 3000, 9 }, { 7, 50, 9 },
	};

	for (int i = 0; i < 4; i++)
		expect_gains(i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN, i / 2, 0,
			     steps, ARRAY_SIZE(steps),
			     SAMPLE_AT(100, 0, 7, 42, 1000) SAMPLE_AT(100, 1, 7, 43, 7)
				     SAMPLE_AT(101, 0, 8, 42, 1001) SAMPLE_AT(102, 0, 7, 42, 999)
					     SAMPLE_AT(102, 1, 7, 43, 2)
						     SAMPLE_AT(104, 0, 7, 42, 50));
	assert_no_leaks();
}

/* Counters that children inherit count in each task for itself. */
Test(perf_readings, inherited_counters)
{
	static const struct step steps[] = { { 7, 1000, 0 }, { 8, 600, 3 }, { 7, 1500, 0 } };

	expect_gains(PERF_WRITER_LITTLE_ENDIAN, false, ATTR_FLAG_INHERIT, steps, ARRAY_SIZE(steps),
		     SAMPLE_AT(100, 0, 7, 42, 1000) SAMPLE_AT(101, 0, 8, 42, 600)
			     SAMPLE_AT(101, 1, 8, 43, 3) SAMPLE_AT(102, 0, 7, 42, 500));
}

/* If the record is too short for its count of values, it is skipped as corrupt. */
Test(perf_readings, counts_that_lie)
{
	static const uint64_t ids[] = { LEADER, MEMBER };
	static const uint64_t words[] = { UINT64_MAX, 1000, LEADER };
	struct perf_attr attr = group_attr(0);
	struct perf_writer writer;
	struct outcome outcome;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "leader", &attr, ids, 2);
	perf_writer_sample(&writer,
			   &(struct writer_sample){ .read_words = words, .read_count = 3 });
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect_not_null(strstr(outcome_records(&outcome), "LOSS"), "%s",
			   event_log_text(&outcome.log));
	cr_expect_null(strstr(outcome_records(&outcome), "SAMPLE"));
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

static void ignore(void *context, const struct event *event)
{
	(void)context;
	(void)event;
}

static void count_sample(void *context, const struct event *event)
{
	uint64_t *counts = context;

	if (event->kind == EVENT_SAMPLE)
		counts[event->sample.attr]++;
}

static bool wants_member(void *context, uint32_t attr)
{
	(void)context;
	return attr == 1;
}

/* Counts the samples of the leader and of the member that a sink for the member gets. */
static void count_samples(const struct perf_writer *writer, uint64_t counts[2])
{
	const struct event_sink state_sink = { .on_event = ignore };
	const struct event_sink sink = { .context = counts,
					 .on_event = count_sample,
					 .wants_attr = wants_member };
	struct capture_reading reading = { .thread_count = 1 };
	struct memory_file file;
	struct capture capture;
	struct error err;

	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(capture_open_as(&capture, file.path, &reading, &err), "%s", err.text);
	cr_assert(capture_read_state(&capture, &state_sink, &err), "%s", err.text);
	cr_assert(capture_read_all_samples(&capture, 1, &sink, 1, &err), "%s", err.text);
	capture_close(&capture);
	memory_file_close(&file);
}

/*
 * Samples that the sink does not use are left out, except for samples with readings: they share an
 * offset, and are told apart by their order.
 */
Test(perf_readings, samples_that_the_sink_does_not_use)
{
	static const uint64_t ids[] = { LEADER, MEMBER };

	for (int has_readings = 0; has_readings <= 1; has_readings++) {
		struct perf_attr attr = group_attr(0);
		uint64_t counts[2] = { 0 };
		struct perf_writer writer;

		if (!has_readings)
			attr.sample_type &= ~(uint64_t)SAMPLE_READ;
		perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_event(&writer, "leader", &attr, &ids[0], 1);
		perf_writer_event(&writer, "member", &attr, &ids[1], 1);
		for (uint64_t i = 1; i <= 6; i++) {
			uint64_t words[] = { 2, i * 1000, LEADER, i, MEMBER };

			perf_writer_sample(&writer, &(struct writer_sample){
							    .event = !has_readings && i % 3 == 0,
							    .read_words = words,
							    .read_count = ARRAY_SIZE(words),
						    });
		}
		perf_writer_finish(&writer);
		count_samples(&writer, counts);
		cr_expect_eq(counts[0], has_readings ? 6 : 0);
		cr_expect_eq(counts[1], has_readings ? 6 : 2);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
