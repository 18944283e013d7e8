/* SPDX-License-Identifier: MIT */
/*
 * An arena owns memory that is freed all at once. An arena consists of chunks, each filled from
 * front to back.
 *
 *     [chunk: used used used | free ]-> [chunk: full]-> [chunk: full]
 *
 * Memory stays valid until arena_clear or arena_deinit. Not thread-safe: each thread has its own
 * arena.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	struct arena_chunk *unused; /* after arena_clear */
	char *next;
	char *end;
	size_t total_bytes; /* total size of all chunks, used or not */
};

void arena_init(struct arena *arena);
void arena_deinit(struct arena *arena);

/* Frees everything in the arena, but keeps the memory for later use. */
void arena_clear(struct arena *arena);

/* Returns uninitialised memory with this alignment, a power of two of at most 16. Never NULL. */
void *arena_alloc(struct arena *arena, size_t size_bytes, size_t align);

/* Returns a NUL-terminated copy of `length` bytes. */
char *arena_text(struct arena *arena, const char *text, size_t length);

/*
 * Returns formatted, NUL-terminated text. *length_ret becomes the length of the text without the
 * NUL. length_ret may be NULL.
 */
char *arena_format(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_format_list(struct arena *arena, uint32_t *length_ret, const char *format, va_list args)
	PRINTF_LIKE(3, 0);

#define ARENA_NEW(arena, type) ((type *)arena_alloc(arena, sizeof(type), _Alignof(type)))

#endif
