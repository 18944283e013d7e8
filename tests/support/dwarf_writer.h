/* SPDX-License-Identifier: MIT */
/*
 * Builds debug information entry by entry, DWARF 4 of 64-bit machines, so that tests depend on no
 * compiler and can contain entries that no compiler writes:
 *
 *     struct dwarf_writer writer;
 *     dwarf_writer_init(&writer);                            begins a unit of [low, high)
 *     uint32_t next = dwarf_writer_abstract(&writer, "next", "_Z4nextv");
 *     dwarf_writer_function(&writer, "main", 0x1000, 0x1100);
 *     dwarf_writer_inlined(&writer, next, 0x1010, 0x1020, 7);
 *     dwarf_writer_end(&writer);                             of next
 *     dwarf_writer_end(&writer);                             of main
 *     unsigned char *file = dwarf_writer_finish(&writer, &size);
 */
#ifndef TESTS_SUPPORT_DWARF_WRITER_H
#define TESTS_SUPPORT_DWARF_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "tests/support/elf_writer.h"

/* Relocations of .debug_info; symbol 1 is the start of the code. */
struct dwarf_writer_relocation {
	uint64_t offset;
	int64_t addend;
	uint32_t type, symbol;
};

struct dwarf_writer {
	VEC(unsigned char) info;
	size_t unit_first;    /* where the current unit begins in info */
	uint8_t offset_bytes; /* size of an offset in it: 4 or 8 */
	bool is_module;
	uint16_t machine;
	uint32_t address_type; /* R_* of its addresses */
	VEC(struct dwarf_writer_relocation) relocations;
	const uint8_t *build_id;                 /* of the file, 20 bytes; NULL: none */
	const struct elf_writer_symbol *symbols; /* of the file */
	size_t symbol_count;
};

/* Begins a unit of code from 0x1000 to 0x9000. */
void dwarf_writer_init(struct dwarf_writer *writer);

/*
 * Begins a unit of code from 0 to 0x8000 in a kernel module for this machine, whose address the
 * kernel chooses.
 */
void dwarf_writer_init_module(struct dwarf_writer *writer, uint16_t machine, uint32_t address_type);

/* Ends the unit, and begins one of code from 0x9000 to 0x11000, with offsets of 64 bits. */
void dwarf_writer_begin_wide_unit(struct dwarf_writer *writer);

/* A variable, whose name is an offset. */
void dwarf_writer_variable(struct dwarf_writer *writer);

/* A function that is only inlined. linked may be NULL. Returns its number for dwarf_writer_inlined. */
uint32_t dwarf_writer_abstract(struct dwarf_writer *writer, const char *name, const char *linked);

/* These begin an entry that can contain others. */
void dwarf_writer_namespace(struct dwarf_writer *writer, const char *name);
void dwarf_writer_function(struct dwarf_writer *writer, const char *name, uint64_t low,
			   uint64_t high);
void dwarf_writer_inlined(struct dwarf_writer *writer, uint32_t origin, uint64_t low, uint64_t high,
			  uint8_t line);
void dwarf_writer_block(struct dwarf_writer *writer);

/* Ends the innermost of these entries. */
void dwarf_writer_end(struct dwarf_writer *writer);

/* The bytes of an ELF file, to be freed with memory_free; ends the unit. */
unsigned char *dwarf_writer_finish(struct dwarf_writer *writer, size_t *size_ret);

#endif
