/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>

#include "base/page.h"

/* What is as large as this holds a large page somewhere, on all machines that have them. */
#define LARGE_BYTES ((size_t)4 << 20)

static void *checked(void *pointer, size_t size_bytes)
{
	if (UNLIKELY(!pointer))
		memory_exhausted(size_bytes);
	return pointer;
}

/*
 * The first touch of a page has its price, and what is so large is going to be touched from one end to
 * the other. Where large pages cannot be had it is as it was.
 */
static void *prefer_large_pages(void *pointer, size_t size_bytes)
{
	size_t before = (uintptr_t)pointer % PAGE_BYTES;

	if (size_bytes >= LARGE_BYTES)
		(void)!madvise((char *)pointer - before, size_bytes + before, MADV_HUGEPAGE);
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
	size_t total = product(count, size_bytes);

	return prefer_large_pages(checked(malloc(total), total), total);
}

void *memory_zalloc(size_t count, size_t size_bytes)
{
	size_t total = product(count, size_bytes);

	return checked(calloc(1, total), total);
}

void *memory_realloc(void *old, size_t count, size_t size_bytes)
{
	size_t total = product(count, size_bytes);

	return prefer_large_pages(checked(realloc(old, total), total), total);
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
