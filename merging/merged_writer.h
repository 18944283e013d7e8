/* SPDX-License-Identifier: MIT */
/*
 * Writes a merged profile from stacks in order: chunks, then the summary. The bytes depend only on
 * the stacks and the summary, not on how the stacks were merged. The memory used does not grow with
 * the number of stacks.
 */
#ifndef MERGING_MERGED_WRITER_H
#define MERGING_MERGED_WRITER_H

#include "base/idtable.h"
#include "base/sink.h"
#include "base/vec.h"
#include "libparse/merged/merged_summary.h"

/* Texts of a chunk, numbered in the order of their first use. */
struct chunk_texts {
	struct sink bytes;
	VEC(size_t) ends; /* by row: where its text ends in bytes */
	struct idtable ids;
};

struct merged_writer {
	struct sink *sink; /* borrowed; may be NULL */
	struct merged_summary *summary;
	struct chunk_texts groups, frames;
	struct sink stacks; /* encoded stacks of the chunk */
	uint64_t stack_count, element_count;
	/* The last stack. An equal next stack is added to this stack. */
	VEC(uint32_t)
	path; /* a row of groups, then rows of frames; empty if there is no last stack */
	uint32_t shared_count;
	uint64_t sample_count, weight;
	struct merged_event *event; /* the event of its group, in the summary */
};

/* A stack: its group, then its frames from the root, as in libparse/merged/merged_text.h. */
struct merged_stack {
	const struct text *elements;
	uint32_t count;
	uint32_t shared_count; /* at least this many leading elements equal the previous stack's */
	uint64_t sample_count, weight;
};

/*
 * Begins a file; sink and summary are borrowed. The writer adds events, label keys and the number
 * of stacks to the summary. If sink is NULL, the file is not written, but the summary is still
 * completed.
 */
void merged_writer_init(struct merged_writer *writer, struct sink *sink,
			struct merged_summary *summary);
void merged_writer_deinit(struct merged_writer *writer);

/* Adds a stack, which must not sort before the last stack. Equal stacks are added up. */
bool merged_writer_add(struct merged_writer *writer, const struct merged_stack *stack,
		       struct error *err) WARN_UNUSED;

/* Writes the remaining stacks, and the summary. */
void merged_writer_finish(struct merged_writer *writer);

#endif
