/* SPDX-License-Identifier: MIT */
#include "diff/time_blocks.h"

#include "base/memory.h"
#include "base/saturate.h"

/* Makes bins twice as wide. */
static void widen(struct time_bins *bins)
{
	uint64_t *counts = memory_zalloc(TIME_BINS, sizeof(*counts));

	for (uint64_t i = 0; bins->total && i <= bins->last - bins->first; i++) {
		uint64_t bin = bins->first + i;
		uint64_t *count = &counts[(bin >> 1) % TIME_BINS];

		*count = saturate_add(*count, bins->counts[bin % TIME_BINS]);
	}
	for (size_t i = 0; i < TIME_BINS; i++)
		bins->counts[i] = counts[i];
	bins->shift++;
	bins->first >>= 1;
	bins->last >>= 1;
	memory_free(counts);
}

void time_bins_add(struct time_bins *bins, uint64_t time_ns, uint64_t sample_count)
{
	uint64_t bin = time_ns >> bins->shift;
	uint64_t *count;

	if (!sample_count)
		return;
	if (!bins->total)
		bins->first = bins->last = bin;
	while (bin > bins->first ? bin - bins->first >= TIME_BINS : bins->last - bin >= TIME_BINS) {
		widen(bins);
		bin = time_ns >> bins->shift;
	}
	if (bin < bins->first)
		bins->first = bin;
	if (bin > bins->last)
		bins->last = bin;
	count = &bins->counts[bin % TIME_BINS];
	*count = saturate_add(*count, sample_count);
	bins->total = saturate_add(bins->total, sample_count);
}

void time_bins_merge(struct time_bins *bins, const struct time_bins *from)
{
	if (!from->total)
		return;
	while (bins->shift < from->shift)
		widen(bins);
	for (uint64_t i = 0; i <= from->last - from->first; i++) {
		uint64_t bin = from->first + i;

		time_bins_add(bins, bin << from->shift, from->counts[bin % TIME_BINS]);
	}
}

void time_blocks_make(struct time_blocks *blocks, const struct time_bins *bins)
{
	uint64_t left = bins->total; /* samples, from this block on */
	uint64_t count = 0;          /* in it so far */

	*blocks = (struct time_blocks){ 0 };
	if (bins->total < TIME_BLOCKS * TIME_BLOCK_SAMPLES)
		return;
	/* A bin that holds several blocks' worth leaves less to those behind it. */
	for (uint64_t bin = bins->first; bin < bins->last && blocks->count + 1 < TIME_BLOCKS;
	     bin++) {
		count += bins->counts[bin % TIME_BINS];
		if (!count || count < left / (TIME_BLOCKS - blocks->count))
			continue;
		blocks->until_ns[blocks->count++] = (bin + 1) << bins->shift;
		left -= count;
		count = 0;
	}
	blocks->until_ns[blocks->count++] = UINT64_MAX;
	if (blocks->count < TIME_BLOCKS)
		blocks->count = 0;
}

uint32_t time_blocks_find(const struct time_blocks *blocks, uint64_t time_ns)
{
	uint32_t low = 0;
	uint32_t high = blocks->count;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (time_ns >= blocks->until_ns[middle - 1])
			low = middle;
		else
			high = middle;
	}
	return low;
}
