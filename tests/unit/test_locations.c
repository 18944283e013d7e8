/* SPDX-License-Identifier: MIT */
#include "profile/location.h"

#include <criterion/criterion.h>

Test(locations, identity)
{
	static const struct {
		uint32_t module;
		uint64_t address;
		bool is_return;
		uint32_t id;
	} rows[] = {
		{ 1, 0x1000, false, 0 }, { 1, 0x1000, true, 1 },  { 2, 0x1000, false, 2 },
		{ 1, 0x1001, false, 3 }, { 1, 0x1000, false, 0 }, { 1, 0x1000, true, 1 },
		{ 0, 0, false, 4 },      { 0, UINT64_MAX, false, 5 }, { 0, 0, false, 4 },
	};
	struct locations locations;

	locations_init(&locations);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		module_id module = { rows[i].module };
		location_id id = locations_intern(&locations, module, rows[i].address,
						  rows[i].is_return);
		const struct location *row = &locations.rows.at[id.i];

		cr_expect_eq(id.i, rows[i].id, "row %zu", i);
		cr_expect_eq(row->address, rows[i].address, "row %zu", i);
		cr_expect_eq(row->module.i, rows[i].module, "row %zu", i);
		cr_expect_eq(row->is_return, rows[i].is_return, "row %zu", i);
		cr_expect_not(row->is_named, "row %zu", i);
	}
	cr_expect_eq(locations.rows.count, 6);
	locations_deinit(&locations);
}

Test(locations, many)
{
	struct locations locations;

	locations_init(&locations);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 20000; i++)
			cr_assert_eq(locations_intern(&locations, (module_id){ i % 7 },
						      (uint64_t)i << 4, i % 2).i, i);
	locations_deinit(&locations);
}
