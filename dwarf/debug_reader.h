/* SPDX-License-Identifier: MIT */
/*
 * Reads the inlined functions and lines at given addresses with libdw. The reader runs in a
 * separate process, which can be killed at any time, because libdw does not limit its work.
 *
 *     addresses ─▶ units that contain them ─▶ functions ─▶ inlined functions, as a tree ─▶ table
 */
#ifndef DWARF_DEBUG_READER_H
#define DWARF_DEBUG_READER_H

#include "dwarf/helper.h"

struct dwarf_reader;

/* Opens and decompresses the files, which are borrowed. Returns NULL with err on failure. */
struct dwarf_reader *dwarf_reader_open(const struct dwarf_files *files,
				       struct error *err) WARN_UNUSED;

/*
 * Fills and finishes an empty table. May be called only once. If opener is NULL, split files are
 * not opened. split_files: as in dwarf_reading_receive, but never NULL. Returns the steps drawn
 * from the request's reserve.
 */
uint64_t dwarf_reader_answer(struct dwarf_reader *reader, const struct dwarf_request *request,
			     const struct dwarf_opener *opener, struct inline_table *table,
			     byte_list *split_files);

void dwarf_reader_close(struct dwarf_reader *reader);

#endif
