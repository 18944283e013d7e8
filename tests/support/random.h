/* SPDX-License-Identifier: MIT */
/*
 * Numbers that look random, but are the same in every run, on every machine (xorshift64*), so that
 * failures can be repeated.
 */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state; /* the seed; not 0 */
};

static inline uint64_t random_u64(struct random *random)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return random->state * 0x2545f4914f6cdd1dull;
}

/* A number below limit, which is not 0. */
static inline uint32_t random_below(struct random *random, uint32_t limit)
{
	return (uint32_t)((random_u64(random) >> 32) * limit >> 32);
}

#endif
