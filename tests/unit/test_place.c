/* SPDX-License-Identifier: MIT */
#include "process/place.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* More than one batch, with places that repeat within a batch and in later ones. */
Test(place, all_at_once_as_one_by_one)
{
	struct place wanted[500];
	uint32_t numbers[ARRAY_SIZE(wanted)];
	struct places together, single;

	places_init(&together);
	places_init(&single);
	for (uint32_t i = 0; i < ARRAY_SIZE(wanted); i++)
		wanted[i] = (struct place){
			.module = { i % 3 },
			.is_return = i % 2,
			.address = i % 90 + (i % 4 ? 0 : i),
		};
	places_intern_all(&together, wanted, ARRAY_SIZE(wanted), numbers);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		cr_expect_eq(numbers[i], places_intern(&single, &wanted[i]), "place %zu", i);
	cr_expect_eq(together.rows.count, single.rows.count);
	places_deinit(&together);
	places_deinit(&single);
	assert_no_leaks();
}
