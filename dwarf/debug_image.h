/* SPDX-License-Identifier: MIT */
/*
 * An ELF file as libdw is given it. Where sections are compressed that is an image in memory that
 * has nothing but the sections needed, unpacked: libdw would unpack all of them, and does not know
 * every compression. That of a relocatable file is an image too, in which addresses are filled in.
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
	Elf *file;            /* as it is; may be NULL when there is a memory image */
	Elf *elf;             /* for libdw: the file, or the image */
	unsigned char *bytes; /* the image, or NULL */
};

/* has_lines: sections with source lines are needed too. fd stays the caller's. */
bool debug_image_open(struct debug_image *image, int fd, bool has_lines,
		      struct error *err) WARN_UNUSED;

/* The same for a file in memory, which outlives the image. */
bool debug_image_open_memory(struct debug_image *image, struct span bytes, bool has_lines,
			     struct error *err) WARN_UNUSED;
void debug_image_close(struct debug_image *image);

/* The first section of this name that has content, or NULL. */
Elf_Scn *debug_image_find_section(Elf *elf, const char *name);
bool debug_image_has_section(Elf *elf, const char *name);

/* What libdw has read of a section of debug information, of which the name is "info" or "abbrev"; nothing
 * when there is none. */
struct span debug_image_section(Elf *elf, const char *name);

#endif
