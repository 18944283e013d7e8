/* SPDX-License-Identifier: MIT */
#include "libparse/perf/feature_facts.h"
#include "libparse/perf/features.h"
#include "libparse/tracepoint/print_format.h"
#include "libparse/tracepoint/tracepoints.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/event_log.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

/* The features written, those read, and the facts sent. */
struct fixture {
	struct perf_writer writer;
	struct perf_features features;
	struct event_log log;
};

static void set_up(struct fixture *fixture, enum perf_writer_order order)
{
	perf_writer_init(&fixture->writer, order);
	perf_features_init(&fixture->features);
	event_log_init(&fixture->log);
}

static void tear_down(struct fixture *fixture)
{
	perf_writer_deinit(&fixture->writer);
	perf_features_deinit(&fixture->features);
	event_log_deinit(&fixture->log);
}

static struct span section_span(const struct fixture *fixture, size_t index, size_t size_bytes)
{
	const struct perf_writer *writer = &fixture->writer;
	const struct perf_writer_section *section = &writer->sections.at[index];

	return span_of(writer->feature_bytes.at + section->begin, size_bytes, section->begin,
		       writer->is_big_endian != HOST_IS_BIG_ENDIAN);
}

/* Reads all features that were written. Returns the facts that were sent. */
static const char *read_all(struct fixture *fixture)
{
	struct event_sink sink = event_log_sink(&fixture->log);

	for (size_t i = 0; i < fixture->writer.sections.count; i++) {
		const struct perf_writer_section *section = &fixture->writer.sections.at[i];

		perf_features_read(&fixture->features, section->feature,
				   section_span(fixture, i, section->end - section->begin), &sink);
	}
	return event_log_text(&fixture->log);
}

static const char *finish(struct fixture *fixture)
{
	struct event_sink sink = event_log_sink(&fixture->log);

	event_log_clear(&fixture->log);
	perf_features_finish(&fixture->features, &sink);
	return event_log_text(&fixture->log);
}

static void write_topologies(struct perf_writer *writer)
{
	perf_writer_feature_begin(writer, FEATURE_CPU_TOPOLOGY);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_string(writer, "0-1");
	perf_writer_put_u32(writer, 2);
	perf_writer_put_string(writer, "0");
	perf_writer_put_string(writer, "1");
	perf_writer_put_zeros(writer, 2 * 8); /* core and socket of 2 CPUs */
	perf_writer_put_u32(writer, 1);
	perf_writer_put_string(writer, "0-1");
	perf_writer_put_zeros(writer, 2 * 4);
	perf_writer_feature_end(writer);

	perf_writer_feature_begin(writer, FEATURE_NUMA_TOPOLOGY);
	perf_writer_put_u32(writer, 2);
	for (uint32_t node = 0; node < 2; node++) {
		perf_writer_put_u32(writer, node);
		perf_writer_put_u64(writer, 5204188);
		perf_writer_put_u64(writer, 4766436 + node);
		perf_writer_put_string(writer, node ? "1" : "0");
	}
	perf_writer_feature_end(writer);
}

static void write_cache(struct perf_writer *writer, uint32_t level, const char *type,
			const char *size, const char *cpus)
{
	perf_writer_put_u32(writer, level);
	perf_writer_put_u32(writer, 64);
	perf_writer_put_u32(writer, 64);
	perf_writer_put_u32(writer, 8);
	perf_writer_put_string(writer, type);
	perf_writer_put_string(writer, size);
	perf_writer_put_string(writer, cpus);
}

static void write_late_features(struct perf_writer *writer)
{
	perf_writer_feature_begin(writer, FEATURE_CACHE);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_u32(writer, 2);
	write_cache(writer, 1, "Data", "48K", "0");
	write_cache(writer, 3, "Unified", "32768K", "0-1");
	perf_writer_feature_end(writer);

	perf_writer_feature_begin(writer, FEATURE_SAMPLE_TIME);
	perf_writer_put_u64(writer, 3696173031999);
	perf_writer_put_u64(writer, 3697000000000);
	perf_writer_feature_end(writer);

	perf_writer_feature_begin(writer, FEATURE_CLOCKID);
	perf_writer_put_u64(writer, 1);
	perf_writer_feature_end(writer);

	perf_writer_feature_begin(writer, FEATURE_COMPRESSED);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_u32(writer, 3);
	perf_writer_put_u32(writer, 4);
	perf_writer_put_u32(writer, 528384);
	perf_writer_feature_end(writer);

	perf_writer_feature_begin(writer, FEATURE_CLOCK_DATA);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_u64(writer, 1795241721178823456);
	perf_writer_put_u64(writer, 5480398719266);
	perf_writer_feature_end(writer);
}

/*
 * Writes features as perf record 6.1 does. The expected lines are those of perf report
 * --header-only, reworded.
 */
static void write_usual_features(struct perf_writer *writer)
{
	static const char *const arguments[] = {
		"/usr/bin/perf", "record", "-e", "{a,b}:S", "--", "sh", "-c", "echo 'a b'", ""
	};

	perf_writer_feature_string(writer, FEATURE_HOSTNAME, "db7");
	perf_writer_feature_string(writer, FEATURE_OSRELEASE, "6.1.0-40-amd64");
	perf_writer_feature_string(writer, FEATURE_VERSION, "6.1.187");
	perf_writer_feature_string(writer, FEATURE_ARCH, "x86_64");
	perf_writer_feature_begin(writer, FEATURE_NRCPUS);
	perf_writer_put_u32(writer, 2);
	perf_writer_put_u32(writer, 1);
	perf_writer_feature_end(writer);
	perf_writer_feature_string(writer, FEATURE_CPUDESC, "AMD EPYC");
	perf_writer_feature_string(writer, FEATURE_CPUID, "AuthenticAMD,26,2,1");
	perf_writer_feature_begin(writer, FEATURE_TOTAL_MEM);
	perf_writer_put_u64(writer, 24684100);
	perf_writer_feature_end(writer);
	perf_writer_feature_strings(writer, FEATURE_CMDLINE, arguments, ARRAY_SIZE(arguments));
	write_topologies(writer);
	perf_writer_feature_begin(writer, FEATURE_PMU_MAPPINGS);
	perf_writer_put_u32(writer, 2);
	perf_writer_put_u32(writer, 1);
	perf_writer_put_string(writer, "software");
	perf_writer_put_u32(writer, 4294967294);
	perf_writer_put_string(writer, "tool");
	perf_writer_feature_end(writer);
	write_late_features(writer);
}

Test(perf_features, told_as_facts_in_both_byte_orders)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct fixture fixture;

		set_up(&fixture, orders[i]);
		write_usual_features(&fixture.writer);
		cr_expect_str_eq(
			read_all(&fixture),
			"FACT HOST: db7\n"
			"FACT OS_RELEASE: 6.1.0-40-amd64\n"
			"FACT TOOL_VERSION: 6.1.187\n"
			"FACT ARCH: x86_64\n"
			"FACT CPUS_ONLINE: 1\n"
			"FACT CPUS_AVAILABLE: 2\n"
			"FACT CPU: AMD EPYC\n"
			"FACT CPU_ID: AuthenticAMD,26,2,1\n"
			"FACT MEMORY_KIB: 24684100\n"
			"FACT COMMAND_LINE: /usr/bin/perf record -e '{a,b}:S' -- sh -c "
			"'echo '\\''a b'\\''' ''\n"
			"FACT CPU_TOPOLOGY: sockets 0-1; threads 0 1; dies 0-1\n"
			"FACT NUMA_TOPOLOGY: node 0: 5204188 KiB, 4766436 KiB free, cpus 0; "
			"node 1: 5204188 KiB, 4766437 KiB free, cpus 1\n"
			"FACT PMU_MAPPINGS: software = 1, tool = 4294967294\n"
			"FACT CACHES: L1 Data 48K [0], L3 Unified 32768K [0-1]\n"
			"FACT SAMPLE_TIME_FIRST: 3696.173031\n"
			"FACT SAMPLE_TIME_LAST: 3697.000000\n"
			"FACT COMPRESSION: zstd, level 3, ratio 4\n"
			"FACT WALL_CLOCK: 2026-11-21 06:15:21.178823 UTC = 5480.398719, by CLOCK_DATA\n"
			"CLOCK wall=1795241721178823456 clock=5480398719266\n",
			"byte order %zu", i);
		cr_expect_str_eq(finish(&fixture), "FACT CLOCK: monotonic, resolution 1 ns\n"
						   "FACT FEATURES_MISSING: BUILD_ID, EVENT_DESC\n");
		cr_expect_str_eq(perf_features_find_pmu(&fixture.features, 4294967294)->name.at,
				 "tool");
		cr_expect_null(perf_features_find_pmu(&fixture.features, 2));
		tear_down(&fixture);
	}
}

Test(perf_features, event_descriptions_name_events)
{
	static const uint64_t ids[] = { 8, 9, 10, 11 };
	static const struct perf_attr cycles = { .type = TYPE_HARDWARE, .config = 0 };
	static const struct perf_attr clock = { .type = TYPE_SOFTWARE, .config = 0 };
	static const struct perf_attr old = { .type = TYPE_HARDWARE, .config = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct fixture fixture;
		const struct perf_features *features = &fixture.features;
		uint64_t nine = 9;
		struct span id_of_first = span_of(&nine, sizeof(nine), 0, false);
		struct span no_ids = span_of("", 0, 0, false);

		set_up(&fixture, orders[i]);
		perf_writer_event(&fixture.writer, "cycles:u", &cycles, ids, 2);
		perf_writer_event(&fixture.writer, "cpu-clock", &clock, ids + 2, 2);
		perf_writer_event(&fixture.writer, "instructions", &old, NULL, 0);
		perf_writer_feature_event_desc(&fixture.writer);
		cr_expect_str_eq(read_all(&fixture), "");

		cr_assert_eq(features->events.count, 3);
		cr_expect_eq(features->events.at[1].attr.type, TYPE_SOFTWARE);
		cr_expect_str_eq(perf_features_find_event(features, 8)->name.at, "cycles:u");
		cr_expect_str_eq(perf_features_find_event(features, 11)->name.at, "cpu-clock");
		cr_expect_null(perf_features_find_event(features, 12));

		/* An id takes precedence over the position. */
		cr_expect_str_eq(perf_features_event_name(features, 1, &clock, id_of_first).at,
				 "cycles:u");
		cr_expect_str_eq(perf_features_event_name(features, 2, &old, no_ids).at,
				 "instructions");
		/* Another event at that place, and no event there. */
		cr_expect_null(perf_features_event_name(features, 2, &clock, no_ids).at);
		cr_expect_null(perf_features_event_name(features, 3, &clock, no_ids).at);
		tear_down(&fixture);
	}
}

Test(perf_features, groups_have_names_of_events)
{
	static const struct perf_attr attr = { .type = TYPE_SOFTWARE };
	struct fixture fixture;

	set_up(&fixture, PERF_WRITER_BIG_ENDIAN);
	perf_writer_event(&fixture.writer, "cpu-clock", &attr, NULL, 0);
	perf_writer_event(&fixture.writer, "page-faults", &attr, NULL, 0);
	perf_writer_feature_event_desc(&fixture.writer);
	perf_writer_feature_begin(&fixture.writer, FEATURE_GROUP_DESC);
	perf_writer_put_u32(&fixture.writer, 2);
	perf_writer_put_string(&fixture.writer, "{anon_group}");
	perf_writer_put_u32(&fixture.writer, 0);
	perf_writer_put_u32(&fixture.writer, 2);
	perf_writer_put_string(&fixture.writer, "mine");
	perf_writer_put_u32(&fixture.writer, 1);
	perf_writer_put_u32(&fixture.writer, 2);
	perf_writer_feature_end(&fixture.writer);
	cr_expect_str_eq(read_all(&fixture),
			 "FACT EVENT_GROUPS: {cpu-clock,page-faults} mine{page-faults,event 2}\n");
	tear_down(&fixture);
}

/* The text of a group of 4 billion events is truncated to the length of a line. */
Test(perf_features, a_huge_group_is_a_short_line)
{
	struct fixture fixture;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_feature_begin(&fixture.writer, FEATURE_GROUP_DESC);
	perf_writer_put_u32(&fixture.writer, UINT32_MAX);
	perf_writer_put_string(&fixture.writer, "huge");
	perf_writer_put_u32(&fixture.writer, UINT32_MAX);
	perf_writer_put_u32(&fixture.writer, UINT32_MAX);
	perf_writer_feature_end(&fixture.writer);
	cr_expect_leq(strlen(read_all(&fixture)), LIMIT_FACT_BYTES + 64);
	tear_down(&fixture);
}

static const uint8_t id20[20] = { 0x72, 0xd2, 0xe6, 0xb0, 0x4e, 0xdd, 0xdb, 0xe6, 0x09, 0xe3,
				  0xce, 0x78, 0xf0, 0xc1, 0x6a, 0x03, 0xf5, 0x16, 0xb3, 0x51 };

static void put_text(struct perf_writer *writer, const char *text)
{
	perf_writer_put_u64(writer, strlen(text));
	perf_writer_put_bytes(writer, text, strlen(text));
}

static void begin_tracing_data(struct perf_writer *writer, bool payload_is_big_endian)
{
	perf_writer_put_bytes(writer, "\x17\x08\x44tracing0.6", 14);
	perf_writer_put_u8(writer, payload_is_big_endian);
	perf_writer_put_u8(writer, 8);
	perf_writer_put_u32(writer, 4096);
	perf_writer_put_bytes(writer, "header_page", 12);
	put_text(writer, "\tfield: u64 timestamp;\n");
	perf_writer_put_bytes(writer, "header_event", 13);
	put_text(writer, "# compressed entry header\n");
}

static void write_tracing_data(struct perf_writer *writer, bool payload_is_big_endian)
{
	bool file_is_big_endian = writer->is_big_endian;

	perf_writer_feature_begin(writer, FEATURE_TRACING_DATA);
	writer->is_big_endian = payload_is_big_endian;
	begin_tracing_data(writer, payload_is_big_endian);
	perf_writer_put_u32(writer, 1);
	put_text(writer, "name: ftrace_function\nID: 1\n");
	perf_writer_put_u32(writer, 2);
	perf_writer_put_bytes(writer, "sched", 6);
	perf_writer_put_u32(writer, 2);
	put_text(writer, "name: sched_switch\nID: 316\nformat:\n\tfield:u16 x;\toffset:0;\n");
	put_text(writer, "name: broken\nID: 31x6\nformat:\n");
	perf_writer_put_bytes(writer, "raw_syscalls", 13);
	perf_writer_put_u32(writer, 1);
	put_text(writer, "name: sys_enter\nID: 443");
	perf_writer_put_zeros(writer, 16);
	writer->is_big_endian = file_is_big_endian;
	perf_writer_feature_end(writer);
}

Test(perf_features, tracing_data_has_a_byte_order_of_its_own)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		for (int is_big = 0; is_big < 2; is_big++) {
			struct fixture fixture;
			const struct perf_tracepoints *tracepoints = &fixture.features.tracepoints;

			set_up(&fixture, orders[i]);
			write_tracing_data(&fixture.writer, is_big);
			cr_expect_str_eq(read_all(&fixture), "");
			cr_assert_eq(tracepoints->rows.count, 2);
			cr_expect_str_eq(perf_tracepoints_find(tracepoints, 316)->name.at,
					 "sched:sched_switch");
			cr_expect_str_eq(perf_tracepoints_find(tracepoints, 443)->name.at,
					 "raw_syscalls:sys_enter");
			cr_expect_null(perf_tracepoints_find(tracepoints, 1));
			cr_expect_null(strstr(finish(&fixture), "unreadable"));
			tear_down(&fixture);
		}
	}
}

/* Many events can have one tracepoint, and a parsed format is larger than its text. */
Test(perf_features, formats_are_read_once_and_not_without_end)
{
	enum {
		COUNT = LIMIT_PRINTS_BYTES / LIMIT_PRINT_BYTES + 2
	};
	static char format[LIMIT_PRINT_BYTES];
	const struct perf_tracepoint *row;
	struct fixture fixture;
	struct perf_tracepoints *tracepoints = &fixture.features.tracepoints;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_feature_begin(&fixture.writer, FEATURE_TRACING_DATA);
	begin_tracing_data(&fixture.writer, false);
	perf_writer_put_u32(&fixture.writer, 0);
	perf_writer_put_u32(&fixture.writer, 1);
	perf_writer_put_bytes(&fixture.writer, "sched", 6);
	perf_writer_put_u32(&fixture.writer, COUNT);
	memset(format, 'x', sizeof(format));
	format[sizeof(format) - 2] = '"';
	format[sizeof(format) - 1] = '\0';
	for (uint32_t i = 1; i <= COUNT; i++) {
		int length = snprintf(format, sizeof(format),
				      "name: a\nID: %u\nfield:u32 x;\toffset:0;\tsize:4;\n"
				      "print fmt: \"",
				      (unsigned)i);

		format[length] = 'x';
		put_text(&fixture.writer, format);
	}
	perf_writer_put_zeros(&fixture.writer, 16);
	perf_writer_feature_end(&fixture.writer);
	cr_expect_str_eq(read_all(&fixture), "");
	row = perf_tracepoints_read_format(tracepoints, 1);
	cr_assert(row && row->format.field_count == 1 && row->print.first);
	for (uint32_t i = 1; i <= COUNT; i++)
		for (int again = 0; again < 2; again++)
			cr_assert(perf_tracepoints_read_format(tracepoints, i));
	cr_expect_leq(tracepoints->print_bytes, (uint64_t)COUNT * LIMIT_PRINT_BYTES);
	row = perf_tracepoints_read_format(tracepoints, COUNT);
	cr_expect_eq(row->format.field_count, 1);
	cr_expect_null(row->print.first);
	cr_expect_null(perf_tracepoints_read_format(tracepoints, COUNT + 1));
	tear_down(&fixture);
}

Test(perf_features, flags_missing_and_unknown)
{
	struct fixture fixture;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_feature_string(&fixture.writer, FEATURE_CPUDESC, "");
	perf_writer_feature(&fixture.writer, FEATURE_CPUID, "", 0);
	perf_writer_feature(&fixture.writer, FEATURE_STAT, "", 0);
	perf_writer_feature(&fixture.writer, FEATURE_AUXTRACE, "12345678", 8);
	/* In a pipe, perf ends the list with an empty feature whose number is unknown to it. */
	perf_writer_feature(&fixture.writer, 35, "", 0);
	perf_writer_feature(&fixture.writer, 77, "something", 9);
	perf_writer_feature(&fixture.writer, FEATURE_HOSTNAME, "\xff\xff\xff\xff", 4);
	cr_expect_str_eq(read_all(&fixture), "");
	cr_expect(fixture.features.is_stat);
	cr_expect(fixture.features.has_auxtrace);
	perf_features_note_damage(&fixture.features, FEATURE_CMDLINE);
	cr_expect_str_eq(finish(&fixture),
			 "FACT FEATURES_MISSING: BUILD_ID, OSRELEASE, VERSION, ARCH, NRCPUS, "
			 "TOTAL_MEM, EVENT_DESC; unreadable: HOSTNAME, CMDLINE; unknown: 77\n");
	tear_down(&fixture);
}

Test(perf_features, the_first_of_two_stands)
{
	struct fixture fixture;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_feature_string(&fixture.writer, FEATURE_HOSTNAME, "first");
	perf_writer_feature_string(&fixture.writer, FEATURE_HOSTNAME, "second");
	cr_expect_str_eq(read_all(&fixture), "FACT HOST: first\n");
	tear_down(&fixture);
}

static void write_everything(struct perf_writer *writer)
{
	static const uint64_t ids[] = { 8, 9 };
	static const struct perf_attr attr = { .type = TYPE_SOFTWARE };

	perf_writer_event(writer, "cpu-clock", &attr, ids, 2);
	write_tracing_data(writer, false);
	perf_writer_feature_begin(writer, FEATURE_BUILD_ID);
	perf_writer_put_build_id(writer, 1, id20, 20, "[kernel.kallsyms]");
	perf_writer_feature_end(writer);
	write_usual_features(writer);
	perf_writer_feature_event_desc(writer);
}

/*
 * Reads one feature from a copy of exactly its size, so that sanitizers detect a read beyond its
 * end.
 */
static void read_copy(struct fixture *fixture, unsigned feature, const unsigned char *bytes,
		      size_t size_bytes)
{
	struct event_sink sink = event_log_sink(&fixture->log);
	unsigned char *copy = memory_alloc(size_bytes ? size_bytes : 1, 1);

	memcpy(copy, bytes, size_bytes);
	perf_features_read(&fixture->features, feature,
			   span_of(copy, size_bytes, 0, HOST_IS_BIG_ENDIAN), &sink);
	memory_free(copy);
}

static bool is_damaged(const struct fixture *fixture, unsigned feature)
{
	return fixture->features.damaged[feature / 64] >> feature % 64 & 1;
}

static void check_cut(unsigned feature, const unsigned char *bytes, size_t cut, const char *whole)
{
	struct fixture fixture;
	size_t length;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	read_copy(&fixture, feature, bytes, cut);
	length = strlen(event_log_text(&fixture.log));
	if (length)
		cr_expect(strncmp(event_log_text(&fixture.log), whole, length - 1) == 0,
			  "%s cut to %zu: %s", perf_feature_name(feature), cut,
			  event_log_text(&fixture.log));
	/* Only the topology may end early, as in older versions. */
	if (length < strlen(whole) && cut && feature != FEATURE_CPU_TOPOLOGY)
		cr_expect(is_damaged(&fixture, feature), "%s cut to %zu",
			  perf_feature_name(feature), cut);
	tear_down(&fixture);
}

/* The facts of a truncated section are the first ones of the complete section. */
Test(perf_features, cut_at_every_byte)
{
	struct fixture written;

	set_up(&written, PERF_WRITER_LITTLE_ENDIAN);
	write_everything(&written.writer);
	for (size_t i = 0; i < written.writer.sections.count; i++) {
		const struct perf_writer_section *section = &written.writer.sections.at[i];
		const unsigned char *bytes = written.writer.feature_bytes.at + section->begin;
		struct fixture whole;

		set_up(&whole, PERF_WRITER_LITTLE_ENDIAN);
		read_copy(&whole, section->feature, bytes, section->end - section->begin);
		cr_expect_not(is_damaged(&whole, section->feature));
		for (size_t cut = 0; cut < section->end - section->begin; cut++)
			check_cut(section->feature, bytes, cut, event_log_text(&whole.log));
		tear_down(&whole);
	}
	tear_down(&written);
}

/* If any number (count, length, size) is all ones, only facts that are in the file are sent. */
Test(perf_features, counts_that_lie)
{
	struct fixture written;

	set_up(&written, PERF_WRITER_LITTLE_ENDIAN);
	write_everything(&written.writer);
	for (size_t i = 0; i < written.writer.sections.count; i++) {
		const struct perf_writer_section *section = &written.writer.sections.at[i];
		unsigned char *bytes = written.writer.feature_bytes.at + section->begin;
		size_t size_bytes = section->end - section->begin;

		for (size_t at = 0; at + 4 <= size_bytes; at++) {
			struct fixture fixture;
			unsigned char kept[4];

			memcpy(kept, bytes + at, sizeof(kept));
			memset(bytes + at, 0xff, sizeof(kept));
			set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
			read_copy(&fixture, section->feature, bytes, size_bytes);
			cr_expect_leq(strlen(event_log_text(&fixture.log)), size_bytes + 256);
			tear_down(&fixture);
			memcpy(bytes + at, kept, sizeof(kept));
		}
	}
	tear_down(&written);
}
