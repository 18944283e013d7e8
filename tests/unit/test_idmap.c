/* SPDX-License-Identifier: MIT */
#include "base/idmap.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define COUNT 3000

/* Keys are spread, so that each is added between others; every key occurs twice. */
static uint64_t key_of(uint32_t i)
{
	return (uint64_t)(i / 2) * 0x9e3779b97f4a7c15ull;
}

Test(idmap, finds_the_lowest_value_of_each_key_however_often_it_is_sorted)
{
	static const uint32_t every[] = { 1, 2, 7, 1000, COUNT };

	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		struct idmap map;

		idmap_init(&map);
		cr_expect_eq(idmap_find(&map, 0), IDMAP_NONE);
		for (uint32_t k = 0; k < COUNT; k++) {
			idmap_add(&map, key_of(k), COUNT - k);
			if (k % every[i] == 0)
				idmap_sort(&map);
		}
		idmap_sort(&map);
		for (uint32_t k = 0; k < COUNT; k += 2) {
			cr_expect_eq(idmap_find(&map, key_of(k)), COUNT - k - 1);
			cr_expect_eq(idmap_find(&map, key_of(k) + 1), IDMAP_NONE);
		}
		idmap_deinit(&map);
	}
	assert_no_leaks();
}

/* Whatever the order of additions, few runs have to be searched. */
Test(idmap, keeps_few_runs)
{
	struct idmap map;

	idmap_init(&map);
	for (uint32_t k = 0; k < COUNT; k++) {
		idmap_add(&map, key_of(k), k);
		idmap_sort(&map);
		cr_expect_leq(map.run_ends.count, 12);
	}
	idmap_deinit(&map);
	assert_no_leaks();
}
