/* SPDX-License-Identifier: MIT */
/*
 * Whether "parse.cold" is a part of parse that the compiler put elsewhere, or a function cold of a
 * package parse, as Go, Zig and others call it: the first has parse beside it in the same file.
 */
#ifndef SYMBOLISE_DEMANGLE_PART_NAMES_H
#define SYMBOLISE_DEMANGLE_PART_NAMES_H

#include "symbolise/elf/symbol_table.h"

/* Sets is_whole of all that look like parts and are parts of nothing. */
void part_names_mark(struct symbol_table *table);

#endif
