/* SPDX-License-Identifier: MIT */
/*
 * The part of a thread's stack that was copied into a sample (PERF_SAMPLE_STACK_USER), from the
 * stack pointer on. The stack may be longer than the dump.
 *
 *     lower addresses   | dump, 8 KiB by default   |          higher addresses
 *                       base                       base + size_bytes
 */
#ifndef UNWIND_STACK_DUMP_H
#define UNWIND_STACK_DUMP_H

#include "base/span.h"

struct stack_dump {
	const unsigned char *bytes;
	uint64_t base, size_bytes;
	uint8_t word_bytes;
	bool swapped;
	bool is_whole; /* the dump contains the whole stack */
};

/* Reads the word at address. Returns false if the address is not in the dump. */
static inline bool stack_dump_word(const struct stack_dump *copy, uint64_t address, uint64_t *ret)
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
