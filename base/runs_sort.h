/* SPDX-License-Identifier: MIT */
/*
 * Sorts rows that are ascending in long runs, such as those from the buffers of several CPUs, by a
 * natural merge sort:
 *
 *     1 4 9 | 2 3 | 5 6 8        runs
 *     1 2 3 4 9 | 5 6 8          neighbours are merged
 *     1 2 3 4 5 6 8 9
 *
 * Equal rows stay in order.
 */
#ifndef BASE_RUNS_SORT_H
#define BASE_RUNS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"

typedef int runs_compare(const void *left, const void *right);

/* The functions are inlined into each caller, where size and comparison are constants. */
#define RUNS_INLINE static inline __attribute__((always_inline))

/* The end of the ascending run that begins at a row. */
RUNS_INLINE size_t runs_end(const char *rows, size_t begin, size_t count, size_t size_bytes,
			    runs_compare *compare)
{
	size_t end = begin + 1;

	while (end < count && compare(rows + (end - 1) * size_bytes, rows + end * size_bytes) <= 0)
		end++;
	return end;
}

RUNS_INLINE void runs_merge(const char *rows, size_t middle, size_t end, char *to,
			    size_t size_bytes, runs_compare *compare)
{
	size_t left = 0;
	size_t right = middle;

	for (size_t i = 0; i < end; i++) {
		bool takes_left =
			right == end || (left < middle && compare(rows + left * size_bytes,
								  rows + right * size_bytes) <= 0);

		memcpy(to + i * size_bytes, rows + (takes_left ? left++ : right++) * size_bytes,
		       size_bytes);
	}
}

/* rows may be NULL if count is 0. */
RUNS_INLINE void runs_sort(void *rows, size_t count, size_t size_bytes, runs_compare *compare)
{
	char *from = rows;
	char *buffer = NULL;

	while (count && runs_end(from, 0, count, size_bytes, compare) < count) {
		char *to;

		if (!buffer)
			buffer = memory_alloc(count, size_bytes);
		to = from == (char *)rows ? buffer : (char *)rows;
		for (size_t i = 0; i < count;) {
			size_t middle = runs_end(from, i, count, size_bytes, compare);
			size_t end = middle < count
					     ? runs_end(from, middle, count, size_bytes, compare)
					     : middle;

			runs_merge(from + i * size_bytes, middle - i, end - i, to + i * size_bytes,
				   size_bytes, compare);
			i = end;
		}
		from = to;
	}
	if (from != (char *)rows)
		memcpy(rows, from, count * size_bytes);
	memory_free(buffer);
}

#endif
