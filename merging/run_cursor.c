/* SPDX-License-Identifier: MIT */
#include "merging/run_cursor.h"

#include <inttypes.h>

#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_text.h"

/*
 * The memory includes a chunk, both compressed and decompressed, its tables, and the previous
 * chunk.
 */
#define MEMORY_PER_CHUNK_BYTE 4u
#define MEMORY_BYTES_MIN      ((uint64_t)2 << 20)
/*
 * A summary is larger in memory, because texts are copied, and an event of a few bytes becomes a
 * whole row.
 */
#define MEMORY_PER_SUMMARY_BYTE 8u

uint64_t run_cursor_memory_bytes(const struct run *run)
{
	uint64_t bytes = run->file.chunk_bytes_max * MEMORY_PER_CHUNK_BYTE;

	return (bytes > MEMORY_BYTES_MIN ? bytes : MEMORY_BYTES_MIN) +
	       run->file.summary_bytes * MEMORY_PER_SUMMARY_BYTE;
}

void run_cursor_init(struct run_cursor *cursor, const struct run *run)
{
	*cursor = (struct run_cursor){ .run = run, .offset = MERGED_HEADER_BYTES };
}

void run_cursor_deinit(struct run_cursor *cursor)
{
	if (cursor->is_open)
		merged_stacks_close(&cursor->stacks);
	vec_free(&cursor->elements);
}

/* Finds and opens the next chunk of stacks. If there is none, `stacks` stays closed. */
static bool open_chunk(struct run_cursor *cursor, struct error *err)
{
	struct merged_chunk chunk;

	do {
		if (!merged_chunk_read(&cursor->run->input, cursor->offset, &chunk, err))
			return false;
		cursor->offset = merged_chunk_end(&chunk);
	} while (chunk.kind != MERGED_STACKS && chunk.kind != MERGED_SUMMARY);
	if (chunk.kind == MERGED_SUMMARY)
		return true;
	cursor->is_open = true;
	return merged_stacks_open(&cursor->stacks, &cursor->run->input, &chunk, err);
}

/*
 * Whether the stack, compared from element `depth` on, sorts after the previous stack, whose
 * elements are given.
 */
static bool check_order(struct run_cursor *cursor, const struct text *before, size_t before_count,
			uint32_t depth, struct error *err)
{
	const struct merged_stacks *stacks = &cursor->stacks;

	if (stacks->path.count > depth &&
	    (depth >= before_count ||
	     merged_text_compare(merged_stacks_element(stacks, depth), before[depth]) > 0))
		return true;
	return error_set(err, ERROR_CORRUPT, "its stacks are not in order");
}

static void list_elements(struct run_cursor *cursor, uint32_t first)
{
	cursor->elements.count = first;
	for (uint32_t i = first; i < cursor->stacks.path.count; i++)
		vec_push(&cursor->elements, merged_stacks_element(&cursor->stacks, i));
}

static bool next_in_chunk(struct run_cursor *cursor, struct error *err)
{
	uint32_t shared = cursor->stacks.shared_count;

	if (!check_order(cursor, cursor->elements.at, cursor->elements.count, shared, err))
		return false;
	list_elements(cursor, shared);
	cursor->common_count = shared;
	return true;
}

/*
 * The first stack of a chunk. The file does not store how many elements this stack shares with the
 * last stack of the previous chunk.
 */
static bool first_of_chunk(struct run_cursor *cursor, struct merged_stacks *last, struct error *err)
{
	uint32_t shared = 0;

	while (shared < cursor->elements.count && shared < cursor->stacks.path.count &&
	       text_equal(cursor->elements.at[shared],
			  merged_stacks_element(&cursor->stacks, shared)))
		shared++;
	if (last->bytes &&
	    !check_order(cursor, cursor->elements.at, cursor->elements.count, shared, err))
		return false;
	list_elements(cursor, 0);
	cursor->common_count = shared;
	return true;
}

bool run_cursor_next(struct run_cursor *cursor, struct error *err)
{
	struct merged_stacks last = { .bytes = NULL };
	bool good;

	if (cursor->is_open && merged_stacks_next(&cursor->stacks, err))
		return next_in_chunk(cursor, err);
	if (cursor->is_open && err->code != ERROR_NONE)
		return false;
	do {
		if (cursor->is_open && !last.bytes)
			last = cursor->stacks;
		else if (cursor->is_open)
			merged_stacks_close(&cursor->stacks);
		cursor->is_open = false;
		err->code = ERROR_NONE;
		good = open_chunk(cursor, err);
		cursor->is_done = good && !cursor->is_open;
	} while (good && !cursor->is_done && !merged_stacks_next(&cursor->stacks, err) &&
		 err->code == ERROR_NONE);
	good = good &&
	       (cursor->is_done || (err->code == ERROR_NONE && first_of_chunk(cursor, &last, err)));
	merged_stacks_close(&last);
	return good;
}
