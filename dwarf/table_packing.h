/* SPDX-License-Identifier: MIT */
/*
 * A table of inlined functions and lines as a file carries it to other machines: little-endian, with each
 * text once and without the nodes that no segment leads to. Equal tables give equal bytes.
 */
#ifndef DWARF_TABLE_PACKING_H
#define DWARF_TABLE_PACKING_H

#include "dwarf/inline_table.h"

/* Appends a finished table. */
void inline_table_pack(const struct inline_table *table, byte_list *bytes);

/* Reads all of bytes into an empty table. On failure the table is empty. */
bool inline_table_unpack(struct inline_table *table, struct span bytes,
			 struct error *err) WARN_UNUSED;

#endif
