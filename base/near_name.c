/* SPDX-License-Identifier: MIT */
#include "base/near_name.h"

#include "base/scan.h"

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t least = a < b ? a : b;

	return least < c ? least : c;
}

static bool same_letter(struct text a, uint32_t i, struct text b, uint32_t k)
{
	return to_lower(a.at[i]) == to_lower(b.at[k]);
}

/*
 * One row of the table: row[k] is the distance between the first i letters of a and the first k
 * letters of b.
 */
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

/* The number of typing errors allowed in a long name. */
#define DISTANCE_MAX 3u

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

	/* Nobody types longer names by hand. */
	if (wanted.length > EDIT_DISTANCE_BYTES_MAX || candidate.length > EDIT_DISTANCE_BYTES_MAX)
		return;
	distance = edit_distance(wanted, candidate);
	if (distance >= near->distance)
		return;
	near->found = candidate;
	near->distance = distance;
}

static bool contains(struct text name, struct text part)
{
	for (uint32_t i = 0; part.length && i + part.length <= name.length; i++) {
		uint32_t k = 0;

		while (k < part.length && to_lower(name.at[i + k]) == to_lower(part.at[k]))
			k++;
		if (k == part.length)
			return true;
	}
	return false;
}

uint64_t nearest_distance(struct text wanted, struct text name)
{
	if (contains(name, wanted) || contains(wanted, name))
		return edit_distance(wanted, name);
	return EDIT_DISTANCE_BYTES_MAX + edit_distance(wanted, name);
}

static bool is_before(const struct nearest *nearest, size_t at, struct text name, uint64_t distance)
{
	if (nearest->at[at].distance != distance)
		return nearest->at[at].distance < distance;
	return text_compare(nearest->at[at].name, name) <= 0;
}

void nearest_offer(struct nearest *nearest, struct text name, uint64_t distance)
{
	size_t at = nearest->count;

	for (size_t i = 0; i < nearest->count; i++)
		if (text_equal(nearest->at[i].name, name))
			return;
	while (at && !is_before(nearest, at - 1, name, distance))
		at--;
	if (at == NEAREST_MAX)
		return;
	if (nearest->count < NEAREST_MAX)
		nearest->count++;
	for (size_t i = nearest->count - 1; i > at; i--)
		nearest->at[i] = nearest->at[i - 1];
	nearest->at[at].name = name;
	nearest->at[at].distance = distance;
}
