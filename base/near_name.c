/* SPDX-License-Identifier: MIT */
#include "base/near_name.h"

/* Longer names are not typed by hand, and rows below are of this length. */
#define NAME_BYTES_MAX 64u
#define DISTANCE_MAX   3u

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* One row of the table of distances: row[k] is that of the first i letters of a and k of b. */
static void next_row(struct text a, uint32_t i, struct text b, const uint32_t *before_last,
		     const uint32_t *last, uint32_t *row)
{
	row[0] = i;
	for (uint32_t k = 1; k <= b.length; k++) {
		uint32_t replaced = last[k - 1] + (a.at[i - 1] != b.at[k - 1]);

		row[k] = min3(last[k] + 1, row[k - 1] + 1, replaced);
		if (i > 1 && k > 1 && a.at[i - 1] == b.at[k - 2] && a.at[i - 2] == b.at[k - 1] &&
		    before_last[k - 2] + 1 < row[k])
			row[k] = before_last[k - 2] + 1;
	}
}

static uint32_t distance_of(struct text a, struct text b)
{
	uint32_t rows[3][NAME_BYTES_MAX + 1] = { 0 };

	for (uint32_t k = 0; k <= b.length; k++)
		rows[0][k] = k;
	for (uint32_t i = 1; i <= a.length; i++)
		next_row(a, i, b, rows[(i + 1) % 3], rows[(i - 1) % 3], rows[i % 3]);
	return rows[a.length % 3][b.length];
}

struct near_name near_name_of(struct text wanted)
{
	uint32_t allowed = wanted.length / 3;

	if (allowed > DISTANCE_MAX)
		allowed = DISTANCE_MAX;
	return (struct near_name){ .wanted = wanted, .distance = allowed + 1 };
}

void near_name_offer(struct near_name *near, struct text candidate)
{
	struct text wanted = near->wanted;
	uint32_t distance;

	if (wanted.length > NAME_BYTES_MAX || candidate.length > NAME_BYTES_MAX)
		return;
	distance = distance_of(wanted, candidate);
	if (distance >= near->distance)
		return;
	near->found = candidate;
	near->distance = distance;
}
