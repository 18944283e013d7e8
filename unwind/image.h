/* SPDX-License-Identifier: MIT */
/*
 * The parts of a file that unwinding needs: call frame information and segments. The copies allow
 * the file to be closed. An image is immutable, and all threads share it.
 *
 *     offset in the file ── segments ──▶ address ── .eh_frame, else .debug_frame ──▶ function
 */
#ifndef UNWIND_IMAGE_H
#define UNWIND_IMAGE_H

#include "object/elf.h"
#include "unwind/cfi.h"

/* The file's .eh_frame and .debug_frame, and the .debug_frame of its separate debug file. */
#define IMAGE_CFI_MAX 3

struct image_segment {
	uint64_t file_offset, file_bytes, address;
};

/* PLT stubs, for which some linkers do not write call frame information. */
struct image_stubs {
	uint64_t start, end;
	bool is_lazy; /* for lazy binding, a stub pushes its relocation index after its jump */
};

#define IMAGE_STUBS_MAX 4

struct image {
	uint16_t elf_machine;
	bool is_vdso;
	VEC(struct image_segment) segments; /* segments with code */
	struct cfi cfi[IMAGE_CFI_MAX];
	unsigned char *bytes[IMAGE_CFI_MAX]; /* contents of the sections; owned */
	unsigned cfi_count;
	struct image_stubs stubs[IMAGE_STUBS_MAX];
	unsigned stub_count;
};

/* Copies the needed parts of both files. debug_file may be NULL, or the same as file. */
void image_init(struct image *image, const struct elf_file *file,
		const struct elf_file *debug_file);
void image_deinit(struct image *image);

/* Converts a file offset to an address. Returns false if no code segment contains the offset. */
bool image_address(const struct image *image, uint64_t offset, uint64_t *ret);

/* Whether the address is in a PLT stub, before the stub pushes anything. */
bool image_is_in_stub(const struct image *image, uint64_t address);

#endif
