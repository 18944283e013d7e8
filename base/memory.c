/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * The size of large pages on most CPUs. If the kernel's large pages have another size, it uses them
 * only if this size is a multiple of theirs.
 */
#define LARGE_PAGE_BYTES ((size_t)2 << 20)

/* A block of this size contains a whole large page at any alignment. */
#define LARGE_BYTES (2 * LARGE_PAGE_BYTES)

static void *checked(void *pointer, size_t size_bytes)
{
	if (UNLIKELY(!pointer))
		memory_exhausted(size_bytes);
	return pointer;
}

/*
 * The first access to a page is expensive, so large pages save time. The kernel may ignore the
 * request.
 */
static void ask_for_large_pages(void *pointer, size_t size_bytes)
{
	size_t before = (uintptr_t)pointer % PAGE_BYTES;

	(void)!madvise((char *)pointer - before, size_bytes + before, MADV_HUGEPAGE);
}

/*
 * A block of this size consists mostly of new pages. Without large pages, faulting in new pages one
 * by one takes 1.8 times as long as faulting in all of them at once.
 */
#define NEW_BYTES ((size_t)128 << 10)

/* Faults in all pages at once. Kernels without MADV_POPULATE_WRITE fault in pages one by one. */
static void fault_in(void *pointer, size_t size_bytes)
{
#ifdef MADV_POPULATE_WRITE
	size_t before = -(uintptr_t)pointer % PAGE_BYTES;

	(void)!madvise((char *)pointer + before, size_bytes - before, MADV_POPULATE_WRITE);
#else
	(void)pointer;
	(void)size_bytes;
#endif
}

/* Allocations of this size are usually used from one end to the other. */
static void *prefer_large_pages(void *pointer, size_t size_bytes)
{
	if (size_bytes >= LARGE_BYTES)
		ask_for_large_pages(pointer, size_bytes);
	return pointer;
}

/* Requests at least one byte, because malloc(0) may return NULL without failing. */
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
	void *pointer = checked(malloc(total), total);

	if (total >= NEW_BYTES && total < LARGE_BYTES)
		fault_in(pointer, total);
	return prefer_large_pages(pointer, total);
}

void *memory_zalloc(size_t count, size_t size_bytes)
{
	size_t total = product(count, size_bytes);

	return checked(calloc(1, total), total);
}

void *memory_alloc_large(size_t size_bytes)
{
	void *pointer;

	if (size_bytes < LARGE_PAGE_BYTES ||
	    posix_memalign(&pointer, LARGE_PAGE_BYTES, size_bytes) != 0)
		return memory_alloc(size_bytes, 1);
	ask_for_large_pages(pointer, size_bytes);
	return pointer;
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
/*
 * Smaller amounts of free memory are kept, because the next allocation would have to fault in the
 * returned pages again.
 */
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

/* Sanitizers allocate tables that are larger than any limit. */
#if HAS_ADDRESS_SANITIZER || defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer) || \
	HAS_FEATURE(memory_sanitizer)
#define HAS_LARGE_TABLES 1
#else
#define HAS_LARGE_TABLES 0
#endif

void memory_limit(uint64_t size_bytes)
{
	struct rlimit limit;
	rlim_t wanted = size_bytes < RLIM_INFINITY ? (rlim_t)size_bytes : RLIM_INFINITY;

	if (HAS_LARGE_TABLES || getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= wanted)
		return;
	limit.rlim_cur = wanted;
	(void)setrlimit(RLIMIT_DATA, &limit);
}

uint64_t memory_default_limit(void)
{
	long page_count = sysconf(_SC_PHYS_PAGES);
	long page_bytes = sysconf(_SC_PAGESIZE);

	if (page_count <= 0 || page_bytes <= 0)
		return UINT64_MAX;
	return (uint64_t)page_count * (uint64_t)page_bytes / 2;
}

void memory_trim(void)
{
#ifdef HAS_TRIM
	if (has_much_free())
		malloc_trim(0);
#endif
}
