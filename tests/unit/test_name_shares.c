/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "profile/name_shares.h"
#include "tests/support/profile_maker.h"

/* The table in the header: a stack counts once, whatever it has of such frames. */
Test(name_shares, stacks_count_once)
{
	struct profile_maker maker;
	struct name_shares shares;
	const struct name_share *unnamed = &shares.problems[NAME_UNKNOWN];
	module_id map;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/lib/libz.so");
	map = profile_maker_module(&maker, MODULE_ANONYMOUS, "//anon");
	profile_maker_stack(&maker, "app;|1;read", 3);
	profile_maker_stack(&maker, "app;main;|2", 5);
	profile_maker_stack(&maker, "app;main;|1;|1", 1);
	profile_maker_stack(&maker, "app;main;read", 2);
	profile_maker_build(&maker, NULL);
	shares = name_shares_of(&maker.profile);
	cr_expect_eq(shares.total, 11);
	cr_expect_eq(unnamed->weight, 9);
	cr_expect_eq(unnamed->worst.i, map.i);
	cr_expect_eq(unnamed->worst_weight, 5);
	cr_expect_eq(unnamed->module_count, 2);
	cr_expect_float_eq(name_shares_part(&shares, unnamed->weight), 9.0 / 11, 1e-9);
	profile_maker_deinit(&maker);
}

/* A stack through two such files counts for each of them, and once in all. */
Test(name_shares, stacks_through_several_files)
{
	struct profile_maker maker;
	struct name_shares shares;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/lib/libz.so");
	profile_maker_module(&maker, MODULE_FILE, "/lib/libc.so");
	profile_maker_stack(&maker, "app;|1;|2", 3);
	profile_maker_stack(&maker, "app;|2", 4);
	profile_maker_build(&maker, NULL);
	shares = name_shares_of(&maker.profile);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].weight, 7);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].worst.i, 2);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].worst_weight, 7);
	profile_maker_deinit(&maker);
}

/* Whoever looks at the flame graph sees the program, not the library at its root. */
Test(name_shares, the_largest_area)
{
	struct profile_maker maker;
	struct name_shares shares;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/lib/libc.so");
	profile_maker_module(&maker, MODULE_FILE, "/bin/app");
	profile_maker_stack(&maker, "app;|1;|2;|2;|2", 8);
	profile_maker_stack(&maker, "app;|1", 2);
	profile_maker_build(&maker, NULL);
	shares = name_shares_of(&maker.profile);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].weight, 10);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].worst.i, 2);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].worst_weight, 8);
	profile_maker_deinit(&maker);
}

/* Nothing can be done about code in no file. */
Test(name_shares, of_equals_a_known_file)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/lib/libz.so");
	profile_maker_stack(&maker, "app;|0;|1", 3);
	profile_maker_build(&maker, NULL);
	cr_expect_eq(name_shares_of(&maker.profile).problems[NAME_UNKNOWN].worst.i, 1);
	cr_expect_eq(name_shares_of(&maker.profile).problems[NAME_UNKNOWN].module_count, 2);
	profile_maker_deinit(&maker);
}

Test(name_shares, names_that_may_be_wrong)
{
	struct profile_maker maker;
	struct name_shares shares;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/bin/app");
	profile_maker_stack(&maker, "app;main|1;read|1", 6);
	profile_maker_stack(&maker, "app", 2);
	profile_maker_build(&maker, NULL);
	modules_get(maker.profile.modules, (module_id){ 1 })->verdict = VERDICT_UNVERIFIED;
	shares = name_shares_of(&maker.profile);
	cr_expect_eq(shares.problems[NAME_UNKNOWN].weight, 0);
	cr_expect_eq(shares.problems[NAME_UNVERIFIED].weight, 6);
	profile_maker_deinit(&maker);
}

/* Each map of JIT code would be a doubt: nothing ever proves one. */
Test(name_shares, maps_of_jit_code_are_no_doubt)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_ANONYMOUS, "//anon");
	profile_maker_stack(&maker, "app;main|1", 6);
	profile_maker_build(&maker, NULL);
	modules_get(maker.profile.modules, (module_id){ 1 })->verdict = VERDICT_UNVERIFIED;
	cr_expect_eq(name_shares_of(&maker.profile).problems[NAME_UNVERIFIED].weight, 0);
	profile_maker_deinit(&maker);
}

Test(name_shares, nothing_of_an_empty_profile)
{
	struct profile_maker maker;
	struct name_shares shares;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	shares = name_shares_of(&maker.profile);
	cr_expect_eq(shares.total, 0);
	cr_expect_float_eq(name_shares_part(&shares, 0), 0, 1e-9);
	profile_maker_deinit(&maker);
}
