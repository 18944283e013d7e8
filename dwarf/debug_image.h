/* SPDX-License-Identifier: MIT */
/*
 * An ELF file in the form that libdw gets. If sections are compressed, this is an image in memory
 * with only the sections needed, decompressed: libdw would decompress all, and does not know all
 * codecs. A relocatable file is also replaced by an image, with its relocations applied.
 *
 *     file     |hdr| .text | .debug_info (zstd) | .debug_loclists (zstd) | .debug_str (zstd) | ...
 *     image    |hdr| .debug_info ........ | .debug_str ... | names | section headers
 */
#ifndef DWARF_DEBUG_IMAGE_H
#define DWARF_DEBUG_IMAGE_H

#include <libelf.h>

#include "base/error.h"
#include "base/span.h"

struct debug_image {
	Elf *file;            /* the file itself; may be NULL if there is an image */
	Elf *elf;             /* for libdw: file or image */
	unsigned char *bytes; /* the image, or NULL */
};

/* has_lines: sections with source lines are needed, too. fd is borrowed. */
bool debug_image_open(struct debug_image *image, int fd, bool has_lines,
		      struct error *err) WARN_UNUSED;

/* The same for a file in memory; bytes are borrowed. */
bool debug_image_open_memory(struct debug_image *image, struct span bytes, bool has_lines,
			     struct error *err) WARN_UNUSED;
void debug_image_close(struct debug_image *image);

/* The first section with this name that is not empty, or NULL. */
Elf_Scn *debug_image_find_section(Elf *elf, const char *name);
bool debug_image_has_section(Elf *elf, const char *name);

/* The size of all sections of debug information, as they are in the file. */
uint64_t debug_image_bytes(Elf *elf);

/*
 * The bytes that libdw reads of a section of debug information, named "info" or "abbrev"; empty if
 * there is none.
 */
struct span debug_image_section(Elf *elf, const char *name);

#endif
