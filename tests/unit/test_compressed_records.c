/* SPDX-License-Identifier: MIT */
#include "compress/codec.h"
#include "libparse/perf/compressed_records.h"

#include <criterion/criterion.h>

#include "libparse/formats.h"
#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

static const struct perf_attr attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

/* The bytes to compress, and the capture that contains them. */
struct fixture {
	struct perf_writer inner, outer;
	ZSTD_CStream *stream;
};

static void set_up(struct fixture *fixture, enum perf_writer_order order)
{
	perf_writer_init(&fixture->inner, order);
	perf_writer_init(&fixture->outer, order);
	perf_writer_event(&fixture->inner, "cpu-clock", &attr, NULL, 0);
	perf_writer_event(&fixture->outer, "cpu-clock", &attr, NULL, 0);
	fixture->stream = ZSTD_createCStream();
}

static void tear_down(struct fixture *fixture)
{
	ZSTD_freeCStream(fixture->stream);
	perf_writer_deinit(&fixture->inner);
	perf_writer_deinit(&fixture->outer);
	assert_no_leaks();
}

/*
 * Writes bytes [begin, end) of the inner records as one compressed record, and leaves the stream
 * open.
 */
static void put_compressed(struct fixture *fixture, uint32_t type, size_t begin, size_t end)
{
	char buffer[4096];
	ZSTD_inBuffer in = { .src = fixture->inner.data.at + begin, .size = end - begin };
	ZSTD_outBuffer out = { .dst = buffer, .size = sizeof(buffer) };

	cr_assert_eq(ZSTD_compressStream2(fixture->stream, &out, &in, ZSTD_e_flush), 0);
	perf_writer_record_begin(&fixture->outer, type, 0);
	if (type == RECORD_COMPRESSED2)
		perf_writer_put_u64(&fixture->outer, out.pos);
	perf_writer_put_bytes(&fixture->outer, buffer, out.pos);
	if (type == RECORD_COMPRESSED2)
		perf_writer_put_zeros(&fixture->outer, 5);
	perf_writer_record_end(&fixture->outer);
}

static void put_sample(struct perf_writer *writer, uint64_t time_ns)
{
	perf_writer_sample(writer, &(struct writer_sample){
					   .ip = 0x10, .pid = 7, .tid = 7, .time_ns = time_ns });
}

static void expect_outcome(struct fixture *fixture, const char *expected, const char *damage)
{
	struct outcome outcome;

	perf_writer_finish(&fixture->outer);
	outcome_read(fixture->outer.file.at, fixture->outer.file.count, &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect_str_eq(outcome_records(&outcome), expected, "%s\nwanted:\n%s",
			 event_log_text(&outcome.log), expected);
	cr_expect_eq(outcome.is_partial, damage != NULL);
	cr_expect(!damage || strstr(outcome.damage.text, damage), "%s", outcome.damage.text);
	outcome_deinit(&outcome);
}

/* The stream may be split at any byte, even inside a record or its header. */
Test(compressed_records, records_go_over_the_ends_of_compressed_ones)
{
	static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
							 PERF_WRITER_BIG_ENDIAN };
	static const uint32_t types[] = { RECORD_COMPRESSED, RECORD_COMPRESSED2 };

	for (size_t i = 0; i < 4; i++) {
		for (size_t cut = 0; cut <= 100; cut += 9) {
			struct fixture fixture;
			size_t end;

			set_up(&fixture, orders[i / 2]);
			perf_writer_comm(&fixture.inner, 100, 7, 7, "server", 0);
			put_sample(&fixture.inner, 101);
			put_sample(&fixture.inner, 102);
			end = fixture.inner.data.count;
			cr_assert_geq(end, 100);
			put_compressed(&fixture, types[i % 2], 0, cut);
			put_sample(&fixture.outer, 103);
			put_compressed(&fixture, types[i % 2], cut, end);
			expect_outcome(
				&fixture,
				"COMM time=100 pid=7 tid=7 comm=server\n"
				"SAMPLE time=103 attr=0 mode=2 pid=7 tid=7 ip=0x10 period=1\n"
				"SAMPLE time=101 attr=0 mode=2 pid=7 tid=7 ip=0x10 period=1\n"
				"SAMPLE time=102 attr=0 mode=2 pid=7 tid=7 ip=0x10 period=1\n",
				NULL);
			tear_down(&fixture);
		}
	}
}

/* Counts records, and has no memory for more than the first few. */
static void count_event(void *context, const struct event *event)
{
	*(uint64_t *)context += event->kind == EVENT_COMM;
}

static bool has_memory(void *context, struct error *err)
{
	return *(uint64_t *)context < 100 || error_set(err, ERROR_LIMIT, "too many");
}

/* A megabyte is decompressed at a time; if memory runs out, decompression stops. */
Test(compressed_records, decompression_stops_when_memory_runs_out)
{
	struct fixture fixture;
	struct memory_file file;
	struct capture capture;
	struct error err;
	uint64_t count = 0;
	struct event_sink sink = { .context = &count,
				   .on_event = count_event,
				   .check_memory = has_memory };

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	for (uint32_t i = 0; i < 200000; i++)
		perf_writer_comm(&fixture.inner, 100, 7, 7, "server", 0);
	cr_assert_gt(fixture.inner.data.count, 5 << 20);
	put_compressed(&fixture, RECORD_COMPRESSED, 0, fixture.inner.data.count);
	perf_writer_finish(&fixture.outer);
	memory_file_open(&file, fixture.outer.file.at, fixture.outer.file.count);
	cr_assert(capture_open(&capture, file.path, &err), "%s", err.text);
	cr_expect_not(capture_read_state(&capture, &sink, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect_lt(count, (2 << 20) / 24, "%llu", (unsigned long long)count);
	capture_close(&capture);
	memory_file_close(&file);
	tear_down(&fixture);
}

/*
 * A few bytes that decompress to more than any capture contains are refused, however many records
 * they are divided into.
 */
Test(compressed_records, a_bomb_is_refused)
{
	/* Read as records, these bytes have an unknown type and a size of 0x0808. */
	static const unsigned char filler[1 << 20] = { [0 ...(1 << 20) - 1] = 8 };
	struct fixture fixture;
	struct outcome outcome;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_put_bytes(&fixture.inner, filler, sizeof(filler));
	for (uint32_t done = 0; done <= LIMIT_UNWRAP_FREE_BYTES; done += sizeof(filler))
		put_compressed(&fixture, RECORD_COMPRESSED, 0, sizeof(filler));
	perf_writer_finish(&fixture.outer);
	cr_assert_lt(fixture.outer.file.count, 200000);
	outcome_read(fixture.outer.file.at, fixture.outer.file.count, &outcome);
	cr_expect_not(outcome.good);
	cr_expect_eq(outcome.err.code, ERROR_LIMIT, "%s", outcome.err.text);
	cr_expect(strstr(outcome.err.text, "the compressed records expand to over"), "%s",
		  outcome.err.text);
	outcome_deinit(&outcome);
	tear_down(&fixture);
}

/* Records before the corrupt byte are kept, and the error describes the corruption. */
Test(compressed_records, damage_inside)
{
	static const struct {
		uint32_t type;
		uint16_t size; /* patched into the record; 0: unchanged */
		const char *damage;
	} rows[] = {
		{ RECORD_AUXTRACE, 0, "a record of type 71, which" },
		{ RECORD_HEADER_TRACING_DATA, 0, "a record of type 66" },
		{ RECORD_LOST, 7, "below 8 bytes" },
		{ RECORD_LOST, 1000, "ends in the middle of a record" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture fixture;
		struct outcome outcome;
		size_t at;

		set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
		put_sample(&fixture.inner, 101);
		at = fixture.inner.data.count;
		perf_writer_record_begin(&fixture.inner, rows[i].type, 0);
		perf_writer_put_u64(&fixture.inner, 1ull << 40);
		perf_writer_put_zeros(&fixture.inner, 32);
		perf_writer_record_end(&fixture.inner);
		put_sample(&fixture.inner, 102);
		if (rows[i].size) {
			fixture.inner.data.at[at + 6] = (unsigned char)rows[i].size;
			fixture.inner.data.at[at + 7] = (unsigned char)(rows[i].size >> 8);
		}
		put_compressed(&fixture, RECORD_COMPRESSED, 0, fixture.inner.data.count);
		perf_writer_finish(&fixture.outer);
		outcome_read(fixture.outer.file.at, fixture.outer.file.count, &outcome);
		cr_assert(outcome.good, "%s", outcome.err.text);
		cr_expect(outcome.is_partial);
		cr_expect(strstr(outcome.damage.text, rows[i].damage), "%s", outcome.damage.text);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 1);
		cr_expect(strstr(event_log_text(&outcome.log), "SAMPLE time=101 "));
		outcome_deinit(&outcome);
		tear_down(&fixture);
	}
}

Test(compressed_records, what_is_no_zstd)
{
	struct fixture fixture;

	set_up(&fixture, PERF_WRITER_LITTLE_ENDIAN);
	put_sample(&fixture.outer, 101);
	perf_writer_record_begin(&fixture.outer, RECORD_COMPRESSED, 0);
	perf_writer_put_bytes(&fixture.outer, "this is no frame", 16);
	perf_writer_record_end(&fixture.outer);
	expect_outcome(&fixture,
		       "LOSS TRUNCATED_BYTES 24\n"
		       "SAMPLE time=101 attr=0 mode=2 pid=7 tid=7 ip=0x10 period=1\n",
		       "cannot decompress");
	tear_down(&fixture);
}
#endif
