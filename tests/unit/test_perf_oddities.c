/* SPDX-License-Identifier: MIT */
/*
 * Valid captures that readers of perf.data stumble over nevertheless: from newer kernels and perfs,
 * from machines with several kinds of CPUs, and with their parts in another order.
 */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "session/session.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

static const uint64_t ids[] = { 42, 43, 44 };

static const struct perf_attr plain_attr = {
	.type = TYPE_HARDWARE,
	.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

static void put_sample(struct perf_writer *writer, uint64_t id, uint64_t time_ns)
{
	perf_writer_sample(writer,
			   &(struct writer_sample){
				   .id = id, .ip = 0x10, .pid = 7, .tid = 7, .time_ns = time_ns });
}

static void read_bytes(const struct perf_writer *writer, struct outcome *ret)
{
	outcome_read(writer->file.at, writer->file.count, ret);
	cr_assert(ret->good, "%s", ret->err.text);
}

/* A newer kernel appends fields: those before them are read. */
Test(perf_oddities, sample_fields_of_newer_kernels)
{
	static const uint64_t more[] = { 1ull << 25, 1ull << 40, 1ull << 63 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(more); i++) {
		struct perf_attr attr = plain_attr;
		struct perf_writer writer;
		struct outcome outcome;

		attr.sample_type |= SAMPLE_CALLCHAIN | more[i / 2];
		perf_writer_init(&writer, orders[i % 2]);
		perf_writer_event(&writer, "cycles", &attr, ids, 1);
		perf_writer_record_begin(&writer, RECORD_SAMPLE, 2);
		perf_writer_put_u64(&writer, 42);
		perf_writer_put_u64(&writer, 0x10);
		perf_writer_put_u32(&writer, 7);
		perf_writer_put_u32(&writer, 8);
		perf_writer_put_u64(&writer, 100);
		perf_writer_put_u64(&writer, 1);
		perf_writer_put_u64(&writer, 0x1234);
		perf_writer_put_zeros(&writer, 24); /* nobody knows what */
		perf_writer_record_end(&writer);
		perf_writer_comm(&writer, 101, 7, 7, "server", 0);
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		cr_expect_str_eq(outcome_records(&outcome),
				 "COMM time=101 pid=7 tid=7 comm=server\n"
				 "SAMPLE time=100 attr=0 mode=2 pid=7 tid=8 ip=0x10 id=42 period=1 "
				 "ips=[0x1234]\n",
				 "row %zu", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * In a pipe, the attr's size shows where its ids begin; in the table of names, it shows where the
 * next attr is.
 */
Test(perf_oddities, attrs_longer_than_any_known)
{
	for (int i = 0; i < 4; i++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, orders[i % 2]);
		writer.is_pipe = i / 2;
		writer.attr_bytes = 200;
		perf_writer_event(&writer, "one", &plain_attr, &ids[0], 1);
		perf_writer_event(&writer, "two", &plain_attr, &ids[1], 1);
		put_sample(&writer, 43, 100);
		perf_writer_feature_event_desc(&writer);
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		cr_expect(strstr(event_log_text(&outcome.log), "index=0 name=one "), "way %d", i);
		cr_expect(strstr(event_log_text(&outcome.log), "index=1 name=two "), "way %d", i);
		cr_expect_str_eq(
			outcome_records(&outcome),
			"SAMPLE time=100 attr=1 mode=2 pid=7 tid=7 ip=0x10 id=43 period=1\n",
			"way %d", i);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * The bits of unknown features have a section each, like those of known ones; an empty feature has
 * one, too.
 */
Test(perf_oddities, features_of_newer_perfs)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "renamed", &plain_attr, ids, 1);
		put_sample(&writer, 42, 100);
		perf_writer_feature(&writer, 0, "12345678", 8);
		perf_writer_feature_string(&writer, FEATURE_HOSTNAME, "db7");
		perf_writer_feature_event_desc(&writer);
		perf_writer_feature(&writer, FEATURE_BRANCH_STACK, "", 0);
		perf_writer_feature_begin(&writer, FEATURE_PMU_MAPPINGS);
		perf_writer_put_u32(&writer, 1);
		perf_writer_put_u32(&writer, 4);
		perf_writer_put_string(&writer, "cpu_core");
		perf_writer_feature_end(&writer);
		perf_writer_feature(&writer, FEATURE_CPU_DOMAIN_INFO, "\xff\xff\xff\xff", 4);
		perf_writer_feature(&writer, 35, "what is this", 12);
		perf_writer_feature(&writer, 63, "", 0);
		perf_writer_feature(&writer, 64, "what is this", 12);
		perf_writer_feature(&writer, 255, "what is this", 12);
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		cr_expect_not(outcome.is_partial);
		cr_expect(strstr(event_log_text(&outcome.log), "HOST: db7\n"));
		cr_expect(strstr(event_log_text(&outcome.log), "PMU_MAPPINGS: cpu_core = 4\n"));
		cr_expect(strstr(event_log_text(&outcome.log), "name=renamed "));
		cr_expect(strstr(event_log_text(&outcome.log), "; unknown: 0, 35, 64, 255\n"), "%s",
			  event_log_text(&outcome.log));
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/* If two events have the same id, as in files joined by hand, the first one gets it, with a
 * warning. The same applies to id 0. */
Test(perf_oddities, ids_of_two_events_and_of_none)
{
	static const uint64_t first[] = { 42, 50 };
	static const uint64_t second[] = { 50, 43 };

	for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
		struct perf_writer writer;
		struct outcome outcome;

		perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
		writer.is_pipe = is_pipe;
		perf_writer_event(&writer, "none", &plain_attr, NULL, 0);
		perf_writer_event(&writer, "first", &plain_attr, first, 2);
		perf_writer_event(&writer, "second", &plain_attr, second, 2);
		put_sample(&writer, 50, 100);
		put_sample(&writer, 43, 101);
		put_sample(&writer, 0, 102);
		put_sample(&writer, 51, 103);
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		cr_expect_str_eq(
			outcome_records(&outcome),
			"LOSS SHARED_IDS 1\n"
			"SAMPLE time=100 attr=1 mode=2 pid=7 tid=7 ip=0x10 id=50 period=1\n"
			"SAMPLE time=101 attr=2 mode=2 pid=7 tid=7 ip=0x10 id=43 period=1\n"
			"SAMPLE time=102 attr=0 mode=2 pid=7 tid=7 ip=0x10 period=1\n"
			"LOSS UNKNOWN_IDS 1\n",
			"pipe %d", is_pipe);
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/* In perf 7, perf inject writes the attrs after everything else. */
Test(perf_oddities, attrs_behind_the_data)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		const size_t attrs_bytes = 2 * (136 + 16);
		struct perf_writer writer;
		struct outcome outcome;
		size_t end;

		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "one", &plain_attr, &ids[0], 1);
		perf_writer_event(&writer, "two", &plain_attr, &ids[1], 1);
		put_sample(&writer, 43, 100);
		perf_writer_feature_event_desc(&writer);
		perf_writer_finish(&writer);
		end = writer.file.count;
		vec_reserve(&writer.file, end + attrs_bytes);
		memcpy(writer.file.at + end, writer.file.at + writer.attrs_offset, attrs_bytes);
		memset(writer.file.at + writer.attrs_offset, 0, attrs_bytes);
		writer.file.count += attrs_bytes;
		perf_writer_patch_u64(&writer, PERF_WRITER_ATTRS_OFFSET, end);
		read_bytes(&writer, &outcome);
		cr_expect_not(outcome.is_partial);
		cr_expect(strstr(event_log_text(&outcome.log), "name=two "));
		cr_expect_str_eq(
			outcome_records(&outcome),
			"SAMPLE time=100 attr=1 mode=2 pid=7 tid=7 ip=0x10 id=43 period=1\n");
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * perf record -o - 2>&1: the final messages of perf are not records, and no record is lost because
 * of them.
 */
Test(perf_oddities, text_behind_a_pipe)
{
	static const char text[] = "[ perf record: Woken up 1 times to write data ]\n"
				   "[ perf record: Captured and wrote 0.020 MB - ]\n";
	struct perf_writer writer;
	struct outcome outcome;

	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	writer.is_pipe = true;
	perf_writer_event(&writer, "cycles", &plain_attr, ids, 1);
	put_sample(&writer, 42, 100);
	perf_writer_put_bytes(&writer, text, sizeof(text) - 1);
	perf_writer_finish(&writer);
	read_bytes(&writer, &outcome);
	cr_expect(outcome.is_partial);
	cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 1);
	cr_expect_eq(outcome.log.losses[LOSS_TRUNCATED_BYTES], sizeof(text) - 1);
	outcome_deinit(&outcome);
	perf_writer_deinit(&writer);
}

/* The event that a profile shows if none is chosen. */
static void expect_event(struct perf_writer *writer, const char *expected, uint64_t sample_count)
{
	struct session_options options = { .thread_count = 1, .ignores_host = true };
	struct memory_file file;
	struct session session;
	struct error err;

	perf_writer_finish(writer);
	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	cr_expect_str_eq(strings_text(session.profile.strings, session.profile.event_name),
			 expected);
	cr_expect_eq(session.profile.view_sample_count, sample_count);
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(writer);
}

/*
 * The first event may have only state, or belong to a kind of core that ran nothing, so the first
 * event with samples is shown. Its name includes the kind of core.
 */
Test(perf_oddities, events_without_samples_come_first)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} first[] = {
		{ TYPE_SOFTWARE, SOFTWARE_DUMMY },
		{ TYPE_HARDWARE, 10ull << 32 }, /* cycles of cpu_atom */
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(first); i++) {
		struct perf_attr attr = plain_attr;
		struct perf_writer writer;

		perf_writer_init(&writer, orders[i % 2]);
		attr.type = first[i / 2].type;
		attr.config = first[i / 2].config;
		perf_writer_event(&writer, "", &attr, &ids[0], 1);
		attr.type = TYPE_HARDWARE;
		attr.config = 4ull << 32;
		attr.flags |= ATTR_FLAG_EXCLUDE_GUEST;
		perf_writer_event(&writer, "", &attr, &ids[1], 1);
		perf_writer_comm(&writer, 90, 7, 7, "server", 0);
		put_sample(&writer, 43, 100);
		put_sample(&writer, 43, 101);
		perf_writer_feature_begin(&writer, FEATURE_PMU_MAPPINGS);
		perf_writer_put_u32(&writer, 2);
		perf_writer_put_u32(&writer, 4);
		perf_writer_put_string(&writer, "cpu_core");
		perf_writer_put_u32(&writer, 10);
		perf_writer_put_string(&writer, "cpu_atom");
		perf_writer_feature_end(&writer);
		expect_event(&writer, "cpu_core/cycles/", 2);
	}
	assert_no_leaks();
}

/*
 * Values of group members that the capture does not describe are counted as lost. The other members
 * are read.
 */
Test(perf_oddities, a_group_with_a_member_of_no_event)
{
	static const uint64_t words[] = { 4, 1000, 42, 5, 999, 7, 43, 6, 998 };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_attr attr = plain_attr;
		struct perf_writer writer;
		struct outcome outcome;

		attr.sample_type |= SAMPLE_READ;
		attr.read_format = READ_FORMAT_GROUP | READ_FORMAT_ID;
		perf_writer_init(&writer, orders[i]);
		perf_writer_event(&writer, "leader", &attr, &ids[0], 1);
		perf_writer_event(&writer, "member", &attr, &ids[1], 1);
		perf_writer_sample(&writer,
				   &(struct writer_sample){ .ip = 0x10,
							    .pid = 7,
							    .tid = 7,
							    .time_ns = 100,
							    .read_words = words,
							    .read_count = ARRAY_SIZE(words) });
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		cr_expect_str_eq(
			outcome_records(&outcome),
			"LOSS UNKNOWN_IDS 2\n"
			"SAMPLE time=100 attr=0 mode=2 pid=7 tid=7 ip=0x10 id=42 period=1000\n"
			"SAMPLE time=100 attr=1 mode=2 pid=7 tid=7 ip=0x10 id=43 period=7\n");
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
}

/*
 * RHEL 7 kernels write MMAP2 records without protection and flags. The records that perf
 * synthesises have them.
 */
Test(perf_oddities, mappings_without_protection)
{
	static const char *const paths[] = {
		"/usr/lib64/libc-2.17.so", "/lib", "/a", "[vdso]", "//anon", "anon_inode:[perf]",
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(orders) * ARRAY_SIZE(paths); i++) {
		const char *path = paths[i / 4];
		struct writer_mmap mmap = {
			.pid = 7,
			.tid = 7,
			.address = 0x400000,
			.length = 0x1000,
			.device_major = 8,
			.inode = 5,
			.path = path,
			.protection = 5,
			.flags = 2,
			.has_no_protection = i % 2,
		};
		struct perf_writer writer;
		struct outcome outcome;
		char expected[256];

		perf_writer_init(&writer, orders[i / 2 % 2]);
		perf_writer_event(&writer, "cycles", &plain_attr, ids, 1);
		perf_writer_mmap2(&writer, 100, &mmap);
		/* The mode of a file that perf inject wrote. */
		mmap.protection = 0100644;
		mmap.flags = 1;
		mmap.has_no_protection = false;
		mmap.path = "/tmp/jitted-7-1.so";
		perf_writer_mmap2(&writer, 101, &mmap);
		perf_writer_feature_string(&writer, FEATURE_OSRELEASE, "3.10.0-327.el7.x86_64");
		perf_writer_finish(&writer);
		read_bytes(&writer, &outcome);
		snprintf(expected, sizeof(expected), " path=%s\n", path);
		cr_expect(strstr(outcome_records(&outcome), expected), "%s: %s", path,
			  outcome_records(&outcome));
		cr_expect(strstr(outcome_records(&outcome), " path=/tmp/jitted-7-1.so\n"), "%s",
			  outcome_records(&outcome));
		cr_expect_null(strstr(outcome_records(&outcome), "LOSS"), "%s: %s", path,
			       outcome_records(&outcome));
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
