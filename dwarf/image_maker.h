/* SPDX-License-Identifier: MIT */
/*
 * Builds an ELF file in memory that has only sections, from which libdw reads debug information.
 */
#ifndef DWARF_IMAGE_MAKER_H
#define DWARF_IMAGE_MAKER_H

#include "base/vec.h"
#include "compress/codec.h"
#include "dwarf/debug_image.h"

struct image_section {
	const char *name;    /* borrowed, like content */
	struct span content; /* content of the section in the file; may be compressed */
	enum codec codec;
	size_t size_bytes; /* size of the section in the image */
};

/*
 * Memory that is reused for one image after another. All images in a buffer have the same first
 * section, which is copied only once. The units of a package share their strings, which may be most
 * of the bytes.
 */
struct image_buffer {
	unsigned char *bytes;
	size_t capacity_bytes;
	bool has_first; /* bytes contain the first section */
};

struct image_maker {
	VEC(struct image_section) sections;
	struct image_buffer *buffer; /* memory for one image at a time; borrowed, NULL if none */
	unsigned char byte_order;    /* ELFDATA2LSB or ELFDATA2MSB */
	uint16_t machine;
};

/* Adds a section that is not compressed. */
void image_maker_add(struct image_maker *maker, const char *name, struct span content);

/* The number of bytes that image_maker_finish will copy. */
uint64_t image_maker_copied_bytes(const struct image_maker *maker);

/*
 * Creates image->elf, with sections decompressed, and deinits the maker. The bytes are in the
 * buffer or, if there is no buffer, in image->bytes.
 */
bool image_maker_finish(struct image_maker *maker, struct debug_image *image,
			struct error *err) WARN_UNUSED;

void image_maker_deinit(struct image_maker *maker);
void image_buffer_deinit(struct image_buffer *buffer);

#endif
