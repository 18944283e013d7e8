/* SPDX-License-Identifier: MIT */
#include "base/edit_distance.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/attributes.h"

Test(edit_distance, letters_that_differ)
{
	static const struct {
		const char *a, *b;
		uint32_t distance;
	} rows[] = {
		{ "flame", "flame", 0 },    { "flmae", "flame", 1 }, /* swapped */
		{ "flam", "flame", 1 },     { "fflame", "flame", 1 }, { "flume", "flame", 1 },
		{ "Flame", "fLAME", 0 },    { "", "flame", 5 },       { "fold", "flame", 4 },
		{ "kitten", "sitting", 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text a = text_of(rows[i].a);
		struct text b = text_of(rows[i].b);

		cr_expect_eq(edit_distance(a, b), rows[i].distance, "%s, %s: %u", rows[i].a,
			     rows[i].b, edit_distance(a, b));
		cr_expect_eq(edit_distance(b, a), rows[i].distance, "%s, %s", rows[i].b, rows[i].a);
	}
}

/* What is behind the bytes that are compared does not count. */
Test(edit_distance, long_names)
{
	char a[EDIT_DISTANCE_BYTES_MAX + 10];
	char b[EDIT_DISTANCE_BYTES_MAX + 100];

	memset(a, 'a', sizeof(a));
	memset(b, 'a', sizeof(b));
	b[EDIT_DISTANCE_BYTES_MAX] = 'b';
	cr_expect_eq(edit_distance((struct text){ a, sizeof(a) }, (struct text){ b, sizeof(b) }),
		     0);
	b[EDIT_DISTANCE_BYTES_MAX - 1] = 'b';
	cr_expect_eq(edit_distance((struct text){ a, sizeof(a) }, (struct text){ b, sizeof(b) }),
		     1);
}
