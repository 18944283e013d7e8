/* SPDX-License-Identifier: MIT */
#include "base/idmap.h"

void idmap_init(struct idmap *map)
{
	*map = (struct idmap){ .rows = { .at = NULL } };
}

void idmap_deinit(struct idmap *map)
{
	vec_free(&map->rows);
	vec_free(&map->run_ends);
}

void idmap_add(struct idmap *map, uint64_t key, uint32_t value)
{
	vec_push(&map->rows, (struct idmap_row){ .key = key, .value = value });
}

static int compare_rows(const void *a, const void *b)
{
	const struct idmap_row *left = a;
	const struct idmap_row *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return (left->value > right->value) - (left->value < right->value);
}

static size_t run_begin(const struct idmap *map, size_t run)
{
	return run ? map->run_ends.at[run - 1] : 0;
}

void idmap_sort(struct idmap *map)
{
	size_t begin = run_begin(map, map->run_ends.count);

	if (begin == map->rows.count)
		return;
	/*
	 * Neighbouring runs are merged only if the earlier run is at most twice as long as the
	 * later run. Each row is therefore moved only O(log n) times.
	 */
	while (map->run_ends.count) {
		size_t before = run_begin(map, map->run_ends.count - 1);

		if (begin - before > 2 * (map->rows.count - begin))
			break;
		begin = before;
		map->run_ends.count--;
	}
	qsort(map->rows.at + begin, map->rows.count - begin, sizeof(*map->rows.at), compare_rows);
	vec_push(&map->run_ends, map->rows.count);
}

static uint32_t find_in_run(const struct idmap *map, size_t low, size_t end, uint64_t key)
{
	size_t high = end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->rows.at[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && map->rows.at[low].key == key ? map->rows.at[low].value : IDMAP_NONE;
}

uint32_t idmap_find(const struct idmap *map, uint64_t key)
{
	uint32_t lowest = IDMAP_NONE;

	for (size_t run = 0; run < map->run_ends.count; run++) {
		uint32_t value = find_in_run(map, run_begin(map, run), map->run_ends.at[run], key);

		if (value < lowest)
			lowest = value;
	}
	return lowest;
}
