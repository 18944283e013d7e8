/* SPDX-License-Identifier: MIT */
/* Switches that are recorded as records, not as samples. */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/interval_stacks.h"
#include "tests/support/leaks.h"

static void put_switch(struct perf_writer *writer, bool is_wide, uint64_t time_ns, uint32_t tid,
		       uint16_t misc)
{
	perf_writer_record_begin(writer, is_wide ? RECORD_SWITCH_CPU_WIDE : RECORD_SWITCH, misc);
	/* The other thread of the switch is ignored. */
	if (is_wide)
		perf_writer_put_u64(writer, 99ull << 32 | 99);
	perf_writer_put_trailer(writer, time_ns, tid, tid);
	perf_writer_record_end(writer);
}

static void put_sample(struct perf_writer *writer, uint64_t time_ns, uint32_t tid, uint64_t ip)
{
	uint64_t ips[] = { CALLCHAIN_KERNEL, ip };

	perf_writer_sample(writer, &(struct writer_sample){
					   .misc = CPU_MODE_KERNEL,
					   .ip = ip,
					   .pid = tid,
					   .tid = tid,
					   .time_ns = time_ns,
					   .period = 3,
					   .ips = ips,
					   .ip_count = 2,
				   });
}

/* Thread 7 runs from 1000 to 2000, waits until 5000, runs until 5400, is preempted until 5600, and
 * ends at 6000. Thread 8 has no samples. */
static void write_capture(struct perf_writer *writer, enum perf_writer_order order, bool is_wide)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type =
			SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN | SAMPLE_PERIOD,
		.sample_period = 3,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_CONTEXT_SWITCH,
	};
	uint64_t id = 40;

	perf_writer_init(writer, order);
	perf_writer_event(writer, "cpu-clock", &attr, &id, 1);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	perf_writer_comm(writer, 1, 8, 8, "other", 0);
	put_switch(writer, is_wide, 5000, 7, 0);
	put_switch(writer, is_wide, 5400, 7, MISC_SWITCH_OUT | MISC_SWITCH_OUT_PREEMPT);
	put_switch(writer, is_wide, 5600, 7, 0);
	perf_writer_exit(writer, 6000, 7, 1, 7, 1);
	put_switch(writer, is_wide, 6001, 7, MISC_SWITCH_OUT);
	put_switch(writer, is_wide, 1000, 7, 0);
	put_sample(writer, 1100, 7, 0xffffffff81000100);
	put_switch(writer, is_wide, 2000, 7, MISC_SWITCH_OUT);
	put_switch(writer, is_wide, 2500, 8, MISC_SWITCH_OUT);
	put_switch(writer, is_wide, 2600, 8, 0);
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

struct trial {
	struct pairing_options pairing;
	const char *expected;
	uint64_t without_stack;
};

static void judge(const struct perf_writer *writer, const struct trial *trial)
{
	struct interval_stacks result;

	interval_stacks_read(writer, &trial->pairing, &result);
	cr_expect(strstr(result.text, trial->expected), "%s", result.text);
	cr_expect_eq(result.counts.without_stack, trial->without_stack);
}

/* perf record --per-thread omits the time in records, except for those of threads that end. */
Test(session_switches, records_without_time)
{
	static const struct trial trials[] = {
		{ { .reads_records = true }, "perf record -T", 0 },
		{ { .reads_records = true, .is_wall = true },
		  "samples of cpu-clock have no timestamps; record them with perf record -T",
		  0 },
	};
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_CALLCHAIN | SAMPLE_PERIOD,
		.sample_period = 3,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_CONTEXT_SWITCH,
	};
	struct perf_writer writer;
	uint64_t id = 40;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "cpu-clock", &attr, &id, 1);
	put_sample(&writer, 1100, 7, 0xffffffff81000100);
	put_switch(&writer, false, 2000, 7, MISC_SWITCH_OUT);
	put_switch(&writer, false, 5000, 7, 0);
	perf_writer_exit(&writer, 6000, 7, 1, 7, 1);
	perf_writer_feature_event_desc(&writer);
	perf_writer_finish(&writer);
	for (size_t k = 0; k < ARRAY_SIZE(trials); k++)
		judge(&writer, &trials[k]);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

Test(session_switches, time_by_records)
{
	static const struct trial trials[] = {
		{ { .reads_records = true }, "app;[kernel] 3000\n", 1 },
		{ { .reads_records = true, .has_preempted = true },
		  "app;[kernel] 3000\napp;[kernel];[preempted] 200\n",
		  1 },
		{ { .reads_records = true, .is_wall = true },
		  "app;[kernel] 1801\napp;[kernel];[blocked] 3000\napp;[kernel];[preempted] 200\n",
		  1 },
		{ { .reads_records = true, .states = "D" },
		  "require samples of context switches",
		  0 },
		{ { .reads_records = false }, "no context switches were recorded", 0 },
	};

	for (size_t i = 0; i < 4; i++) {
		enum perf_writer_order order =
			i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN;
		struct perf_writer writer;

		write_capture(&writer, order, i / 2);
		for (size_t k = 0; k < ARRAY_SIZE(trials); k++)
			judge(&writer, &trials[k]);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
