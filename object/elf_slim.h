/* SPDX-License-Identifier: MIT */
/*
 * A slim ELF file: a copy of an ELF file that keeps the symbols and drops the code.
 *
 *     kept         the build-id, and the sections that the caller requests
 *     reduced      symbol tables and their strings, to the rows that the caller requests
 *     reduced      relocations, to those with a symbol: they give PLT stubs their names
 *     SHT_NOBITS   other loaded sections: address, size and offset stay
 *     SHT_NULL     other sections, such as debug information
 *     added        .kiln.slim, which marks the file; its bytes come from the caller
 *
 * Sections keep their numbers, and PT_LOAD segments keep their offsets, so addresses and offsets
 * stay valid. The bytes of segments are missing, so elf_segment_bytes returns an empty span.
 */
#ifndef OBJECT_ELF_SLIM_H
#define OBJECT_ELF_SLIM_H

#include "base/sink.h"
#include "object/elf.h"

#define ELF_SLIM_SECTION ".kiln.slim"

struct elf_slim_plan {
	const struct elf_file *elf;
	/* whether to keep the bytes of each section, by section number */
	const bool *keeps_section;
	/* whether to keep each symbol, by enum elf_symbol_table and row; NULL keeps all */
	const bool *keeps_symbol[2];
	/* keep all relocations in kept sections, not only those with a symbol */
	bool keeps_all_relocations;
	const void *table; /* contents of .kiln.slim */
	size_t table_bytes;
};

/*
 * Appends the file to sink, a memory sink. Returns false if the layout of the ELF file is not
 * supported.
 */
bool elf_slim_write(const struct elf_slim_plan *plan, struct sink *sink);

#endif
