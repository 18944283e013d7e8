/* SPDX-License-Identifier: MIT */
#include "base/near_name.h"

#include "base/edit_distance.h"

/* Longer names are not typed by hand. */
#define NAME_BYTES_MAX EDIT_DISTANCE_BYTES_MAX
#define DISTANCE_MAX   3u

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
	distance = edit_distance(wanted, candidate);
	if (distance >= near->distance)
		return;
	near->found = candidate;
	near->distance = distance;
}
