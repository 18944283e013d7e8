/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <criterion/criterion.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MIB ((size_t)1 << 20)

/* With sanitizers no limit is set, and on emulated machines it has no effect. */
Test(memory, allocations_beyond_the_limit_fail)
{
	struct rlimit limit;
	void *block;

	memory_limit(64 * MIB);
	cr_assert_eq(getrlimit(RLIMIT_DATA, &limit), 0);
	if (limit.rlim_cur != 64 * MIB)
		return;
	block = mmap(NULL, 128 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_expect_eq(block, MAP_FAILED);
	memory_limit(256 * MIB);
	cr_assert_eq(getrlimit(RLIMIT_DATA, &limit), 0);
	cr_expect_eq(limit.rlim_cur, 64 * MIB, "a lower limit stays");
}

Test(memory, the_default_limit_is_sane)
{
	cr_expect_geq(memory_default_limit(), 64 * MIB);
}
