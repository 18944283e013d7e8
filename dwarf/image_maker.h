/* SPDX-License-Identifier: MIT */
/*
 * An ELF file made in memory of nothing but sections, for libdw to find debug information in.
 */
#ifndef DWARF_IMAGE_MAKER_H
#define DWARF_IMAGE_MAKER_H

#include "base/vec.h"
#include "compress/codec.h"
#include "dwarf/debug_image.h"

struct image_section {
	const char *name;    /* outlives the maker, as content does */
	struct span content; /* as it is packed */
	enum codec codec;
	size_t size_bytes; /* in the image */
};

struct image_maker {
	VEC(struct image_section) sections;
	unsigned char byte_order; /* ELFDATA2LSB or ELFDATA2MSB */
	uint16_t machine;
};

/* Adds a section that is not packed. */
void image_maker_add(struct image_maker *maker, const char *name, struct span content);

/* Makes image->bytes and image->elf, unpacking sections into their places, and deinits the maker. */
bool image_maker_finish(struct image_maker *maker, struct debug_image *image,
			struct error *err) WARN_UNUSED;

void image_maker_deinit(struct image_maker *maker);

#endif
