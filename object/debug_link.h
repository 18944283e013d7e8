/* SPDX-License-Identifier: MIT */
/*
 * What an ELF file says of other files that belong to it: where its symbols went when it was
 * stripped, and where the debug information went that dwz found in several files.
 *
 *     app  .gnu_debuglink: app.debug, CRC 1234       app.debug  .gnu_debugaltlink: common, build-id
 *      └───────────────────────────▶ app.debug        └──────────────────────────▶ .dwz/common
 */
#ifndef OBJECT_DEBUG_LINK_H
#define OBJECT_DEBUG_LINK_H

#include "object/elf.h"

/* .gnu_debuglink, as GDB's manual has it: a name, padding, a CRC-32 in the file's byte order. */
struct debug_link {
	struct text name; /* of a file, without folders; lives as long as elf is open */
	uint32_t crc;     /* of the whole file of that name */
};

/* False when there is none, or none that makes sense. */
bool debug_link_read(const struct elf_file *elf, struct debug_link *ret);

/* .gnu_debugaltlink: a path, absolute or from the folder of the file itself, and a build-id. */
struct debug_supplement {
	struct text path; /* lives as long as elf is open */
	struct build_id build_id;
};

bool debug_link_read_supplement(const struct elf_file *elf, struct debug_supplement *ret);

/* The CRC-32 of all bytes of a file, whatever the descriptor's position. */
bool debug_link_crc(int fd, uint32_t *ret, struct error *err) WARN_UNUSED;
uint32_t debug_link_crc_of(const unsigned char *bytes, size_t size_bytes);

#endif
