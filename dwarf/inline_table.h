/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions and lines by address. Each segment of addresses refers to the innermost
 * function. The parents of a function are the functions that it was inlined into.
 *
 *     covered    |------- known ---------------|      |---- known to be empty ---|
 *     segments   | main | parse | next | main  |
 *     nodes        main ◀─ parse ◀─ next          each with its name and call site
 *     lines      |12 |13 |40   |71|72  |14     |      in the innermost function
 *
 * Tables come from a cache file, or from the process that read a possibly hostile file. kiln trusts
 * neither of these sources: inline_table_read checks tables fully.
 */
#ifndef DWARF_INLINE_TABLE_H
#define DWARF_INLINE_TABLE_H

#include "base/error.h"
#include "base/span.h"
#include "base/vec.h"

/* The maximum size of the table of inlined functions of one file. Most tables take a few MB. */
#define LIMIT_INLINE_TABLE_BYTES ((size_t)1 << 30)

#define INLINE_NONE UINT32_MAX

struct inline_range {
	uint64_t start, end;
};

/*
 * Whether the range contains code. Returns false for the addresses that linkers write for discarded
 * code.
 */
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
	/* the function into which this one is inlined: an earlier row, or INLINE_NONE */
	uint32_t parent;
	uint32_t name;      /* linkage name or qualified name, as an offset in text */
	uint32_t bare_name; /* the name without scopes */
	uint32_t unused;
	uint32_t call_file, call_line; /* call site in the parent; line is 0 if unknown */
	uint32_t file, line;           /* where the function is declared */
};

/* The source line of code up to the address of the next row. line is 0 if unknown. */
struct inline_line {
	uint64_t address;
	uint32_t file, line;
};

struct inline_table {
	/* ranges, segments and lines are sorted and disjoint */
	VEC(struct inline_range) covered;
	VEC(struct inline_segment) segments; /* segments within the covered ranges */
	VEC(struct inline_line) lines;
	VEC(struct inline_node) nodes;
	VEC(char) text;     /* names and files, NUL-terminated; the first is empty */
	bool has_lines;     /* lines and files were read */
	bool is_incomplete; /* an input was missing or corrupt: do not cache the table */
	/* Reading exceeded the budget (dwarf/reading_budget.h), so the table is empty. */
	bool is_over_budget;
};

void inline_table_init(struct inline_table *table);
void inline_table_deinit(struct inline_table *table);

/*
 * Sorts rows, which may have been added in any order. If rows overlap, the first takes precedence.
 */
void inline_table_finish(struct inline_table *table);

/* Whether the address is in a covered range. */
bool inline_table_covers(const struct inline_table *table, uint64_t address);

/* The innermost function at an address, or INLINE_NONE if it is unknown. */
uint32_t inline_table_find(const struct inline_table *table, uint64_t address);

/* The line at an address, or NULL. */
const struct inline_line *inline_table_find_line(const struct inline_table *table,
						 uint64_t address);

static inline struct text inline_table_text(const struct inline_table *table, uint32_t offset)
{
	return text_of(table->text.at + offset);
}

/* Adds those parts of another finished table that this table does not cover. */
void inline_table_merge(struct inline_table *table, const struct inline_table *from);

/* Appends the table to bytes, in the host's byte order. */
void inline_table_write(const struct inline_table *table, byte_list *bytes);

/* Reads all of bytes into an empty table. On failure, the table is empty. */
bool inline_table_read(struct inline_table *table, struct span bytes,
		       struct error *err) WARN_UNUSED;

#endif
