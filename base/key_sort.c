/* SPDX-License-Identifier: MIT */
#include "base/key_sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

#define DIGIT_BITS  8
#define DIGIT_COUNT (1u << DIGIT_BITS)
#define KEY_BITS    64
/* For fewer rows, a radix sort would spend most of its time counting. */
#define FEW_ROWS 64

static void sort_few(struct key_row *rows, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct key_row row = rows[i];
		size_t at = i;

		for (; at > 0 && rows[at - 1].key > row.key; at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
	}
}

/*
 * Whether rows are already sorted, as they often are. If the rows are not sorted, *differing_ret
 * contains the bits in which keys differ.
 */
static bool is_sorted(const struct key_row *rows, size_t count, uint64_t *differing_ret)
{
	bool sorted = true;

	*differing_ret = 0;
	for (size_t i = 1; i < count; i++) {
		*differing_ret |= rows[i].key ^ rows[0].key;
		sorted &= rows[i - 1].key <= rows[i].key;
	}
	return sorted;
}

static void sort_by_digit(const struct key_row *from, struct key_row *to, size_t count,
			  unsigned shift)
{
	size_t next[DIGIT_COUNT + 1] = { 0 };

	for (size_t i = 0; i < count; i++)
		next[(from[i].key >> shift) % DIGIT_COUNT + 1]++;
	for (size_t i = 1; i < DIGIT_COUNT; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < count; i++)
		to[next[(from[i].key >> shift) % DIGIT_COUNT]++] = from[i];
}

/* Sorts from the lowest digit up; each pass is stable. */
void key_sort(struct key_row *rows, size_t count)
{
	struct key_row *from = rows;
	struct key_row *to;
	struct key_row *other;
	uint64_t differing;

	if (count < FEW_ROWS) {
		sort_few(rows, count);
		return;
	}
	if (is_sorted(rows, count, &differing))
		return;
	to = other = memory_alloc(count, sizeof(*other));
	for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
		struct key_row *sorted = to;

		if (!((differing >> shift) % DIGIT_COUNT))
			continue;
		sort_by_digit(from, to, count, shift);
		to = from;
		from = sorted;
	}
	if (from != rows)
		memcpy(rows, from, count * sizeof(*rows));
	memory_free(other);
}
