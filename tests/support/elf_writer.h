/* SPDX-License-Identifier: MIT */
/*
 * Builds small ELF files in memory, of either class and byte order, so that tests depend on no
 * compiler. The sections are always the same; those not requested are empty:
 *
 *     1 .text  2 .data  3 .note.gnu.build-id  4 .symtab  5 .strtab  6 .dynsym  7 .dynstr
 *     8 .comment  9 .shstrtab  from 10: sections that a test adds
 */
#ifndef TESTS_SUPPORT_ELF_WRITER_H
#define TESTS_SUPPORT_ELF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compress/codec.h"

#define ELF_WRITER_TEXT 1
#define ELF_WRITER_DATA 2

struct elf_writer_symbol {
	const char *name;
	uint64_t value, size_bytes;
	unsigned char type, binding, visibility; /* STT_*, STB_*, STV_* */
	uint16_t section;
};

/* A section that a test adds, with its content. */
struct elf_writer_section {
	const char *name;
	uint32_t type;
	uint64_t flags, address, entry_bytes;
	const void *bytes;
	size_t size_bytes;
};

/* The number of the first section that a test adds. */
#define ELF_WRITER_MORE 10

#define ELF_WRITER_MORE_MAX 6

/* How .symtab and .strtab are compressed, and what is wrong in them. */
struct elf_writer_packing {
	enum codec packing;
	int64_t size_change; /* added to the stated decompressed size */
	uint32_t type_change;
	size_t cut_bytes;
};

struct elf_writer {
	bool is_32_bit, is_big_endian;
	uint16_t type, machine; /* 0: ET_DYN, EM_X86_64 */
	uint64_t text_address;  /* of .text once loaded */
	uint64_t text_offset;   /* in the file; at least 512 */
	uint64_t text_bytes;
	const uint8_t *build_id; /* NULL: no such note */
	size_t build_id_bytes;
	const struct elf_writer_symbol *symbols, *dynamic_symbols;
	size_t symbol_count, dynamic_symbol_count;
	const char *comment;
	const struct elf_writer_section *more;
	const struct elf_writer_packing *symbol_packing; /* NULL: they are not */
	size_t more_count;                               /* at most ELF_WRITER_MORE_MAX */
	uint32_t
		relocated_section; /* the section that the added SHT_RELA applies to, by .symtab; 0: not recorded */
	bool is_debug_file; /* .text and its segment have lost their content */
	bool has_no_segments;
};

/* The file's bytes, to be freed by the caller; *size_ret is their number. */
unsigned char *elf_writer_write(const struct elf_writer *writer, size_t *size_ret);

#endif
