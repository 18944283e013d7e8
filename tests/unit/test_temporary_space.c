/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/input.h"

/* Two files share one space: the second file cannot have the bytes that the first one takes. */
Test(temporary_space, the_files_of_an_input_share_it)
{
	struct temporary_space space = { .limit_bytes = 1000 };
	struct input files[2];
	struct error err;
	char bytes[600] = "";

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		cr_assert(input_create_spool(&files[i], &space, &err), "%s", err.text);
	cr_expect(input_append_spool(&files[0], bytes, sizeof(bytes), &err));
	cr_expect_not(input_append_spool(&files[1], bytes, sizeof(bytes), &err));
	cr_expect_eq(err.code, ERROR_RESOURCE);
	cr_expect_str_eq(err.text, "requires more than the limit of 1000 bytes in temporary files; "
				   "allow more with --spool-limit");
	cr_expect_eq(files[1].size_bytes, 0);
	cr_expect(input_append_spool(&files[1], bytes, 400, &err), "what fits is still written");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		input_close(&files[i]);
}

/* The file system has less than half a TiB to spare, or else the write must be refused at 1 TiB. */
Test(temporary_space, without_a_limit_it_is_half_of_the_free_space)
{
	struct temporary_space space = { .used_bytes = LIMIT_SPOOL_BYTES - 1 };
	struct input file;
	struct error err;

	cr_assert(input_create_spool(&file, &space, &err));
	cr_expect_not(input_append_spool(&file, "ab", 2, &err));
	cr_expect_eq(err.code, ERROR_RESOURCE);
	space.used_bytes = (LIMIT_SPOOL_BYTES >> 1) - 1;
	if (!input_append_spool(&file, "ab", 2, &err))
		cr_expect_not_null(strstr(err.text, "requires more than half of the free space"));
	input_close(&file);
}
