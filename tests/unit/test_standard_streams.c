/* SPDX-License-Identifier: MIT */
#include "base/standard_streams.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

Test(standard_streams, closed_ones_are_reserved_and_still_fail)
{
	struct error err;
	char byte = 'a';

	close(STDIN_FILENO);
	close(STDERR_FILENO);
	cr_assert(standard_streams_reserve());
	cr_expect_gt(open("/dev/null", O_RDWR), STDERR_FILENO);
	cr_expect(standard_streams_check(STDOUT_FILENO, &err));
	cr_expect_not(standard_streams_check(STDIN_FILENO, &err));
	cr_expect_str_eq(err.text, "is closed");
	cr_expect_not(standard_streams_check(STDERR_FILENO, &err));
	cr_expect(read(STDIN_FILENO, &byte, 1) < 0 && errno == EBADF);
	cr_expect(write(STDERR_FILENO, &byte, 1) < 0 && errno == EBADF);
}

Test(standard_streams, open_ones_are_left_alone)
{
	struct error err;
	int ends[2];
	char byte = 'a';

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	cr_assert(standard_streams_reserve());
	cr_expect(standard_streams_check(STDIN_FILENO, &err));
	cr_assert_eq(write(ends[1], "b", 1), 1);
	cr_expect_eq(read(STDIN_FILENO, &byte, 1), 1);
	cr_expect_eq(byte, 'b');
}
