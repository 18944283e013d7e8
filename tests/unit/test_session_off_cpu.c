/* SPDX-License-Identifier: MIT */
#include "session/off_cpu.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/interval_stacks.h"
#include "tests/support/leaks.h"

/* In this bit, kernels before 4.14 have Z, and others X. */
#define STATE_16 16

struct change {
	uint64_t time_ns;
	uint32_t previous, next;
	uint64_t state;
};

struct capture_options {
	const char *name, *arch, *release;
	uint64_t period;        /* of each sample; 0: its attr's */
	uint64_t sample_period; /* 0: 1 */
	uint32_t online_count;  /* CPUs, on one of which switches were recorded; 0: not recorded */
	bool has_no_callchains;
	bool has_lost, is_cut; /* fields of the last switch are missing */
	bool has_stack_copies; /* of size 0: only the possibility to unwind matters */
};

static void put(unsigned char *at, uint64_t value, size_t size_bytes, bool is_big_endian)
{
	for (size_t i = 0; i < size_bytes; i++)
		at[is_big_endian ? size_bytes - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

/* Writes a switch with the fields of the kernel, which the capture does not describe. */
static void put_change(struct perf_writer *writer, const struct capture_options *options,
		       const struct change *change, bool is_cut)
{
	bool has_32_bits = options->arch && strcmp(options->arch, "armv7l") == 0;
	size_t state_bytes = has_32_bits ? 4 : 8;
	uint64_t ips[] = { CALLCHAIN_KERNEL, 0xffffffff81000000 + change->previous };
	unsigned char raw[64] = { 0 };

	put(raw + 24, change->previous, 4, writer->is_big_endian);
	put(raw + 32, change->state, state_bytes, writer->is_big_endian);
	put(raw + 32 + state_bytes + 16, change->next, 4, writer->is_big_endian);
	perf_writer_sample(writer, &(struct writer_sample){
					   .misc = CPU_MODE_KERNEL,
					   .ip = ips[1],
					   .pid = change->previous,
					   .tid = change->previous,
					   .time_ns = change->time_ns,
					   .period = options->period ? options->period : 1,
					   .ips = ips,
					   .ip_count = 2,
					   .raw = raw,
					   .raw_bytes = is_cut ? 28 : 64,
				   });
}

/* 7 sleeps from 1000 to 4000 and is blocked from 5000 to 5500; 8 ends. */
static const struct change changes[] = {
	{ 5000, 7, 8, 2 }, /* on another CPU, whose buffer was read first */
	{ 5500, 0, 7, 0 },        { 1000, 7, 0, 1 }, { 4000, 0, 7, 0 },
	{ 6000, 8, 0, STATE_16 }, { 9000, 0, 8, 0 },
};

static void write_capture(struct perf_writer *writer, enum perf_writer_order order,
			  const struct capture_options *options)
{
	struct perf_attr attr = {
		.type = TYPE_TRACEPOINT,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN |
			       SAMPLE_RAW | SAMPLE_PERIOD,
		.sample_period = options->sample_period ? options->sample_period : 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	uint64_t id = 40;

	if (options->has_no_callchains)
		attr.sample_type &= ~(uint64_t)SAMPLE_CALLCHAIN;
	if (options->has_stack_copies)
		attr.sample_type |= SAMPLE_STACK_USER;
	perf_writer_init(writer, order);
	perf_writer_event(writer, options->name, &attr, &id, 1);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	perf_writer_comm(writer, 1, 8, 8, "other", 0);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		put_change(writer, options, &changes[i],
			   options->is_cut && i + 1 == ARRAY_SIZE(changes));
	if (options->has_lost)
		perf_writer_lost(writer, 3000, id, 12);
	if (options->release)
		perf_writer_feature_string(writer, FEATURE_OSRELEASE, options->release);
	if (options->arch)
		perf_writer_feature_string(writer, FEATURE_ARCH, options->arch);
	if (options->online_count) {
		perf_writer_feature_begin(writer, FEATURE_NRCPUS);
		perf_writer_put_u32(writer, 4);
		perf_writer_put_u32(writer, options->online_count);
		perf_writer_feature_end(writer);
	}
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

struct trial {
	struct capture_options capture;
	struct pairing_options pairing;
	bool good, is_partial;
	const char *expected; /* the stacks, or part of the error */
	uint64_t over_losses, damaged, open_at_start, unrecorded;
};

#define SWITCHES "sched:sched_switch"
#define BOTH     "app;[kernel] 3500\n"

static const struct trial trials[] = {
	/* Thread 8 is twice first seen when it is switched in, since it ended in between. */
	{ .capture = { .name = SWITCHES }, .good = true, .expected = BOTH, .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .arch = "armv7l" },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .arch = "x86_64", .release = "3.10.0" },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .has_lost = true },
	  .good = true,
	  .expected = BOTH,
	  .over_losses = 1,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .has_stack_copies = true },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .has_no_callchains = true },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .is_cut = true },
	  .good = true,
	  .expected = BOTH,
	  .damaged = 1,
	  .open_at_start = 1 },
	{ .capture = { .name = SWITCHES, .online_count = 1 },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .online_count = 3 },
	  .good = true,
	  .is_partial = true,
	  .expected = BOTH,
	  .open_at_start = 2,
	  .unrecorded = 2 },
	{ .capture = { .name = SWITCHES },
	  .pairing = { .states = "D" },
	  .good = true,
	  .expected = "app;[kernel] 500\n",
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .sample_period = 5 },
	  .good = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = SWITCHES, .period = 11 }, .expected = "-c 1" },
	{ .capture = { .name = SWITCHES, .period = 11, .sample_period = 5 },
	  .pairing = { .is_forced = true },
	  .good = true,
	  .is_partial = true,
	  .expected = BOTH,
	  .open_at_start = 2 },
	{ .capture = { .name = "cycles" }, .expected = "perf record -e sched:sched_switch -a -g" },
	{ .capture = { .name = SWITCHES },
	  .pairing = { .has_run_queue = true },
	  .expected = "sched:sched_waking" },
	{ .capture = { .name = SWITCHES },
	  .pairing = { .span = "a" },
	  .expected = "--span requires two different events" },
	{ .capture = { .name = SWITCHES },
	  .pairing = { .span = "a:b,c:d" },
	  .expected = "no event named a:b" },
	{ .capture = { .name = SWITCHES },
	  .pairing = { .key = "tid" },
	  .expected = "--key requires --span" },
};

static void judge(const struct trial *trial, size_t index, const struct interval_stacks *result)
{
	cr_assert_eq(result->good, trial->good, "row %zu: %s", index, result->text);
	if (!trial->good) {
		cr_expect(strstr(result->text, trial->expected), "row %zu: %s", index,
			  result->text);
		return;
	}
	cr_expect_str_eq(result->text, trial->expected, "row %zu", index);
	cr_expect(result->is_guessed);
	cr_expect_eq(result->is_partial, trial->is_partial, "row %zu", index);
	cr_expect_eq(result->counts.over_losses, trial->over_losses, "row %zu", index);
	cr_expect_eq(result->counts.corrupt, trial->damaged, "row %zu", index);
	cr_expect_eq(result->counts.open_at_start, trial->open_at_start, "row %zu: %lu", index,
		     (unsigned long)result->counts.open_at_start);
	cr_expect_eq(result->counts.without_begin, 0, "row %zu", index);
	cr_expect_eq(result->lacks_callchains, trial->capture.has_no_callchains, "row %zu", index);
	cr_expect_eq(result->unrecorded_cpu_count, trial->unrecorded, "row %zu", index);
}

Test(session_off_cpu, captures_that_describe_no_fields)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(trials); i++) {
		const struct trial *trial = &trials[i / 2];
		enum perf_writer_order order =
			i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN;
		struct perf_writer writer;
		struct interval_stacks result;

		write_capture(&writer, order, &trial->capture);
		interval_stacks_read(&writer, &trial->pairing, &result);
		judge(trial, i / 2, &result);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}

/* Output of perf record --off-cpu before 6.16: sums, whose times are meaningless. */
static void write_measured(struct perf_writer *writer)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_BPF_OUTPUT,
		.sample_type =
			SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN | SAMPLE_PERIOD,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	uint64_t id = 40;

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "offcpu-time", &attr, &id, 1);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	for (uint64_t i = 0; i < 2; i++) {
		uint64_t ips[] = { CALLCHAIN_USER, 0x1000 };

		perf_writer_sample(writer, &(struct writer_sample){
						   .misc = CPU_MODE_USER,
						   .ip = ips[1],
						   .pid = 7,
						   .tid = 7,
						   .time_ns = 0xffffffff00000000 + i,
						   .period = 2000 + i,
						   .ips = ips,
						   .ip_count = 2,
					   });
	}
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

/* A wait that perf 6.16 measured, from 4000 to 10000, and a sum of others, which has no time. */
static void write_measured_wait(struct perf_writer *writer)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_BPF_OUTPUT,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD | SAMPLE_RAW,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	const uint64_t times_ns[] = { 10000, 0xffffffff00000000 };
	uint64_t id = 40;

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "offcpu-time", &attr, &id, 1);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	for (size_t i = 0; i < ARRAY_SIZE(times_ns); i++) {
		struct perf_writer raw;

		perf_writer_init(&raw, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_put_u32(&raw, 7);
		perf_writer_put_u32(&raw, 7);
		perf_writer_put_u64(&raw, 6000);
		perf_writer_put_u64(&raw, 2);
		perf_writer_put_u64(&raw, CALLCHAIN_USER);
		perf_writer_put_u64(&raw, 0x1000);
		perf_writer_put_u64(&raw, 0);
		perf_writer_put_zeros(&raw, 4);
		perf_writer_sample(writer, &(struct writer_sample){
						   .time_ns = times_ns[i],
						   .raw = raw.data.at,
						   .raw_bytes = (uint32_t)raw.data.count,
					   });
		perf_writer_deinit(&raw);
	}
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

Test(session_off_cpu, windows_of_waits_that_perf_measured)
{
	static const struct {
		struct selection_range range;
		const char *expected;
	} rows[] = {
		{ { 0, 5000 }, "app;[unknown] 1000\n" },
		{ { 5000, 6000 }, "app;[unknown] 1000\n" },
		{ { 6000, UINT64_MAX }, "app;[unknown] 4000\n" },
		{ { 11000, UINT64_MAX }, "" },
	};
	struct pairing_options pairing = { .span = NULL };
	struct interval_stacks result;
	struct perf_writer writer;

	write_measured_wait(&writer);
	interval_stacks_read(&writer, &pairing, &result);
	cr_expect_str_eq(result.text, "app;[unknown] 12000\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection = { .user_only = false };

		vec_push(&selection.times_ns, rows[i].range);
		interval_stacks_read_some(&writer, &pairing, &selection, &result);
		cr_expect_str_eq(result.text, rows[i].expected, "row %zu: %s", i, result.text);
		cr_expect_eq(result.counts.timeless, 1, "row %zu", i);
		selection_deinit(&selection);
	}
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

Test(session_off_cpu, sums_that_perf_made)
{
	static const struct {
		struct pairing_options pairing;
		bool good;
		const char *expected;
	} rows[] = {
		{ { 0 }, true, "app;[unknown] 4001\n" },
		{ { .states = "D" }, false, "no context switches were recorded" },
		{ { .shortest_ns = 1 }, false, "no context switches were recorded" },
	};
	struct perf_writer writer;

	write_measured(&writer);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct interval_stacks result;

		interval_stacks_read(&writer, &rows[i].pairing, &result);
		cr_expect_eq(result.good, rows[i].good, "row %zu: %s", i, result.text);
		cr_expect(strstr(result.text, rows[i].expected), "row %zu: %s", i, result.text);
	}
	perf_writer_deinit(&writer);
	assert_no_leaks();
}
