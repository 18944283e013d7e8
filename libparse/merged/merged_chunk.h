/* SPDX-License-Identifier: MIT */
/*
 * The chunks of a merged profile. docs/merged-format.md describes the format.
 *
 *     file     "\x89KILN\r\n\x1a" version │ chunk │ chunk │ ... │ summary       all numbers little-endian
 *     chunk    kind  codec  stored bytes  raw bytes  stacks  checksum │ stored bytes ...
 *
 * Each chunk can be read independently, so threads can read several chunks at the same time.
 */
#ifndef LIBPARSE_MERGED_MERGED_CHUNK_H
#define LIBPARSE_MERGED_MERGED_CHUNK_H

#include "base/input.h"
#include "base/sink.h"
#include "base/span.h"

/*
 * The mark is built like PNG's: the first byte is not ASCII, and copying in text mode changes \r\n.
 * Readers therefore notice such damage.
 */
#define MERGED_MAGIC        "\x89KILN\r\n\x1a"
#define MERGED_MAGIC_BYTES  8u
#define MERGED_HEADER_BYTES 12u
#define MERGED_CHUNK_BYTES  40u

/*
 * A reader refuses files with a later version, because the meaning of their stacks may have
 * changed.
 */
#define MERGED_VERSION 1u

/* Kinds of chunk. A reader skips chunks of unknown kinds with this bit, and counts them. */
#define MERGED_OPTIONAL 0x80000000u
enum {
	MERGED_STACKS = 1,
	MERGED_SUMMARY = 2, /* the last chunk */
};

enum {
	MERGED_CODEC_NONE = 0,
	MERGED_CODEC_ZSTD = 1,
};

/*
 * Maximum size of a chunk, both compressed and decompressed. kiln begins a new chunk after a
 * megabyte. A chunk is much larger only if its last stack is very long.
 */
#define LIMIT_MERGED_CHUNK_BYTES (16u << 20)

/*
 * Maximum number of decompressed bytes for each byte of a merged file. Stacks of functions with
 * numbered names can reach a ratio of several thousand. A chunk that would exceed the ratio is
 * stored uncompressed.
 */
#define LIMIT_MERGED_RATIO 512u
/*
 * A merged file may always decompress to this size, at any ratio. 64 MiB contain at most 11 million
 * stacks.
 */
#define LIMIT_MERGED_FREE_BYTES (64u << 20)

struct merged_chunk {
	uint64_t offset; /* offset of the chunk's header */
	uint32_t kind, codec;
	uint64_t stored_bytes, raw_bytes;
	uint64_t stack_count; /* compared with the summary, to notice lost chunks */
	uint64_t checksum;
};

/* The header of a file. */
void merged_header_write(struct sink *sink);

/* Whether the input begins with the header of a version that this kiln reads. */
bool merged_header_check(const struct input *input, struct error *err) WARN_UNUSED;

/*
 * Appends a chunk. The chunk is compressed if the library exists, and if compression makes it
 * smaller, but not by more than the limit.
 */
void merged_chunk_write(uint32_t kind, struct text raw, uint64_t stack_count, struct sink *sink);

/*
 * Reads the header of the chunk at offset. Returns false if the header is incomplete or corrupt, or
 * if bytes of the chunk are missing.
 */
bool merged_chunk_read(const struct input *input, uint64_t offset, struct merged_chunk *ret,
		       struct error *err) WARN_UNUSED;

/* Whether the chunks so far have too many decompressed bytes for a file that kiln wrote. */
static inline bool merged_chunk_is_bomb(uint64_t file_bytes, uint64_t raw_bytes)
{
	return raw_bytes > LIMIT_MERGED_FREE_BYTES && raw_bytes / LIMIT_MERGED_RATIO > file_bytes;
}

static inline uint64_t merged_chunk_end(const struct merged_chunk *chunk)
{
	return chunk->offset + MERGED_CHUNK_BYTES + chunk->stored_bytes;
}

/*
 * Reads, checks and decompresses the bytes of a chunk. The caller frees *ret with memory_free.
 */
bool merged_chunk_load(const struct input *input, const struct merged_chunk *chunk,
		       unsigned char **ret, struct error *err) WARN_UNUSED;

/*
 * Writes a text after its length. All numbers in chunks, including lengths, are LEB128. Returns
 * false if the text is incomplete.
 */
void merged_string_write(struct sink *sink, struct text text);
bool merged_string_read(struct span *span, struct text *ret);

#endif
