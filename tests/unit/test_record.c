/* SPDX-License-Identifier: MIT */
#include "libparse/perf/record.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

static const struct perf_attr attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

/* The table is searched by bisection: each type of the ABI must be found, and no other type. */
Test(record, types)
{
	static const uint32_t unknown[] = { 0, RECORD_KERNEL_END, RECORD_USER_BEGIN - 1,
					    RECORD_USER_END, UINT32_MAX };

	for (uint32_t type = 1; type < RECORD_USER_END; type++) {
		const struct record_type *row = record_type_find(type);

		if (type >= RECORD_KERNEL_END && type < RECORD_USER_BEGIN)
			continue;
		cr_assert_not_null(row, "type %u", type);
		cr_expect_eq(row->type, type, "type %u", type);
		cr_expect(!row->decode || row->is_used || type == RECORD_AUXTRACE, "%s", row->name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		cr_expect_null(record_type_find(unknown[i]), "type %u", unknown[i]);
}

static void begin_capture(struct perf_writer *writer, uint64_t flags)
{
	struct perf_attr own = attr;

	own.flags = flags;
	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "event", &own, NULL, 0);
}

static void expect_records(struct perf_writer *writer, const char *expected, const char *what)
{
	struct outcome outcome;

	perf_writer_finish(writer);
	outcome_read(writer->file.at, writer->file.count, &outcome);
	cr_expect(outcome.good, "%s: %s", what, outcome.err.text);
	cr_expect_str_eq(outcome_records(&outcome), expected, "%s: %s", what,
			 event_log_text(&outcome.log));
	outcome_deinit(&outcome);
	perf_writer_deinit(writer);
}

/* Records of each type that are too short, or whose text has no NUL. */
Test(record, too_short)
{
	static const struct {
		uint32_t type;
		size_t payload_bytes; /* one less than required */
	} rows[] = {
		{ RECORD_MMAP, 32 },
		{ RECORD_MMAP2, 64 },
		{ RECORD_COMM, 8 },
		{ RECORD_FORK, 23 },
		{ RECORD_EXIT, 23 },
		{ RECORD_KSYMBOL, 16 },
		{ RECORD_LOST, 15 },
		{ RECORD_LOST_SAMPLES, 7 },
		{ RECORD_THROTTLE, 23 },
		{ RECORD_AUX, 23 },
		{ RECORD_NAMESPACES, 15 },
		{ RECORD_CGROUP, 8 },
		{ RECORD_CALLCHAIN_DEFERRED, 15 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = record_type_find(rows[i].type)->name;

		for (size_t size = 0; size <= rows[i].payload_bytes; size++) {
			struct perf_writer writer;

			begin_capture(&writer, 0);
			perf_writer_record_begin(&writer, rows[i].type, 0);
			perf_writer_put_zeros(&writer, size);
			perf_writer_record_end(&writer);
			expect_records(&writer, "LOSS DAMAGED_RECORDS 1\n", name);
		}
	}
	assert_no_leaks();
}

/* Counts of entries are checked against the bytes that are left, without overflow. */
Test(record, counts_beyond_the_record)
{
	static const struct {
		const char *what;
		uint32_t type;
		uint64_t count;
		size_t entry_bytes; /* that follow */
		const char *expected;
	} rows[] = {
		{ "namespaces: none", RECORD_NAMESPACES, 0, 0, "NAMESPACES pid=7 tid=7\n" },
		{ "namespaces: all there", RECORD_NAMESPACES, 1, 16, "NAMESPACES pid=7 tid=7\n" },
		{ "namespaces: one missing", RECORD_NAMESPACES, 2, 16, "LOSS DAMAGED_RECORDS 1\n" },
		{ "namespaces: 16 * count is 0", RECORD_NAMESPACES, (uint64_t)1 << 60, 16,
		  "LOSS DAMAGED_RECORDS 1\n" },
		{ "callchain: one missing", RECORD_CALLCHAIN_DEFERRED, 2, 8,
		  "LOSS DAMAGED_RECORDS 1\n" },
		{ "callchain: 8 * count is 0", RECORD_CALLCHAIN_DEFERRED, (uint64_t)1 << 61, 8,
		  "LOSS DAMAGED_RECORDS 1\n" },
		{ "callchain: all ones", RECORD_CALLCHAIN_DEFERRED, UINT64_MAX, 8,
		  "LOSS DAMAGED_RECORDS 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;

		begin_capture(&writer, 0);
		perf_writer_record_begin(&writer, rows[i].type, 0);
		perf_writer_put_u64(&writer, 7ull << 32 | 7);
		perf_writer_put_u64(&writer, rows[i].count);
		perf_writer_put_zeros(&writer, rows[i].entry_bytes);
		perf_writer_record_end(&writer);
		expect_records(&writer, rows[i].expected, rows[i].what);
	}
	assert_no_leaks();
}

/* perf writes 0 or all ones as the time of events before the recording. */
Test(record, times)
{
	static const struct {
		const char *what;
		uint64_t time_ns;
		const char *expected;
	} rows[] = {
		{ "a time", 100, "COMM time=100 pid=7 tid=8 comm=app\n" },
		{ "0", 0, "COMM pid=7 tid=8 comm=app\n" },
		{ "all ones", UINT64_MAX, "COMM pid=7 tid=8 comm=app\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_writer writer;

		begin_capture(&writer, ATTR_FLAG_SAMPLE_ID_ALL);
		perf_writer_comm(&writer, rows[i].time_ns, 7, 8, "app", 0);
		expect_records(&writer, rows[i].expected, rows[i].what);
	}
	assert_no_leaks();
}

/* A build-id that claims more than 20 bytes has 20: the field has no room for more. */
Test(record, build_id_sizes)
{
	static const struct {
		uint8_t size_bytes, expected_bytes;
	} rows[] = { { 0, 0 }, { 1, 1 }, { 20, 20 }, { 21, 20 }, { UINT8_MAX, 20 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const uint8_t id[20] = { [0 ... 19] = 0xab };
		struct perf_writer writer;
		struct outcome outcome;
		const char *at;

		begin_capture(&writer, 0);
		perf_writer_mmap2(&writer, 100,
				  &(struct writer_mmap){ .pid = 7,
							 .length = 0x1000,
							 .path = "/bin/app",
							 .build_id = id,
							 .build_id_bytes = 20 });
		perf_writer_finish(&writer);
		/* The byte with the size precedes three zeros and the id. */
		at = memmem(writer.file.at, writer.file.count, id, sizeof(id));
		cr_assert_not_null(at);
		writer.file.at[(const unsigned char *)at - writer.file.at - 4] = rows[i].size_bytes;
		outcome_read(writer.file.at, writer.file.count, &outcome);
		at = strstr(outcome_records(&outcome), "ab");
		cr_expect_eq(at ? strspn(at, "ab") : 0, rows[i].expected_bytes * (size_t)2,
			     "%u: %s", rows[i].size_bytes, event_log_text(&outcome.log));
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}

struct counted {
	size_t types;
	uint64_t records;
	uint32_t last_type;
	bool is_ordered; /* known types ascend, and precede unknown ones */
	size_t named;
};

static void on_count(void *context, const struct event *event)
{
	struct counted *counted = context;
	const struct event_record_count *row = &event->record_count;

	cr_assert_eq(event->kind, EVENT_RECORD_COUNT);
	if (row->name.length) {
		counted->is_ordered &= counted->named == counted->types &&
				       (!counted->types || row->type > counted->last_type);
		counted->named++;
	}
	counted->types++;
	counted->records += row->count;
	counted->last_type = row->type;
}

/* A corrupt file has any number of unknown types; 64 of them are listed. */
Test(record, counts)
{
	struct record_counts *counts = record_counts_create();
	struct counted counted = { .is_ordered = true };

	for (uint32_t i = 0; i < 1000; i++)
		record_counts_add(counts, 1000 + i, 1);
	for (uint32_t i = 0; i < 10; i++)
		record_counts_add(counts, 1000, 1);
	record_counts_add(counts, RECORD_HEADER_ATTR, 3);
	record_counts_add(counts, RECORD_MMAP, 4);
	record_counts_add(counts, RECORD_SAMPLE, 0);
	record_counts_send(counts,
			   &(struct event_sink){ .context = &counted, .on_event = on_count });
	cr_expect_eq(counted.named, 2);
	cr_expect_eq(counted.types, 2 + 64);
	cr_expect_eq(counted.records, 3 + 4 + 64 + 10);
	cr_expect(counted.is_ordered);
	record_counts_destroy(counts);
	assert_no_leaks();
}
