/* SPDX-License-Identifier: MIT */
#include "profile/time_bins.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"

static void widen_buckets(struct time_histogram *histogram)
{
	uint64_t *counts = memory_zalloc(TIME_BUCKETS, sizeof(*counts));

	for (uint64_t i = 0; histogram->total && i <= histogram->last - histogram->first; i++) {
		uint64_t bucket = histogram->first + i;
		uint64_t *count = &counts[(bucket >> 1) % TIME_BUCKETS];

		*count = saturate_add(*count, histogram->counts[bucket % TIME_BUCKETS]);
	}
	for (size_t i = 0; i < TIME_BUCKETS; i++)
		histogram->counts[i] = counts[i];
	histogram->shift++;
	histogram->first >>= 1;
	histogram->last >>= 1;
	memory_free(counts);
}

void time_histogram_add(struct time_histogram *histogram, uint64_t time_ns, uint64_t sample_count)
{
	uint64_t bucket = time_ns >> histogram->shift;
	uint64_t *count;

	if (!sample_count)
		return;
	if (!histogram->total)
		histogram->first = histogram->last = bucket;
	while (bucket > histogram->first ? bucket - histogram->first >= TIME_BUCKETS
					 : histogram->last - bucket >= TIME_BUCKETS) {
		widen_buckets(histogram);
		bucket = time_ns >> histogram->shift;
	}
	if (bucket < histogram->first)
		histogram->first = bucket;
	if (bucket > histogram->last)
		histogram->last = bucket;
	count = &histogram->counts[bucket % TIME_BUCKETS];
	*count = saturate_add(*count, sample_count);
	histogram->total = saturate_add(histogram->total, sample_count);
}

void time_histogram_merge(struct time_histogram *histogram, const struct time_histogram *from)
{
	if (!from->total)
		return;
	while (histogram->shift < from->shift)
		widen_buckets(histogram);
	for (uint64_t i = 0; i <= from->last - from->first; i++) {
		uint64_t bucket = from->first + i;

		time_histogram_add(histogram, bucket << from->shift,
				   from->counts[bucket % TIME_BUCKETS]);
	}
}

void time_bins_make(struct time_bins *bins, const struct time_histogram *histogram)
{
	uint64_t left = histogram->total; /* samples from this bin on */
	uint64_t count = 0;               /* samples in this bin so far */

	*bins = (struct time_bins){ .parts = 1 };
	if (histogram->total < TIME_BINS * TIME_BIN_SAMPLES)
		return;
	/*
	 * One bucket may contain enough samples for several bins. Later bins then get fewer
	 * samples.
	 */
	for (uint64_t bucket = histogram->first;
	     bucket < histogram->last && bins->count + 1 < TIME_BINS; bucket++) {
		count += histogram->counts[bucket % TIME_BUCKETS];
		if (!count || count < left / (TIME_BINS - bins->count))
			continue;
		bins->until_ns[bins->count++] = (bucket + 1) << histogram->shift;
		left -= count;
		count = 0;
	}
	bins->until_ns[bins->count++] = UINT64_MAX;
	if (bins->count < TIME_BINS)
		bins->count = 0;
}

void time_bins_make_equal(struct time_bins *bins, const struct time_histogram *histogram,
			  uint64_t least_ns, uint32_t count_max)
{
	uint64_t begin_ns = histogram->first << histogram->shift;
	/* The end of the last bucket may be 2^64. */
	uint64_t span_ns = ((histogram->last + 1) << histogram->shift) - 1 - begin_ns;
	uint64_t width_ns = 1;

	*bins = (struct time_bins){ .parts = 1 };
	if (!histogram->total)
		return;
	/*
	 * Wider bins are not needed, because even 2^64 ns have at most 20 bins of the maximum
	 * width.
	 */
	while (width_ns < UINT64_MAX / 20 &&
	       (width_ns < least_ns || span_ns / width_ns >= count_max - 1))
		width_ns = round_number_from(width_ns + 1);
	bins->width_ns = width_ns;
	bins->first_ns = begin_ns - begin_ns % width_ns;
	bins->count = (uint32_t)((begin_ns - bins->first_ns + span_ns) / width_ns + 1);
}

void time_bins_make_both(struct time_bins *bins, const struct time_histogram *histogram,
			 uint64_t least_ns, uint32_t count_max)
{
	struct time_bins counted;
	uint32_t most = TIME_EQUAL_BINS_MAX / TIME_BINS;

	time_bins_make(&counted, histogram);
	time_bins_make_equal(bins, histogram, least_ns, count_max < most ? count_max : most);
	if (!counted.count)
		return;
	memcpy(bins->until_ns, counted.until_ns, sizeof(bins->until_ns));
	bins->parts = TIME_BINS;
	bins->count *= TIME_BINS;
}

static uint32_t find_equal(const struct time_bins *bins, uint64_t time_ns)
{
	uint32_t count = bins->count / bins->parts;
	uint64_t bin = time_ns < bins->first_ns ? 0 : (time_ns - bins->first_ns) / bins->width_ns;

	return bin < count ? (uint32_t)bin : count - 1;
}

static uint32_t find_counted(const struct time_bins *bins, uint64_t time_ns, uint32_t count)
{
	uint32_t low = 0;
	uint32_t high = count;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (time_ns >= bins->until_ns[middle - 1])
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t time_bins_find(const struct time_bins *bins, uint64_t time_ns)
{
	if (!bins->width_ns)
		return find_counted(bins, time_ns, bins->count);
	return find_equal(bins, time_ns) * bins->parts + find_counted(bins, time_ns, bins->parts);
}

uint64_t time_bins_part(const struct time_bins *bins, const struct time_windows *windows,
			uint64_t *from_ns, uint64_t left_ns, uint32_t *bin_ret)
{
	uint64_t part_ns = 0;

	while (!part_ns) {
		uint32_t bin = time_bins_find(bins, *from_ns);
		uint64_t end_ns = bins->first_ns + (bin + 1) * bins->width_ns;

		*bin_ret = bin;
		if (bin + 1 >= bins->count || end_ns <= *from_ns)
			return left_ns;
		part_ns = time_windows_part(windows, *from_ns, end_ns);
		*from_ns = end_ns;
	}
	return part_ns < left_ns ? part_ns : left_ns;
}
