/* SPDX-License-Identifier: MIT */
/*
 * Lets libFuzzer change perf.data piece by piece. Included once by each target that reads it. One
 * mutation in 8 changes arbitrary bytes, including headers.
 */
#ifndef TESTS_FUZZ_PERF_MUTATIONS_H
#define TESTS_FUZZ_PERF_MUTATIONS_H

#include "tests/support/perf_mutator.h"

/* Missing if the target is built without libFuzzer. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *bytes, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *ret, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
	size_t made =
		seed % 8 ? perf_mutator_mutate(bytes, size, max_size, seed, LLVMFuzzerMutate) : 0;

	if (made)
		return made;
	return LLVMFuzzerMutate ? LLVMFuzzerMutate(bytes, size, max_size) : size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *bytes, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *ret, size_t max_size, unsigned seed)
{
	return perf_mutator_cross(bytes, size, other, other_size, ret, max_size, seed);
}

#endif
