/* SPDX-License-Identifier: MIT */
#include "base/input.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define SPOOLED_BYTES ((size_t)3000000)

/* Writes SPOOLED_BYTES into a descriptor in pieces, as a slow producer does, and closes it. */
static void *feed(void *argument)
{
	int fd = *(int *)argument;
	char piece[1000];

	for (size_t done = 0; done < SPOOLED_BYTES; done += sizeof(piece)) {
		for (size_t i = 0; i < sizeof(piece); i++)
			piece[i] = (char)((done + i) % 251);
		cr_assert_eq(write(fd, piece, sizeof(piece)), (ssize_t)sizeof(piece));
	}
	close(fd);
	return NULL;
}

static void expect_fed(const struct input *input)
{
	static const uint64_t offsets[] = { 0, 1, 1234567, SPOOLED_BYTES - 10, SPOOLED_BYTES };

	cr_expect_eq(input->size_bytes, SPOOLED_BYTES);
	/* Any offset can be read, any number of times, and backwards too. */
	for (size_t i = ARRAY_SIZE(offsets); i-- > 0;) {
		unsigned char bytes[20];
		struct error err;
		size_t got;

		cr_assert(input_read(input, offsets[i], bytes, sizeof(bytes), &got, &err));
		cr_expect_eq(got,
			     offsets[i] + 20 > SPOOLED_BYTES ? SPOOLED_BYTES - offsets[i] : 20);
		for (size_t k = 0; k < got; k++)
			cr_assert_eq(bytes[k], (offsets[i] + k) % 251);
	}
}

Test(input, a_fifo_is_spooled)
{
	char directory[] = "/tmp/kiln-test-XXXXXX";
	char path[64];
	struct input input;
	struct error err;
	pthread_t feeder;
	int fd;

	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/fifo", directory);
	cr_assert_eq(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR);
	cr_assert_geq(fd, 0);
	cr_assert_eq(pthread_create(&feeder, NULL, feed, &fd), 0);
	cr_assert(input_open(&input, path, &err), "%s", err.text);
	pthread_join(feeder, NULL);
	cr_expect_str_eq(input.name, path);
	expect_fed(&input);
	input_close(&input);
	unlink(path);
	rmdir(directory);
	assert_no_leaks();
}

Test(input, standard_input_may_be_a_pipe)
{
	struct input input;
	struct error err;
	pthread_t feeder;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	cr_assert_eq(pthread_create(&feeder, NULL, feed, &ends[1]), 0);
	cr_assert(input_open(&input, "-", &err), "%s", err.text);
	pthread_join(feeder, NULL);
	cr_expect_str_eq(input.name, "standard input");
	expect_fed(&input);
	input_close(&input);
	/* Standard input itself stays open. */
	cr_expect_neq(fcntl(STDIN_FILENO, F_GETFD), -1);
}

Test(input, standard_input_may_be_a_file)
{
	struct memory_file file;
	struct input input;
	struct error err;
	char bytes[8];
	size_t got;

	memory_file_open(&file, "abcdef", 6);
	cr_assert_eq(dup2(file.fd, STDIN_FILENO), STDIN_FILENO);
	cr_assert_eq(lseek(STDIN_FILENO, 4, SEEK_SET), 4);
	cr_assert(input_open(&input, "-", &err));
	cr_expect_eq(input.size_bytes, 6);
	cr_assert(input_read(&input, 0, bytes, sizeof(bytes), &got, &err));
	cr_expect_eq(got, 6);
	cr_expect_eq(memcmp(bytes, "abcdef", 6), 0);
	input_close(&input);
	memory_file_close(&file);
}

Test(input, short_files)
{
	static const struct {
		const char *bytes;
		uint64_t offset;
		size_t wanted, expected;
	} rows[] = {
		{ "", 0, 4, 0 },    { "abc", 0, 4, 3 },  { "abc", 0, 3, 3 },
		{ "abc", 2, 4, 1 }, { "abc", 3, 4, 0 },  { "abc", 1ull << 40, 4, 0 },
		{ "abc", 1, 0, 0 }, { "abcd", 1, 2, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct input input;
		struct error err;
		char bytes[4];
		size_t got = 99;

		memory_file_open(&file, rows[i].bytes, strlen(rows[i].bytes));
		cr_assert(input_open(&input, file.path, &err));
		cr_expect_eq(input.size_bytes, strlen(rows[i].bytes), "row %zu", i);
		cr_expect(input_read(&input, rows[i].offset, bytes, rows[i].wanted, &got, &err));
		cr_expect_eq(got, rows[i].expected, "row %zu: %zu bytes", i, got);
		cr_expect_eq(memcmp(bytes, rows[i].bytes + (got ? rows[i].offset : 0), got), 0);
		input_close(&input);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

/* Reading beyond the new end of a file that was truncated gives no bytes, but no signal either. */
Test(input, a_file_that_shrinks_is_short)
{
	struct memory_file file;
	struct input input;
	struct error err;
	char bytes[16];
	size_t got;

	memory_file_open(&file, "0123456789", 10);
	cr_assert(input_open(&input, file.path, &err));
	memory_file_truncate(&file, 4);
	cr_expect(input_read(&input, 0, bytes, 10, &got, &err));
	cr_expect_eq(got, 4);
	cr_expect(input_read(&input, 6, bytes, 4, &got, &err));
	cr_expect_eq(got, 0);
	input_close(&input);
	memory_file_close(&file);
}

Test(input, what_cannot_be_opened)
{
	static const struct {
		const char *path, *expected;
		enum error_code code;
	} rows[] = {
		{ "/nonexistent/perf.data",
		  "/nonexistent/perf.data: cannot open: No such file or directory", ERROR_IO },
		{ "/tmp", "/tmp: is a directory", ERROR_FORMAT },
		{ "", ": cannot open: No such file or directory", ERROR_IO },
		{ "/dev/null/x", "/dev/null/x: cannot open: Not a directory", ERROR_IO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct input input;
		struct error err = { 0 };

		cr_expect_not(input_open(&input, rows[i].path, &err), "%s", rows[i].path);
		cr_expect_eq(err.code, rows[i].code, "%s", rows[i].path);
		cr_expect_str_eq(err.text, rows[i].expected);
		cr_expect_eq(input.fd, -1);
		cr_expect_null(input.name);
	}
	assert_no_leaks();
}

Test(input, closed_standard_input)
{
	struct input input;
	struct error err;

	close(STDIN_FILENO);
	cr_expect_not(input_open(&input, "-", &err));
	cr_expect_str_eq(err.text, "standard input: is closed");
}

/* The null device ends at once; it is an empty capture, not an error of the system. */
Test(input, the_null_device_is_empty)
{
	struct input input;
	struct error err;

	cr_assert(input_open(&input, "/dev/null", &err), "%s", err.text);
	cr_expect_eq(input.size_bytes, 0);
	input_close(&input);
}

Test(input, the_spool_goes_where_tmpdir_says)
{
	struct input input;
	struct error err;

	setenv("TMPDIR", "/nonexistent", 1);
	cr_expect_not(input_open(&input, "/dev/null", &err));
	cr_expect_eq(err.code, ERROR_IO);
	cr_expect_str_eq(
		err.text,
		"/dev/null: cannot create a temporary file in /nonexistent to spool the pipe: "
		"No such file or directory");
	setenv("TMPDIR", "", 1);
	cr_expect(input_open(&input, "/dev/null", &err), "an empty TMPDIR says nothing");
	input_close(&input);
	assert_no_leaks();
}

/* Joined files are read like one file, across their ends, even if some are empty. */
Test(input, joined_files_are_one)
{
	static const char *const parts[] = { "abc", "", "defgh", "i", "" };
	static const char whole[] = "abcdefghi";
	struct memory_file files[ARRAY_SIZE(parts)];
	struct input input;
	struct input tail;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		memory_file_open(&files[i], parts[i], strlen(parts[i]));
	cr_assert(input_open(&input, files[0].path, &err));
	/* The second and third files are joined first, and then appended at once. */
	cr_assert(input_open(&tail, files[1].path, &err));
	for (size_t i = 2; i < ARRAY_SIZE(parts); i++) {
		struct input next;

		cr_assert(input_open(&next, files[i].path, &err));
		input_join(i == 2 ? &tail : &input, &next);
		cr_expect_eq(next.fd, -1);
		if (i == 2)
			input_join(&input, &tail);
	}
	cr_expect_eq(input.size_bytes, strlen(whole));
	for (size_t from = 0; from <= strlen(whole) + 1; from++) {
		for (size_t length = 0; length < sizeof(whole) + 2; length++) {
			size_t left = from < strlen(whole) ? strlen(whole) - from : 0;
			char bytes[16];
			size_t got;

			cr_assert(input_read(&input, from, bytes, length, &got, &err));
			cr_expect_eq(got, length < left ? length : left);
			cr_expect_eq(memcmp(bytes, whole + (got ? from : 0), got), 0);
		}
	}
	input_close(&input);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		memory_file_close(&files[i]);
	assert_no_leaks();
}
