/* SPDX-License-Identifier: MIT */
#include "base/read_cache.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* Larger blocks take longer to read than they save if each is used for few records. */
#define BLOCK_BYTES ((size_t)16 << 10)

/* 8 MiB, if a capture has so many CPUs. */
#define BLOCK_COUNT 512u

struct cached_block {
	const struct input *input; /* NULL if there is none */
	uint64_t number;
	size_t size_bytes; /* less than BLOCK_BYTES only at the end of the input */
	char *bytes;       /* NULL until the first use */
};

struct read_cache {
	struct cached_block blocks[BLOCK_COUNT];
};

struct read_cache *read_cache_create(void)
{
	return memory_zalloc(1, sizeof(struct read_cache));
}

void read_cache_destroy(struct read_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < BLOCK_COUNT; i++)
		memory_free(cache->blocks[i].bytes);
	memory_free(cache);
}

/* Returns the block with this number, which may be empty; NULL if reading failed. */
static const struct cached_block *find_block(struct read_cache *cache, const struct input *input,
					     uint64_t number, struct error *err)
{
	/* Hashed, because the buffers of CPUs are powers of two apart. */
	struct cached_block *block = &cache->blocks[hash_u64(number) % BLOCK_COUNT];

	if (block->input == input && block->number == number)
		return block;
	if (!block->bytes)
		block->bytes = memory_alloc(BLOCK_BYTES, 1);
	block->input = NULL;
	if (!input_read(input, number * BLOCK_BYTES, block->bytes, BLOCK_BYTES, &block->size_bytes,
			err))
		return NULL;
	block->input = input;
	block->number = number;
	return block;
}

bool read_cache_read(struct read_cache *cache, const struct input *input, uint64_t offset,
		     void *buffer, size_t size_bytes, size_t *got, struct error *err)
{
	char *to = buffer;

	if (!cache || size_bytes >= BLOCK_BYTES)
		return input_read(input, offset, buffer, size_bytes, got, err);
	*got = 0;
	while (*got < size_bytes) {
		uint64_t from = offset + *got;
		size_t begin = (size_t)(from % BLOCK_BYTES);
		size_t count = size_bytes - *got;
		const struct cached_block *block =
			find_block(cache, input, from / BLOCK_BYTES, err);

		if (!block)
			return false;
		if (begin >= block->size_bytes)
			break;
		if (count > block->size_bytes - begin)
			count = block->size_bytes - begin;
		memcpy(to + *got, block->bytes + begin, count);
		*got += count;
	}
	return true;
}
