/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include "base/edit_distance.h"

static bool contains(struct text name, struct text part)
{
	for (uint32_t i = 0; part.length && i + part.length <= name.length; i++) {
		uint32_t k = 0;

		while (k < part.length &&
		       edit_distance_fold(name.at[i + k]) == edit_distance_fold(part.at[k]))
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
