/* SPDX-License-Identifier: MIT */
/*
 * The table that a Go program has of its own functions, for its tracebacks; stripping leaves it in.
 *
 *     header | names | ... | starts: f, g, end | f: start, name ... | g: start, name ...
 *     magic     ▲                 │  └──────────────────▲    │
 *               └─────────────────┼────────────────────┼────┘
 *     text start ◀────────────────┘ (Go 1.18 and later: offsets from there)
 *
 * It is in a section .gopclntab, or, in programs that can lie anywhere, among other data. Of its four
 * forms (Go 1.2, 1.16, 1.18, 1.20) the magic number tells which it is. (As debug/gosym of Go has it.)
 */
#ifndef SYMBOLISE_ELF_GO_NAMES_H
#define SYMBOLISE_ELF_GO_NAMES_H

#include "object/elf.h"
#include "symbolise/elf/symbol_table.h"

/* Adds all functions of elf's table; false when it has none. Names live as long as elf is open. */
bool go_names_add(const struct elf_file *elf, struct symbol_table *table);

/* Whether there is such a table. */
bool go_names_are_in(const struct elf_file *elf);

#endif
