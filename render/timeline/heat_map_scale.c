/* SPDX-License-Identifier: MIT */
#include "render/timeline/heat_map_scale.h"

#include "base/arithmetic.h"

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

struct heat_map_scale heat_map_scale_of(const struct heat_map *map)
{
	size_t count = map->cells.count;
	uint64_t *weights = memory_alloc(count, sizeof(*weights));
	struct heat_map_scale scale = { .top = map->largest };
	uint64_t usual;

	if (map->full_weight) {
		memory_free(weights);
		return (struct heat_map_scale){ .top = map->full_weight };
	}
	for (size_t i = 0; i < count; i++)
		weights[i] = map->cells.at[i].weight;
	if (count) {
		qsort(weights, count, sizeof(*weights), compare);
		usual = saturate_multiply(weights[count - 1 - count / 100], 2);
		scale.is_open = usual && usual < scale.top;
		if (scale.is_open)
			scale.top = usual;
	}
	memory_free(weights);
	return scale;
}

uint32_t heat_map_level(const struct heat_map_scale *scale, uint64_t weight, uint32_t count)
{
	if (!weight)
		return 0;
	if (weight >= scale->top)
		return count;
	return (uint32_t)ratio_of(weight, count, scale->top).quotient + 1;
}
