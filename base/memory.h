/* SPDX-License-Identifier: MIT */
/*
 * The only callers of malloc. No function here returns NULL: out of memory, they call memory_exhausted. The
 * program defines it (tools/main.c: removes the half-written output, prints an error, exits with 1).
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

#include "base/attributes.h"

/* The smallest page size Linux maps files with. Larger ones are multiples of it. */
#define PAGE_BYTES 4096u

/* Defined by the program, not by this library. */
void memory_exhausted(size_t size_bytes) NORETURN;

/* Uninitialised and zeroed memory for count elements; overflow of the product is exhaustion. */
void *memory_alloc(size_t count, size_t size_bytes);
void *memory_zalloc(size_t count, size_t size_bytes);
/* Uninitialised memory that is about to be filled. Large blocks use huge pages: fewer page faults. */
void *memory_alloc_large(size_t size_bytes);
void *memory_realloc(void *old, size_t count, size_t size_bytes);
char *memory_duplicate(const char *text, size_t length);
void memory_free(void *pointer);

/* Returns freed memory to the system, if it is much. */
void memory_trim(void);

#endif
