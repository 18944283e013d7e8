/* SPDX-License-Identifier: MIT */
/*
 * An ELF file made in memory of nothing but sections, for libdw to find debug information in.
 */
#ifndef DWARF_IMAGE_MAKER_H
#define DWARF_IMAGE_MAKER_H

#include "base/vec.h"
#include "dwarf/debug_image.h"

struct image_section {
	const char *name; /* outlives the maker */
	unsigned char *bytes;
	size_t size_bytes;
	bool is_borrowed; /* bytes are somebody else's; else memory_free is called for them */
};

struct image_maker {
	VEC(struct image_section) sections;
	unsigned char byte_order; /* ELFDATA2LSB or ELFDATA2MSB */
	uint16_t machine;
};

/* Makes image->bytes and image->elf, and frees the sections. */
bool image_maker_finish(struct image_maker *maker, struct debug_image *image,
			struct error *err) WARN_UNUSED;

void image_maker_deinit(struct image_maker *maker);

#endif
