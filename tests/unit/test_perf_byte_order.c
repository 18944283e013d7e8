/* SPDX-License-Identifier: MIT */
/*
 * Records and headers of every kind, read from captures in either byte order: the events must be equal.
 * The events of samples, attrs and features have their own tests.
 */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

static const uint8_t build_id[20] = { 0xb1, 0xd0, 3,  4,  5,  6,  7,  8,  9,  10,
				      11,   12,   13, 14, 15, 16, 17, 18, 19, 20 };

static const struct perf_attr plain_attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

/*
 * Records that are only counted, and those whose fields other tests check. Fields: 8, 4, 2 and 1 are
 * numbers of this many bytes, n is a u64 of value 1, s a name, w 64 bytes of text, z 8 zeros.
 */
static const struct {
	uint32_t type;
	uint16_t misc;
	const char *fields;
} rows[] = {
	{ RECORD_MMAP, 2, "44888s" },
	{ RECORD_LOST, 0, "88" },
	{ RECORD_COMM, 0, "44s" },
	{ RECORD_EXIT, 0, "44448" },
	{ RECORD_THROTTLE, 0, "888" },
	{ RECORD_UNTHROTTLE, 0, "888" },
	{ RECORD_FORK, 0, "44448" },
	{ RECORD_READ, 0, "4488" },
	{ RECORD_MMAP2, 2, "44888448844s" },
	{ RECORD_AUX, 0, "88n" }, /* flags 1: the trace is truncated */
	{ RECORD_ITRACE_START, 0, "44" },
	{ RECORD_LOST_SAMPLES, 0, "8" },
	{ RECORD_SWITCH, MISC_SWITCH_OUT, "" },
	{ RECORD_SWITCH_CPU_WIDE, 0, "44" },
	{ RECORD_NAMESPACES, 0, "44n88" },
	{ RECORD_KSYMBOL, 1, "8422s" },
	{ RECORD_BPF_EVENT, 0, "22411111111" },
	{ RECORD_CGROUP, 0, "8s" },
	{ RECORD_TEXT_POKE, 0, "8221111" },
	{ RECORD_AUX_OUTPUT_HW_ID, 0, "8" },
	{ RECORD_CALLCHAIN_DEFERRED, 0, "8n8" },
	{ RECORD_HEADER_EVENT_TYPE, 0, "8w" },
	{ RECORD_FINISHED_ROUND, 0, "" },
	{ RECORD_ID_INDEX, 0, "n8888" },
	{ RECORD_AUXTRACE_INFO, 0, "448" },
	{ RECORD_AUXTRACE_ERROR, 0, "44444488w" },
	{ RECORD_THREAD_MAP, 0, "n888" },
	{ RECORD_CPU_MAP, 0, "222" },
	{ RECORD_STAT_CONFIG, 0, "n88" },
	{ RECORD_STAT, 0, "844888" },
	{ RECORD_STAT_ROUND, 0, "88" },
	{ RECORD_EVENT_UPDATE, 0, "88s" },
	{ RECORD_TIME_CONV, 0, "888" },
	{ RECORD_FINISHED_INIT, 0, "" },
	{ RECORD_BPF_METADATA, 0, "wwwwzwwww" },
	{ RECORD_SCHEDSTAT_CPU, 0, "888" },
	{ RECORD_SCHEDSTAT_DOMAIN, 0, "888" },
	{ RECORD_USER_END, 0, "888" },
};

/* Records that the tests write field by field. */
static const uint32_t types_by_hand[] = {
	RECORD_SAMPLE,
	RECORD_HEADER_TRACING_DATA,
	RECORD_HEADER_BUILD_ID,
	RECORD_AUXTRACE,
};

static void put_field(struct perf_writer *writer, char field)
{
	char text[64] = "text";

	switch (field) {
	case '8':
		perf_writer_put_u64(writer, 0x0102030405060708);
		break;
	case '4':
		perf_writer_put_u32(writer, 0x01020304);
		break;
	case '2':
		perf_writer_put_u16(writer, 0x0102);
		break;
	case '1':
		perf_writer_put_u8(writer, 0x01);
		break;
	case 'n':
		perf_writer_put_u64(writer, 1);
		break;
	case 'z':
		perf_writer_put_u64(writer, 0);
		break;
	case 's':
		perf_writer_put_name(writer, "/some/name");
		break;
	default:
		perf_writer_put_bytes(writer, text, sizeof(text));
		break;
	}
}

static void put_row(struct perf_writer *writer, size_t row)
{
	perf_writer_record_begin(writer, rows[row].type, rows[row].misc);
	for (const char *field = rows[row].fields; *field; field++)
		put_field(writer, *field);
	if (rows[row].type < RECORD_USER_BEGIN)
		perf_writer_put_trailer(writer, 100 + row, 7, 8);
	perf_writer_record_end(writer);
}

/*
 * Writes records that are followed by bytes that are not part of their size, and look like a record
 * of size 0.
 */
static void put_records_with_tails(struct perf_writer *writer)
{
	perf_writer_record_begin(writer, RECORD_AUXTRACE, 0);
	perf_writer_put_u64(writer, 24);
	perf_writer_put_zeros(writer, 32);
	perf_writer_record_end(writer);
	perf_writer_put_zeros(writer, 24);
	perf_writer_record_begin(writer, RECORD_HEADER_TRACING_DATA, 0);
	perf_writer_put_u32(writer, 16);
	perf_writer_put_u32(writer, 0);
	perf_writer_record_end(writer);
	perf_writer_put_zeros(writer, 16);
}

static void put_records(struct perf_writer *writer)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		put_row(writer, i);
	put_records_with_tails(writer);
	perf_writer_record_begin(writer, RECORD_HEADER_BUILD_ID, 2 | MISC_BUILD_ID_SIZE);
	perf_writer_put_u32(writer, 7);
	perf_writer_put_bytes(writer, build_id, 20);
	perf_writer_put_u8(writer, 20);
	perf_writer_put_zeros(writer, 3);
	perf_writer_put_name(writer, "/bin/server");
	perf_writer_record_end(writer);
	perf_writer_mmap2(writer, 200,
			  &(struct writer_mmap){ .pid = 7,
						 .address = 0x400000,
						 .length = 0x1000,
						 .build_id = build_id,
						 .build_id_bytes = 20,
						 .path = "/bin/server" });
	perf_writer_sample(writer,
			   &(struct writer_sample){
				   .ip = 0x400123, .pid = 7, .tid = 8, .time_ns = 201, .cpu = 3 });
}

/* Reads the capture in one order; the outcome is the caller's to deinit. */
static struct outcome read_order(enum perf_writer_order order, bool is_pipe)
{
	static const uint64_t ids[] = { 42, 0x0102030405060708 };
	struct perf_attr second = plain_attr;
	struct perf_writer writer;
	struct outcome outcome;

	second.config = SOFTWARE_TASK_CLOCK;
	perf_writer_init(&writer, order);
	writer.is_pipe = is_pipe;
	writer.cpu = 3;
	perf_writer_event(&writer, "first", &plain_attr, &ids[0], 1);
	perf_writer_event(&writer, "second", &second, &ids[1], 1);
	put_records(&writer);
	perf_writer_feature_string(&writer, FEATURE_HOSTNAME, "db7");
	perf_writer_feature_event_desc(&writer);
	perf_writer_finish(&writer);
	outcome_read(writer.file.at, writer.file.count, &outcome);
	perf_writer_deinit(&writer);
	return outcome;
}

static void expect_every_type(const char *text, bool is_pipe)
{
	char line[64];

	for (size_t i = 0; i < ARRAY_SIZE(rows) + ARRAY_SIZE(types_by_hand); i++) {
		uint32_t type =
			i < ARRAY_SIZE(rows) ? rows[i].type : types_by_hand[i - ARRAY_SIZE(rows)];
		unsigned count = type == RECORD_MMAP2 ? 2 : 1;

		snprintf(line, sizeof(line), "RECORDS type=%u count=%u", type, count);
		cr_expect(strstr(text, line), "%s, pipe %d:\n%s", line, is_pipe, text);
	}
}

/* The text of the events, without the line about the byte order, which must differ. */
static char *without_byte_order(struct outcome *outcome)
{
	char *text = (char *)(uintptr_t)event_log_text(&outcome->log);
	char *line = strstr(text, "FACT BYTE_ORDER: ");
	char *next = strchr(line, '\n') + 1;

	memmove(line, next, strlen(next) + 1);
	return text;
}

Test(perf_byte_order, records_of_every_type)
{
	for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
		struct outcome outcomes[2];
		char *texts[2];

		for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
			outcomes[i] = read_order(orders[i], is_pipe);
			cr_assert(outcomes[i].good, "%s", outcomes[i].err.text);
			cr_expect_not(outcomes[i].is_partial, "%s", outcomes[i].damage.text);
			cr_expect_eq(outcomes[i].log.counts[EVENT_SAMPLE], 1);
			cr_expect_eq(outcomes[i].log.losses[LOSS_CORRUPT_RECORDS], 0);
			cr_expect_eq(outcomes[i].log.losses[LOSS_UNKNOWN_RECORDS], 1);
			texts[i] = without_byte_order(&outcomes[i]);
			expect_every_type(texts[i], is_pipe);
		}
		cr_expect_str_eq(texts[0], texts[1]);
		/* An update of another kind does not change names. */
		cr_expect(strstr(texts[0], "name=second "), "%s", texts[0]);
		cr_expect(strstr(texts[0], "MMAP time=100 pid=16909060 tid=16909060 "
					   "address=0x102030405060708 length=0x102030405060708 "
					   "file_offset=0x102030405060708 path=/some/name\n"),
			  "%s", texts[0]);
		outcome_deinit(&outcomes[0]);
		outcome_deinit(&outcomes[1]);
	}
}

/* In a pipe, perf renames an event with EVENT_UPDATE; the id shows which event. */
Test(perf_byte_order, event_update)
{
	static const uint64_t ids[] = { 42, 0x0102030405060708 };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, orders[i]);
		writer.is_pipe = true;
		perf_writer_event(&writer, "first", &plain_attr, &ids[0], 1);
		perf_writer_event(&writer, "second", &plain_attr, &ids[1], 1);
		perf_writer_record_begin(&writer, RECORD_EVENT_UPDATE, 0);
		perf_writer_put_u64(&writer, EVENT_UPDATE_NAME);
		perf_writer_put_u64(&writer, ids[1]);
		perf_writer_put_name(&writer, "renamed");
		perf_writer_record_end(&writer);
		perf_writer_finish(&writer);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "%s", outcome.err.text);
		cr_expect(strstr(event_log_text(&outcome.log), "ATTR index=1 name=renamed "), "%s",
			  event_log_text(&outcome.log));
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * A comm fills 16 bytes if perf itself wrote it: the bytes after its NUL are not part of the name.
 */
Test(perf_byte_order, names_end_at_their_nul)
{
	static const char padded[16] = "sh\0garbage here";

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "first", &plain_attr, NULL, 0);
		perf_writer_record_begin(&writer, RECORD_COMM, 0);
		perf_writer_put_u32(&writer, 0x01020304);
		perf_writer_put_u32(&writer, 0x05060708);
		perf_writer_put_bytes(&writer, padded, sizeof(padded));
		perf_writer_put_trailer(&writer, 100, 7, 7);
		perf_writer_record_end(&writer);
		perf_writer_finish(&writer);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "%s", outcome.err.text);
		cr_expect_str_eq(outcome_records(&outcome),
				 "COMM time=100 pid=16909060 tid=84281096 comm=sh\n");
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * The magic number of the first version does not show the byte order, but the size of an attr entry
 * shows it. A header of this version can also end before the features.
 */
Test(perf_byte_order, the_first_version)
{
	static const struct {
		uint32_t attr_bytes;
		uint64_t header_bytes;
	} headers[] = { { 64, 104 }, { 72, 104 }, { 88, 104 }, { 64, 72 }, { 96, 72 } };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(headers); i++) {
		struct perf_writer writer;
		struct outcome outcome;
		const char *order;

		perf_writer_init(&writer, orders[i % 2]);
		writer.attr_bytes = headers[i / 2].attr_bytes;
		perf_writer_event(&writer, "event", &plain_attr, NULL, 0);
		perf_writer_comm(&writer, 100, 7, 7, "server", 0);
		perf_writer_sample(&writer, &(struct writer_sample){ .ip = 0x10, .pid = 7 });
		perf_writer_feature_string(&writer, FEATURE_HOSTNAME, "db7");
		perf_writer_finish(&writer);
		memcpy(writer.file.at, "PERFFILE", 8);
		perf_writer_patch_u64(&writer, PERF_WRITER_HEADER_SIZE,
				      headers[i / 2].header_bytes);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "row %zu: %s", i, outcome.err.text);
		order = i % 2 ? "BYTE_ORDER: big-endian\n" : "BYTE_ORDER: little-endian\n";
		cr_expect(strstr(event_log_text(&outcome.log), order), "row %zu", i);
		cr_expect_eq(strstr(event_log_text(&outcome.log), "HOST: db7\n") != NULL,
			     headers[i / 2].header_bytes == 104, "row %zu", i);
		cr_expect(strstr(outcome_records(&outcome),
				 "COMM time=100 pid=7 tid=7 comm=server\n"),
			  "row %zu", i);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 1);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}
