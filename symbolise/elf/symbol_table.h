/* SPDX-License-Identifier: MIT */
/*
 * What one or several files say is where, brought into the form names are looked up in: ranges,
 * sorted and disjoint, each named by one symbol.
 *
 *     added, in any order     f ────────────┐       finished   f ─────┐
 *                             g ────────────┤                  h      ├───┐
 *                             h       ──────┤                  f          └──┐
 *                             i (size ?)    └────              i             └────┐
 *
 * f was chosen over its alias g; h, which begins later, covers its middle; i ends with the next.
 */
#ifndef SYMBOLISE_ELF_SYMBOL_TABLE_H
#define SYMBOLISE_ELF_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"
#include "base/vec.h"

enum symbol_binding {
	SYMBOL_LOCAL,
	SYMBOL_WEAK,
	SYMBOL_GLOBAL,
};

struct symbol {
	uint64_t start;
	uint64_t end;     /* start: unknown, it ends where the next one begins */
	uint64_t limit;   /* where one of unknown size ends at the latest */
	struct text name; /* borrowed from the file; empty: code without a name begins here */
	uint32_t owner;   /* which part of the file it belongs to: 0, or a kernel module */
	uint32_t order;   /* in which it was added; set by symbol_table_add */
	enum symbol_binding binding;
	bool is_label; /* STT_NOTYPE: a place in assembly rather than a function */
	bool is_stub;  /* of the PLT: the name is that of what it jumps to */
	bool is_whole; /* nothing was appended to the name, whatever it looks like */
};

struct symbol_range {
	uint64_t start, end;
	uint32_t symbol; /* row of symbols */
};

struct symbol_table {
	VEC(struct symbol) symbols;
	VEC(struct symbol_range) ranges;
};

/* Which symbol names an address that several cover. */
enum symbol_rules {
	SYMBOL_RULES_NEAREST, /* of aliases the most readable, else the one that begins last */
	SYMBOL_RULES_LATEST,  /* the one added last: compiled code replaces older code */
	SYMBOL_RULES_PERF,    /* as perf 6.1 chooses */
};

/* A place in the ranges, for asking by ascending address. */
struct symbol_cursor {
	const struct symbol_table *table;
	size_t range;
};

void symbol_table_init(struct symbol_table *table);
void symbol_table_deinit(struct symbol_table *table);

/* Adds a copy; beyond LIMIT_SYMBOLS it does nothing. */
void symbol_table_add(struct symbol_table *table, const struct symbol *symbol);

/* Makes the ranges. Symbols may have been moved since. */
void symbol_table_finish(struct symbol_table *table, enum symbol_rules rules);

/* The symbol that covers address, or NULL. Addresses must not descend from call to call. */
const struct symbol *symbol_cursor_find(struct symbol_cursor *cursor, uint64_t address);

/* Whether a is to be preferred: the plain public name, which is what the caller wrote. */
bool symbol_alias_is_better(const struct symbol *a, const struct symbol *b);

/* Whether perf 6.1 would replace b, which came before in its order, by a. */
bool symbol_alias_is_perf_choice(const struct symbol *a, const struct symbol *b);

/* Sets is_whole of all that look like parts and are parts of nothing. */
void function_parts_mark(struct symbol_table *table);

#endif
