/* SPDX-License-Identifier: MIT */
/*
 * Reads the call frame information of a file. The information is in .eh_frame, which is loaded with
 * the program, or in .debug_frame. Each function has an entry (FDE) with its address range and a
 * program that describes its frame. A CIE contains what several FDEs have in common.
 *
 *     |CIE|FDE|FDE|FDE|CIE|FDE|...       index: start addresses of functions, sorted ─▶ FDE
 *
 * Contents are checked when they are read. A struct cfi is immutable after cfi_init, and all
 * threads share it.
 *
 * Source: DWARF 5, section 6.4; Linux Standard Base Core, "Exception Frames", also for
 * .eh_frame_hdr.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "base/span.h"
#include "base/vec.h"

enum cfi_kind {
	CFI_EH_FRAME,
	CFI_DEBUG_FRAME,
};

struct cfi_cie {
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_column;
	uint8_t pointer_encoding; /* DW_EH_PE_* */
	bool is_signal;           /* a signal frame, whose pc is not a return address */
	bool has_augmentation;    /* FDEs have augmentation data before the program */
	struct span program;
};

struct cfi_fde {
	uint64_t begin, end; /* addresses as linked, before relocation */
	struct cfi_cie cie;
	struct span program;
};

struct cfi_index_entry {
	uint64_t begin;
	uint64_t offset; /* offset of the FDE in the section */
};

struct cfi {
	struct span section; /* the section's contents; the base is the section's address */
	enum cfi_kind kind;
	uint8_t word_bytes; /* size of an address in the file */
	VEC(struct cfi_index_entry) index;
};

/* The bytes of section are borrowed. The first corrupt entry and all later entries are ignored. */
void cfi_init(struct cfi *cfi, struct span section, enum cfi_kind kind, uint8_t word_bytes);

/*
 * Like cfi_init, for .eh_frame, with .eh_frame_hdr as `table`. If the table is complete, it serves
 * as the index.
 */
void cfi_init_with_table(struct cfi *cfi, struct span section, struct span table,
			 uint8_t word_bytes);
void cfi_deinit(struct cfi *cfi);

/*
 * Finds the last function that begins at or before the address. Returns false if no function begins
 * at or before the address.
 */
bool cfi_find(const struct cfi *cfi, uint64_t address, size_t *entry_ret);

/* Reads the FDE of an index entry. Returns false if the FDE is corrupt. */
bool cfi_read(const struct cfi *cfi, size_t number, struct cfi_fde *ret);

#endif
