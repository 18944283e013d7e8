/* SPDX-License-Identifier: MIT */
#include "libparse/perf/perf_reader.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/memory_file.h"
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

static const uint8_t build_id[20] = { 0xb1, 0xd0, 3,  4,  5,  6,  7,  8,  9,  10,
				      11,   12,   13, 14, 15, 16, 17, 18, 19, 20 };

/* One record of each type that kiln reads. */
static void write_state(struct perf_writer *writer)
{
	perf_writer_comm(writer, 100, 7, 7, "perf-exec", 0);
	perf_writer_comm(writer, 101, 7, 7, "server", MISC_COMM_EXEC);
	perf_writer_mmap(writer, 102,
			 &(struct writer_mmap){ .pid = UINT32_MAX,
						.misc = 1,
						.address = 0xffffffff81000000,
						.length = 0x1000000,
						.file_offset = 0xffffffff81000000,
						.path = "[kernel.kallsyms]_text" });
	perf_writer_mmap(writer, 103,
			 &(struct writer_mmap){ .pid = 7,
						.tid = 7,
						.misc = MISC_MMAP_DATA,
						.address = 0x600000,
						.length = 0x1000,
						.path = "[heap]" });
	perf_writer_mmap2(writer, 104,
			  &(struct writer_mmap){ .pid = 7,
						 .tid = 7,
						 .address = 0x400000,
						 .length = 0x2000,
						 .file_offset = 0x1000,
						 .device_major = 8,
						 .device_minor = 1,
						 .inode = 1234567,
						 .inode_generation = 2,
						 .protection = 5,
						 .flags = 2,
						 .path = "/srv/a b;c" });
	perf_writer_mmap2(writer, 105,
			  &(struct writer_mmap){ .pid = 7,
						 .tid = 8,
						 .address = 0x7f0000000000,
						 .length = 0x3000,
						 .build_id = build_id,
						 .build_id_bytes = 20,
						 .protection = 5,
						 .path = "/lib/libc.so.6" });
	perf_writer_fork(writer, 106, 9, 7, 9, 8, 0);
	perf_writer_exit(writer, 107, 9, 7, 9, 8);
	perf_writer_ksymbol(writer, 108, 0xffffffffc0000000, 200, 0, "bpf_prog_1234_probe");
	perf_writer_ksymbol(writer, 109, 0xffffffffc0000000, 200, KSYMBOL_FLAG_UNREGISTER,
			    "bpf_prog_1234_probe");
	perf_writer_lost(writer, 110, 42, 17);
	perf_writer_lost_samples(writer, 111, 5, 0);
	perf_writer_lost_samples(writer, 112, 6, MISC_LOST_SAMPLES_BPF);
	perf_writer_throttle(writer, 113, 42);
}

/*
 * The events of these records. FORK and EXIT have their own times, the others those of the trailer.
 */
static const struct {
	const char *name, *time, *fields;
	bool has_own_time;
} state_lines[] = {
	{ "COMM", "100", "pid=7 tid=7 comm=perf-exec", false },
	{ "COMM", "101", "pid=7 tid=7 exec comm=server", false },
	{ "MMAP", "102",
	  "pid=4294967295 tid=0 kernel address=0xffffffff81000000 length=0x1000000 "
	  "file_offset=0xffffffff81000000 path=[kernel.kallsyms]_text",
	  false },
	{ "MMAP", "103", "pid=7 tid=7 data address=0x600000 length=0x1000 path=[heap]", false },
	{ "MMAP", "104",
	  "pid=7 tid=7 private address=0x400000 length=0x2000 file_offset=0x1000 major=8 minor=1 "
	  "inode=1234567 generation=2 path=/srv/a b;c",
	  false },
	{ "MMAP", "105",
	  "pid=7 tid=8 address=0x7f0000000000 length=0x3000 "
	  "build_id=b1d0030405060708090a0b0c0d0e0f1011121314 path=/lib/libc.so.6",
	  false },
	{ "FORK", "106", "pid=9 tid=9 parent_pid=7 parent_tid=8", true },
	{ "EXIT", "107", "pid=9 tid=9 parent_pid=7 parent_tid=8", true },
	{ "KSYMBOL", "108", "address=0xffffffffc0000000 length=0xc8 name=bpf_prog_1234_probe",
	  false },
	{ "KSYMBOL", "109",
	  "address=0xffffffffc0000000 length=0xc8 unregister name=bpf_prog_1234_probe", false },
	{ "LOSS", "110", "RECORDS 17", false },
	{ "LOSS", "111", "SAMPLES 5", false },
	{ "LOSS", "112", "FILTERED 6", false },
	{ "LOSS", "113", "THROTTLED 1", false },
};

static void expect_state(struct perf_writer *writer, bool has_trailer, const char *what)
{
	struct sink lines;

	sink_init_memory(&lines);
	for (size_t i = 0; i < ARRAY_SIZE(state_lines); i++) {
		sink_puts(&lines, state_lines[i].name);
		if (has_trailer || state_lines[i].has_own_time)
			sink_printf(&lines, " time=%s", state_lines[i].time);
		sink_printf(&lines, " %s\n", state_lines[i].fields);
	}
	sink_char(&lines, '\0');
	expect_records(writer, sink_memory(&lines).at, what);
	sink_deinit(&lines);
}

/* The trailer is located from the end of the record, whatever fields it has. */
Test(perf_reader, state_with_the_time_of_its_trailer)
{
	static const uint64_t types[] = {
		SAMPLE_IP | SAMPLE_TIME,
		SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
		SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_CPU | SAMPLE_PERIOD,
		SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_IDENTIFIER,
		SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
			SAMPLE_IDENTIFIER,
	};
	static const uint64_t ids[] = { 42 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(types); i++) {
		struct perf_attr attr = attr_with(types[i / 2]);
		struct perf_writer writer;
		char what[64];

		perf_writer_init(&writer, orders[i % 2]);
		writer.cpu = 3;
		writer.stream_id = 555;
		perf_writer_event(&writer, "event", &attr, ids, 1);
		write_state(&writer);
		snprintf(what, sizeof(what), "type %zu, %s", i / 2, order_name(&writer));
		expect_state(&writer, true, what);
		perf_writer_deinit(&writer);
	}
}

Test(perf_reader, state_without_a_trailer)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_attr attr = plain_attr;
		struct perf_writer writer;

		attr.flags = 0;
		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "event", &attr, NULL, 0);
		write_state(&writer);
		expect_state(&writer, false, order_name(&writer));
		perf_writer_deinit(&writer);
	}
}

/* Records that perf writes for the time before recording have time 0: unknown. */
Test(perf_reader, synthesized_state_has_no_time)
{
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
	perf_writer_fork(&writer, 0, 7, 1, 7, 1, MISC_FORK_EXEC);
	perf_writer_comm(&writer, 0, 7, 7, "old", 0);
	expect_records(&writer,
		       "FORK pid=7 tid=7 parent_pid=1 parent_tid=1 synthesized\n"
		       "COMM pid=7 tid=7 comm=old\n",
		       "synthesized");
	perf_writer_deinit(&writer);
}

/* Two events whose trailers and samples differ, told apart by their ids. */
Test(perf_reader, samples_go_to_the_event_of_their_id)
{
	static const uint64_t types[][2] = {
		{ SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TIME,
		  SAMPLE_IDENTIFIER | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_ADDR },
		{ SAMPLE_IP | SAMPLE_TIME | SAMPLE_ID | SAMPLE_CPU,
		  SAMPLE_IP | SAMPLE_TIME | SAMPLE_ID | SAMPLE_CPU | SAMPLE_PERIOD },
	};
	static const char *const expected[] = {
		"COMM time=90 pid=7 tid=7 comm=first\n"
		"COMM time=91 pid=7 tid=7 comm=second\n"
		"SAMPLE time=100 attr=0 mode=2 pid=4294967295 tid=4294967295 ip=0x10 id=42 "
		"period=1\n"
		"SAMPLE time=101 attr=1 mode=2 pid=4294967295 tid=4294967295 cpu=5 address=0x30 "
		"id=51 period=1\n"
		"LOSS UNKNOWN_IDS 1\n"
		"SAMPLE time=103 attr=1 mode=2 pid=4294967295 tid=4294967295 cpu=5 address=0x30 "
		"id=50 period=1\n",
		"COMM time=90 pid=7 tid=7 comm=first\n"
		"COMM time=91 pid=7 tid=7 comm=second\n"
		"SAMPLE time=100 attr=0 mode=2 pid=4294967295 tid=4294967295 cpu=5 ip=0x10 id=42 "
		"period=1\n"
		"SAMPLE time=101 attr=1 mode=2 pid=4294967295 tid=4294967295 cpu=5 ip=0x20 id=51 "
		"period=9\n"
		"LOSS UNKNOWN_IDS 1\n"
		"SAMPLE time=103 attr=1 mode=2 pid=4294967295 tid=4294967295 cpu=5 ip=0x20 id=50 "
		"period=9\n",
	};
	static const uint64_t first_ids[] = { 42, 43 };
	static const uint64_t second_ids[] = { 50, 51 };

	for (size_t i = 0; i < 4; i++) {
		struct perf_attr first = attr_with(types[i / 2][0]);
		struct perf_attr second = attr_with(types[i / 2][1]);
		struct perf_writer writer;

		perf_writer_init(&writer, orders[i % 2]);
		perf_writer_event(&writer, "first", &first, first_ids, 2);
		perf_writer_event(&writer, "second", &second, second_ids, 2);
		perf_writer_comm(&writer, 90, 7, 7, "first", 0);
		writer.event = 1;
		perf_writer_comm(&writer, 91, 7, 7, "second", 0);
		perf_writer_sample(&writer,
				   &(struct writer_sample){ .ip = 0x10, .time_ns = 100, .cpu = 5 });
		perf_writer_sample(&writer, &(struct writer_sample){ .event = 1,
								     .id = 51,
								     .ip = 0x20,
								     .time_ns = 101,
								     .cpu = 5,
								     .address = 0x30,
								     .period = 9 });
		perf_writer_sample(
			&writer, &(struct writer_sample){ .id = 999, .ip = 0x10, .time_ns = 102 });
		perf_writer_sample(&writer, &(struct writer_sample){ .event = 1,
								     .ip = 0x20,
								     .time_ns = 103,
								     .cpu = 5,
								     .address = 0x30,
								     .period = 9 });
		expect_records(&writer, expected[i / 2], order_name(&writer));
		perf_writer_deinit(&writer);
	}
}

/* The position of the id differs between events, so the event of a sample is unknown. */
Test(perf_reader, samples_of_events_that_cannot_be_told_apart)
{
	static const uint64_t ids[] = { 42, 43 };
	struct perf_attr first = attr_with(SAMPLE_IP | SAMPLE_TIME | SAMPLE_ID);
	struct perf_attr second = attr_with(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID);
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "first", &first, ids, 1);
	perf_writer_event(&writer, "second", &second, ids + 1, 1);
	perf_writer_sample(&writer, &(struct writer_sample){ .ip = 0x10 });
	perf_writer_sample(&writer, &(struct writer_sample){ .event = 1, .ip = 0x10 });
	expect_records(&writer, "LOSS UNKNOWN_IDS 1\nLOSS UNKNOWN_IDS 1\n", "ambiguous");
	perf_writer_deinit(&writer);
}

Test(perf_reader, attrs_of_every_size)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 256 };
	static const uint64_t ids[] = { 42, 43 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(sizes); i++) {
		struct perf_writer writer;
		char what[64];

		perf_writer_init(&writer, orders[i % 2]);
		writer.attr_bytes = sizes[i / 2];
		perf_writer_event(&writer, "first", &plain_attr, ids, 1);
		perf_writer_event(&writer, "second", &plain_attr, ids + 1, 1);
		perf_writer_comm(&writer, 100, 7, 7, "server", 0);
		perf_writer_sample(&writer, &(struct writer_sample){ .ip = 0x10, .time_ns = 101 });
		snprintf(what, sizeof(what), "%u bytes, %s", sizes[i / 2], order_name(&writer));
		expect_records(&writer,
			       "COMM time=100 pid=7 tid=7 comm=server\n"
			       "SAMPLE time=101 attr=0 mode=2 ip=0x10 period=1\n",
			       what);
		perf_writer_deinit(&writer);
	}
}

static void put_empty_record(struct perf_writer *writer, uint32_t type, size_t payload_bytes)
{
	perf_writer_record_begin(writer, type, 0);
	perf_writer_put_zeros(writer, payload_bytes);
	perf_writer_record_end(writer);
}

Test(perf_reader, unknown_records_are_counted_and_stepped_over)
{
	static const uint32_t types[] = { 0, 23, 63, 87, 1000, UINT32_MAX };
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		put_empty_record(&writer, types[i], 8 * i);
	/* Known types that are of no use to a profile. */
	put_empty_record(&writer, RECORD_FINISHED_ROUND, 0);
	put_empty_record(&writer, RECORD_ITRACE_START, 24);
	perf_writer_comm(&writer, 100, 7, 7, "server", 0);
	expect_records(&writer,
		       "LOSS UNKNOWN_RECORDS 1\nLOSS UNKNOWN_RECORDS 1\nLOSS UNKNOWN_RECORDS 1\n"
		       "LOSS UNKNOWN_RECORDS 1\nLOSS UNKNOWN_RECORDS 1\nLOSS UNKNOWN_RECORDS 1\n"
		       "COMM time=100 pid=7 tid=7 comm=server\n",
		       "unknown records");
	perf_writer_deinit(&writer);
}

/* Any padding is accepted: perf pads strings to 4 bytes in some records. */
Test(perf_reader, records_need_not_be_aligned)
{
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
	perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
	for (size_t i = 1; i < 8; i++)
		put_empty_record(&writer, RECORD_CPU_MAP, 8 + i);
	perf_writer_comm(&writer, 100, 7, 7, "server", 0);
	perf_writer_sample(&writer, &(struct writer_sample){ .ip = 0x10, .time_ns = 101 });
	expect_records(&writer,
		       "COMM time=100 pid=7 tid=7 comm=server\n"
		       "SAMPLE time=101 attr=0 mode=2 ip=0x10 period=1\n",
		       "unaligned");
	perf_writer_deinit(&writer);
}

/* The trace after an AUXTRACE record is not part of the record, and may have any bytes. */
Test(perf_reader, hardware_traces_are_stepped_over)
{
	struct perf_writer writer;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
	perf_writer_record_begin(&writer, RECORD_AUXTRACE, 0);
	perf_writer_put_u64(&writer, 100000);
	perf_writer_put_zeros(&writer, 32);
	perf_writer_record_end(&writer);
	perf_writer_put_zeros(&writer, 100000);
	perf_writer_comm(&writer, 100, 7, 7, "server", 0);
	expect_records(&writer, "LOSS TRACES 1\nCOMM time=100 pid=7 tid=7 comm=server\n",
		       "auxtrace");
	perf_writer_deinit(&writer);
}

Test(perf_reader, names_of_events)
{
	static const uint64_t ids[] = { 42, 43 };
	struct perf_attr first = attr_with(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_CALLCHAIN);
	struct perf_attr dummy = attr_with(SAMPLE_IDENTIFIER | SAMPLE_IP);
	struct perf_writer writer;
	struct outcome outcome;

	dummy.config = SOFTWARE_DUMMY;
	dummy.flags |= ATTR_FLAG_COMM_EXEC;
	first.flags |= ATTR_FLAG_FREQ;
	first.sample_period = 99;
	perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
	perf_writer_event(&writer, "cpu-clock:u", &first, ids, 1);
	perf_writer_event(&writer, "dummy:HG", &dummy, ids + 1, 1);
	perf_writer_comm(&writer, 100, 7, 7, "server", 0);
	perf_writer_feature_event_desc(&writer);
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect(
		strstr(event_log_text(&outcome.log),
		       "ATTR index=0 name=cpu-clock:u unit=samples sample_type=0x10021 "
		       "frequency=99 callchain\n"
		       "ATTR index=1 name=dummy:HG unit=events sample_type=0x10001 period=1 dummy "
		       "comm_exec\n"),
		"%s", event_log_text(&outcome.log));
	cr_expect(strstr(event_log_text(&outcome.log), "FACT BYTE_ORDER: big-endian\n"));
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

/*
 * Before EVENT_DESC existed, names were in a table that has only configs. They belong to attrs by
 * position, or, if there is an attr for each CPU, by config, which does not distinguish cycles from
 * cpu-clock.
 */
Test(perf_reader, names_of_old_event_types)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *expected;
	} events[] = {
		{ TYPE_HARDWARE, 0, "index=0 name=renamed:u " },
		{ TYPE_SOFTWARE, 0, "index=1 name=cpu-clock:u " },
		{ TYPE_TRACEPOINT, 316, "index=2 name=sched:sched_switch " },
		{ TYPE_TRACEPOINT, 316, "index=3 name=sched:sched_switch " },
		{ TYPE_SOFTWARE, 0, "index=4 name=cpu-clock" },
		{ TYPE_TRACEPOINT, 317, "index=5 name=tracepoint:317 " },
		/* Its name is empty. */
		{ TYPE_TRACEPOINT, 318, "index=6 name=tracepoint:318 " },
	};
	static const struct {
		uint64_t config;
		const char *name;
	} names[] = {
		{ 0, "renamed:u" }, { 0, "cpu-clock:u" }, { 316, "sched:sched_switch" }, { 318, "" }
	};
	struct perf_writer writer;
	struct outcome outcome;

	perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
	writer.is_pipe = true;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct perf_attr attr = plain_attr;

		attr.type = events[i].type;
		attr.config = events[i].config;
		perf_writer_event(&writer, "", &attr, NULL, 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		perf_writer_record_begin(&writer, RECORD_HEADER_EVENT_TYPE, 0);
		perf_writer_put_u64(&writer, names[i].config);
		perf_writer_put_name(&writer, names[i].name);
		perf_writer_record_end(&writer);
	}
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		cr_expect(strstr(event_log_text(&outcome.log), events[i].expected), "%s:\n%s",
			  events[i].expected, event_log_text(&outcome.log));
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

/*
 * perf on a 32-bit big-endian machine writes the bitmap as 32-bit words, so the words of each pair
 * are swapped.
 */
Test(perf_reader, feature_bits_in_32_bit_words)
{
	static const uint64_t bits[] = { 1ull << FEATURE_EVENT_DESC,
					 1ull << FEATURE_EVENT_DESC << 32 };

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
		perf_writer_event(&writer, "renamed", &plain_attr, NULL, 0);
		perf_writer_comm(&writer, 100, 7, 7, "server", 0);
		perf_writer_feature_event_desc(&writer);
		perf_writer_finish(&writer);
		perf_writer_patch_u64(&writer, PERF_WRITER_FEATURE_BITS, bits[i]);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "%s", outcome.err.text);
		cr_expect(strstr(event_log_text(&outcome.log), "name=renamed "), "row %zu", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * A capture of several slices with a record across every boundary: each sample is read once, in
 * order.
 */
Test(perf_reader, slices_hold_every_sample_once)
{
	enum {
		SAMPLES = 100000
	};
	struct perf_writer writer;
	struct memory_file file;
	struct capture capture;
	struct event_log log;
	struct event_sink sink;
	struct error err;
	uint64_t end;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
	for (uint64_t i = 1; i <= SAMPLES; i++)
		perf_writer_sample(&writer, &(struct writer_sample){ .time_ns = i, .ip = i });
	perf_writer_finish(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	event_log_init(&log);
	sink = event_log_sink(&log);
	cr_assert(capture_open(&capture, file.path, &err), "%s", err.text);
	cr_assert(capture_read_state(&capture, &sink, &err), "%s", err.text);
	cr_expect_gt(capture.slices.count, 1);
	end = writer.data_offset;
	for (size_t i = 0; i < capture.slices.count; i++) {
		cr_expect_eq(capture.slices.at[i].begin, end, "slice %zu", i);
		end = capture.slices.at[i].end;
		cr_assert(capture_read_samples(&capture, capture.slices.at[i], &sink, &err), "%s",
			  err.text);
	}
	cr_expect_eq(end, writer.features_offset);
	cr_expect_eq(log.counts[EVENT_SAMPLE], SAMPLES);
	cr_expect(strstr(event_log_text(&log), "SAMPLE time=100000 attr=0 mode=2 ip=0x186a0 "));
	capture_close(&capture);
	event_log_deinit(&log);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
}
