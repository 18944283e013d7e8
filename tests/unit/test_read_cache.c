/* SPDX-License-Identifier: MIT */
#include "base/read_cache.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/memory.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define INPUT_COUNT 2
#define INPUT_BYTES ((size_t)20 << 20)
#define READ_BYTES  40000u

static void make_input(struct random *random, struct input *ret)
{
	uint64_t *words = memory_alloc(INPUT_BYTES, 1);
	struct error err;

	for (size_t i = 0; i < INPUT_BYTES / sizeof(*words); i++)
		words[i] = random_u64(random);
	cr_assert(input_create_spool(ret, NULL, &err), "%s", err.text);
	/* The last block is not full. */
	cr_assert(input_append_spool(ret, words, INPUT_BYTES - 77, &err), "%s", err.text);
	memory_free(words);
}

/* Reads anywhere, at and behind the end, and more than a block, in two inputs in turn. */
Test(read_cache, reads_what_the_inputs_contain)
{
	struct read_cache *cache = read_cache_create();
	struct random random = { 1 };
	struct input inputs[INPUT_COUNT];
	char *expected = memory_alloc(READ_BYTES, 1);
	char *bytes = memory_alloc(READ_BYTES, 1);

	for (size_t i = 0; i < INPUT_COUNT; i++)
		make_input(&random, &inputs[i]);
	for (unsigned i = 0; i < 20000; i++) {
		const struct input *input = &inputs[random_below(&random, INPUT_COUNT)];
		uint32_t near_end = random_below(&random, 10) ? 0 : (uint32_t)INPUT_BYTES - 1000;
		uint64_t offset =
			near_end + random_below(&random, (uint32_t)INPUT_BYTES - near_end);
		size_t size = random_below(&random, random_below(&random, 9) ? 300 : READ_BYTES);
		size_t expected_count, count;
		struct error err;

		cr_assert(input_read(input, offset, expected, size, &expected_count, &err));
		cr_assert(read_cache_read(cache, input, offset, bytes, size, &count, &err));
		cr_assert_eq(count, expected_count, "%zu bytes at %llu", size,
			     (unsigned long long)offset);
		cr_assert_eq(memcmp(bytes, expected, count), 0);
	}
	read_cache_destroy(cache);
	for (size_t i = 0; i < INPUT_COUNT; i++)
		input_close(&inputs[i]);
	memory_free(expected);
	memory_free(bytes);
	assert_no_leaks();
}

Test(read_cache, a_failed_read_is_reported_and_repeated)
{
	struct read_cache *cache = read_cache_create();
	struct input input = { .fd = -1, .size_bytes = 100 };
	struct random random = { 3 };
	struct input file;
	struct error err;
	int fd;
	size_t count;
	char byte;

	for (int i = 0; i < 2; i++)
		cr_expect_not(read_cache_read(cache, &input, 0, &byte, 1, &count, &err));
	make_input(&random, &file);
	fd = file.fd;
	/* Failed reads use all slots of the cache, which then have no bytes of any block. */
	cr_expect(read_cache_read(cache, &file, 0, &byte, 1, &count, &err));
	file.fd = -1;
	for (uint64_t offset = 1 << 20; offset < INPUT_BYTES << 3; offset += 4096)
		cr_expect_not(read_cache_read(cache, &file, offset, &byte, 1, &count, &err));
	file.fd = fd;
	cr_expect(read_cache_read(cache, &file, 0, &byte, 1, &count, &err));
	cr_expect_eq(count, 1);
	input_close(&file);
	read_cache_destroy(cache);
	read_cache_destroy(NULL);
	assert_no_leaks();
}
