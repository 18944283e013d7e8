/* SPDX-License-Identifier: MIT */
/*
 * Memory allocation. Only code in base/ calls malloc. Functions here never return NULL: if memory
 * is exhausted, they call memory_exhausted. The program must define memory_exhausted. The
 * definition in tools/main.c removes the incomplete output, prints an error and exits with 1.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

/* The smallest page size with which Linux maps files. Larger page sizes are multiples of 4 KiB. */
#define PAGE_BYTES 4096u

/* Defined by the program, not by this library. */
void memory_exhausted(size_t size_bytes) NORETURN;

/*
 * Returns uninitialised memory for `count` elements. If the product overflows, memory counts as
 * exhausted.
 */
void *memory_alloc(size_t count, size_t size_bytes);
void *memory_zalloc(size_t count, size_t size_bytes);
/*
 * Returns uninitialised memory that the caller will fill completely. Large blocks use huge pages,
 * to avoid page faults.
 */
void *memory_alloc_large(size_t size_bytes);
void *memory_realloc(void *old, size_t count, size_t size_bytes);
char *memory_duplicate(const char *text, size_t length);
void memory_free(void *pointer);

/* Limits the memory of this process. Allocations that exceed the limit fail. */
void memory_limit(uint64_t size_bytes);

/* Half of the memory of this machine. */
uint64_t memory_default_limit(void);

/* Returns freed memory to the system if there is much of it. */
void memory_trim(void);

#endif
