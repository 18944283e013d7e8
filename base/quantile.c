/* SPDX-License-Identifier: MIT */
#include "base/quantile.h"

#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

void quantile_sort(uint64_t *numbers, size_t count)
{
	if (count > 1)
		qsort(numbers, count, sizeof(*numbers), compare_numbers);
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
