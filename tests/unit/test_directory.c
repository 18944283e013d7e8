/* SPDX-License-Identifier: MIT */
#include "libparse/directory.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

Test(directory, names_of_its_files)
{
	static const struct {
		const char *name;
		bool is_one;
		uint32_t number;
	} rows[] = {
		{ "data.0", true, 0 },
		{ "data.17", true, 17 },
		{ "data.8191", true, 8191 },
		{ "data.8192", false, 0 },
		{ "data.99999999999999999999999999", false, 0 },
		{ "data.4294967296", false, 0 },
		{ "data.00", false, 0 },
		{ "data.01", false, 0 },
		{ "data.", false, 0 },
		{ "data", false, 0 },
		{ "data.1x", false, 0 },
		{ "data.-1", false, 0 },
		{ "data. 1", false, 0 },
		{ "Data.1", false, 0 },
		{ "", false, 0 },
		{ "data.1/", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t number = 0;

		cr_expect_eq(directory_read_number(rows[i].name, &number), rows[i].is_one, "%s",
			     rows[i].name);
		cr_expect_eq(number, rows[i].number, "%s", rows[i].name);
	}
	cr_assert_eq(LIMIT_DATA_FILES, 8192);
}

static const struct perf_attr attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

/*
 * A directory of a header with a COMM, and of files with a COMM and a sample each, whose times are
 * interleaved.
 */
struct fixture {
	struct scratch scratch;
	struct perf_writer header;
};

static void put_index(struct perf_writer *writer, uint64_t ring_count)
{
	perf_writer_record_begin(writer, RECORD_ID_INDEX, 0);
	perf_writer_put_u64(writer, ring_count);
	for (uint64_t i = 0; i < ring_count; i++) {
		perf_writer_put_u64(writer, 100 + i);
		perf_writer_put_u64(writer, i);
		perf_writer_put_u64(writer, i);
		perf_writer_put_u64(writer, UINT64_MAX);
	}
	perf_writer_record_end(writer);
}

static void write_header(struct fixture *fixture, enum perf_writer_order order, uint64_t version,
			 uint64_t ring_count)
{
	struct perf_writer *writer = &fixture->header;

	perf_writer_init(writer, order);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	if (ring_count)
		put_index(writer, ring_count);
	perf_writer_comm(writer, 1, 7, 7, "start", 0);
	perf_writer_feature_begin(writer, FEATURE_DIR_FORMAT);
	perf_writer_put_u64(writer, version);
	perf_writer_feature_end(writer);
	perf_writer_finish(writer);
	scratch_write(&fixture->scratch, "data", writer->file.at, writer->file.count);
}

/* The records of a file; the caller frees the writer. */
static void make_records(struct perf_writer *writer, enum perf_writer_order order, uint32_t number)
{
	char comm[16];

	perf_writer_init(writer, order);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	snprintf(comm, sizeof(comm), "file %u", number);
	perf_writer_comm(writer, 10 + number, 7, 7, comm, 0);
	perf_writer_sample(writer, &(struct writer_sample){ .ip = 0x1000 + number,
							    .pid = 7,
							    .tid = 7,
							    .time_ns = 20 - number });
}

static void write_records(struct fixture *fixture, enum perf_writer_order order, uint32_t number)
{
	struct perf_writer writer;
	char name[32];

	make_records(&writer, order, number);
	snprintf(name, sizeof(name), "data.%u", number);
	scratch_write(&fixture->scratch, name, writer.data.at, writer.data.count);
	perf_writer_deinit(&writer);
}

static void begin(struct fixture *fixture, uint64_t version, uint64_t ring_count,
		  uint32_t file_count)
{
	scratch_open(&fixture->scratch);
	write_header(fixture, PERF_WRITER_LITTLE_ENDIAN, version, ring_count);
	for (uint32_t i = 0; i < file_count; i++)
		write_records(fixture, PERF_WRITER_LITTLE_ENDIAN, i);
}

static void end(struct fixture *fixture)
{
	perf_writer_deinit(&fixture->header);
	scratch_close(&fixture->scratch);
	assert_no_leaks();
}

/* Reads the directory, or a file of it, and compares; damage NULL: nothing is corrupt. */
static void expect(struct fixture *fixture, const char *name, const char *expected,
		   const char *damage)
{
	struct outcome outcome;

	outcome_read_path(name ? scratch_path(&fixture->scratch, name) : fixture->scratch.path,
			  &outcome);
	cr_assert(outcome.good, "%s", outcome.err.text);
	cr_expect_str_eq(outcome_records(&outcome), expected, "%s\nwanted:\n%s",
			 event_log_text(&outcome.log), expected);
	cr_expect_eq(outcome.is_partial, damage != NULL, "%s", outcome.damage.text);
	cr_expect(!damage || strstr(outcome.damage.text, damage), "%s\nwanted:\n%s",
		  outcome.damage.text, damage);
	outcome_deinit(&outcome);
}

#define START_LINE  "COMM time=1 pid=7 tid=7 comm=start\n"
#define COMM_LINE_0 "COMM time=10 pid=7 tid=7 comm=file 0\n"
#define COMM_LINE_1 "COMM time=11 pid=7 tid=7 comm=file 1\n"
#define SAMPLE_0    "SAMPLE time=20 attr=0 mode=2 pid=7 tid=7 ip=0x1000 period=1\n"
#define SAMPLE_1    "SAMPLE time=19 attr=0 mode=2 pid=7 tid=7 ip=0x1001 period=1\n"

Test(directory, its_files_are_streams_of_one_capture)
{
	static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
							 PERF_WRITER_BIG_ENDIAN };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct fixture fixture;

		scratch_open(&fixture.scratch);
		write_header(&fixture, orders[i], 1, 2);
		/* The order on disk does not matter, and an empty file is valid. */
		write_records(&fixture, orders[i], 1);
		write_records(&fixture, orders[i], 0);
		scratch_write(&fixture.scratch, "data.2", "", 0);
		scratch_write(&fixture.scratch, "data.old", "no", 2);
		scratch_write(&fixture.scratch, "data.77777777777", "no", 2);
		expect(&fixture, NULL, START_LINE COMM_LINE_0 COMM_LINE_1 SAMPLE_0 SAMPLE_1, NULL);
		expect(&fixture, "data", START_LINE COMM_LINE_0 COMM_LINE_1 SAMPLE_0 SAMPLE_1,
		       NULL);
		end(&fixture);
	}
}

Test(directory, files_that_are_missing_are_missed)
{
	static const struct {
		const char *missing;
		const char *expected, *damage;
	} rows[] = {
		{ "data.0", START_LINE COMM_LINE_1 SAMPLE_1,
		  "a file is missing from the capture directory: data.0" },
		{ "data.1", START_LINE,
		  "2 files are missing from the capture directory; the first is data.0" },
	};
	struct fixture fixture;

	begin(&fixture, 1, 2, 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_assert_eq(unlink(scratch_path(&fixture.scratch, rows[i].missing)), 0);
		expect(&fixture, NULL, rows[i].expected, rows[i].damage);
	}
	end(&fixture);

	/* Without an index, only gaps in the file numbers and an empty directory are detected. */
	begin(&fixture, 1, 0, 2);
	expect(&fixture, NULL, START_LINE COMM_LINE_0 COMM_LINE_1 SAMPLE_0 SAMPLE_1, NULL);
	cr_assert_eq(unlink(scratch_path(&fixture.scratch, "data.0")), 0);
	expect(&fixture, NULL, START_LINE COMM_LINE_1 SAMPLE_1, "data.0");
	cr_assert_eq(unlink(scratch_path(&fixture.scratch, "data.1")), 0);
	expect(&fixture, NULL, START_LINE, "data.0");
	end(&fixture);
}

/* perf record --kcore makes a directory too, with all records in its one file. */
Test(directory, a_directory_of_one_file_has_no_others)
{
	struct fixture fixture;

	begin(&fixture, 0, 2, 1);
	expect(&fixture, NULL, START_LINE, NULL);
	end(&fixture);
}

Test(directory, links_and_what_is_no_file_are_refused)
{
	struct fixture fixture;
	struct outcome outcome;

	begin(&fixture, 1, 2, 2);
	cr_assert_eq(unlink(scratch_path(&fixture.scratch, "data.0")), 0);
	scratch_link(&fixture.scratch, "data.0", "data.1");
	expect(&fixture, NULL, START_LINE COMM_LINE_1 SAMPLE_1,
	       "data.0: is a symbolic link, which is not followed");
	cr_assert_eq(unlink(scratch_path(&fixture.scratch, "data.0")), 0);
	scratch_pipe(&fixture.scratch, "data.0");
	expect(&fixture, NULL, START_LINE COMM_LINE_1 SAMPLE_1, "data.0: is not a regular file");
	/* Many files, none of which can be opened. */
	for (unsigned i = 2; i < 2000; i += 3) {
		char name[32];

		snprintf(name, sizeof(name), "data.%u", i);
		scratch_link(&fixture.scratch, name, "/dev/zero");
	}
	expect(&fixture, NULL, START_LINE COMM_LINE_1 SAMPLE_1, "data.0: is not a regular file");

	cr_assert_eq(unlink(scratch_path(&fixture.scratch, "data")), 0);
	outcome_read_path(fixture.scratch.path, &outcome);
	cr_expect_not(outcome.good);
	cr_expect(strstr(outcome.err.text,
			 "is a directory, but not one written by perf record --threads"),
		  "%s", outcome.err.text);
	outcome_deinit(&outcome);
	scratch_link(&fixture.scratch, "data", "/etc/passwd");
	outcome_read_path(fixture.scratch.path, &outcome);
	cr_expect_not(outcome.good);
	cr_expect(strstr(outcome.err.text, "is a symbolic link"), "%s", outcome.err.text);
	outcome_deinit(&outcome);
	end(&fixture);
}

/* A corrupt record ends the reading of its file. The error names the file; other files are complete. */
Test(directory, damage_stays_in_its_file)
{
	struct perf_writer writer;
	struct fixture fixture;

	begin(&fixture, 1, 2, 2);
	make_records(&writer, PERF_WRITER_LITTLE_ENDIAN, 0);
	for (size_t cut = 1; cut < writer.data.count; cut++) {
		struct outcome outcome;
		bool is_whole_record = cut == writer.data.count - 32;

		scratch_write(&fixture.scratch, "data.0", writer.data.at, cut);
		outcome_read_path(fixture.scratch.path, &outcome);
		cr_assert(outcome.good);
		cr_expect(strstr(event_log_text(&outcome.log), SAMPLE_1), "cut at %zu", cut);
		if (!is_whole_record) {
			cr_expect(outcome.is_partial, "cut at %zu", cut);
			cr_expect_str_eq(outcome.damage.text,
					 "data.0: the last record is truncated");
			cr_expect_lt(outcome.damage.offset, cut);
		}
		outcome_deinit(&outcome);
	}
	perf_writer_deinit(&writer);
	end(&fixture);
}

Test(directory, flipped_bits_break_nothing)
{
	struct random random = { 3 };
	struct perf_writer writer;
	struct fixture fixture;

	begin(&fixture, 1, 2, 2);
	make_records(&writer, PERF_WRITER_LITTLE_ENDIAN, 1);
	for (unsigned i = 0; i < 600; i++) {
		perf_writer_bytes *bytes = i % 2 ? &fixture.header.file : &writer.data;
		size_t at = random_below(&random, (uint32_t)bytes->count);
		unsigned char bit = (unsigned char)(1 << random_below(&random, 8));
		struct outcome outcome;

		bytes->at[at] ^= bit;
		scratch_write(&fixture.scratch, i % 2 ? "data" : "data.1", bytes->at, bytes->count);
		outcome_read_path(fixture.scratch.path, &outcome);
		cr_expect(outcome.good || outcome.err.text[0]);
		outcome_deinit(&outcome);
		bytes->at[at] ^= bit;
		scratch_write(&fixture.scratch, i % 2 ? "data" : "data.1", bytes->at, bytes->count);
	}
	perf_writer_deinit(&writer);
	end(&fixture);
}

#ifdef HAVE_ZSTD
/* Writes a file of one compressed record, without the last left_out_bytes bytes. */
static void write_compressed(struct fixture *fixture, uint32_t number, size_t left_out_bytes)
{
	struct perf_writer writer;
	struct perf_writer outer;
	char packed[4096];
	char name[32];
	size_t size_bytes;

	make_records(&writer, PERF_WRITER_LITTLE_ENDIAN, number);
	size_bytes = ZSTD_compress(packed, sizeof(packed), writer.data.at,
				   writer.data.count - left_out_bytes, 1);
	cr_assert_not(ZSTD_isError(size_bytes));
	perf_writer_init(&outer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_record_begin(&outer, RECORD_COMPRESSED, 0);
	perf_writer_put_bytes(&outer, packed, size_bytes);
	perf_writer_record_end(&outer);
	snprintf(name, sizeof(name), "data.%u", number);
	scratch_write(&fixture->scratch, name, outer.data.at, outer.data.count);
	perf_writer_deinit(&writer);
	perf_writer_deinit(&outer);
}

/*
 * Each file is its own compressed stream: an unfinished record of the previous file is not
 * continued.
 */
Test(directory, its_files_are_compressed_one_by_one)
{
	struct fixture fixture;

	begin(&fixture, 1, 2, 0);
	write_compressed(&fixture, 0, 0);
	write_compressed(&fixture, 1, 0);
	expect(&fixture, NULL, START_LINE COMM_LINE_0 COMM_LINE_1 SAMPLE_0 SAMPLE_1, NULL);
	write_compressed(&fixture, 0, 5);
	expect(&fixture, NULL,
	       START_LINE COMM_LINE_0 "LOSS TRUNCATED_BYTES 27\n" COMM_LINE_1 SAMPLE_1,
	       "data.0: the compressed data ends in the middle of a record");
	end(&fixture);
}
#endif
