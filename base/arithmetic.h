/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic that does not overflow: sums and products that saturate at UINT64_MAX, and ratios with
 * a 128-bit product. A corrupt capture can contain any weight, and a share must never exceed the
 * whole.
 */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

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

static inline uint64_t saturate_subtract(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The greatest common divisor. If one number is 0, the result is the other number. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static inline void saturate_add_all(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = saturate_add(to[i], from[i]);
}

struct ratio {
	uint64_t quotient; /* the lowest 64 bits of the quotient */
	uint64_t remainder;
};

/* Long division, one bit of the factor at a time. */
static inline struct ratio ratio_by_bits(uint64_t part, uint64_t factor, uint64_t whole)
{
	uint64_t part_quotient = part / whole;
	uint64_t part_remainder = part % whole;
	struct ratio ratio = { 0, 0 };

	for (int bit = 63; bit >= 0; bit--) {
		/*
		 * Both summands are less than `whole`, so subtracting `whole` once makes their sum
		 * less than `whole`.
		 */
		uint64_t space = whole - ratio.remainder;

		ratio.quotient *= 2;
		if (ratio.remainder >= space) {
			ratio.remainder -= space;
			ratio.quotient++;
		} else {
			ratio.remainder *= 2;
		}
		if (!(factor >> bit & 1))
			continue;
		space = whole - ratio.remainder;
		ratio.quotient += part_quotient;
		if (part_remainder >= space) {
			ratio.remainder = part_remainder - space;
			ratio.quotient++;
		} else {
			ratio.remainder += part_remainder;
		}
	}
	return ratio;
}

/*
 * Returns part * factor / whole. `whole` must not be 0. The product has up to 128 bits, for which
 * 32-bit compilers have no type.
 */
static inline struct ratio ratio_of(uint64_t part, uint64_t factor, uint64_t whole)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)part * factor;

	return (struct ratio){ (uint64_t)(product / whole), (uint64_t)(product % whole) };
#else
	return ratio_by_bits(part, factor, whole);
#endif
}

/*
 * Returns the first of 1, 2, 5, 10, 20, 50, ... that is at least `value`. `value` must be below
 * 10^19.
 */
static inline uint64_t round_number_from(uint64_t value)
{
	uint64_t power = 1;

	while (10 * power <= value)
		power *= 10;
	if (value <= power)
		return power;
	return value <= 2 * power ? 2 * power : value <= 5 * power ? 5 * power : 10 * power;
}

#endif
