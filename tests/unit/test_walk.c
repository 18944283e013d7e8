/* SPDX-License-Identifier: MIT */
#include "libparse/perf/walk.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/vec.h"
#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/random.h"

#define RECORDS 3000

struct file {
	VEC(unsigned char) bytes;
	struct memory_file memory;
	struct input input;
};

static void add_record(struct file *file, struct random *random, uint32_t type, uint16_t size)
{
	unsigned char *at;

	vec_reserve(&file->bytes, file->bytes.count + size);
	at = file->bytes.at + file->bytes.count;
	for (uint16_t i = 0; i < size; i++)
		at[i] = (unsigned char)random_below(random, 256);
	memcpy(at, &type, sizeof(type));
	memcpy(at + 6, &size, sizeof(size));
	file->bytes.count += size;
}

/*
 * Writes runs of large samples and of other records. The gaps between samples are sometimes longer
 * than a small window.
 */
static void file_open(struct file *file)
{
	static const uint16_t samples[] = { 8, 64, 8448, 16376, 16384, 65528 };
	struct random random = { 11 };
	struct error err;
	uint16_t size = 0;

	*file = (struct file){ 0 };
	for (int i = 0; i < RECORDS; i++) {
		if (random_below(&random, 50) == 0)
			size = samples[random_below(&random, ARRAY_SIZE(samples))];
		if (random_below(&random, 10))
			add_record(file, &random, RECORD_SAMPLE, size ? size : 64);
		else
			add_record(file, &random, RECORD_MMAP,
				   (uint16_t)(8 + 8 * random_below(&random, 700)));
	}
	memory_file_open(&file->memory, file->bytes.at, file->bytes.count);
	cr_assert(input_open(&file->input, file->memory.path, &err));
}

static void file_close(struct file *file)
{
	input_close(&file->input);
	memory_file_close(&file->memory);
	vec_free(&file->bytes);
}

/* Walks all records that there are up to end, and compares them with the file. */
static void expect_all(const struct file *file, bool skips_samples, uint64_t end,
		       enum walk_result expected)
{
	enum walk_result result;
	struct record record;
	uint64_t offset = 0;
	struct error err;
	struct walk walk;

	walk_init(&walk, &file->input, 0, end, end, false);
	if (skips_samples)
		walk_skip_samples(&walk);
	while ((result = walk_next(&walk, &record, &err)) == WALK_RECORD) {
		const unsigned char *there = file->bytes.at + offset;
		bool is_header = skips_samples && record.type == RECORD_SAMPLE;

		cr_assert_eq(record.offset, offset);
		cr_assert_eq(memcmp(&record.size, there + 6, sizeof(record.size)), 0);
		cr_assert_eq(
			memcmp(record.bytes, there, is_header ? RECORD_HEADER_BYTES : record.size),
			0, "at %zu", (size_t)offset);
		offset += record.size;
	}
	cr_expect_eq(result, expected);
	cr_expect_eq(walk.offset, offset);
	cr_expect(offset <= end && end - offset <= UINT16_MAX);
	walk_deinit(&walk);
}

Test(walk, samples_may_be_skipped)
{
	struct file file;

	file_open(&file);
	for (int skips_samples = 0; skips_samples < 2; skips_samples++) {
		expect_all(&file, skips_samples, file.bytes.count, WALK_END);
		expect_all(&file, skips_samples, file.bytes.count - 1, WALK_TRUNCATED);
	}
	file_close(&file);
	assert_no_leaks();
}

/* The result for one record, of an impossible size, or followed by fewer bytes than it states. */
static enum walk_result first_result(uint32_t type, uint16_t size, const void *payload,
				     size_t payload_bytes, uint64_t end)
{
	unsigned char bytes[64] = { 0 };
	enum walk_result result;
	struct memory_file memory;
	struct input input;
	struct record record;
	struct error err;
	struct walk walk;

	memcpy(bytes, &type, sizeof(type));
	memcpy(bytes + 6, &size, sizeof(size));
	memcpy(bytes + RECORD_HEADER_BYTES, payload, payload_bytes);
	memory_file_open(&memory, bytes, sizeof(bytes));
	cr_assert(input_open(&input, memory.path, &err));
	walk_init(&walk, &input, 0, end, end, false);
	result = walk_next(&walk, &record, &err);
	cr_expect_eq(walk.offset == 0, result != WALK_RECORD);
	walk_deinit(&walk);
	input_close(&input);
	memory_file_close(&memory);
	return result;
}

Test(walk, sizes_that_cannot_be)
{
	static const uint64_t huge = UINT64_MAX - 4;
	static const uint64_t small = 48;
	static const uint32_t formats_bytes = 49;

	cr_expect_eq(first_result(RECORD_MMAP, 0, "", 0, 64), WALK_CORRUPT);
	cr_expect_eq(first_result(RECORD_MMAP, 7, "", 0, 64), WALK_CORRUPT);
	cr_expect_eq(first_result(RECORD_MMAP, 8, "", 0, 64), WALK_RECORD);
	cr_expect_eq(first_result(RECORD_MMAP, 65, "", 0, 64), WALK_TRUNCATED);
	cr_expect_eq(first_result(RECORD_MMAP, 8, "", 0, 7), WALK_TRUNCATED);
	/* The header states more bytes than the file has, as if the file had shrunk. */
	cr_expect_eq(first_result(RECORD_MMAP, 80, "", 0, 1000), WALK_TRUNCATED);
	cr_expect_eq(first_result(RECORD_AUXTRACE, 16, &small, sizeof(small), 64), WALK_RECORD);
	cr_expect_eq(first_result(RECORD_AUXTRACE, 17, &small, sizeof(small), 64), WALK_TRUNCATED);
	cr_expect_eq(first_result(RECORD_AUXTRACE, 16, &huge, sizeof(huge), 64), WALK_TRUNCATED);
	cr_expect_eq(first_result(RECORD_HEADER_TRACING_DATA, 16, &formats_bytes,
				  sizeof(formats_bytes), 64),
		     WALK_TRUNCATED);
}

/* The file ends before the end that its header states. */
Test(walk, a_file_that_shrank)
{
	struct file file;
	struct record record;
	struct error err;
	struct walk walk;

	file_open(&file);
	walk_init(&walk, &file.input, file.bytes.count, file.bytes.count + 100,
		  file.bytes.count + 100, false);
	cr_expect_eq(walk_next(&walk, &record, &err), WALK_TRUNCATED);
	walk_deinit(&walk);
	walk_init(&walk, &file.input, 0, 100, 100, false);
	close(file.input.fd);
	file.input.fd = -1;
	cr_expect_eq(walk_next(&walk, &record, &err), WALK_FAILED);
	walk_deinit(&walk);
	file_close(&file);
	assert_no_leaks();
}
