/* SPDX-License-Identifier: MIT */
/*
 * Reads the stacks of a run one after another, and checks that they are in order, because the file
 * is not trusted.
 */
#ifndef MERGING_RUN_CURSOR_H
#define MERGING_RUN_CURSOR_H

#include "libparse/merged/merged_stacks.h"
#include "merging/run.h"

struct run_cursor {
	const struct run *run; /* borrowed */
	uint64_t offset;       /* of the next chunk */
	struct merged_stacks stacks;
	bool is_open; /* `stacks` has a chunk */
	bool is_done; /* there is no next stack */
	/* The next stack. */
	VEC(struct text) elements;
	uint32_t common_count; /* elements shared with the last stack of the output */
};

void run_cursor_init(struct run_cursor *cursor, const struct run *run);
void run_cursor_deinit(struct run_cursor *cursor);

/* The memory that a cursor of this run uses. */
uint64_t run_cursor_memory_bytes(const struct run *run);

/*
 * Moves to the next stack. common_count becomes the number of elements that the stack shares with
 * the previous stack.
 */
bool run_cursor_next(struct run_cursor *cursor, struct error *err) WARN_UNUSED;

#endif
