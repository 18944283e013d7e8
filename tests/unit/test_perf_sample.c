/* SPDX-License-Identifier: MIT */
#include "libparse/perf/sample.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

/* Finishes the writer, reads what it wrote without fail, and compares the records. */
static void expect_records(struct perf_writer *writer, const char *expected, const char *what)
{
	struct outcome outcome;

	perf_writer_finish(writer);
	outcome_read(writer->file.at, writer->file.count, &outcome);
	cr_assert(outcome.good, "%s: %s", what, outcome.err.text);
	cr_expect_str_eq(outcome_records(&outcome), expected, "%s:\n%s\nwanted:\n%s", what,
			 event_log_text(&outcome.log), expected);
	outcome_deinit(&outcome);
}

static const char *order_name(const struct perf_writer *writer)
{
	return writer->is_big_endian ? "big-endian" : "little-endian";
}

static const struct perf_attr plain_attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

static const uint64_t chain[] = { CALLCHAIN_KERNEL, 0xffffffff81000001, CALLCHAIN_USER, 0x400123 };
static const uint64_t branches[] = { 0x10, 0x20, 0x1, 0x30, 0x40, 0x2 };
static const uint64_t registers[] = { 0x1111, 0x7ffe0000, 0x400123 };
static const uint64_t read_words[] = { 250000, 42 };

/* A sample with a value in every field. */
static const struct writer_sample full_sample = {
	.ip = 0x400123,
	.pid = 7,
	.tid = 8,
	.time_ns = 120,
	.address = 0xadd7,
	.stream_id = 555,
	.cpu = 3,
	.period = 250000,
	.read_words = read_words,
	.read_count = 2,
	.ips = chain,
	.ip_count = ARRAY_SIZE(chain),
	.raw = "\x01\x02\x03\x04",
	.raw_bytes = 4,
	.branches = branches,
	.branch_count = 2,
	.branches_hw_index = 17,
	.user_abi = 2,
	.user_registers = registers,
	.user_stack = "stack bytes....",
	.user_stack_bytes = 16,
	.user_stack_used_bytes = 8,
	.weight = 0x100020003,
	.data_source = 0x68100142,
	.transaction = 0x2a,
	.interrupt_abi = 1,
	.interrupt_registers = registers,
	.physical_address = 0x1f000,
	.cgroup = 4321,
	.data_page_size = 4096,
	.code_page_size = 2097152,
	.aux = "auxauxau",
	.aux_bytes = 8,
};

/* Each field, and the parts of the expected line that depend on it. */
static const struct {
	uint64_t bit;
	const char *before, *after; /* after the ip: up to the period, and after it */
} sample_fields[] = {
	{ 0, " period=1", "" },
	{ SAMPLE_IDENTIFIER, " id=42 period=1", "" },
	{ SAMPLE_ADDR, " address=0xadd7 period=1", "" },
	{ SAMPLE_ID, " id=42 period=1", "" },
	{ SAMPLE_STREAM_ID, " stream=555 period=1", "" },
	{ SAMPLE_PERIOD, " period=250000", "" },
	{ SAMPLE_READ, " id=42 period=250000", "" },
	{ SAMPLE_CALLCHAIN, " period=1",
	  " ips=[0xffffffffffffff80 0xffffffff81000001 0xfffffffffffffe00 0x400123]" },
	{ SAMPLE_RAW, " period=1", " raw=01020304" },
	{ SAMPLE_BRANCH_STACK, " period=1",
	  " branches=[0x10>0x20 mispredicted, 0x30>0x40 predicted] hw_index=0x11" },
	{ SAMPLE_REGS_USER, " period=1", " user_registers=[0x2 0x1111 0x7ffe0000 0x400123]" },
	{ SAMPLE_STACK_USER, " period=1",
	  " user_stack=737461636b2062797465732e2e2e2e00 user_stack_used=8" },
	{ SAMPLE_WEIGHT, " period=1", " weight=0x100020003" },
	{ SAMPLE_DATA_SRC, " period=1", " data_source=0x68100142" },
	{ SAMPLE_TRANSACTION, " period=1", " transaction=0x2a" },
	{ SAMPLE_REGS_INTR, " period=1", " interrupt_registers=[0x1 0x1111 0x7ffe0000]" },
	{ SAMPLE_PHYS_ADDR, " period=1", " physical_address=0x1f000" },
	{ SAMPLE_CGROUP, " period=1", " cgroup=4321" },
	{ SAMPLE_DATA_PAGE_SIZE, " period=1", " data_page_size=4096" },
	{ SAMPLE_CODE_PAGE_SIZE, " period=1", " code_page_size=2097152" },
	{ SAMPLE_WEIGHT_STRUCT, " period=1", " weight=0x100020003" },
	{ SAMPLE_AUX, " period=1", "" },
};

static struct perf_attr attr_with(uint64_t sample_type)
{
	struct perf_attr attr = plain_attr;

	attr.sample_type = sample_type;
	attr.read_format = READ_FORMAT_ID;
	attr.branch_sample_type = BRANCH_SAMPLE_HW_INDEX;
	attr.sample_regs_user = 1 << 0 | 1 << 7 | 1 << 8;
	attr.sample_regs_intr = 1ull << 5 | 1ull << 40;
	return attr;
}

Test(perf_sample, each_sample_field_alone)
{
	static const uint64_t ids[] = { 42 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(sample_fields); i++) {
		size_t row = i / 2;
		struct perf_attr attr =
			attr_with(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | sample_fields[row].bit);
		struct perf_writer writer;
		char expected[512];
		char what[64];

		snprintf(expected, sizeof(expected),
			 "SAMPLE time=120 attr=0 mode=2 pid=7 tid=8 ip=0x400123%s%s\n",
			 sample_fields[row].before, sample_fields[row].after);
		perf_writer_init(&writer, orders[i % 2]);
		perf_writer_event(&writer, "event", &attr, ids, 1);
		perf_writer_sample(&writer, &full_sample);
		snprintf(what, sizeof(what), "field %zu, %s", row, order_name(&writer));
		expect_records(&writer, expected, what);
		perf_writer_deinit(&writer);
	}
}

Test(perf_sample, all_sample_fields_together)
{
	static const uint64_t ids[] = { 42 };
	static const uint64_t second_words[] = { 500000, 42 };
	struct writer_sample second = full_sample;

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_attr attr = attr_with(SAMPLE_KNOWN & ~SAMPLE_WEIGHT_STRUCT);
		struct perf_writer writer;

		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "event", &attr, ids, 1);
		perf_writer_sample(&writer, &full_sample);
		second.read_words = second_words;
		perf_writer_sample(&writer, &second);
		expect_records(
			&writer,
			"SAMPLE time=120 attr=0 mode=2 pid=7 tid=8 cpu=3 ip=0x400123 "
			"address=0xadd7 id=42 stream=555 period=250000 "
			"ips=[0xffffffffffffff80 0xffffffff81000001 0xfffffffffffffe00 0x400123] "
			"raw=01020304 branches=[0x10>0x20 mispredicted, 0x30>0x40 predicted] hw_index=0x11 "
			"user_registers=[0x2 0x1111 0x7ffe0000 0x400123] "
			"user_stack=737461636b2062797465732e2e2e2e00 user_stack_used=8 "
			"weight=0x100020003 data_source=0x68100142 transaction=0x2a "
			"interrupt_registers=[0x1 0x1111 0x7ffe0000] physical_address=0x1f000 "
			"cgroup=4321 data_page_size=4096 code_page_size=2097152\n"
			"SAMPLE time=120 attr=0 mode=2 pid=7 tid=8 cpu=3 ip=0x400123 "
			"address=0xadd7 id=42 stream=555 period=250000 "
			"ips=[0xffffffffffffff80 0xffffffff81000001 0xfffffffffffffe00 0x400123] "
			"raw=01020304 branches=[0x10>0x20 mispredicted, 0x30>0x40 predicted] hw_index=0x11 "
			"user_registers=[0x2 0x1111 0x7ffe0000 0x400123] "
			"user_stack=737461636b2062797465732e2e2e2e00 user_stack_used=8 "
			"weight=0x100020003 data_source=0x68100142 transaction=0x2a "
			"interrupt_registers=[0x1 0x1111 0x7ffe0000] physical_address=0x1f000 "
			"cgroup=4321 data_page_size=4096 code_page_size=2097152\n",
			order_name(&writer));
		perf_writer_deinit(&writer);
	}
}

/* The flags of a branch are bit-fields, which are laid out in the order of the machine's bytes. */
Test(perf_sample, flags_of_branches)
{
	static const uint64_t flagged[] = {
		0x10, 0x20, 1ull << 2 | 0xabcull << 4 | 9ull << 20,
		0x30, 0x40, 1ull << 3 | 0x8001ull << 4 | 15ull << 20,
		0x50, 0x60, 2ull << 24 | 6ull << 26 | 4ull << 30 | 1ull << 33,
	};
	struct perf_attr attr = attr_with(SAMPLE_IP | SAMPLE_BRANCH_STACK);
	struct writer_sample sample = { .ip = 0x400123, .branches = flagged, .branch_count = 3 };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;

		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "event", &attr, NULL, 0);
		perf_writer_sample(&writer, &sample);
		expect_records(&writer,
			       "SAMPLE attr=0 mode=2 pid=4294967295 tid=4294967295 ip=0x400123 "
			       "period=1 branches=["
			       "0x10>0x20 in_transaction cycles=2748 type=9, "
			       "0x30>0x40 abort cycles=32769 type=15, "
			       "0x50>0x60 speculation=2 new_type=6 privilege=4]\n",
			       order_name(&writer));
		perf_writer_deinit(&writer);
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* No field remains of the sample before, neither of another event nor of the same event. */
Test(perf_sample, fields_of_the_sample_before)
{
	static const uint64_t ids[] = { 42, 43 };
	const uint64_t plain = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;
	const uint64_t fields = SAMPLE_KNOWN & ~(uint64_t)(SAMPLE_READ | SAMPLE_WEIGHT_STRUCT);
	const struct perf_attr attrs[] = { attr_with(fields), attr_with(plain) };
	struct writer_sample other = full_sample;
	struct writer_sample empty = { .id = 42, .ip = 0x400123, .time_ns = 9 };
	struct outcome outcome;
	struct perf_writer writer;

	other.event = 1;
	other.id = 43;
	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "full", &attrs[0], &ids[0], 1);
	perf_writer_event(&writer, "plain", &attrs[1], &ids[1], 1);
	perf_writer_sample(&writer, &full_sample);
	perf_writer_sample(&writer, &other);
	perf_writer_sample(&writer, &full_sample);
	perf_writer_sample(&writer, &empty);
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	cr_expect(
		strstr(event_log_text(&outcome.log),
		       "\nSAMPLE time=120 attr=1 mode=2 pid=7 tid=8 ip=0x400123 id=43 period=1\n"));
	cr_expect(ends_with(event_log_text(&outcome.log),
			    "SAMPLE time=9 attr=0 mode=2 ip=0x400123 id=42 ips=[] "
			    "user_registers=[0x0] interrupt_registers=[0x0]\n"),
		  "%s", event_log_text(&outcome.log));
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

/* Empty fields omit the data that would follow their count. */
Test(perf_sample, empty_sample_fields)
{
	struct perf_attr attr = attr_with(SAMPLE_IP | SAMPLE_CALLCHAIN | SAMPLE_BRANCH_STACK |
					  SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_DATA_SRC);
	struct writer_sample sample = { .ip = 0x400123, .data_source = 0x77 };
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &attr, NULL, 0);
	perf_writer_sample(&writer, &sample);
	expect_records(&writer,
		       "SAMPLE attr=0 mode=2 pid=4294967295 tid=4294967295 ip=0x400123 period=1 "
		       "ips=[] user_registers=[0x0] data_source=0x77\n",
		       "empty fields");
	perf_writer_deinit(&writer);
}

/*
 * A branch stack without branches lacks the hw_index, which shows only at the end of the record.
 * Then the fields read so far are dropped: here a stack of 16 bytes.
 */
Test(perf_sample, fields_after_a_branch_stack_of_another_form)
{
	static const uint64_t looks_like_a_stack[] = { 0, 16, 0x400123 };
	struct perf_attr attr = attr_with(SAMPLE_IP | SAMPLE_BRANCH_STACK | SAMPLE_REGS_USER |
					  SAMPLE_STACK_USER | SAMPLE_WEIGHT | SAMPLE_DATA_SRC);
	struct writer_sample sample = {
		.ip = 0x400123,
		.user_abi = 2,
		.user_registers = looks_like_a_stack,
		.weight = 5,
		.data_source = 0x77,
	};
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &attr, NULL, 0);
	perf_writer_sample(&writer, &sample);
	expect_records(&writer,
		       "SAMPLE attr=0 mode=2 pid=4294967295 tid=4294967295 ip=0x400123 period=1 "
		       "user_registers=[0x2 0x0 0x10 0x400123] weight=0x5 data_source=0x77\n",
		       "no branches");
	perf_writer_deinit(&writer);
}

#define READ_SAMPLE "SAMPLE attr=0 mode=2 pid=4294967295 tid=4294967295 ip=0x400123"

/* Readings of every layout are skipped to reach the field after them; each is a sample. */
Test(perf_sample, read_formats)
{
	static const struct {
		uint64_t format;
		uint64_t words[12];
		size_t count;
		const char *expected;
	} rows[] = {
		{ 0, { 1000 }, 1, READ_SAMPLE " period=1000 data_source=0x77\n" },
		{ READ_FORMAT_ID,
		  { 1000, 42 },
		  2,
		  READ_SAMPLE " id=42 period=1000 data_source=0x77\n" },
		{ READ_FORMAT_TOTAL_TIME_ENABLED | READ_FORMAT_TOTAL_TIME_RUNNING,
		  { 1000, 2, 3 },
		  3,
		  READ_SAMPLE " period=1000 data_source=0x77\n" },
		{ READ_FORMAT_ID | READ_FORMAT_LOST,
		  { 1000, 42, 0 },
		  3,
		  READ_SAMPLE " id=42 period=1000 data_source=0x77\n" },
		{ READ_FORMAT_GROUP,
		  { 2, 1000, 2000 },
		  3,
		  READ_SAMPLE " period=1000 data_source=0x77\n" },
		{ READ_FORMAT_GROUP | READ_FORMAT_ID | READ_FORMAT_LOST,
		  { 2, 1000, 42, 0, 2000, 43, 0 },
		  7,
		  READ_SAMPLE " id=42 period=1000 data_source=0x77\n" READ_SAMPLE
			      " id=43 period=2000 data_source=0x77\n" },
		{ READ_FORMAT_GROUP | READ_FORMAT_ID | READ_FORMAT_TOTAL_TIME_ENABLED |
			  READ_FORMAT_TOTAL_TIME_RUNNING,
		  { 2, 9, 9, 1000, 42, 2000, 43 },
		  7,
		  READ_SAMPLE " id=42 period=1000 data_source=0x77\n" READ_SAMPLE
			      " id=43 period=2000 data_source=0x77\n" },
		{ READ_FORMAT_GROUP, { 0 }, 1, "" },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		size_t row = i / 2;
		struct perf_attr attr = attr_with(SAMPLE_IP | SAMPLE_READ | SAMPLE_DATA_SRC);
		struct writer_sample sample = { .ip = 0x400123,
						.read_words = rows[row].words,
						.read_count = rows[row].count,
						.data_source = 0x77 };
		struct perf_writer writer;
		char what[32];

		attr.read_format = rows[row].format;
		perf_writer_init(&writer, orders[i % 2]);
		perf_writer_event(&writer, "event", &attr, NULL, 0);
		perf_writer_sample(&writer, &sample);
		snprintf(what, sizeof(what), "row %zu, %s", row, order_name(&writer));
		expect_records(&writer, rows[row].expected, what);
		perf_writer_deinit(&writer);
	}
}

/* Content that contradicts the record's size makes only that record unreadable. */
Test(perf_sample, counts_that_lie_inside_a_sample)
{
	static const struct {
		uint64_t bit;
		uint64_t count;
		size_t count_bytes;
		size_t more_bytes; /* after the count; read if its product overflows */
	} rows[] = {
		{ SAMPLE_CALLCHAIN, 1, 8, 0 },
		{ SAMPLE_CALLCHAIN, 0x2000000000000000, 8, 0 },
		{ SAMPLE_CALLCHAIN, 0x2000000000000001, 8, 0 },
		{ SAMPLE_CALLCHAIN, UINT64_MAX, 8, 0 },
		{ SAMPLE_RAW, 1, 4, 0 },
		{ SAMPLE_RAW, UINT32_MAX, 4, 0 },
		{ SAMPLE_BRANCH_STACK, 1, 8, 0 },
		{ SAMPLE_BRANCH_STACK, UINT64_MAX / 24 + 1, 8, 16 },
		{ SAMPLE_BRANCH_STACK, UINT64_MAX, 8, 0 },
		{ SAMPLE_REGS_USER, 2, 8, 0 },
		{ SAMPLE_REGS_INTR, 1, 8, 0 },
		{ SAMPLE_STACK_USER, 8, 8, 0 },
		{ SAMPLE_STACK_USER, UINT64_MAX, 8, 0 },
		{ SAMPLE_STACK_USER, UINT64_MAX - 7, 8, 0 },
		{ SAMPLE_WEIGHT, 0, 4, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_attr attr = attr_with(SAMPLE_IP | rows[i].bit);
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_event(&writer, "event", &attr, NULL, 0);
		perf_writer_sample(&writer, &full_sample);
		perf_writer_record_begin(&writer, RECORD_SAMPLE, 2);
		perf_writer_put_u64(&writer, 0x10);
		if (rows[i].count_bytes == 8)
			perf_writer_put_u64(&writer, rows[i].count);
		else
			perf_writer_put_u32(&writer, (uint32_t)rows[i].count);
		perf_writer_put_zeros(&writer, rows[i].more_bytes);
		perf_writer_record_end(&writer);
		perf_writer_sample(&writer, &full_sample);
		perf_writer_finish(&writer);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_expect(outcome.good, "row %zu", i);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 2, "row %zu", i);
		cr_expect_eq(outcome.log.losses[LOSS_CORRUPT_RECORDS], 1, "row %zu", i);
		cr_expect_not(outcome.is_partial, "row %zu", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * perf record --off-cpu writes sums, whose time is invented, and single waits, whose pid and tid
 * are swapped. Before perf 6.16, it wrote only sums, in the usual fields of a sample.
 */
Test(perf_sample, off_cpu)
{
	static const uint64_t stack[] = { CALLCHAIN_USER, 0x400123, 0x400456 };
	static const struct {
		uint64_t sample_type, time_ns;
		const char *expected;
	} rows[] = {
		{ SAMPLE_RAW, 0xffffffff00000003, "pid=8 tid=7 ip=0x400123 period=5000" },
		{ SAMPLE_RAW, 120, "time=120 attr=0 mode=2 pid=7 tid=8 ip=0x400123 period=5000" },
		{ SAMPLE_CALLCHAIN, 0xffffffff00000003, "pid=1 tid=2 ip=0x400123 period=5000" },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const bool is_raw = rows[i / 2].sample_type == SAMPLE_RAW;
		struct perf_attr attr = attr_with(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
						  SAMPLE_PERIOD | rows[i / 2].sample_type);
		struct perf_writer writer, raw;
		struct outcome outcome;
		const char *text;

		attr.config = SOFTWARE_BPF_OUTPUT;
		perf_writer_init(&writer, orders[i % 2]);
		perf_writer_init(&raw, orders[i % 2]);
		perf_writer_put_u32(&raw, 8);
		perf_writer_put_u32(&raw, 7);
		perf_writer_put_u64(&raw, 5000);
		perf_writer_put_u64(&raw, ARRAY_SIZE(stack));
		for (size_t k = 0; k < ARRAY_SIZE(stack); k++)
			perf_writer_put_u64(&raw, stack[k]);
		perf_writer_put_u64(&raw, 99);
		perf_writer_put_zeros(&raw, 4);
		perf_writer_event(&writer, "offcpu-time", &attr, NULL, 0);
		perf_writer_sample(&writer, &(struct writer_sample){
						    .ip = is_raw ? 0 : 0x400123,
						    .pid = 1,
						    .tid = 2,
						    .time_ns = rows[i / 2].time_ns,
						    .period = is_raw ? 0 : 5000,
						    .ips = stack,
						    .ip_count = ARRAY_SIZE(stack),
						    .raw = raw.data.at,
						    .raw_bytes = (uint32_t)raw.data.count,
					    });
		perf_writer_feature_event_desc(&writer);
		perf_writer_finish(&writer);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "%s", outcome.err.text);
		text = event_log_text(&outcome.log);
		cr_expect(strstr(text, rows[i / 2].expected), "row %zu: %s", i / 2, text);
		cr_expect(strstr(text, "ips=[0xfffffffffffffe00 0x400123 0x400456]"), "%s", text);
		cr_expect(strstr(text, "unit=ns"), "%s", text);
		cr_expect_null(strstr(text, "time=18446744"), "%s", text);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
		perf_writer_deinit(&raw);
	}
}

/* RAW is checked as every record: no byte may be missing. */
Test(perf_sample, off_cpu_cut_short)
{
	static const unsigned char raw[24] = { [16] = 1 };
	struct perf_attr attr = attr_with(SAMPLE_TIME | SAMPLE_RAW);
	struct perf_writer writer;

	attr.config = SOFTWARE_BPF_OUTPUT;
	for (uint32_t size_bytes = 4; size_bytes <= 24; size_bytes += 4) {
		perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_event(&writer, "offcpu-time", &attr, NULL, 0);
		perf_writer_sample(&writer,
				   &(struct writer_sample){ .raw = raw, .raw_bytes = size_bytes });
		perf_writer_feature_event_desc(&writer);
		expect_records(&writer, "LOSS DAMAGED_RECORDS 1\n", "cut short");
		perf_writer_deinit(&writer);
	}
}
