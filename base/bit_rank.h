/* SPDX-License-Identifier: MIT */
/*
 * An array of bits that tells how many bits before one are set, so that a dense array can belong to
 * the set bits of a sparse one:
 *
 *     bits    0 1 0 0 1 1 0 …        bit_rank(5) is 2
 *     rows      a     b c            row 2 belongs to bit 5
 */
#ifndef BASE_BIT_RANK_H
#define BASE_BIT_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BIT_RANK_WORD_BITS 64u

struct bit_rank_word {
	uint64_t bits;
	uint32_t before; /* the number of bits that are set in earlier words */
};

static inline void bit_rank_set(struct bit_rank_word *words, uint32_t index)
{
	words[index / BIT_RANK_WORD_BITS].bits |= (uint64_t)1 << index % BIT_RANK_WORD_BITS;
}

static inline bool bit_rank_is_set(const struct bit_rank_word *words, uint32_t index)
{
	return words[index / BIT_RANK_WORD_BITS].bits >> index % BIT_RANK_WORD_BITS & 1;
}

/* Returns how many bits before this one are set. */
static inline size_t bit_rank(const struct bit_rank_word *words, uint32_t index)
{
	const struct bit_rank_word *word = &words[index / BIT_RANK_WORD_BITS];
	uint64_t earlier = ((uint64_t)1 << index % BIT_RANK_WORD_BITS) - 1;

	return word->before + (size_t)__builtin_popcountll(word->bits & earlier);
}

#endif
