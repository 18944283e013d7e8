/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

/* Of longer names that much is compared. */
#define LENGTH_MAX 64

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static uint32_t cut(uint32_t length)
{
	return length < LENGTH_MAX ? length : LENGTH_MAX;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static unsigned count_changes(struct text a, struct text b)
{
	unsigned row[LENGTH_MAX + 1];
	uint32_t a_length = cut(a.length);
	uint32_t b_length = cut(b.length);

	for (uint32_t k = 0; k <= b_length; k++)
		row[k] = k;
	for (uint32_t i = 0; i < a_length; i++) {
		unsigned diagonal = row[0];

		row[0] = i + 1;
		for (uint32_t k = 0; k < b_length; k++) {
			unsigned above = row[k + 1];

			row[k + 1] = least(diagonal + (lower(a.at[i]) != lower(b.at[k])), above + 1,
					   row[k] + 1);
			diagonal = above;
		}
	}
	return row[b_length];
}

static bool contains(struct text name, struct text part)
{
	for (uint32_t i = 0; part.length && i + part.length <= name.length; i++) {
		uint32_t k = 0;

		while (k < part.length && lower(name.at[i + k]) == lower(part.at[k]))
			k++;
		if (k == part.length)
			return true;
	}
	return false;
}

uint64_t nearest_distance(struct text wanted, struct text name)
{
	/* Names that contain one another are near however long they are, nearer than any that do not. */
	if (contains(name, wanted) || contains(wanted, name))
		return count_changes(wanted, name);
	return LENGTH_MAX + count_changes(wanted, name);
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
