/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <criterion/criterion.h>
#include <errno.h>

static const char *text_of_error(const struct error *err)
{
	static char buffer[600];

	return error_text(err, buffer, sizeof(buffer));
}

Test(error, says_what_where_and_of_which_file)
{
	struct error err;

	cr_expect_not(
		error_set_at(&err, ERROR_CORRUPT, 280, "attr %d: size %u is below 64", 3, 12u));
	cr_expect_eq(err.code, ERROR_CORRUPT);
	cr_expect_str_eq(text_of_error(&err), "attr 3: size 12 is below 64 (at byte 280)");
	cr_expect_not(error_prefix(&err, "%s", "perf.data"));
	cr_expect_str_eq(text_of_error(&err),
			 "perf.data: attr 3: size 12 is below 64 (at byte 280)");
	cr_expect_eq(err.code, ERROR_CORRUPT);
	cr_expect_eq(err.offset, 280);

	/* A new error does not keep the offset of the old one. */
	cr_expect_not(error_set(&err, ERROR_LIMIT, "too many"));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect_str_eq(text_of_error(&err), "too many");

	cr_expect_not(error_set_at(&err, ERROR_FORMAT, 0, "magic"));
	cr_expect_str_eq(text_of_error(&err), "magic (at byte 0)");
}

Test(error, takes_errno_as_it_was)
{
	struct error err;

	errno = ENOSPC;
	cr_expect_not(error_set_errno(&err, "cannot write %s", "x"));
	cr_expect_eq(err.code, ERROR_RESOURCE);
	cr_expect_str_eq(text_of_error(&err), "cannot write x: No space left on device");
}

/* Texts that are too long are truncated, whether the prefix or the text itself is long. */
Test(error, long_texts_are_cut)
{
	char name[2000];
	char small[8];
	struct error err;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	error_set(&err, ERROR_FORMAT, "%s", name);
	cr_expect_eq(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, "first");
	cr_expect_eq(strlen(err.text), sizeof(err.text) - 1);
	cr_expect_eq(strncmp(err.text, "first: nnn", 10), 0);
	error_prefix(&err, "%s", name);
	cr_expect_eq(strlen(err.text), sizeof(err.text) - 1);
	errno = EIO;
	error_set_errno(&err, "%s", name);
	cr_expect_eq(strlen(err.text), sizeof(err.text) - 1);
	error_set_at(&err, ERROR_FORMAT, UINT64_MAX, "123456789");
	cr_expect_str_eq(error_text(&err, small, sizeof(small)), "1234567");
}
