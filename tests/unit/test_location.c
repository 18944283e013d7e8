/* SPDX-License-Identifier: MIT */
#include "profile/location.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

Test(location, a_place_is_module_address_and_kind)
{
	static const struct {
		uint32_t module;
		uint64_t address;
		bool is_return;
		uint32_t id;
	} rows[] = {
		{ 1, 0x1000, false, 0 },     { 1, 0x1000, true, 1 },      { 2, 0x1000, false, 2 },
		{ 1, 0x1001, false, 3 },     { 1, 0x1000, false, 0 },     { 2, 0x1000, false, 2 },
		{ 1, 0x1000, true, 1 },      { 0, UINT64_MAX, false, 4 }, { 0, 0, false, 5 },
		{ 0, UINT64_MAX, false, 4 },
	};
	struct locations locations;

	locations_init(&locations);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		location_id id = locations_intern(&locations, (module_id){ rows[i].module },
						  rows[i].address, rows[i].is_return);
		const struct location *row = &locations.rows.at[id.i];

		cr_expect_eq(id.i, rows[i].id, "row %zu", i);
		cr_expect(row->module.i == rows[i].module && row->address == rows[i].address &&
				  row->is_return == rows[i].is_return,
			  "row %zu", i);
		cr_expect_not(row->is_named);
	}
	cr_expect_eq(locations.rows.count, 6);
	locations_deinit(&locations);
	assert_no_leaks();
}

static location_id add(struct locations *locations, uint32_t module, uint64_t address,
		       bool is_return)
{
	return locations_intern(locations, (module_id){ module }, address, is_return);
}

Test(location, join_continues_where_it_stopped)
{
	struct locations all, own;
	struct location_list ids = { 0 };

	locations_init(&all);
	locations_init(&own);
	add(&all, 1, 0x10, false);
	add(&own, 2, 0x20, false);
	locations_join(&all, &own, &ids);
	add(&own, 1, 0x10, false);
	add(&all, 3, 0x30, true);
	add(&own, 3, 0x30, true);
	locations_join(&all, &own, &ids);
	locations_join(&all, &own, &ids);
	cr_assert_eq(ids.count, 3);
	cr_expect_eq(ids.at[0].i, 1);
	cr_expect_eq(ids.at[1].i, 0);
	cr_expect_eq(ids.at[2].i, 2);
	cr_expect_eq(all.rows.count, 3);
	vec_free(&ids);
	locations_deinit(&own);
	locations_deinit(&all);
	assert_no_leaks();
}

Test(location, sorted_ids_do_not_depend_on_the_order)
{
	static const struct {
		uint32_t module;
		uint64_t address;
		bool is_return;
	} places[] = {
		{ 0, 5, false }, { 0, UINT64_MAX, false }, { 0, 5, true },
		{ 7, 1, false }, { 7, 0, true },
	};
	size_t count = ARRAY_SIZE(places);

	for (size_t turn = 0; turn < count; turn++) {
		struct locations locations;
		location_id found[ARRAY_SIZE(places)];
		location_id *ids;

		locations_init(&locations);
		for (size_t i = 0; i < count; i++) {
			size_t k = (i + turn) % count;

			found[k] = add(&locations, places[k].module, places[k].address,
				       places[k].is_return);
		}
		ids = locations_sort(&locations);
		for (uint32_t i = 0; i < count; i++) {
			cr_expect_eq(ids[found[i].i].i, i, "turn %zu, place %u", turn, i);
			cr_expect_eq(add(&locations, places[i].module, places[i].address,
					 places[i].is_return)
					     .i,
				     i);
		}
		cr_expect_eq(locations.rows.count, count);
		memory_free(ids);
		locations_deinit(&locations);
	}
	assert_no_leaks();
}
