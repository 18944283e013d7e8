/* SPDX-License-Identifier: MIT */
/*
 * From the debug information of an ELF file to a table of inlined functions: the only user of libdw.
 * It bounds its own work, but libdw need not: this runs in a process that may be ended at any time.
 *
 *     addresses ─▶ units whose ranges they lie in ─▶ functions ─▶ tree of what is inlined ─▶ table
 */
#ifndef DWARF_READER_H
#define DWARF_READER_H

#include "dwarf/helper.h"

/* Fills and finishes an empty table; split_files as dwarf_helper_ask has it, and never NULL. */
bool dwarf_read(const struct dwarf_question *question, struct inline_table *table,
		byte_list *split_files, struct error *err) WARN_UNUSED;

#endif
