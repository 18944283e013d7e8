/* SPDX-License-Identifier: MIT */
/*
 * The XXH64 of bytes, which finds accidents and no forgery. Unlike what base/hash.h has it is the same
 * everywhere and may be written out: xxhsum -H1 prints it too.
 */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include "base/hash.h"

struct checksum {
	XXH64_state_t state;
};

static inline void checksum_init(struct checksum *checksum)
{
	XXH64_reset(&checksum->state, 0);
}

static inline void checksum_add(struct checksum *checksum, const void *bytes, size_t size_bytes)
{
	XXH64_update(&checksum->state, bytes, size_bytes);
}

static inline uint64_t checksum_value(const struct checksum *checksum)
{
	return XXH64_digest(&checksum->state);
}

static inline uint64_t checksum_of(const void *bytes, size_t size_bytes)
{
	return XXH64(bytes, size_bytes, 0);
}

#endif
