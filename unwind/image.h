/* SPDX-License-Identifier: MIT */
/*
 * What one file tells of the frames of its functions, taken out of it so that the file can be closed:
 * its call frame information, and which of its bytes lie at which address. Never changes, so that all
 * threads read the same one.
 *
 *     offset in the file ── segments ──▶ address ── .eh_frame, else .debug_frame ──▶ function
 */
#ifndef UNWIND_IMAGE_H
#define UNWIND_IMAGE_H

#include "object/elf.h"
#include "unwind/cfi.h"

/* .eh_frame of the file; .debug_frame of it, and of its separate debug file. */
#define IMAGE_CFI_MAX 3

struct image_segment {
	uint64_t file_offset, file_bytes, address;
};

/* Stubs that jump to functions of other files, of which some linkers say nothing. */
struct image_stubs {
	uint64_t start, end;
	bool is_lazy; /* behind their jump they push what the dynamic linker is to look up */
};

#define IMAGE_STUBS_MAX 4

struct image {
	uint16_t elf_machine;
	bool is_vdso;
	VEC(struct image_segment) segments; /* of code */
	struct cfi cfi[IMAGE_CFI_MAX];
	unsigned char *bytes[IMAGE_CFI_MAX]; /* of the sections */
	unsigned cfi_count;
	struct image_stubs stubs[IMAGE_STUBS_MAX];
	unsigned stub_count;
};

/* debug_file may be NULL, or the same. */
void image_init(struct image *image, const struct elf_file *file,
		const struct elf_file *debug_file);
void image_deinit(struct image *image);

/* The address that is at this offset of the file; false: no code. */
bool image_address(const struct image *image, uint64_t offset, uint64_t *ret);

/* Whether the address is in a stub that has put nothing on the stack yet. */
bool image_is_in_stub(const struct image *image, uint64_t address);

#endif
