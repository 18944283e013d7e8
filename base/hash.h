/* SPDX-License-Identifier: MIT */
/*
 * Hashing of bytes (XXH3) and of small integers. This is the only file that knows xxHash.
 * Nothing that is written out may depend on these values.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t size_bytes, uint64_t seed)
{
	return XXH3_64bits_withSeed(bytes, size_bytes, seed);
}

static inline uint64_t hash_u64(uint64_t value)
{
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93ull;
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93ull;
	value ^= value >> 32;
	return value;
}

static inline uint64_t hash_pair(uint64_t first, uint64_t second)
{
	return hash_u64(first ^ hash_u64(second + 0x9e3779b97f4a7c15ull));
}

#endif
