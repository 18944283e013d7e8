/* SPDX-License-Identifier: MIT */
#include "base/key_sort.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define COUNT_MAX 1000

typedef uint64_t make_key(struct random *random);

static uint64_t any_key(struct random *random)
{
	return (uint64_t)random_below(random, UINT32_MAX) << 32 | random_below(random, UINT32_MAX);
}

static uint64_t address_key(struct random *random)
{
	return 0xffffffff81000000u + 16 * (uint64_t)random_below(random, 1000);
}

static uint64_t key_of_two(struct random *random)
{
	return (uint64_t)random_below(random, 2) << 63;
}

static uint64_t same_key(struct random *random)
{
	(void)random;
	return 7;
}

/* Sorted and stable; no row is lost. */
static void check(const struct key_row *rows, const uint64_t *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cr_assert(rows[i].row < count && rows[i].key == keys[rows[i].row], "%zu", i);
		cr_assert(!i || rows[i - 1].key < rows[i].key ||
				  (rows[i - 1].key == rows[i].key && rows[i - 1].row < rows[i].row),
			  "%zu of %zu", i, count);
	}
}

Test(key_sort, is_stable)
{
	static make_key *const makers[] = { any_key, address_key, key_of_two, same_key };
	static const size_t counts[] = { 0, 1, 2, 63, 64, 65, COUNT_MAX };
	struct random random = { 3 };

	for (size_t m = 0; m < ARRAY_SIZE(makers); m++) {
		for (size_t c = 0; c < ARRAY_SIZE(counts); c++) {
			struct key_row rows[COUNT_MAX];
			uint64_t keys[COUNT_MAX];

			for (uint32_t i = 0; i < counts[c]; i++) {
				keys[i] = makers[m](&random);
				rows[i] = (struct key_row){ keys[i], i };
			}
			key_sort(rows, counts[c]);
			check(rows, keys, counts[c]);
			/* Sorted input stays unchanged. */
			key_sort(rows, counts[c]);
			check(rows, keys, counts[c]);
		}
	}
	assert_no_leaks();
}
