/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>

#include "cli/notices.h"

static char printed[400];

static void print(const char *text)
{
	size_t length = strlen(printed);

	snprintf(printed + length, sizeof(printed) - length, "%s\n", text);
}

static void expect(const struct notices *notices, bool prints_all, const char *wanted)
{
	printed[0] = '\0';
	notices_print(notices, prints_all, print);
	cr_expect_str_eq(printed, wanted);
}

Test(notices, two_with_the_most_weight)
{
	struct notices notices = { 0 };

	expect(&notices, false, "");
	notices_add(&notices, 0.2, "a fifth");
	expect(&notices, false, "a fifth\n");
	notices_add(&notices, NOTICE_WRONG, "all");
	expect(&notices, false, "all\na fifth\n");
	notices_add(&notices, 0.3, "a third");
	notices_add(&notices, 0.2, "another fifth");
	notices_add(&notices, 0.2, "a fifth");
	expect(&notices, false, "all\na third (and 2 more warnings; use --verbose)\n");
	expect(&notices, true, "all\na third\na fifth\nanother fifth\n");
	notices_free(&notices);
}
