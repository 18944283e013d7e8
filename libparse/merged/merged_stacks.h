/* SPDX-License-Identifier: MIT */
/*
 * The stacks of one chunk, in order. Each stack shares its first elements with the stack before it:
 *
 *     groups   cycles ... make                     elements of a stack: its group, then frames from the root
 *     frames   main, parse, scan
 *     stacks   shared 0: make main parse   3 7     3 samples, weight 7
 *              shared 3: scan              1 2     make main parse scan
 */
#ifndef LIBPARSE_MERGED_MERGED_STACKS_H
#define LIBPARSE_MERGED_MERGED_STACKS_H

#include "libparse/merged/merged_chunk.h"

/*
 * Maximum number of elements of all stacks in a chunk. Repeated elements also count, because each
 * takes time, although it takes few bytes. kiln begins a new chunk after half as many elements.
 */
#define LIMIT_MERGED_CHUNK_ELEMENTS (8u << 20)
/* Maximum number of elements of a stack, far more than real stacks have. */
#define LIMIT_MERGED_STACK_ELEMENTS (1u << 20)

struct merged_stacks {
	unsigned char *bytes; /* owned */
	VEC(struct text) groups, frames;
	struct span rest;
	uint64_t left_count, element_count;
	/* The last stack. */
	VEC(uint32_t) path; /* the index of a group, then indexes of frames */
	uint32_t shared_count;
	uint64_t sample_count, weight;
};

/* Reads the chunk with its groups and frames. Must be closed even after a failure. */
bool merged_stacks_open(struct merged_stacks *stacks, const struct input *input,
			const struct merged_chunk *chunk, struct error *err) WARN_UNUSED;
void merged_stacks_close(struct merged_stacks *stacks);

/*
 * Reads the next stack. Returns false if there are no more stacks or, if the error is set, the
 * chunk is corrupt.
 */
bool merged_stacks_next(struct merged_stacks *stacks, struct error *err) WARN_UNUSED;

/* An element of the last stack. */
static inline struct text merged_stacks_element(const struct merged_stacks *stacks, uint32_t depth)
{
	uint32_t row = stacks->path.at[depth];

	return depth ? stacks->frames.at[row] : stacks->groups.at[row];
}

#endif
