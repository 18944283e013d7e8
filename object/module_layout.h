/* SPDX-License-Identifier: MIT */
/*
 * Where the kernel puts the code of a module when it loads it. A module's file is relocatable: its
 * sections have no addresses, and symbols count from their sections. The kernel lays out those with code
 * in the order of the file, each aligned as it asks, but for what is only needed to initialise:
 *
 *     file      .text   .init.text   .exit.text   .data
 *     memory    .text   .exit.text                          from the address that captures tell
 */
#ifndef OBJECT_MODULE_LAYOUT_H
#define OBJECT_MODULE_LAYOUT_H

#include "object/elf.h"

/* How many bytes of code the kernel would load. */
uint64_t module_layout_bytes(const struct elf_file *elf);

/*
 * Gives each section of code its address from the module's beginning. Sections that have none by that are
 * no longer called loaded, so that their symbols name nothing.
 */
void module_layout_place(struct elf_file *elf);

#endif
