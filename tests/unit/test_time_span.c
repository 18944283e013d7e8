/* SPDX-License-Identifier: MIT */
#include "session/time_span.h"

#include <criterion/criterion.h>

#include <time.h>

#include "libparse/perf/abi.h"
#include "profile/selection/selection_time.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

static void ignore(void *context, const struct event *event)
{
	(void)context;
	(void)event;
}

/* Writes a capture of count samples, at 300, 200 and 100, and with the times in the header. */
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
		/* An impossible span in the header is ignored. */
		{ SAMPLE_IP | SAMPLE_TIME, 3, 2000, 1000, true, 200, 300 },
		{ SAMPLE_IP | SAMPLE_TIME, 1, 0, 0, true, 300, 300 },
		{ SAMPLE_IP | SAMPLE_TIME, 0, 0, 0, false, 0, 0 },
		{ SAMPLE_IP, 3, 0, 0, false, 0, 0 },
		{ SAMPLE_IP, 3, UINT64_MAX, UINT64_MAX, false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sink sink = { .on_event = ignore };
		struct selection selection = { 0 };
		struct wall_clock clock = { .is_known = false };
		struct perf_writer writer;
		struct memory_file file;
		struct capture capture;
		struct placed_marks placed = { .outside_count = 0 };
		struct error err;

		write_capture(&writer, rows[i].sample_type, rows[i].count, rows[i].header_first,
			      rows[i].header_last);
		memory_file_open(&file, writer.file.at, writer.file.count);
		cr_assert(capture_open(&capture, file.path, &err));
		cr_assert(capture_read_state(&capture, &sink, &err));
		cr_assert(selection_time_parse("time", "50%,100%", &selection, &err));
		cr_assert_eq(time_span_resolve_selection(&capture, 1 + i % 3, &clock, &selection,
							 &placed, &err),
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

#define SECOND ((uint64_t)1000000000)
#define HOUR   (3600 * SECOND)

/*
 * Periods of a capture that lasts from ten minutes before midnight in UTC until ten minutes after
 * the next midnight.
 */
Test(time_span, periods)
{
	const uint64_t midnight_ns = 1795305600 * SECOND; /* 2026-11-22T00:00Z */
	const uint64_t first_ns = 5 * HOUR;
	const uint64_t last_ns = first_ns + 24 * HOUR + HOUR / 3;
	/* When the capture's clock was 0, it was 18:50. */
	const struct wall_clock clock = { true, midnight_ns - HOUR / 6, first_ns };
	const uint64_t midnight_clock_ns = first_ns + HOUR / 6;
	const struct {
		const char *text;
		uint64_t first_ns, last_ns;
	} rows[] = {
		{ "+1,+3", first_ns + SECOND, first_ns + 3 * SECOND },
		{ "+1,", first_ns + SECOND, UINT64_MAX },
		{ ",+1", 0, first_ns + SECOND },
		{ "1,+1", SECOND, first_ns + SECOND },
		{ "2026-11-22T00:00Z,2026-11-22T00:00:01Z", midnight_clock_ns,
		  midnight_clock_ns + SECOND },
		/* Before the clock began. */
		{ "2026-11-01T00:00Z,+1", 0, first_ns + SECOND },
		{ "00:00Z,00:00:01Z", midnight_clock_ns, midnight_clock_ns + SECOND },
		/* 23:55 is at the end of the previous day, when the capture begins. */
		{ "23:55Z,00:05Z", midnight_clock_ns - HOUR / 12, midnight_clock_ns + HOUR / 12 },
		{ "23:00Z,00:05Z", midnight_clock_ns - HOUR, midnight_clock_ns + HOUR / 12 },
		{ "12:00Z,", midnight_clock_ns + 12 * HOUR, UINT64_MAX },
		{ ",12:00Z", 0, midnight_clock_ns + 12 * HOUR },
		{ "12:00,13:00", midnight_clock_ns + 12 * HOUR, midnight_clock_ns + 13 * HOUR },
	};
	struct capture capture = { .sample_first_ns = first_ns, .sample_last_ns = last_ns };
	struct wall_clock unknown = { .is_known = false };
	struct placed_marks placed = { .outside_count = 0 };
	struct error err;

	setenv("TZ", "UTC", 1);
	tzset();
	capture.input.name = "a";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection = { 0 };

		cr_assert(selection_time_parse("time", rows[i].text, &selection, &err));
		cr_assert(
			time_span_resolve_selection(&capture, 1, &clock, &selection, &placed, &err),
			"%s", rows[i].text);
		cr_assert_eq(selection.times_ns.count, 1);
		cr_expect_eq(selection.times_ns.at[0].first, rows[i].first_ns, "%s: %lu",
			     rows[i].text, selection.times_ns.at[0].first);
		cr_expect_eq(selection.times_ns.at[0].last, rows[i].last_ns, "%s: %lu",
			     rows[i].text, selection.times_ns.at[0].last);
		vec_free(&selection.times_ns);
		cr_expect_eq(time_span_resolve_selection(&capture, 1, &unknown, &selection, &placed,
							 &err),
			     strchr(rows[i].text, ':') == NULL, "%s", rows[i].text);
		selection_deinit(&selection);
	}
}

Test(time_span, periods_beside_times_of_the_clock)
{
	struct capture capture = { .sample_first_ns = 5 * SECOND, .sample_last_ns = 9 * SECOND };
	struct wall_clock unknown = { .is_known = false };
	struct selection selection = { 0 };
	struct placed_marks placed = { .outside_count = 0 };
	struct error err;

	capture.input.name = "a";
	cr_assert(selection_time_parse("time", "6,7 +3,", &selection, &err));
	cr_assert(time_span_resolve_selection(&capture, 1, &unknown, &selection, &placed, &err));
	cr_assert_eq(selection.times_ns.count, 2);
	cr_expect_eq(selection.times_ns.at[0].last, 7 * SECOND);
	cr_expect_eq(selection.times_ns.at[1].first, 8 * SECOND);
	selection_deinit(&selection);
	selection = (struct selection){ 0 };
	/* Times that look ordered can be in the wrong order for a capture. */
	cr_assert(selection_time_parse("time", "+2,6", &selection, &err));
	cr_expect_not(
		time_span_resolve_selection(&capture, 1, &unknown, &selection, &placed, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
	selection_deinit(&selection);
}
