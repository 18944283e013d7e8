/* SPDX-License-Identifier: MIT */
/*
 * Reads the links from an ELF file to separate debug files. One link leads to the debug file that
 * strip created from the ELF file. The other leads to a supplementary dwz file, which contains
 * debug information that several files share.
 *
 *     app  .gnu_debuglink: app.debug, CRC 1234       app.debug  .gnu_debugaltlink: common, build-id
 *      └───────────────────────────▶ app.debug        └──────────────────────────▶ .dwz/common
 */
#ifndef OBJECT_DEBUG_LINK_H
#define OBJECT_DEBUG_LINK_H

#include "object/elf.h"

/*
 * .gnu_debuglink (GDB manual, "Separate Debug Files"): a name, padding, a CRC-32 in the file's byte
 * order.
 */
struct debug_link {
	struct text name; /* base name; valid while elf is open */
	uint32_t crc;     /* CRC of the whole debug file */
};

/* Reads the link. Returns false if there is no link, or if the link is corrupt. */
bool debug_link_read(const struct elf_file *elf, struct debug_link *ret);

/* .gnu_debugaltlink: a path, absolute or relative to the directory of the file, and a build-id. */
struct debug_supplement {
	struct text path; /* valid while elf is open */
	struct build_id build_id;
};

bool debug_link_read_supplement(const struct elf_file *elf, struct debug_supplement *ret);

/* The CRC-32 of a whole file. Does not move the file position. */
bool debug_link_crc(int fd, uint32_t *ret, struct error *err) WARN_UNUSED;
uint32_t debug_link_crc_of(const unsigned char *bytes, size_t size_bytes);

#endif
