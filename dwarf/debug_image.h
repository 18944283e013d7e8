/* SPDX-License-Identifier: MIT */
/*
 * The form in which libdw gets an ELF file. If sections are compressed, this is an image in memory,
 * with only the needed sections, decompressed. libdw would decompress all sections, and does not
 * support all codecs. For a relocatable file, it is an image to which relocations were applied.
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
	Elf *file;            /* the original file; may be NULL if there is an image */
	Elf *elf;             /* for libdw: file or image */
	unsigned char *bytes; /* the image, or NULL */
};

/* Opens a file; fd is borrowed. has_lines: sections with source lines are also needed. */
bool debug_image_open(struct debug_image *image, int fd, bool has_lines,
		      struct error *err) WARN_UNUSED;

/* The same for a file in memory; bytes are borrowed. */
bool debug_image_open_memory(struct debug_image *image, struct span bytes, bool has_lines,
			     struct error *err) WARN_UNUSED;
void debug_image_close(struct debug_image *image);

/* The first section with this name that is not empty, or NULL. */
Elf_Scn *debug_image_find_section(Elf *elf, const char *name);
bool debug_image_has_section(Elf *elf, const char *name);

/* How many steps of reading_budget.h the bytes of an image's debug information allow. 0 if it is
 * not open. */
uint64_t debug_image_steps(const struct debug_image *image);

/*
 * The bytes of the section that libdw reads for a name such as "info" or "abbrev"; empty if there
 * is none.
 */
struct span debug_image_section(Elf *elf, const char *name);

#endif
