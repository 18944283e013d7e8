/* SPDX-License-Identifier: MIT */
/*
 * The portable form of an inline table: little-endian, with each text once and without unused
 * nodes. Equal tables result in equal bytes.
 */
#ifndef DWARF_TABLE_PACKING_H
#define DWARF_TABLE_PACKING_H

#include "dwarf/inline_table.h"

/* Appends a finished table. */
void inline_table_pack(const struct inline_table *table, byte_list *bytes);

/* Reads all of bytes into an empty table. On failure the table is empty. */
bool inline_table_unpack(struct inline_table *table, struct span bytes,
			 struct error *err) WARN_UNUSED;

/*
 * Swaps a written table between the host's byte order and the opposite order. is_native: the table
 * is in the host's order. Only big-endian hosts need this function.
 */
void inline_table_swap(unsigned char *at, size_t size_bytes, bool is_native);

#endif
