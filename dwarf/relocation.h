/* SPDX-License-Identifier: MIT */
/*
 * What a linker would still have to fill in. In the debug information of a kernel module, which the kernel
 * links when it loads it, addresses and places in other sections are zero, and stand beside it:
 *
 *     .debug_info        ... 0000000000000000 ...
 *     .rela.debug_info   offset 0x42: 64 bits, .text + 0x170
 *                        ─▶ where module_layout puts .text, DWARF_MODULE_START, + 0x170
 *
 * Source: ELF gABI, "Relocation"; the psABIs of x86-64 and AArch64.
 */
#ifndef DWARF_RELOCATION_H
#define DWARF_RELOCATION_H

#include "dwarf/debug_image.h"

/* Whether debug information of this file is of no use as it is. */
bool relocation_is_needed(Elf *file);

/* Fills it in, in the image of the file. False: how is not known for its machine, or the file is damaged. */
bool relocation_apply(struct debug_image *image, struct error *err) WARN_UNUSED;

#endif
