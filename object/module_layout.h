/* SPDX-License-Identifier: MIT */
/*
 * Computes the addresses at which the kernel loads the code of a module. A module's file is
 * relocatable: its sections have no addresses, and symbols are relative to their sections. The
 * kernel places the code sections, aligned, in the order of the file. The kernel loads
 * initialisation sections in another place:
 *
 *     file      .text   .init.text   .exit.text   .data
 *     memory    .text   .exit.text                          from the recorded address on
 */
#ifndef OBJECT_MODULE_LAYOUT_H
#define OBJECT_MODULE_LAYOUT_H

#include "object/elf.h"

/* The size of the code as loaded. */
uint64_t module_layout_bytes(const struct elf_file *elf);

/*
 * Sets the address of each code section, relative to the module's start. Other sections are marked
 * as not loaded, so that their symbols are ignored.
 */
void module_layout_place(struct elf_file *elf);

#endif
