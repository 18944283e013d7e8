/* SPDX-License-Identifier: MIT */
/*
 * Reads all symbols of an executable or library. Each origin (.symtab, .dynsym, .gnu_debugdata, PLT
 * stubs, Go's function table) has a reader, which is a function and a row in the table in
 * elf_names.c.
 */
#ifndef SYMBOLISE_ELF_ELF_NAMES_H
#define SYMBOLISE_ELF_ELF_NAMES_H

#include "object/elf.h"
#include "symbolise/elf/symbol_table.h"
#include "symbolise/source.h"

/*
 * The file that ran, and the file with its static symbols. Both may be the same file; otherwise,
 * the second is a separate debug file. Each pointer may be NULL. Both files must outlive the table.
 */
struct elf_pair {
	const struct elf_file *runtime;
	const struct elf_file *symbols;
	const struct elf_file *supplement; /* the dwz supplement of the symbol file; NULL if none */
};

/* Fills and finishes an empty table. Addresses are as in the st_value of the file's symbols. */
void elf_names_build(const struct elf_pair *pair, enum symbol_rules rules,
		     struct symbol_table *table);

/*
 * Names the locations of a module that the symbols of the pair cover. convert: see struct
 * naming_table.
 */
void elf_names_apply(struct naming_job *job, struct naming *naming, const struct elf_pair *pair,
		     naming_convert *convert, const void *convert_context);

/* Gets the value of a static symbol. Returns false if there is no such symbol. */
bool elf_names_find(const struct elf_file *elf, struct text name, uint64_t *ret);

/* Adds a symbol "NAME@plt" for each PLT stub of the runtime file. */
void plt_names_add(const struct elf_file *elf, struct symbol_table *table);

/*
 * Adds the symbols that perf 6.1 gives to stubs: in .plt only, with the names of the relocations of
 * .plt in their order. Relocations without a symbol have an empty name.
 */
void plt_names_add_as_perf(const struct elf_file *elf, struct symbol_table *table);

#endif
