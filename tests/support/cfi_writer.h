/* SPDX-License-Identifier: MIT */
/*
 * Builds sections of call frame information in memory, of either byte order, on its own knowledge of
 * the format:
 *
 *     struct cfi_writer writer;
 *     cfi_writer_init(&writer, CFI_EH_FRAME, 8, is_big_endian, address of the section);
 *     common = cfi_writer_common(&writer, &(struct writer_common){ .letters = "zR", ... });
 *     cfi_writer_function(&writer, common, 0x1000, 0x20, program, sizeof(program));
 *     ...                              now writer.bytes.at, writer.bytes.count are the section
 *     cfi_writer_deinit(&writer);
 */
#ifndef TESTS_SUPPORT_CFI_WRITER_H
#define TESTS_SUPPORT_CFI_WRITER_H

#include "unwind/cfi.h"

struct cfi_writer {
	enum cfi_kind kind;
	uint8_t word_bytes;
	bool is_big_endian;
	uint64_t address;
	const char *letters; /* of the last common part */
	VEC(unsigned char) bytes;
};

struct writer_common {
	const char *letters; /* "zR": pointers are relative to their own address; "": absolute */
	uint8_t version;     /* 0: 1 */
	uint8_t code_alignment;
	int8_t data_alignment;
	uint8_t return_column;
	const uint8_t *program;
	size_t program_bytes;
};

void cfi_writer_init(struct cfi_writer *writer, enum cfi_kind kind, uint8_t word_bytes,
		     bool is_big_endian, uint64_t address);
void cfi_writer_deinit(struct cfi_writer *writer);

/* Both return the offset of the entry. */
size_t cfi_writer_common(struct cfi_writer *writer, const struct writer_common *common);
size_t cfi_writer_function(struct cfi_writer *writer, size_t common, uint64_t begin,
			   uint64_t size_bytes, const uint8_t *program, size_t program_bytes);

/* Puts a table of these functions into an empty writer; their section is at section_address. */
void cfi_writer_table(struct cfi_writer *table, const struct cfi_index_entry *rows, uint32_t count,
		      uint64_t section_address);

/* The section as a reader gets it; valid until the next entry. */
struct span cfi_writer_span(const struct cfi_writer *writer);

#endif
