/* SPDX-License-Identifier: MIT */
/* Switches of chosen threads: samples of threads switched out, and records of those switched in. */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/interval_stacks.h"
#include "tests/support/leaks.h"

/* Thread ids in the fields are this much larger than those in samples and records. */
#define NUMBERED_APART 1000

enum {
	SAMPLES = 1,
	RECORDS = 2
};

static void put_switch(struct perf_writer *writer, uint64_t time_ns, uint16_t misc)
{
	perf_writer_record_begin(writer, RECORD_SWITCH, misc);
	perf_writer_put_trailer(writer, time_ns, 7, 7);
	perf_writer_record_end(writer);
}

/*
 * Puts a switch-out of thread 7. The fields are as the kernel writes them; the capture does not
 * describe them.
 */
static void put_sample(struct perf_writer *writer, uint64_t time_ns, unsigned char state)
{
	uint64_t ips[] = { CALLCHAIN_KERNEL, 0xffffffff81000100 };
	uint32_t previous = NUMBERED_APART + 7;
	unsigned char raw[64] = { 0 };
	bool is_big_endian = writer->is_big_endian;

	raw[is_big_endian ? 26 : 25] = (unsigned char)(previous >> 8);
	raw[is_big_endian ? 27 : 24] = (unsigned char)previous;
	raw[is_big_endian ? 39 : 32] = state;
	perf_writer_sample(writer, &(struct writer_sample){
					   .misc = CPU_MODE_KERNEL,
					   .ip = ips[1],
					   .pid = 7,
					   .tid = 7,
					   .time_ns = time_ns,
					   .period = 1,
					   .ips = ips,
					   .ip_count = 2,
					   .raw = raw,
					   .raw_bytes = sizeof(raw),
				   });
}

/*
 * Thread 7 sleeps from 1000 to 4000, is preempted from 5000 to 5200, and is blocked from 6000 to
 * 6500.
 */
static void write_capture(struct perf_writer *writer, enum perf_writer_order order,
			  unsigned contents)
{
	static const struct {
		uint64_t leaving_ns, coming_ns;
		unsigned char state;
	} waits[] = { { 1000, 4000, 1 }, { 5000, 5200, 0 }, { 6000, 6500, 2 } };
	struct perf_attr attr = {
		.type = TYPE_TRACEPOINT,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN |
			       SAMPLE_RAW | SAMPLE_PERIOD,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_CONTEXT_SWITCH,
	};
	uint64_t id = 40;

	perf_writer_init(writer, order);
	perf_writer_event(writer, "sched:sched_switch", &attr, &id, 1);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	for (size_t i = 0; i < ARRAY_SIZE(waits); i++) {
		if (contents & SAMPLES)
			put_sample(writer, waits[i].leaving_ns, waits[i].state);
		if (!(contents & RECORDS))
			continue;
		put_switch(writer, waits[i].leaving_ns + 10, MISC_SWITCH_OUT);
		put_switch(writer, waits[i].coming_ns, 0);
	}
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

struct trial {
	unsigned contents;
	struct pairing_options pairing;
	bool good, is_partial;
	const char *expected; /* the stacks, or part of the error */
};

static void judge(const struct perf_writer *writer, const struct trial *trial)
{
	struct interval_stacks result;

	interval_stacks_read(writer, &trial->pairing, &result);
	cr_expect_eq(result.good, trial->good, "%s", result.text);
	cr_expect(strstr(result.text, trial->expected), "%s", result.text);
	cr_expect_eq(result.is_partial, trial->is_partial);
	cr_expect_eq(result.unrecorded_cpu_count, 0);
}

Test(session_chosen_threads, ends_are_records)
{
	static const struct trial trials[] = {
		{ SAMPLES | RECORDS,
		  { .reads_records = true },
		  true,
		  false,
		  "app;[kernel] 3500\n" },
		{ SAMPLES | RECORDS,
		  { .reads_records = true, .has_preempted = true },
		  true,
		  false,
		  "app;[kernel] 3500\napp;[kernel];[preempted] 200\n" },
		{ SAMPLES | RECORDS,
		  { .reads_records = true, .states = "D" },
		  true,
		  false,
		  "app;[kernel] 500\n" },
		{ SAMPLES, { .reads_records = true }, false, true, "--switch-events -T" },
		{ SAMPLES | RECORDS,
		  { .reads_records = false },
		  false,
		  true,
		  "--switch-events -T" },
		{ SAMPLES, { .reads_records = true, .is_forced = true }, true, true, "" },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(trials); i++) {
		struct perf_writer writer;

		write_capture(&writer, i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN,
			      trials[i / 2].contents);
		judge(&writer, &trials[i / 2]);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
