/* SPDX-License-Identifier: MIT */
/*
 * A slim ELF file: made from another, with what names code and without the code.
 *
 *     kept         the build-id's note, and the sections the caller asks for
 *     reduced      symbol tables, to the rows the caller asks for, and the strings of these
 *     reduced      relocations, to those that name a symbol: stubs of the PLT are named by these
 *     SHT_NOBITS   every other section that is loaded: its address, size and offset stay
 *     SHT_NULL     every other section: debug information
 *     added        .kiln.slim, which marks such a file; its bytes are the caller's
 *
 * Sections keep their numbers and PT_LOAD segments their offsets, so an address means what it meant. The
 * bytes at a segment's offsets are not in the file: elf_segment_bytes gives none.
 */
#ifndef OBJECT_ELF_SLIM_H
#define OBJECT_ELF_SLIM_H

#include "base/sink.h"
#include "object/elf.h"

#define ELF_SLIM_SECTION ".kiln.slim"

struct elf_slim_plan {
	const struct elf_file *elf;
	const bool *keeps_section;   /* by index, whether its bytes are kept */
	const bool *keeps_symbol[2]; /* by enum elf_symbol_table and row; NULL: every row */
	bool keeps_all_relocations;  /* of sections that are kept; else those by a symbol */
	const void *table;           /* what .kiln.slim contains */
	size_t table_bytes;
};

/* Appends the file to sink, which is in memory. False: its layout is not one that can be reduced. */
bool elf_slim_write(const struct elf_slim_plan *plan, struct sink *sink);

#endif
