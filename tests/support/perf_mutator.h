/* SPDX-License-Identifier: MIT */
/*
 * Mutates perf.data without breaking its structure. The capture is taken apart into pieces, pieces are changed, and the
 * result is put together again, with all offsets and sizes as they should be:
 *
 *     header ─▶ | attr | ids |   | record | record | record |   | feature 3 | feature 12 |   (pieces, with their bytes)
 *                  ▲ changed         ▲ removed   ▲ copied           ▲ resized
 *
 * So mutated bytes get past the header, and a reader meets them as the content of records and sections. A pipe
 * has records only.
 */
#ifndef TESTS_SUPPORT_PERF_MUTATOR_H
#define TESTS_SUPPORT_PERF_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Mutates size_bytes of capacity_bytes and returns the new size, like LLVMFuzzerMutate. */
typedef size_t perf_mutator_bytes(uint8_t *bytes, size_t size_bytes, size_t capacity_bytes);

/*
 * Changes the capture in place; the same seed makes the same changes. Returns the new size, or 0 if
 * the bytes are no perf.data. mutate changes the bytes of a piece; NULL: single bytes are changed.
 */
size_t perf_mutator_mutate(uint8_t *bytes, size_t size_bytes, size_t capacity_bytes, uint32_t seed,
			   perf_mutator_bytes *mutate);

/*
 * Puts pieces of other between those of a capture, and writes the result. Returns the size, or 0 if
 * one of the two is no perf.data.
 */
size_t perf_mutator_cross(const uint8_t *bytes, size_t size_bytes, const uint8_t *other,
			  size_t other_bytes, uint8_t *ret, size_t capacity_bytes, uint32_t seed);

#endif
