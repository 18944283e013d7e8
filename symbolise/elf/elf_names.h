/* SPDX-License-Identifier: MIT */
/*
 * The symbols of one executable or library, from all places in its files that tell them. Each
 * place is a reader: a function and a line in the table of elf_names.c.
 */
#ifndef SYMBOLISE_ELF_ELF_NAMES_H
#define SYMBOLISE_ELF_ELF_NAMES_H

#include "object/elf.h"
#include "symbolise/elf/symbol_table.h"

/* The file that ran, and that which has its static symbols: often the same, else a separate
 * debug file. Either may be NULL. Both outlive the table. */
struct elf_pair {
	const struct elf_file *runtime;
	const struct elf_file *symbols;
	const struct elf_file
		*supplement; /* what dwz took out of the symbols' file; NULL: nothing known */
};

/* Fills and finishes an empty table; addresses are the file's own (st_value). */
void elf_names_build(const struct elf_pair *pair, enum symbol_rules rules,
		     struct symbol_table *table);

/* The value of a static symbol of this name; false when there is none. */
bool elf_names_find(const struct elf_file *elf, struct text name, uint64_t *ret);

/* Adds a symbol for each stub of the file that ran. */
void plt_names_add(const struct elf_file *elf, struct symbol_table *table);

#endif
