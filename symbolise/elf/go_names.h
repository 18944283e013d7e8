/* SPDX-License-Identifier: MIT */
/*
 * Reads the function table of a Go program (pclntab), which stripping does not remove.
 *
 *     header | names | ... | starts: f, g, end | f: start, name ... | g: start, name ...
 *     magic     ▲                 │  └──────────────────▲    │
 *               └─────────────────┼────────────────────┼────┘
 *     text start ◀────────────────┘ (Go 1.18 and later: offsets from there)
 *
 * The table is in the section .gopclntab or, in position-independent programs, among other data.
 * The magic number selects one of four versions (Go 1.2, 1.16, 1.18, 1.20). Source: debug/gosym of
 * Go.
 */
#ifndef SYMBOLISE_ELF_GO_NAMES_H
#define SYMBOLISE_ELF_GO_NAMES_H

#include "object/elf.h"
#include "symbolise/elf/symbol_table.h"

/*
 * Adds all functions in the table. Returns false if elf does not have a table. Names are borrowed
 * from elf.
 */
bool go_names_add(const struct elf_file *elf, struct symbol_table *table);

/* Whether elf has such a table. */
bool go_names_are_in(const struct elf_file *elf);

#endif
