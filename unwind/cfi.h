/* SPDX-License-Identifier: MIT */
/*
 * Call frame information as it stands in a file: .eh_frame, which is loaded with the program, or
 * .debug_frame. For each function an entry (FDE) says which addresses it is for, and holds a program
 * that tells how its frame changes; what is common to many is in an entry of their own (CIE).
 *
 *     |CIE|FDE|FDE|FDE|CIE|FDE|...       index: beginnings of functions, sorted ─▶ FDE
 *
 * Nothing of it is believed. After cfi_init a section is only read, by any number of threads.
 *
 * Source: DWARF 5, section 6.4; Linux Standard Base Core, "Exception Frames".
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "base/span.h"
#include "base/vec.h"

enum cfi_kind {
	CFI_EH_FRAME,
	CFI_DEBUG_FRAME,
};

/* What many functions have in common. */
struct cfi_common {
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_column;
	uint8_t pointer_encoding; /* DW_EH_PE_* */
	bool is_signal;           /* the frame was interrupted; its address is no return address */
	bool has_augmentation; /* functions have data of a length of its own before the program */
	struct span program;
};

struct cfi_function {
	uint64_t begin, end; /* addresses as the file has them */
	struct cfi_common common;
	struct span program;
};

struct cfi_index_row {
	uint64_t begin;
	uint64_t offset; /* of the entry, in the section */
};

struct cfi {
	struct span section; /* whose base is the section's address */
	enum cfi_kind kind;
	uint8_t word_bytes; /* of an address in the file */
	VEC(struct cfi_index_row) index;
};

/* section's bytes stay the caller's, and must outlive cfi. Its damaged end is left out. */
void cfi_init(struct cfi *cfi, struct span section, enum cfi_kind kind, uint8_t word_bytes);

/* The same of .eh_frame, by the table of .eh_frame_hdr where that speaks of all functions. */
void cfi_init_with_table(struct cfi *cfi, struct span section, struct span table,
			 uint8_t word_bytes);
void cfi_deinit(struct cfi *cfi);

/* The row of the index whose function may cover the address, which is the last that begins at or
 * before it; false: there is none. */
bool cfi_find(const struct cfi *cfi, uint64_t address, size_t *row_ret);

/* Reads the entry of a row; false when it is damaged. */
bool cfi_read(const struct cfi *cfi, size_t row, struct cfi_function *ret);

#endif
