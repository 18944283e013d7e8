/* SPDX-License-Identifier: MIT */
#include "base/edit_distance.h"

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t least = a < b ? a : b;

	return least < c ? least : c;
}

static bool same_letter(struct text a, uint32_t i, struct text b, uint32_t k)
{
	return edit_distance_fold(a.at[i]) == edit_distance_fold(b.at[k]);
}

/* One row of the table of distances: row[k] is that of the first i letters of a and k of b. */
static void next_row(struct text a, uint32_t i, struct text b, const uint32_t *before_last,
		     const uint32_t *last, uint32_t *row)
{
	row[0] = i;
	for (uint32_t k = 1; k <= b.length; k++) {
		uint32_t replaced = last[k - 1] + !same_letter(a, i - 1, b, k - 1);

		row[k] = min3(last[k] + 1, row[k - 1] + 1, replaced);
		if (i > 1 && k > 1 && same_letter(a, i - 1, b, k - 2) &&
		    same_letter(a, i - 2, b, k - 1) && before_last[k - 2] + 1 < row[k])
			row[k] = before_last[k - 2] + 1;
	}
}

uint32_t edit_distance(struct text a, struct text b)
{
	uint32_t rows[3][EDIT_DISTANCE_BYTES_MAX + 1] = { 0 };

	if (a.length > EDIT_DISTANCE_BYTES_MAX)
		a.length = EDIT_DISTANCE_BYTES_MAX;
	if (b.length > EDIT_DISTANCE_BYTES_MAX)
		b.length = EDIT_DISTANCE_BYTES_MAX;
	for (uint32_t k = 0; k <= b.length; k++)
		rows[0][k] = k;
	for (uint32_t i = 1; i <= a.length; i++)
		next_row(a, i, b, rows[(i + 1) % 3], rows[(i - 1) % 3], rows[i % 3]);
	return rows[a.length % 3][b.length];
}
