/* SPDX-License-Identifier: MIT */
/*
 * Hashes and checksums. Only this file includes xxHash.
 *
 * hash_ functions are for tables in memory. The seed differs in each run. Captures choose the keys,
 * and must not be able to make all hashes equal. Output never depends on these hashes.
 *
 * checksum_ functions are for files. XXH64 is the same on every machine (xxhsum -H1 prints it).
 * XXH64 detects accidental changes, but not forgery.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * The seed is the address of this object. The kernel loads programs at random addresses, so no
 * mutable global state is needed. Only for the functions below.
 */
extern const unsigned char hash_anchor;

static inline uint64_t hash_secret(void)
{
	return (uint64_t)(uintptr_t)&hash_anchor * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t hash_bytes(const void *bytes, size_t size_bytes, uint64_t seed)
{
	return XXH3_64bits_withSeed(bytes, size_bytes, seed ^ hash_secret());
}

/* Returns the XXH3 hash with a fixed seed, for files that only kiln writes and reads. */
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

/*
 * The hash of a sequence, of 128 bits. Code may take sequences with equal hashes for equal: among a
 * billion sequences, two equal hashes are less likely than an error of the memory.
 */
struct sequence_hash {
	uint64_t first, second;
};

static inline struct sequence_hash hash_sequence(uint64_t seed)
{
	return (struct sequence_hash){ hash_u64(seed), hash_u64(~seed) };
}

/* The 128 bits of a product. */
struct hash_product {
	uint64_t low, high;
};

static inline struct hash_product hash_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)a * b;

	return (struct hash_product){ (uint64_t)product, (uint64_t)(product >> 64) };
#else
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t first = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t second = (a & UINT32_MAX) * (b >> 32) + (first & UINT32_MAX);

	return (struct hash_product){ second << 32 | (low & UINT32_MAX),
				      (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32) };
#endif
}

/* Returns the hash of a sequence that has one more value than that of the given hash. */
static inline struct sequence_hash hash_append(struct sequence_hash hash, uint64_t value)
{
	uint64_t factor = (0x9e3779b97f4a7c15ull ^ hash_secret()) | 1;
	struct hash_product product = hash_multiply(hash.first ^ value, factor);

	return (struct sequence_hash){ product.low ^ hash.second, product.high };
}

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
