/* SPDX-License-Identifier: MIT */
/*
 * Sorts rows by a number without moving them: only keys and row numbers are sorted.
 *
 *     key   7 3 7 1    sorted   1 3 7 7
 *     row   0 1 2 3             3 1 0 2      equal keys stay in input order
 */
#ifndef BASE_KEY_SORT_H
#define BASE_KEY_SORT_H

#include <stddef.h>
#include <stdint.h>

struct key_row {
	uint64_t key;
	uint32_t row;
};

void key_sort(struct key_row *rows, size_t count);

#endif
