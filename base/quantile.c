/* SPDX-License-Identifier: MIT */
#include "base/quantile.h"

#include "base/key_sort.h"
#include "base/memory.h"

void quantile_sort(uint64_t *numbers, size_t count)
{
	struct key_row *rows;

	if (count < 2)
		return;
	rows = memory_alloc(count, sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct key_row){ .key = numbers[i] };
	key_sort(rows, count);
	for (size_t i = 0; i < count; i++)
		numbers[i] = rows[i].key;
	memory_free(rows);
}

uint64_t quantile_of(const uint64_t *numbers, size_t count, double share)
{
	double wanted = share * (double)count;
	size_t index = (size_t)wanted;

	if (!count)
		return 0;
	/* The rank of the quantile is `wanted`, rounded up. The index is the rank minus one. */
	if ((double)index == wanted && index)
		index--;
	return numbers[index < count ? index : count - 1];
}
