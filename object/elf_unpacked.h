/* SPDX-License-Identifier: MIT */
/* What the files that read ELF share: names in tables, and sections unpacked so far. */
#ifndef OBJECT_ELF_UNPACKED_H
#define OBJECT_ELF_UNPACKED_H

#include "object/elf.h"

struct elf_unpacked *elf_unpacked_create(void);
void elf_unpacked_destroy(struct elf_unpacked *unpacked);

/* The name at offset; false when it does not end inside the table. It is looked for no further than
 * names can be long: many could overlap. */
bool elf_name_at(struct text names, uint64_t offset, struct text *ret);

#endif
