/* SPDX-License-Identifier: MIT */
/*
 * part * factor / whole without overflow. The product has up to 128 bits, and not every compiler has
 * integers that long: those for 32-bit machines have none.
 */
#ifndef BASE_RATIO_H
#define BASE_RATIO_H

#include <stdint.h>

struct ratio {
	uint64_t quotient; /* its lowest 64 bits */
	uint64_t remainder;
};

/* By long division, one bit of the factor after the other. */
static inline struct ratio ratio_by_bits(uint64_t part, uint64_t factor, uint64_t whole)
{
	uint64_t part_quotient = part / whole;
	uint64_t part_remainder = part % whole;
	struct ratio ratio = { 0, 0 };

	for (int bit = 63; bit >= 0; bit--) {
		/* Both summands are less than whole, so one subtraction brings the sum below it. */
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

/* The whole is not 0. */
static inline struct ratio ratio_of(uint64_t part, uint64_t factor, uint64_t whole)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)part * factor;

	return (struct ratio){ (uint64_t)(product / whole), (uint64_t)(product % whole) };
#else
	return ratio_by_bits(part, factor, whole);
#endif
}

#endif
