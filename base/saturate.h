/* SPDX-License-Identifier: MIT */
/*
 * Sums that stop at the largest number instead of beginning again at 0: a damaged capture can state
 * any weight, and a share must never come out above the whole.
 */
#ifndef BASE_SATURATE_H
#define BASE_SATURATE_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t saturate_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t saturate_multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Adds numbers one by one. */
static inline void saturate_add_all(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = saturate_add(to[i], from[i]);
}

#endif
