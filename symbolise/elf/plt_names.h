/* SPDX-License-Identifier: MIT */
/*
 * Names for the stubs that calls into other libraries go through. No symbol covers them; what each
 * jumps to is in its code, and whose address the loader puts there is in a relocation:
 *
 *     .plt.sec  jmp *0x2fd2(%rip) ──▶ .got 0x3fe8 ──▶ relocation of 0x3fe8: write ──▶ write@plt
 *
 * Decoding the jump works for every layout of linkers; the order of relocations would not, as
 * there may be several kinds of stub. x86-64, i386 and aarch64 are known.
 */
#ifndef SYMBOLISE_ELF_PLT_NAMES_H
#define SYMBOLISE_ELF_PLT_NAMES_H

#include "object/elf.h"
#include "symbolise/elf/symbol_table.h"

/* Adds a symbol for each stub of the file that ran. */
void plt_names_add(const struct elf_file *elf, struct symbol_table *table);

#endif
