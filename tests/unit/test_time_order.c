/* SPDX-License-Identifier: MIT */
#include "process/time_order.h"

#include <criterion/criterion.h>
#include <string.h>

#include "libparse/perf/abi.h"
#include "render/text/info.h"
#include "session/session.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

struct added {
	uint32_t cpu, tid;
	uint64_t time_ns;
};

/* Buffers alternate: only times of one thread on one CPU must be in order. */
static const struct added samples[] = { { 0, 7, 100 }, { 0, 7, 200 }, { 1, 7, 50 },  { 0, 8, 60 },
					{ 0, 7, 200 }, { 1, 7, 40 },  { 0, 7, 150 }, { 0, 8, 0 },
					{ 0, 8, 70 },  { 0, 7, 160 }, { 0, 7, 155 }, { 2, 9, 0 },
					{ 1, 7, 41 },  { 0, 7, 1000 } };

static void check_faults(const struct time_faults *faults)
{
	cr_expect_eq(faults->backward_count, 3, "%llu", (unsigned long long)faults->backward_count);
	cr_expect_eq(faults->backward_max_ns, 50);
	cr_expect_eq(faults->zero_count, 2);
	cr_expect_not(faults->is_limited);
}

/* However the samples are divided, the faults are the same. */
Test(time_order, divisions_make_no_difference)
{
	for (size_t size = 1; size <= ARRAY_SIZE(samples); size++) {
		struct time_order whole;
		struct time_order part;

		time_order_init(&whole);
		time_order_init(&part);
		for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
			if (i % size == 0)
				time_order_join(&whole, &part);
			time_order_add(&part, samples[i].cpu, samples[i].tid, samples[i].time_ns);
		}
		time_order_join(&whole, &part);
		check_faults(&whole.faults);
		time_order_deinit(&whole);
		time_order_deinit(&part);
	}
}

Test(time_order, too_many_threads)
{
	struct time_order order;

	time_order_init(&order);
	for (uint32_t tid = 0; tid < (1u << 18) + 1; tid++)
		time_order_add(&order, 0, tid, 1);
	cr_expect(order.faults.is_limited);
	cr_expect_eq(order.rows.count, 1u << 18);
	time_order_deinit(&order);
}

static void write_capture(struct perf_writer *writer, uint64_t flags, int32_t clock_id,
			  bool has_clock_data)
{
	static const uint64_t ips[] = { (uint64_t)-512, 0x7777 }; /* PERF_CONTEXT_USER */
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_CPU_CLOCK,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_CALLCHAIN,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | flags,
		.clockid = clock_id,
	};

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		perf_writer_sample(writer, &(struct writer_sample){ .misc = CPU_MODE_USER,
								    .pid = 7,
								    .tid = samples[i].tid,
								    .cpu = samples[i].cpu,
								    .time_ns = samples[i].time_ns,
								    .ips = ips,
								    .ip_count = 2 });
	if (has_clock_data) {
		perf_writer_feature_begin(writer, FEATURE_CLOCK_DATA);
		perf_writer_put_u32(writer, 1);
		perf_writer_put_u32(writer, (uint32_t)clock_id);
		perf_writer_put_u64(writer, 1000000000000000000);
		perf_writer_put_u64(writer, 5000000000);
		perf_writer_feature_end(writer);
	}
	perf_writer_finish(writer);
}

static void read_info(const struct perf_writer *writer, struct sink *text, struct sink *json)
{
	const struct session_options options = { .thread_count = 1, .ignores_host = true };
	struct memory_file file;
	struct session session;
	struct error err;

	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	check_faults(&session.profile.time_faults);
	sink_init_memory(text);
	sink_init_memory(json);
	info_write_text(&session.profile, NULL, false, text);
	info_write_json(&session.profile, NULL, json);
	sink_char(text, '\0');
	sink_char(json, '\0');
	session_close(&session);
	memory_file_close(&file);
}

Test(time_order, info)
{
	static const struct {
		uint64_t flags;
		int32_t clock_id;
		bool has_clock_data;
		const char *clock, *wall_clock;
	} rows[] = {
		{ 0, 0, false, "sched_clock of the kernel (perf's default)",
		  "not known; record with perf record -k mono" },
		{ ATTR_FLAG_USE_CLOCKID, 0, false, "realtime", "the capture's clock" },
		{ ATTR_FLAG_USE_CLOCKID, 1, false, "monotonic",
		  "not known; record with perf record -k mono" },
		{ ATTR_FLAG_USE_CLOCKID, 1, true, "monotonic",
		  "2001-09-09 01:46:40.000000 UTC = 5.000000, by CLOCK_DATA" },
		{ ATTR_FLAG_USE_CLOCKID, 99, false, "clock 99",
		  "not known; record with perf record -k mono" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;
		struct sink text;
		struct sink json;
		char line[128];

		write_capture(&writer, rows[i].flags, rows[i].clock_id, rows[i].has_clock_data);
		read_info(&writer, &text, &json);
		snprintf(line, sizeof(line), "\n%-16s %s\n", "clock", rows[i].clock);
		cr_expect(strstr(text.buffer, line), "%s\n%s", line, text.buffer);
		snprintf(line, sizeof(line), "\n%-16s %s\n", "wall clock", rows[i].wall_clock);
		cr_expect(strstr(text.buffer, line), "%s\n%s", line, text.buffer);
		cr_expect(strstr(text.buffer, "\nbackward times   3 samples are earlier than the "
					      "previous one of the same thread and CPU, by up to "
					      "50 ns\nzero times       2\n"),
			  "%s", text.buffer);
		cr_expect(strstr(json.buffer, "\"zero_times\": 2"), "%s", json.buffer);
		cr_expect(strstr(json.buffer, "\"backward_times\": 3"));
		cr_expect(strstr(json.buffer, "\"backward_times_max_ns\": 50"));
		sink_deinit(&text);
		sink_deinit(&json);
		perf_writer_deinit(&writer);
	}
}
