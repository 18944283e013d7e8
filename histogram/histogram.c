/* SPDX-License-Identifier: MIT */
#include "histogram/histogram.h"

#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "profile/distribution.h"

/* From this variance on, the error of the normal approximation is less than a rank. */
#define NORMAL_VARIANCE 2000

void histogram_add(struct histogram *histogram, double low, double high, uint64_t count)
{
	if (!count)
		return;
	vec_push(&histogram->buckets, (struct histogram_bucket){ low, high, count });
	histogram->count = saturate_add(histogram->count, count);
}

void histogram_deinit(struct histogram *histogram)
{
	vec_free(&histogram->buckets);
}

static int compare(const void *a, const void *b)
{
	const struct histogram_bucket *left = a;
	const struct histogram_bucket *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return (left->high > right->high) - (left->high < right->high);
}

bool histogram_finish(struct histogram *histogram)
{
	struct histogram_bucket *buckets = histogram->buckets.at;
	bool is_disjoint = true;
	size_t kept = 0;

	if (histogram->buckets.count > 1)
		qsort(buckets, histogram->buckets.count, sizeof(*buckets), compare);
	for (size_t i = 0; i < histogram->buckets.count; i++) {
		struct histogram_bucket bucket = buckets[i];
		struct histogram_bucket *last = kept ? &buckets[kept - 1] : NULL;

		if (last && last->low == bucket.low && last->high == bucket.high) {
			last->count = saturate_add(last->count, bucket.count);
			continue;
		}
		is_disjoint &= !last || last->high <= bucket.low;
		buckets[kept++] = bucket;
	}
	histogram->buckets.count = kept;
	return is_disjoint;
}

/*
 * Returns the bucket of the value with this rank (the lowest is 1), and the number of values before
 * the bucket.
 */
static const struct histogram_bucket *bucket_of_rank(const struct histogram *histogram,
						     uint64_t rank, uint64_t *before_ret)
{
	const struct histogram_bucket *bucket = histogram->buckets.at;
	const struct histogram_bucket *last = bucket + histogram->buckets.count - 1;

	*before_ret = 0;
	for (; bucket < last && rank - *before_ret > bucket->count; bucket++)
		*before_ret += bucket->count;
	return bucket;
}

/*
 * `share` is the double nearest to a decimal number such as 0.999, so the product must not be
 * rounded up to the next rank.
 */
static uint64_t rank_of(uint64_t count, double share)
{
	double rank = ceil((double)count * share - 1e-9 * (double)count / 1e3);

	if (rank < 1)
		return 1;
	return rank < (double)count ? (uint64_t)rank : count;
}

struct quantile histogram_quantile(const struct histogram *histogram, double share)
{
	uint64_t rank = rank_of(histogram->count, share);
	uint64_t before;
	const struct histogram_bucket *bucket = bucket_of_rank(histogram, rank, &before);
	struct quantile ret = { .low = bucket->low, .high = bucket->high };

	if (isinf(bucket->low))
		ret.value = bucket->high;
	else if (isinf(bucket->high))
		ret.value = bucket->low;
	else
		ret.value = bucket->low + (bucket->high - bucket->low) *
						  ((double)(rank - before) - 0.5) /
						  (double)bucket->count;
	return ret;
}

/* The probability that at least k of n values are below the quantile. */
static double at_least(uint64_t k, uint64_t n, double share)
{
	double variance = (double)n * share * (1 - share);
	double rest = (double)(n - k) + 1;
	double z;

	if (!k)
		return 1;
	if (k > n)
		return 0;
	if (variance < NORMAL_VARIANCE)
		return distribution_f_tail((double)k * (1 - share) / (rest * share), 2 * rest,
					   2 * (double)k);
	z = ((double)k - 0.5 - (double)n * share) / sqrt(variance);
	return z > 0 ? distribution_normal_tails(z) / 2 : 1 - distribution_normal_tails(z) / 2;
}

/* The largest k such that, with this probability, at least k of n values are below the quantile. */
static uint64_t largest_rank(uint64_t n, double share, double probability)
{
	uint64_t low = 0;
	uint64_t high = n;

	while (low < high) {
		uint64_t middle = high - (high - low) / 2;

		if (at_least(middle, n, share) >= probability)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

struct quantile histogram_interval(const struct histogram *histogram, double share,
				   double confidence)
{
	double tail = (1 - confidence) / 2;
	uint64_t n = histogram->count;
	uint64_t lower = largest_rank(n, share, 1 - tail);
	/* At most k - 1 values are below the quantile with probability 1 - at_least(k). */
	uint64_t upper = largest_rank(n, share, tail) + 1;
	uint64_t ignored;
	struct quantile ret = {
		.value = histogram_quantile(histogram, share).value,
		.low = -INFINITY,
		.high = INFINITY,
	};

	if (lower)
		ret.low = bucket_of_rank(histogram, lower, &ignored)->low;
	if (upper <= n)
		ret.high = bucket_of_rank(histogram, upper, &ignored)->high;
	return ret;
}

double histogram_mean(const struct histogram *histogram)
{
	double sum = 0;

	for (size_t i = 0; i < histogram->buckets.count; i++) {
		const struct histogram_bucket *bucket = &histogram->buckets.at[i];
		double middle = isinf(bucket->low)    ? bucket->high
				: isinf(bucket->high) ? bucket->low
						      : (bucket->low + bucket->high) / 2;

		sum += middle * (double)bucket->count;
	}
	return histogram->count ? sum / (double)histogram->count : 0;
}
