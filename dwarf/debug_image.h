/* SPDX-License-Identifier: MIT */
/*
 * A debug image is the form in which libdw gets an ELF file. If sections are compressed, the image
 * is an ELF file in memory with only the needed sections, decompressed. libdw itself would
 * decompress all sections, and does not support all codecs. For a relocatable file, relocations are
 * already applied to the image.
 *
 *     file     |hdr| .text | .debug_info (zstd) | .debug_loclists (zstd) | .debug_str (zstd) | ...
 *     image    |hdr| .debug_info ........ | .debug_str ... | names | section headers
 */
#ifndef DWARF_DEBUG_IMAGE_H
#define DWARF_DEBUG_IMAGE_H

#include <libelf.h>

#include "base/error.h"
#include "base/span.h"

/* The sections that kiln reads itself. libdw finds its own sections. */
enum debug_section {
	DEBUG_ABBREV,
	DEBUG_ADDR,
	DEBUG_ARANGES,
	DEBUG_CU_INDEX,
	DEBUG_INFO,
	DEBUG_LINE,
	DEBUG_RANGES,
	DEBUG_RNGLISTS,
	DEBUG_STR,
	DEBUG_STR_OFFSETS,
	DEBUG_SECTION_COUNT
};

struct debug_image {
	Elf *file;            /* the original file; may be NULL if there is an image */
	Elf *elf;             /* the ELF file that libdw reads: file or image */
	unsigned char *bytes; /* the image, or NULL */
	/* The bytes of the sections; empty if a section is missing. */
	struct span sections[DEBUG_SECTION_COUNT];
	struct span split_sections[DEBUG_SECTION_COUNT]; /* .dwo */
};

/* Opens a file; fd is borrowed. has_lines: sections with source lines are also needed. */
bool debug_image_open(struct debug_image *image, int fd, bool has_lines,
		      struct error *err) WARN_UNUSED;

/* Like debug_image_open, for a file in memory; bytes are borrowed. */
bool debug_image_open_memory(struct debug_image *image, struct span bytes, bool has_lines,
			     struct error *err) WARN_UNUSED;
void debug_image_close(struct debug_image *image);

/* The first non-empty section with this name, or NULL. */
Elf_Scn *debug_image_find_section(Elf *elf, const char *name);
bool debug_image_has_section(Elf *elf, const char *name);

/*
 * Finds the sections of an open image. If libdw opens the image at all, it must do so before this
 * call, because it decompresses .zdebug sections in place.
 */
void debug_image_find_sections(struct debug_image *image);

/* The number of steps (dwarf/reading_budget.h) that the size of an image's debug information
 * allows. 0 if the image is not open. */
uint64_t debug_image_steps(const struct debug_image *image);

/*
 * Returns the section that libdw reads: the plain section or, if there is none, the .dwo section.
 */
static inline struct span debug_image_section(const struct debug_image *image,
					      enum debug_section section)
{
	const struct span *usual = &image->sections[section];

	return span_left(usual) ? *usual : image->split_sections[section];
}

#endif
