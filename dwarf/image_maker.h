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
	struct span content; /* as in the file; may be compressed */
	enum codec codec;
	size_t size_bytes; /* in the image */
};

struct image_maker {
	VEC(struct image_section) sections;
	unsigned char byte_order; /* ELFDATA2LSB or ELFDATA2MSB */
	uint16_t machine;
};

/* Adds a section that is not compressed. */
void image_maker_add(struct image_maker *maker, const char *name, struct span content);

/* Creates image->bytes and image->elf, with sections decompressed, and deinits the maker. */
bool image_maker_finish(struct image_maker *maker, struct debug_image *image,
			struct error *err) WARN_UNUSED;

void image_maker_deinit(struct image_maker *maker);

#endif
