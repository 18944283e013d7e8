/* SPDX-License-Identifier: MIT */
/*
 * Symbols as sorted, disjoint address ranges, each with one name.
 *
 *     added, in any order     f ────────────┐       finished   f ─────┐
 *                             g ────────────┤                  h      ├───┐
 *                             h       ──────┤                  f          └──┐
 *                             i (size ?)    └────              i             └────┐
 *
 * f was preferred to its alias g. h starts later and covers the middle of f. i ends where the next
 * symbol starts.
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
	/*
	 * equals start if the size is unknown. If equal, the symbol ends where the next symbol
	 * begins
	 */
	uint64_t end;
	uint64_t limit;   /* upper bound for the end of a symbol of unknown size */
	struct text name; /* borrowed from the file; empty if code without a name begins here */
	uint32_t owner;   /* 0, or the kernel module of a kallsyms line */
	uint32_t order;   /* order of adding; set by symbol_table_add */
	enum symbol_binding binding;
	bool is_label; /* STT_NOTYPE: an assembly label rather than a function */
	bool is_stub; /* a PLT stub, named after its target; perf also has stubs with empty names */
	bool is_whole; /* the name has no compiler suffix, even if it seems to have one */
};

struct symbol_range {
	uint64_t start, end;
	uint32_t symbol; /* row of symbols */
};

struct symbol_table {
	VEC(struct symbol) symbols;
	VEC(struct symbol_range) ranges;
};

/* Which symbol wins if several cover an address. */
enum symbol_rules {
	SYMBOL_RULES_NEAREST, /* the most readable alias; otherwise the last to begin */
	/* the symbol that was added last, because newer JIT code replaces older code */
	SYMBOL_RULES_LATEST,
	SYMBOL_RULES_PERF, /* the symbol that perf 6.1 would choose */
	SYMBOL_RULES_DATA, /* like NEAREST, but with data symbols as well as functions */
};

/* A position in the ranges, for lookups by ascending address. */
struct symbol_cursor {
	const struct symbol_table *table;
	size_t range;
};

void symbol_table_init(struct symbol_table *table);
void symbol_table_deinit(struct symbol_table *table);

/* Adds a copy. Ignores symbols beyond LIMIT_SYMBOLS. */
void symbol_table_add(struct symbol_table *table, const struct symbol *symbol);

/* Computes the ranges. Reorders the symbols. */
void symbol_table_finish(struct symbol_table *table, enum symbol_rules rules);

/* The symbol that covers address, or NULL. Addresses must not decrease from call to call. */
const struct symbol *symbol_cursor_find(struct symbol_cursor *cursor, uint64_t address);

/*
 * Whether `a` is the better alias for a reader: the plain public name, as in source code. For
 * example, free is preferred to __libc_free, __free and cfree@GLIBC_2.2.5.
 */
bool symbol_alias_is_better(const struct symbol *a, const struct symbol *b);

/* Whether perf 6.1 would prefer `a` to `b`, if `b` comes earlier in perf's order. */
bool symbol_alias_is_perf_choice(const struct symbol *a, const struct symbol *b);

/*
 * Distinguishes split-off parts from whole functions. parse.cold is a part if the table contains
 * parse. Otherwise, parse.cold is the function cold of the package parse (Go, Zig), and is_whole is
 * set.
 */
void function_parts_mark(struct symbol_table *table);

#endif
