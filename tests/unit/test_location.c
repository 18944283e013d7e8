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

/* A resolver adds places, which become rows later; rows can also be added without a place. */
Test(location, places_and_rows_have_the_same_numbers)
{
	struct locations locations;
	struct place place = { .module = { 4 }, .is_return = true, .address = 9 };

	locations_init(&locations);
	vec_push(&locations.rows, (struct location){ .module = { 1 }, .address = 7 });
	vec_push(&locations.rows, (struct location){ .module = { 2 }, .address = 7 });
	cr_expect_eq(places_intern(locations_places(&locations), &place), 2);
	cr_expect_eq(locations.rows.count, 2);
	locations_extend(&locations);
	cr_assert_eq(locations.rows.count, 3);
	cr_expect(locations.rows.at[2].module.i == 4 && locations.rows.at[2].is_return &&
		  locations.rows.at[2].address == 9);
	cr_expect_eq(add(&locations, 2, 7, false).i, 1);
	cr_expect_eq(add(&locations, 4, 9, true).i, 2);
	cr_expect_eq(add(&locations, 4, 9, false).i, 3);
	locations_deinit(&locations);
	assert_no_leaks();
}
