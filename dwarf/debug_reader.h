/* SPDX-License-Identifier: MIT */
/*
 * From the debug information of an ELF file to a table of inlined functions: the only user of libdw.
 * It bounds its own work, but libdw need not: this runs in a process that may be ended at any time.
 *
 *     addresses ─▶ units whose ranges they lie in ─▶ functions ─▶ tree of what is inlined ─▶ table
 */
#ifndef DWARF_DEBUG_READER_H
#define DWARF_DEBUG_READER_H

#include "dwarf/helper.h"

struct dwarf_reader;

/* Opens and unpacks; files outlive the reader. NULL: err is set. */
struct dwarf_reader *dwarf_reader_open(const struct dwarf_files *files,
				       struct error *err) WARN_UNUSED;

/* Fills and finishes an empty table; split_files as dwarf_reading_hear has it, and never NULL. To be asked
 * once. */
void dwarf_reader_answer(struct dwarf_reader *reader, const struct dwarf_question *question,
			 struct inline_table *table, byte_list *split_files);

void dwarf_reader_close(struct dwarf_reader *reader);

#endif
