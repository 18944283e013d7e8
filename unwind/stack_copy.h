/* SPDX-License-Identifier: MIT */
/*
 * What was copied of a thread's stack when the sample was taken: the bytes from its stack pointer
 * on, up to where the copy ends, which may be before the stack does.
 *
 *     lower addresses   | copied, 8 KiB by default |          higher addresses
 *                       base                       base + size_bytes
 */
#ifndef UNWIND_STACK_COPY_H
#define UNWIND_STACK_COPY_H

#include "base/span.h"

struct stack_copy {
	const unsigned char *bytes;
	uint64_t base, size_bytes;
	uint8_t word_bytes;
	bool swapped;
	bool is_whole; /* the stack ends where the copy does */
};

/* The word at address; false: it was not copied. */
static inline bool stack_copy_word(const struct stack_copy *copy, uint64_t address, uint64_t *ret)
{
	uint64_t offset = address - copy->base;

	if (UNLIKELY(copy->size_bytes < copy->word_bytes ||
		     offset > copy->size_bytes - copy->word_bytes))
		return false;
	*ret = copy->word_bytes == 8 ? span_load_u64(copy->bytes + offset, copy->swapped)
				     : span_load_u32(copy->bytes + offset, copy->swapped);
	return true;
}

#endif
