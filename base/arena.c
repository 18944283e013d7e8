/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/memory.h"

#define CHUNK_BYTES_MIN ((size_t)1 << 10)
#define CHUNK_BYTES_MAX ((size_t)4 << 20)

struct arena_chunk {
	struct arena_chunk *older;
	size_t size_bytes;
	char bytes[] __attribute__((aligned(16)));
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ 0 };
}

void arena_deinit(struct arena *arena)
{
	arena_clear(arena);
	while (arena->unused) {
		struct arena_chunk *older = arena->unused->older;

		memory_free(arena->unused);
		arena->unused = older;
	}
	arena_init(arena);
}

void arena_clear(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *chunk = arena->chunks;

		arena->chunks = chunk->older;
		chunk->older = arena->unused;
		arena->unused = chunk;
	}
	arena->next = arena->end = NULL;
}

static void use_chunk(struct arena *arena, struct arena_chunk *chunk)
{
	chunk->older = arena->chunks;
	arena->chunks = chunk;
	arena->next = chunk->bytes;
	arena->end = chunk->bytes + chunk->size_bytes;
}

/*
 * Returns an unused chunk of at least this size, or NULL. Frees the unused chunks before the
 * returned one.
 */
static struct arena_chunk *take_unused(struct arena *arena, size_t size_bytes)
{
	struct arena_chunk *chunk;

	while ((chunk = arena->unused)) {
		arena->unused = chunk->older;
		if (chunk->size_bytes >= size_bytes)
			return chunk;
		arena->total_bytes -= sizeof(*chunk) + chunk->size_bytes;
		memory_free(chunk);
	}
	return NULL;
}

/*
 * Chunks grow with the arena, so that small arenas cost little and large arenas rarely call malloc.
 */
static void add_chunk(struct arena *arena, size_t size_bytes)
{
	size_t wanted = arena->total_bytes / 4;
	struct arena_chunk *chunk;

	chunk = take_unused(arena, size_bytes);
	if (chunk) {
		use_chunk(arena, chunk);
		return;
	}
	if (wanted < CHUNK_BYTES_MIN)
		wanted = CHUNK_BYTES_MIN;
	if (wanted > CHUNK_BYTES_MAX)
		wanted = CHUNK_BYTES_MAX;
	if (wanted < size_bytes)
		wanted = size_bytes;
	if (UNLIKELY(wanted > SIZE_MAX - sizeof(*chunk)))
		memory_exhausted(SIZE_MAX);
	chunk = memory_alloc(sizeof(*chunk) + wanted, 1);
	chunk->size_bytes = wanted;
	use_chunk(arena, chunk);
	arena->total_bytes += sizeof(*chunk) + wanted;
}

void *arena_alloc(struct arena *arena, size_t size_bytes, size_t align)
{
	size_t padding = -(uintptr_t)arena->next & (align - 1);
	char *memory;

	if (UNLIKELY(!arena->chunks || (size_t)(arena->end - arena->next) < padding ||
		     (size_t)(arena->end - arena->next) - padding < size_bytes)) {
		add_chunk(arena, size_bytes);
		padding = 0;
	}
	memory = arena->next + padding;
	arena->next = memory + size_bytes;
	return memory;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1, 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *arena_format_list(struct arena *arena, uint32_t *length_ret, const char *format, va_list args)
{
	va_list again;
	int length;
	char *text;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	/* vsnprintf fails if the result would exceed 2 GiB. */
	if (length < 0)
		length = 0;
	text = arena_alloc(arena, (size_t)length + 1, 1);
	*text = '\0';
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	if (length_ret)
		*length_ret = (uint32_t)length;
	return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_format_list(arena, NULL, format, args);
	va_end(args);
	return text;
}
