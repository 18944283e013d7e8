/* SPDX-License-Identifier: MIT */
#include "base/idtable.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "base/hash.h"
#include "tests/support/leaks.h"

#define COUNT 5000

/* How often the table finds id for hash. */
static unsigned times_found(const struct idtable *table, uint64_t hash, uint32_t id)
{
	struct idtable_probe probe = idtable_find(table, hash);
	unsigned times = 0;
	uint32_t found;

	while ((found = idtable_next(table, &probe)) != IDTABLE_NONE)
		times += found == id;
	return times;
}

/* Hashes that are all different, that share slots, and that are all the same. */
static uint64_t well_spread(uint32_t id)
{
	return hash_u64(id);
}

static uint64_t low_bits_equal(uint32_t id)
{
	return (uint64_t)id << 16;
}

static uint64_t high_half_only(uint32_t id)
{
	return (uint64_t)id << 32;
}

static uint64_t few_values(uint32_t id)
{
	return id % 3;
}

static uint64_t last_slots(uint32_t id)
{
	return UINT32_MAX - id % 8;
}

Test(idtable, finds_each_id_once_and_nothing_else)
{
	static uint64_t (*const hashes[])(uint32_t) = {
		well_spread, low_bits_equal, high_half_only, few_values, last_slots,
	};

	for (size_t i = 0; i < ARRAY_SIZE(hashes); i++) {
		uint32_t count = i < 3 ? COUNT : 300;
		struct idtable table;

		idtable_init(&table);
		for (uint32_t id = 0; id < count; id++) {
			cr_assert_eq(times_found(&table, hashes[i](id), id), 0,
				     "hash %zu: %u is there before it was added", i, id);
			idtable_add(&table, hashes[i](id), id);
		}
		cr_expect_eq(table.count, count);
		for (uint32_t id = 0; id < count; id++)
			cr_assert_eq(times_found(&table, hashes[i](id), id), 1, "hash %zu: id %u",
				     i, id);
		idtable_deinit(&table);
	}
	assert_no_leaks();
}

Test(idtable, an_empty_table_has_nothing)
{
	struct idtable table;
	struct idtable_probe probe;

	idtable_init(&table);
	probe = idtable_find(&table, 7);
	cr_expect_eq(idtable_next(&table, &probe), IDTABLE_NONE);
	idtable_add(&table, 7, 0);
	idtable_deinit(&table);
	probe = idtable_find(&table, 7);
	cr_expect_eq(idtable_next(&table, &probe), IDTABLE_NONE);
}

/* A probe must end, so some slot is always free. */
Test(idtable, is_never_full)
{
	struct idtable table;

	idtable_init(&table);
	for (uint32_t id = 0; id < COUNT; id++) {
		idtable_add(&table, id, id);
		cr_assert(table.count < table.mask + 1, "%u ids", id);
		cr_assert_eq(table.mask & (table.mask + 1), 0);
	}
	idtable_deinit(&table);
}

Test(idtable, clear_removes_all_ids)
{
	struct idtable table;

	idtable_init(&table);
	idtable_clear(&table);
	for (uint32_t i = 0; i < 1000; i++)
		idtable_add(&table, hash_u64(i), i);
	idtable_clear(&table);
	cr_expect_eq(table.count, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		struct idtable_probe probe = idtable_find(&table, hash_u64(i));

		cr_expect_eq(idtable_next(&table, &probe), IDTABLE_NONE);
	}
	idtable_add(&table, hash_u64(7), 7);
	cr_expect_eq(table.count, 1);
	idtable_deinit(&table);
}
