/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

static void put_cgroup(struct perf_writer *writer, uint64_t time_ns, uint64_t id, const char *path)
{
	perf_writer_record_begin(writer, RECORD_CGROUP, 0);
	perf_writer_put_u64(writer, id);
	perf_writer_put_name(writer, path);
	perf_writer_put_trailer(writer, time_ns, 1, 1);
	perf_writer_record_end(writer);
}

/* Samples in three cgroups, one of them unknown, with costs of three parts. */
static void write_capture(struct perf_writer *writer, enum perf_writer_order order, bool is_pipe)
{
	static const struct {
		uint64_t cgroup, weight;
	} samples[] = {
		{ 1, 0x700000000000005 }, { 9, 20 }, { 9, 0x100000001 }, { 77, 300 }, { 1, 0 },
	};
	struct perf_attr attr = {
		.type = TYPE_RAW,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN |
			       SAMPLE_CGROUP | SAMPLE_WEIGHT_STRUCT,
		.sample_period = 1000,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	uint64_t id = 40;

	perf_writer_init(writer, order);
	writer->is_pipe = is_pipe;
	perf_writer_event(writer, "loads", &attr, &id, 1);
	perf_writer_comm(writer, 1, 5, 5, "app", 0);
	put_cgroup(writer, 1, 1, "/");
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		uint64_t ips[] = { CALLCHAIN_USER, 0x1000 };

		perf_writer_sample(writer, &(struct writer_sample){
						   .misc = CPU_MODE_USER,
						   .ip = ips[1],
						   .pid = 5,
						   .tid = 5,
						   .time_ns = 10 + i,
						   .ips = ips,
						   .ip_count = 2,
						   .weight = samples[i].weight,
						   .cgroup = samples[i].cgroup,
					   });
	}
	/* This record is late, as other records are not in time order either. */
	put_cgroup(writer, 20, 9, "/a;b");
	perf_writer_finish(writer);
}

Test(session_values, cgroups_and_costs)
{
	static const struct {
		enum weighing_kind kind;
		const char *by, *expected;
	} rows[] = {
		{ WEIGHING_COST, "cgroup,comm",
		  "/;app;[unknown] 5\n/a:b;app;[unknown] 21\ncgroup 77;app;[unknown] 300\n" },
		{ WEIGHING_SAMPLES, "comm,cgroup",
		  "app;/;[unknown] 2\napp;/a:b;[unknown] 2\napp;cgroup 77;[unknown] 1\n" },
		{ WEIGHING_PERIOD, "comm", "app;[unknown] 5000\n" },
		{ WEIGHING_COST, "comm", "app;[unknown] 326\n" },
	};

	for (size_t i = 0; i < 4 * ARRAY_SIZE(rows); i++) {
		struct view view = { .weighing.kind = rows[i / 4].kind };
		struct session_options options = {
			.ignores_host = true,
			.thread_count = 2,
			.view = &view,
		};
		struct perf_writer writer;
		struct memory_file file;
		struct session session;
		struct error err;
		struct sink sink;

		write_capture(&writer, i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN,
			      i / 2 % 2);
		memory_file_open(&file, writer.file.at, writer.file.count);
		cr_assert(grouping_parse(rows[i / 4].by, &view.grouping, &err));
		cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
		cr_assert(session_build_profile(&session, &err), "%s", err.text);
		sink_init_memory(&sink);
		folded_write(&session.profile, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i / 4].expected), "row %zu: %.*s", i,
			  (int)sink.used, sink.buffer);
		sink_deinit(&sink);
		session_close(&session);
		memory_file_close(&file);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
