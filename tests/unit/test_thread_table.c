/* SPDX-License-Identifier: MIT */
#include "offcpu/thread_table.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* tids with the same lowest bits replace each other among the recent ones. */
Test(thread_table, indexes_stay)
{
	struct thread_table table;

	thread_table_init(&table);
	cr_expect_eq(thread_table_index(&table, 0), 0);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 1; i < 3000; i++)
			cr_assert_eq(thread_table_index(&table, i * 64), i, "%u", i);
	cr_expect_eq(table.tids.count, 3000);
	cr_expect_eq(table.tids.at[7], 7 * 64);
	cr_expect_eq(thread_table_index(&table, UINT32_MAX), 3000);
	cr_expect_eq(thread_table_index(&table, 0), 0);
	thread_table_deinit(&table);
	assert_no_leaks();
}
