/* SPDX-License-Identifier: MIT */
#include "profile/tree/location_parts.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define WORKERS 3
#define ROUNDS  4

static struct place place_of(uint32_t number)
{
	return (struct place){
		.module = { number % 7 },
		.is_return = number % 3 == 0,
		.address = number % 5 ? number * (uint64_t)0x1234567 : UINT64_MAX - number,
	};
}

/* Numbers all new places of all workers. */
static void end_round(struct location_parts *parts, const struct places own[WORKERS])
{
	for (size_t i = 0; i < WORKERS; i++)
		location_parts_divide(parts, i, &own[i]);
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		location_parts_number(parts, i);
	for (size_t i = 0; i < WORKERS; i++)
		cr_expect_eq(location_parts_collect(parts, i)->count, own[i].rows.count);
}

static bool is_sorted_before(const struct location *a, const struct location *b)
{
	if (a->module.i != b->module.i)
		return a->module.i < b->module.i;
	if (a->is_return != b->is_return)
		return b->is_return;
	return a->address < b->address;
}

/* Each worker finds other places, and some places of other workers. */
static void add_places(struct places *own, uint32_t worker, uint32_t round)
{
	for (uint32_t i = 0; i < 300; i++) {
		struct place place = place_of((round * 200 + i) * (worker + 1));

		places_intern(own, &place);
	}
}

Test(location_parts, workers_agree_and_ids_are_sorted)
{
	struct location_parts parts;
	struct places own[WORKERS];
	struct locations all;
	location_id *final;

	locations_init(&all);
	location_parts_init(&parts, WORKERS);
	for (size_t i = 0; i < WORKERS; i++)
		places_init(&own[i]);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		/* In the last round, the last worker finds nothing new. */
		for (uint32_t i = 0; i + (round == ROUNDS - 1) < WORKERS; i++)
			add_places(&own[i], i, round);
		end_round(&parts, own);
	}
	final = location_parts_take(&parts, &all, 2);
	for (size_t i = 1; i < all.rows.count; i++)
		cr_expect(is_sorted_before(&all.rows.at[i - 1], &all.rows.at[i]), "row %zu", i);
	for (size_t i = 0; i < WORKERS; i++) {
		const struct location_list *ids = location_parts_collect(&parts, i);

		for (size_t k = 0; k < own[i].rows.count; k++) {
			const struct place *place = &own[i].rows.at[k];
			const struct location *row = &all.rows.at[final[ids->at[k].i].i];

			cr_expect(row->module.i == place->module.i &&
					  row->is_return == place->is_return &&
					  row->address == place->address,
				  "worker %zu, place %zu", i, k);
		}
		places_deinit(&own[i]);
	}
	memory_free(final);
	location_parts_deinit(&parts);
	locations_deinit(&all);
	assert_no_leaks();
}

Test(location_parts, nothing)
{
	struct location_parts parts;
	struct places own[WORKERS] = { 0 };
	struct locations all;

	locations_init(&all);
	location_parts_init(&parts, WORKERS);
	end_round(&parts, own);
	memory_free(location_parts_take(&parts, &all, 1));
	cr_expect_eq(all.rows.count, 0);
	location_parts_deinit(&parts);
	locations_deinit(&all);
	assert_no_leaks();
}
