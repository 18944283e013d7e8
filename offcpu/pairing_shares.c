/* SPDX-License-Identifier: MIT */
#include "base/key_sort.h"
#include "offcpu/pairing_rows.h"

/* Only one row of this many is counted. */
#define COUNTED_DISTANCE 16

/* Each worker reads all rows, so many workers would only take more CPU time. */
#define SHARES_MAX 16

/* With fewer rows, starting threads would take longer than pairing. */
#define DIVIDED_ROWS_MIN ((size_t)1 << 16)

/*
 * Whether the rows of different keys can be paired independently. Wakers are threads themselves,
 * and running threads are numbered.
 */
static bool is_divisible(const struct pairing_options *options)
{
	return !options->is_wall && !options->is_critical && !options->has_wakers &&
	       !options->has_waker_chain;
}

size_t pairing_share_count(const struct pairing_plan *plan, size_t row_count)
{
	if (!is_divisible(&plan->options) || row_count < DIVIDED_ROWS_MIN || !plan->thread_count)
		return 1;
	return plan->thread_count < SHARES_MAX ? plan->thread_count : SHARES_MAX;
}

/* Gives each group to the share that has the fewest rows; the largest groups come first. */
uint8_t *pairing_rows_divide(const struct pairing_row *rows, size_t count, size_t share_count)
{
	struct key_row groups[PAIRING_KEY_GROUPS];
	uint64_t *sums = memory_zalloc(share_count, sizeof(*sums));
	uint8_t *share_of_group = memory_alloc(PAIRING_KEY_GROUPS, sizeof(*share_of_group));

	for (uint32_t i = 0; i < PAIRING_KEY_GROUPS; i++)
		groups[i] = (struct key_row){ 0, i };
	for (size_t i = 0; i < count; i += COUNTED_DISTANCE)
		groups[pairing_row_key(&rows[i]) % PAIRING_KEY_GROUPS].key++;
	key_sort(groups, PAIRING_KEY_GROUPS);
	for (size_t i = PAIRING_KEY_GROUPS; i-- > 0;) {
		size_t least = 0;

		for (size_t k = 1; k < share_count; k++)
			if (sums[k] < sums[least])
				least = k;
		sums[least] += groups[i].key;
		share_of_group[groups[i].row] = (uint8_t)least;
	}
	memory_free(sums);
	return share_of_group;
}
