/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *checked(void *pointer, size_t count, size_t size_bytes)
{
	if (UNLIKELY(!pointer))
		memory_exhausted(count * size_bytes);
	return pointer;
}

/* malloc(0) may give NULL, which is no failure. */
static size_t product(size_t count, size_t size_bytes)
{
	size_t total;

	if (UNLIKELY(__builtin_mul_overflow(count, size_bytes, &total)))
		memory_exhausted(SIZE_MAX);
	return total ? total : 1;
}

void *memory_alloc(size_t count, size_t size_bytes)
{
	return checked(malloc(product(count, size_bytes)), count, size_bytes);
}

void *memory_zalloc(size_t count, size_t size_bytes)
{
	return checked(calloc(1, product(count, size_bytes)), count, size_bytes);
}

void *memory_realloc(void *old, size_t count, size_t size_bytes)
{
	return checked(realloc(old, product(count, size_bytes)), count, size_bytes);
}

char *memory_duplicate(const char *text, size_t length)
{
	char *copy = memory_alloc(length + 1, 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void memory_free(void *pointer)
{
	free(pointer);
}

#if defined(__GLIBC__) && !HAS_ADDRESS_SANITIZER
#define HAS_TRIM
#endif

#ifdef HAS_TRIM
/* Less is not worth taking back: what is asked for next would have to be given again, page by page. */
#define TRIM_BYTES ((size_t)32 << 20)

static bool has_much_free(void)
{
#if __GLIBC_PREREQ(2, 33)
	return mallinfo2().fordblks >= TRIM_BYTES;
#else
	return true;
#endif
}
#endif

void memory_trim(void)
{
#ifdef HAS_TRIM
	if (has_much_free())
		malloc_trim(0);
#endif
}
