/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a recorded mapping fits a file's program headers, to rule out other files with the
 * same name. Loaders map code by segment, rounded to pages.
 *
 *     file     |    |  code segment   |       |
 *     mapped      |.........................|          whole pages of 4 to 64 KiB
 */
#ifndef OBJECT_ELF_LAYOUT_H
#define OBJECT_ELF_LAYOUT_H

#include "object/elf.h"

/*
 * Whether a loader may have mapped size_bytes from this offset as code. The bytes must be in a code
 * segment. Bytes from the start of the first segment on may extend over all segments, because
 * loaders first map the whole file. Supports pages of 4 to 64 KiB. Returns true for a file without
 * segments.
 */
bool elf_layout_may_map(const struct elf_file *elf, uint64_t offset, uint64_t size_bytes);

/*
 * Like elf_layout_may_map, but for an address instead of a file offset. This function is for
 * separate debug files, whose file offsets are invalid.
 */
bool elf_layout_may_lie_at(const struct elf_file *elf, uint64_t address, uint64_t size_bytes);

#endif
