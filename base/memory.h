/* SPDX-License-Identifier: MIT */
/*
 * The only callers of malloc. None of these returns NULL: when memory is gone they call
 * memory_exhausted, which the program that links this library defines, so that the one decision
 * what to do then is the program's (tools/main.c: remove the half-written output, say so, exit 1).
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

#include "base/attributes.h"

/* Defined by the program, not by this library. */
void memory_exhausted(size_t size_bytes) NORETURN;

/* Uninitialised and zeroed memory for count elements; overflow of the product is exhaustion. */
void *memory_alloc(size_t count, size_t size_bytes);
void *memory_zalloc(size_t count, size_t size_bytes);
/* Uninitialised memory that is about to be filled: where it is much of large pages, as the first touch of each
 * small one has its price. */
void *memory_alloc_large(size_t size_bytes);
void *memory_realloc(void *old, size_t count, size_t size_bytes);
char *memory_duplicate(const char *text, size_t length);
void memory_free(void *pointer);

/* Gives the system back what has been freed, if that is much, for who will not need it soon. */
void memory_trim(void);

#endif
