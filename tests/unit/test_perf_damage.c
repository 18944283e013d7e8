/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

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
static const uint64_t read_words[] = { 1000, 99 };

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

/* An impossible record size ends reading; the records before it are kept. */
Test(perf_damage, record_sizes_that_lie)
{
	static const struct {
		uint16_t size;
		const char *damage;
	} rows[] = {
		{ 0, "a record has a size below 8 bytes; nothing after it can be read" },
		{ 7, "a record has a size below 8 bytes; nothing after it can be read" },
		{ 0xffff, "the last record is truncated" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;
		struct outcome outcome;
		size_t third;

		perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
		perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
		perf_writer_comm(&writer, 100, 7, 7, "server", 0);
		perf_writer_sample(&writer, &(struct writer_sample){ .time_ns = 101 });
		third = perf_writer_sample(&writer, &(struct writer_sample){ .time_ns = 102 });
		perf_writer_sample(&writer, &(struct writer_sample){ .time_ns = 103 });
		perf_writer_finish(&writer);
		perf_writer_patch_u16(&writer, writer.data_offset + third + 6, rows[i].size);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "size %u", rows[i].size);
		cr_expect(outcome.is_partial, "size %u", rows[i].size);
		cr_expect_eq(outcome.damage.code, ERROR_CORRUPT);
		cr_expect_eq(outcome.damage.offset, writer.data_offset + third);
		cr_expect_str_eq(outcome.damage.text, rows[i].damage);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 1, "size %u", rows[i].size);
		cr_expect_eq(outcome.log.losses[LOSS_TRUNCATED_BYTES], writer.data.count - third,
			     "size %u", rows[i].size);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

static void write_small_capture(struct perf_writer *writer, enum perf_writer_order order)
{
	static const uint64_t ids[] = { 42, 43 };
	struct perf_attr attr = attr_with(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
					  SAMPLE_CALLCHAIN);

	perf_writer_init(writer, order);
	perf_writer_event(writer, "first", &attr, ids, 1);
	perf_writer_event(writer, "second", &attr, ids + 1, 1);
	perf_writer_comm(writer, 100, 7, 7, "server", 0);
	perf_writer_sample(writer, &full_sample);
	perf_writer_mmap(writer, 102, &(struct writer_mmap){ .pid = 7, .path = "/bin/server" });
	perf_writer_sample(writer, &full_sample);
	perf_writer_sample(writer, &full_sample);
	perf_writer_feature_string(writer, FEATURE_HOSTNAME, "db7");
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

/* A capture that is truncated anywhere is refused with a message, or read as far as possible: never
 * less than a shorter part of it, and never as if it were whole. */
Test(perf_damage, cut_at_every_byte)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;
		size_t samples = 0;

		write_small_capture(&writer, orders[i]);
		for (size_t cut = 0; cut <= writer.file.count; cut++) {
			struct outcome outcome;

			outcome_read(writer.file.at, cut, &outcome);
			if (!outcome.good) {
				cr_expect_lt(cut, writer.data_offset, "cut to %zu: %s", cut,
					     outcome.err.text);
				cr_expect_neq(outcome.err.code, ERROR_NONE, "cut to %zu", cut);
				cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 0);
			} else {
				cr_expect_geq(cut, writer.data_offset, "cut to %zu", cut);
				cr_expect_geq(outcome.log.counts[EVENT_SAMPLE], samples,
					      "cut to %zu", cut);
				samples = outcome.log.counts[EVENT_SAMPLE];
				cr_expect_eq(outcome.is_partial, cut < writer.file.count,
					     "cut to %zu", cut);
			}
			outcome_deinit(&outcome);
		}
		cr_expect_eq(samples, 3);
		perf_writer_deinit(&writer);
	}
}

/* Header fields, their corrupt values, and the expected result. */
static const struct {
	size_t offset;
	uint64_t value;
	const char *error; /* NULL: it is read */
} header_lies[] = {
	{ PERF_WRITER_HEADER_SIZE, 0,
	  "the perf.data header has 0 bytes instead of 104, or 16 for a pipe" },
	{ PERF_WRITER_HEADER_SIZE, UINT64_MAX, "" },
	{ PERF_WRITER_ATTR_ENTRY, 0, "" },
	{ PERF_WRITER_ATTR_ENTRY, 16, "" },
	{ PERF_WRITER_ATTR_ENTRY, 79, "" },
	{ PERF_WRITER_ATTR_ENTRY, UINT64_MAX, "" },
	{ PERF_WRITER_ATTR_ENTRY, 1u << 20, "" },
	{ PERF_WRITER_ATTRS_OFFSET, UINT64_MAX, "" },
	{ PERF_WRITER_ATTRS_OFFSET, UINT64_MAX - 100, "" },
	{ PERF_WRITER_ATTRS_SIZE, UINT64_MAX, "" },
	{ PERF_WRITER_ATTRS_SIZE, UINT64_MAX - 103, "" },
	{ PERF_WRITER_ATTRS_SIZE, 0, "the capture describes no events" },
	{ PERF_WRITER_DATA_OFFSET, UINT64_MAX, "" },
	{ PERF_WRITER_DATA_OFFSET, 0, "" },
	{ PERF_WRITER_DATA_SIZE, UINT64_MAX, NULL },
	{ PERF_WRITER_DATA_SIZE, UINT64_MAX - 500, NULL },
	{ PERF_WRITER_FEATURE_BITS, UINT64_MAX, NULL },
	{ PERF_WRITER_FEATURE_BITS + 8, UINT64_MAX, NULL },
};

Test(perf_damage, header_fields_that_lie)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(header_lies); i++) {
		size_t row = i / 2;
		const char *error = header_lies[row].error;
		struct perf_writer writer;
		struct outcome outcome;

		write_small_capture(&writer, orders[i % 2]);
		perf_writer_patch_u64(&writer, header_lies[row].offset, header_lies[row].value);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_expect_eq(outcome.good, !error, "row %zu: %s", row, outcome.err.text);
		if (!outcome.good) {
			cr_expect_eq(outcome.err.code, ERROR_CORRUPT, "row %zu", row);
			cr_expect(strstr(outcome.err.text, error ? error : ""), "row %zu: %s", row,
				  outcome.err.text);
		} else {
			cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 3, "row %zu", row);
		}
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/* The ids of an event: offset and size of their section are after its attr. */
Test(perf_damage, id_sections_that_lie)
{
	static const struct {
		size_t at;
		uint64_t value;
		bool good;
	} rows[] = {
		{ 0, UINT64_MAX, false }, { 8, UINT64_MAX, false }, { 8, UINT64_MAX - 7, false },
		{ 8, 1u << 30, false },   { 8, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		write_small_capture(&writer, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_patch_u64(&writer, writer.attrs_offset + 136 + rows[i].at,
				      rows[i].value);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_expect_eq(outcome.good, rows[i].good, "row %zu: %s", i, outcome.err.text);
		cr_expect(outcome.good || outcome.err.code == ERROR_CORRUPT, "row %zu", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * A feature with an impossible section is listed, everything else is read, and the result is
 * partial.
 */
Test(perf_damage, feature_sections_that_lie)
{
	static const struct {
		size_t at;
		uint64_t value;
	} rows[] = {
		{ 0, UINT64_MAX },
		{ 8, UINT64_MAX },
		{ 8, UINT64_MAX - 63 },
		{ 8, 1u << 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		write_small_capture(&writer, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_patch_u64(&writer, writer.features_offset + rows[i].at, rows[i].value);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "row %zu: %s", i, outcome.err.text);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 3, "row %zu", i);
		cr_expect(strstr(event_log_text(&outcome.log), "unreadable: HOSTNAME\n"),
			  "row %zu:\n%s", i, event_log_text(&outcome.log));
		cr_expect(strstr(event_log_text(&outcome.log), "name=second "), "row %zu", i);
		cr_expect(outcome.is_partial &&
				  strstr(outcome.damage.text, "after the records are truncated"),
			  "row %zu", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/* perf was killed: the size of the data was never written, nor the features after the data. */
Test(perf_damage, killed_recording_is_read_to_its_last_whole_record)
{
	struct perf_writer writer;
	struct outcome outcome;

	write_small_capture(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_patch_u64(&writer, PERF_WRITER_DATA_SIZE, 0);
	outcome_read(writer.file.at, writer.features_offset - 3, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect(outcome.is_partial);
	cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 2);
	cr_expect_neq(outcome.log.losses[LOSS_TRUNCATED_BYTES], 0);
	/* The names are made from the attrs. */
	cr_expect(strstr(event_log_text(&outcome.log), "name=cpu-clock:HG "), "%s",
		  event_log_text(&outcome.log));
	outcome_deinit(&outcome);

	outcome_read(writer.file.at, writer.features_offset, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect(outcome.is_partial);
	cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 3);
	cr_expect_eq(outcome.log.losses[LOSS_TRUNCATED_BYTES], 0);
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}
