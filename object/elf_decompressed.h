/* SPDX-License-Identifier: MIT */
/*
 * Code shared by the sources that read ELF: names in string tables, and the cache of decompressed
 * sections.
 */
#ifndef OBJECT_ELF_DECOMPRESSED_H
#define OBJECT_ELF_DECOMPRESSED_H

#include "object/elf.h"

struct elf_decompressed *elf_decompressed_create(void);
void elf_decompressed_destroy(struct elf_decompressed *unpacked);

/*
 * The name at an offset. Returns false if the name does not end within the table. The name is
 * truncated to LIMIT_SYMBOL_BYTES, because many long names may overlap.
 */
bool elf_name_at(struct text names, uint64_t offset, struct text *ret);

#endif
