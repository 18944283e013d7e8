/* SPDX-License-Identifier: MIT */
#include "base/sink.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/random.h"

static void expect_memory(struct sink *sink, const char *expected)
{
	cr_expect(text_is(sink_memory(sink), expected), "\"%.*s\" is not \"%s\"",
		  (int)sink_memory(sink).length, sink_memory(sink).at, expected);
	sink->used = 0;
}

Test(sink, writes_numbers_and_text)
{
	static const uint64_t numbers[] = { 0, 9, 10, 99, 100, 1234567890, UINT64_MAX };
	struct sink sink;
	char expected[32];

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		snprintf(expected, sizeof(expected), "%" PRIu64, numbers[i]);
		sink_u64(&sink, numbers[i]);
		expect_memory(&sink, expected);
	}
	sink_puts(&sink, "");
	sink_puts(&sink, "ab");
	sink_char(&sink, ';');
	sink_text(&sink, (struct text){ "cdefg", 2 });
	sink_printf(&sink, " %d%%", 42);
	expect_memory(&sink, "ab;cd 42%");
	sink_deinit(&sink);
	assert_no_leaks();
}

/*
 * The lengths are around 512 bytes, the limit of short texts, and around 256 KiB, the size of the
 * buffer.
 */
Test(sink, long_formatted_texts)
{
	static const int lengths[] = { 510, 511, 512, 513, 262143, 262144, 262145, 600000 };
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		sink.used = 0;
		sink_printf(&sink, "%*s|", lengths[i], "x");
		cr_expect_eq(sink.used, (size_t)lengths[i] + 1, "%d", lengths[i]);
		cr_expect_eq(memcmp(sink.buffer + lengths[i] - 1, "x|", 2), 0, "%d", lengths[i]);
	}
	sink_deinit(&sink);
}

/* Writes in one of the possible ways, at random. Equal states of random write the same. */
static void write_something(struct sink *sink, struct random *random, const char *block)
{
	uint32_t length =
		random_below(random, 20) ? random_below(random, 200) : random_below(random, 700000);

	switch (random_below(random, 4)) {
	case 0:
		sink_bytes(sink, block, length);
		break;
	case 1:
		for (uint32_t i = 0; i < length % 1000; i++)
			sink_char(sink, block[i]);
		break;
	case 2:
		sink_printf(sink, "%.*s", (int)length, block);
		break;
	case 3:
		memcpy(sink_room(sink, length % 100), block, length % 100);
		sink->used += length % 100;
		break;
	}
}

Test(sink, a_file_gets_what_memory_gets)
{
	enum {
		BLOCK_BYTES = 700000,
		WRITES = 300
	};
	char *block = memory_alloc(BLOCK_BYTES, 1);
	struct random file_random = { 7 };
	struct random memory_random = { 7 };
	struct memory_file file;
	struct sink to_file;
	struct sink to_memory;
	struct error err;
	char *read_back;

	for (size_t i = 0; i < BLOCK_BYTES; i++)
		block[i] = (char)('a' + i * 7 % 26);
	memory_file_open(&file, "", 0);
	sink_init_fd(&to_file, file.fd);
	sink_init_memory(&to_memory);
	for (unsigned i = 0; i < WRITES; i++) {
		write_something(&to_file, &file_random, block);
		write_something(&to_memory, &memory_random, block);
	}
	cr_assert(sink_flush(&to_file, &err));
	cr_assert(sink_flush(&to_memory, &err));
	cr_expect_gt(to_memory.used, 1000000);
	cr_assert_eq(to_file.written, to_memory.used);
	read_back = memory_alloc(to_memory.used + 1, 1);
	cr_assert_eq(pread(file.fd, read_back, to_memory.used + 1, 0), (ssize_t)to_memory.used);
	cr_expect_eq(memcmp(read_back, to_memory.buffer, to_memory.used), 0);
	memory_free(read_back);
	memory_free(block);
	sink_deinit(&to_file);
	sink_deinit(&to_memory);
	memory_file_close(&file);
	assert_no_leaks();
}

/* An error is kept until it is checked, and has the reason of the first failure. */
Test(sink, a_failed_write_latches)
{
	static const struct {
		const char *path;
		int flags;
		enum error_code code;
		const char *expected;
	} rows[] = {
		{ "/dev/full", O_WRONLY, ERROR_RESOURCE, "cannot write: No space left on device" },
		{ "/dev/null", O_RDONLY, ERROR_IO, "cannot write: Bad file descriptor" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int fd = open(rows[i].path, rows[i].flags);
		struct error err;
		struct sink sink;

		cr_assert_geq(fd, 0);
		sink_init_fd(&sink, fd);
		cr_expect(sink_flush(&sink, &err), "row %zu: nothing was written yet", i);
		for (unsigned k = 0; k < 100000; k++)
			sink_puts(&sink, "0123456789");
		sink_printf(&sink, "%600000s", "");
		errno = 0;
		cr_expect_not(sink_flush(&sink, &err), "row %zu", i);
		cr_expect_eq(err.code, rows[i].code);
		cr_expect_str_eq(err.text, rows[i].expected);
		cr_expect_eq(sink.written, 0);
		cr_expect_leq(sink.capacity, 4u << 20);
		sink_deinit(&sink);
		close(fd);
	}
}
