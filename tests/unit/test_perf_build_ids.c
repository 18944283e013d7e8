/* SPDX-License-Identifier: MIT */
#include "libparse/perf/build_ids.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/event_log.h"
#include "tests/support/perf_writer.h"

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

static const uint8_t id20[20] = { 0x72, 0xd2, 0xe6, 0xb0, 0x4e, 0xdd, 0xdb, 0xe6, 0x09, 0xe3,
				  0xce, 0x78, 0xf0, 0xc1, 0x6a, 0x03, 0xf5, 0x16, 0xb3, 0x51 };
static const uint8_t id16[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const uint8_t zero_id[20];

/* Reads the section that was written; returns the events. */
static const char *read_section(const struct perf_writer *writer, struct event_log *log,
				bool *good_ret)
{
	struct event_sink sink = event_log_sink(log);

	*good_ret =
		perf_build_ids_read(span_of(writer->feature_bytes.at, writer->feature_bytes.count,
					    0, writer->is_big_endian != HOST_IS_BIG_ENDIAN),
				    &sink);
	return event_log_text(log);
}

static void begin(struct perf_writer *writer, struct event_log *log, enum perf_writer_order order)
{
	perf_writer_init(writer, order);
	event_log_init(log);
	perf_writer_feature_begin(writer, FEATURE_BUILD_ID);
}

static void end(struct perf_writer *writer, struct event_log *log)
{
	perf_writer_deinit(writer);
	event_log_deinit(log);
}

Test(perf_build_ids, entries)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct perf_writer writer;
		struct event_log log;
		bool good;

		begin(&writer, &log, orders[i]);
		perf_writer_put_build_id(&writer, 1, id20, 20, "[kernel.kallsyms]");
		perf_writer_put_build_id(&writer, 2, id20, 0, "/bin/sleep");
		perf_writer_put_build_id(&writer, 2, id16, 16, "/lib/sized.so");
		perf_writer_put_build_id(&writer, 2, id16, 0, "/lib/md5.so");
		perf_writer_put_build_id(&writer, 2, id16, 0, "/tmp/jitted-7-1.so");
		perf_writer_put_build_id(&writer, 5, id20, 8, "/lib/short.so");
		perf_writer_put_build_id(&writer, 2, zero_id, 0, "/lib/none.so");
		perf_writer_feature_end(&writer);
		cr_expect_str_eq(
			read_section(&writer, &log, &good),
			"BUILD_ID mode=1 build_id=72d2e6b04edddbe609e3ce78f0c16a03f516b351 "
			"path=[kernel.kallsyms]\n"
			"BUILD_ID mode=2 build_id=72d2e6b04edddbe609e3ce78f0c16a03f516b351 "
			"path=/bin/sleep\n"
			"BUILD_ID mode=2 build_id=0102030405060708090a0b0c0d0e0f10 "
			"path=/lib/sized.so\n"
			"BUILD_ID mode=2 build_id=0102030405060708090a0b0c0d0e0f10 "
			"path=/lib/md5.so\n"
			"BUILD_ID mode=2 build_id=0102030405060708090a0b0c0d0e0f1000000000 "
			"path=/tmp/jitted-7-1.so\n"
			"BUILD_ID mode=5 build_id=72d2e6b04edddbe6 path=/lib/short.so\n",
			"byte order %zu", i);
		cr_expect(good);
		end(&writer, &log);
	}
}

static void put_entry_without_pid(struct perf_writer *writer, uint16_t misc, const uint8_t *id,
				  const char *path)
{
	perf_writer_put_u32(writer, 0);
	perf_writer_put_u16(writer, misc);
	perf_writer_put_u16(writer, (uint16_t)(8 + 24 + (strlen(path) + 8) / 8 * 8));
	perf_writer_put_bytes(writer, id, 20);
	perf_writer_put_zeros(writer, 4);
	perf_writer_put_name(writer, path);
}

Test(perf_build_ids, the_first_tables_have_no_pid)
{
	struct perf_writer writer;
	struct event_log log;
	bool good;

	begin(&writer, &log, PERF_WRITER_LITTLE_ENDIAN);
	put_entry_without_pid(&writer, 2, id20, "/bin/sleep");
	put_entry_without_pid(&writer, 1, id20, "[kernel.kallsyms]");
	perf_writer_feature_end(&writer);
	cr_expect_str_eq(read_section(&writer, &log, &good),
			 "BUILD_ID mode=2 build_id=72d2e6b04edddbe609e3ce78f0c16a03f516b351 "
			 "path=/bin/sleep\n"
			 "BUILD_ID mode=1 build_id=72d2e6b04edddbe609e3ce78f0c16a03f516b351 "
			 "path=[kernel.kallsyms]\n");
	cr_expect(good);
	end(&writer, &log);
}

Test(perf_build_ids, entry_sizes_that_lie)
{
	static const uint16_t sizes[] = { 0, 7, 8, 35, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct perf_writer writer;
		struct event_log log;
		bool good;

		begin(&writer, &log, PERF_WRITER_LITTLE_ENDIAN);
		perf_writer_put_build_id(&writer, 2, id16, 16, "/bin/first");
		perf_writer_put_u32(&writer, 0);
		perf_writer_put_u16(&writer, 2);
		perf_writer_put_u16(&writer, sizes[i]);
		perf_writer_put_zeros(&writer, 200);
		perf_writer_feature_end(&writer);
		cr_expect_str_eq(read_section(&writer, &log, &good),
				 "BUILD_ID mode=2 build_id=0102030405060708090a0b0c0d0e0f10 "
				 "path=/bin/first\n",
				 "size %u", sizes[i]);
		cr_expect_not(good, "size %u", sizes[i]);
		end(&writer, &log);
	}
}

/* In a BUILD_ID record, the payload is the entry without its header. */
Test(perf_build_ids, one_record)
{
	struct perf_writer writer;
	struct event_log log;
	struct event_build_id read;
	struct span payload;

	begin(&writer, &log, PERF_WRITER_BIG_ENDIAN);
	perf_writer_put_build_id(&writer, 2, id16, 16, "/bin/sleep");
	perf_writer_feature_end(&writer);
	payload = span_of(writer.feature_bytes.at + 8, writer.feature_bytes.count - 8, 8,
			  !HOST_IS_BIG_ENDIAN);
	cr_assert(perf_build_id_read(MISC_BUILD_ID_SIZE | 2, payload, &read));
	cr_expect(text_is(read.path, "/bin/sleep"));
	cr_expect_eq(read.build_id.size_bytes, 16);
	cr_expect_eq(read.cpu_mode, CPU_MODE_USER);
	payload.end = payload.begin + 27;
	cr_expect_not(perf_build_id_read(MISC_BUILD_ID_SIZE | 2, payload, &read));
	end(&writer, &log);
}
