/* SPDX-License-Identifier: MIT */
/*
 * Hashing of bytes (XXH3) and of integers. Beside base/checksum.h this is all that knows xxHash. What is hashed
 * was chosen by a capture: the values differ from run to run, so that none can be made in which all
 * hashes are the same. Nothing that is written out may depend on them.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Loaded at an address nobody can know before, which serves as the secret without being state. */
extern const unsigned char hash_anchor;

static inline uint64_t hash_secret(void)
{
	return (uint64_t)(uintptr_t)&hash_anchor * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t hash_bytes(const void *bytes, size_t size_bytes, uint64_t seed)
{
	return XXH3_64bits_withSeed(bytes, size_bytes, seed ^ hash_secret());
}

/* The same in every run, for files of our own: it finds damage, and proves nothing. */
static inline uint64_t hash_checksum(const void *bytes, size_t size_bytes)
{
	return XXH3_64bits(bytes, size_bytes);
}

static inline uint64_t hash_u64(uint64_t value)
{
	value ^= hash_secret();
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
