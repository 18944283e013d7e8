/* SPDX-License-Identifier: MIT */
/*
 * What loaders make of a file's program headers, to tell it from another of its name: a mapping of
 * its code begins and ends where one of its segments does, rounded to pages.
 *
 *     file     |    |  code, to run   |       |
 *     mapped      |.........................|          whole pages of 4 to 64 KiB
 */
#ifndef OBJECT_ELF_LAYOUT_H
#define OBJECT_ELF_LAYOUT_H

#include "object/elf.h"

/*
 * Whether a program loader may have mapped size_bytes from this offset of the file to be run: they
 * lie in a segment of code, or begin with the first segment, with which loaders reserve room for all.
 * Pages may be of any size. A file without segments may be mapped anyhow.
 */
bool elf_layout_may_map(const struct elf_file *elf, uint64_t offset, uint64_t size_bytes);

/* The same by address, for a separate debug file, whose segments have lost their place. */
bool elf_layout_may_lie_at(const struct elf_file *elf, uint64_t address, uint64_t size_bytes);

#endif
