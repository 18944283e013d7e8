/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#define BLOCK_BYTES 64
#define ROUNDS      64
/* The last block ends with the message's length in bits. */
#define LENGTH_BYTES 8

static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t value, unsigned count)
{
	return value >> count | value << (32 - count);
}

static void schedule(const unsigned char *block, uint32_t words[ROUNDS])
{
	for (unsigned i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < ROUNDS; i++) {
		uint32_t early = words[i - 15];
		uint32_t late = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] +
			   (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
			   (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
	}
}

static void hash_block(uint32_t state[8], const unsigned char *block)
{
	uint32_t words[ROUNDS];
	uint32_t at[8]; /* the variables a to h of the standard */

	schedule(block, words);
	memcpy(at, state, sizeof(at));
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t choice = (at[4] & at[5]) ^ (~at[4] & at[6]);
		uint32_t majority = (at[0] & at[1]) ^ (at[0] & at[2]) ^ (at[1] & at[2]);
		uint32_t first = at[7] +
				 (rotate(at[4], 6) ^ rotate(at[4], 11) ^ rotate(at[4], 25)) +
				 choice + constants[i] + words[i];
		uint32_t second =
			(rotate(at[0], 2) ^ rotate(at[0], 13) ^ rotate(at[0], 22)) + majority;

		memmove(at + 1, at, 7 * sizeof(*at));
		at[4] += first;
		at[0] = first + second;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += at[i];
}

void sha256_of(struct text bytes, unsigned char ret[SHA256_BYTES])
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	uint32_t left = bytes.length % BLOCK_BYTES;
	unsigned char last[2 * BLOCK_BYTES] = { 0 };
	uint32_t last_bytes = left + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES;

	for (uint32_t at = 0; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES)
		hash_block(state, (const unsigned char *)bytes.at + at);
	memcpy(last, bytes.at + bytes.length - left, left);
	last[left] = 0x80;
	for (unsigned i = 0; i < LENGTH_BYTES; i++)
		last[last_bytes - 1 - i] = (unsigned char)((uint64_t)bytes.length * 8 >> 8 * i);
	for (uint32_t at = 0; at < last_bytes; at += BLOCK_BYTES)
		hash_block(state, last + at);
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		ret[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
