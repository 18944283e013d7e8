/* SPDX-License-Identifier: MIT */
/*
 * What debug information says of code, in a form that is looked up in: stretches of addresses, each
 * with the innermost function there, from which the chain of those it was inlined into leads out.
 *
 *     covered    |------- what is known -------|      |---- nothing is there ----|
 *     segments   | main | parse | next | main  |
 *     nodes        main ◀─ parse ◀─ next          each with its name and where it was called
 *     lines      |12 |13 |40   |71|72  |14     |      of the innermost function
 *
 * Tables come from a file of the user's cache or from a process that read a hostile file: both are
 * bytes nobody vouches for until inline_table_read has looked at all of them.
 */
#ifndef DWARF_INLINE_TABLE_H
#define DWARF_INLINE_TABLE_H

#include "base/error.h"
#include "base/span.h"
#include "base/vec.h"

#define INLINE_NONE UINT32_MAX

struct inline_range {
	uint64_t start, end;
};

/* Whether a range can be of code that is there: linkers leave marks where they dropped some. */
static inline bool is_range_of_code(uint64_t start, uint64_t end)
{
	return start > 1 && start < end && start < UINT64_MAX - 2;
}

struct inline_segment {
	uint64_t start, end;
	uint32_t node;
	uint32_t unused;
};

struct inline_node {
	uint32_t parent; /* the function it is inlined into, a row before this; INLINE_NONE: none */
	uint32_t name;   /* as linked; else as written, with its scopes; of text */
	uint32_t bare_name; /* the same without scopes */
	uint32_t unused;
	uint32_t call_file, call_line; /* in the parent; line 0: unknown */
	uint32_t file, line;           /* where it is declared */
};

/* From this address to the next row's; line 0: nothing is known of it. */
struct inline_line {
	uint64_t address;
	uint32_t file, line;
};

struct inline_table {
	VEC(struct inline_range) covered;    /* these three sorted and disjoint */
	VEC(struct inline_segment) segments; /* all in what is covered */
	VEC(struct inline_line) lines;
	VEC(struct inline_node) nodes;
	VEC(char) text;     /* names and files, each with a NUL behind it; the first is empty */
	bool has_lines;     /* they, and files, were asked for */
	bool is_incomplete; /* something was missing or damaged: it is not to be kept */
};

void inline_table_init(struct inline_table *table);
void inline_table_deinit(struct inline_table *table);

/* Brings rows that were pushed in any order into order; of those that overlap the first stays. */
void inline_table_finish(struct inline_table *table);

/* Whether the table speaks of this address. */
bool inline_table_covers(const struct inline_table *table, uint64_t address);

/* The innermost function at an address; INLINE_NONE: none is known. */
uint32_t inline_table_find(const struct inline_table *table, uint64_t address);

/* The row of lines an address is in, or NULL. */
const struct inline_line *inline_table_find_line(const struct inline_table *table,
						 uint64_t address);

static inline struct text inline_table_text(const struct inline_table *table, uint32_t offset)
{
	return text_of(table->text.at + offset);
}

/* Adds what another finished table says of what this one does not cover. */
void inline_table_merge(struct inline_table *table, const struct inline_table *from);

typedef VEC(unsigned char) byte_list;

/* Appends the table in the byte order of this machine. */
void inline_table_write(const struct inline_table *table, byte_list *bytes);

/* Reads all of bytes into an empty table. On failure the table is empty. */
bool inline_table_read(struct inline_table *table, struct span bytes,
		       struct error *err) WARN_UNUSED;

#endif
