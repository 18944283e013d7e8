/* SPDX-License-Identifier: MIT */
/*
 * The ways in which sections of debug information are compressed, and undoing it. These are whole,
 * and say how large they are when they are not: so they are unpacked at once, to where they are
 * wanted. Source: ELF gABI, "Section Compression".
 */
#ifndef COMPRESS_SECTION_PACKING_H
#define COMPRESS_SECTION_PACKING_H

#include "base/span.h"

enum section_packing {
	SECTION_PLAIN,
	SECTION_ZLIB,
	SECTION_ZSTD,
	SECTION_PACKING_UNKNOWN,
};

/* By ch_type of the section's Elf32_Chdr or Elf64_Chdr. */
enum section_packing section_packing_of(uint32_t compression_type);

/* Writes exactly size_bytes to `to`; false when packed is damaged or of another size, or when kiln was
 * built without what reads it. */
bool section_unpack(enum section_packing packing, struct span packed, unsigned char *to,
		    size_t size_bytes);

#endif
