/* SPDX-License-Identifier: MIT */
/*
 * Relocates debug information. The kernel links a module when it loads the module. In the module's
 * file, addresses and section offsets are zero, and relocation sections list the real values:
 *
 *     .debug_info        ... 0000000000000000 ...
 *     .rela.debug_info   offset 0x42: 64 bits, .text + 0x170
 *                        ─▶ address of .text by module_layout, from DWARF_MODULE_START, + 0x170
 *
 * Source: ELF gABI, "Relocation"; the psABIs of x86-64 and AArch64.
 */
#ifndef DWARF_RELOCATION_H
#define DWARF_RELOCATION_H

#include "dwarf/debug_image.h"

/* Whether the debug information of this file must be relocated. */
bool relocation_is_needed(Elf *file);

/*
 * Applies relocations to the image of a file. Returns false if the machine of the file is not
 * supported, or if the file is corrupt.
 */
bool relocation_apply(struct debug_image *image, struct error *err) WARN_UNUSED;

#endif
