/* SPDX-License-Identifier: MIT */
/*
 * The functions that were inlined at a module's places, from the debug information of its files:
 *
 *     addresses of places ─▶ dwarf/helper: a table ─▶ for each place a chain of functions
 *
 * A file without debug information is not looked at any further.
 */
#ifndef SYMBOLISE_INLINES_H
#define SYMBOLISE_INLINES_H

#include "symbolise/elf_names.h"
#include "symbolise/source.h"

/* Fills the frames of the naming's results. convert as naming_table has it. */
void inlines_find(struct naming_job *job, struct naming *naming, const struct elf_pair *pair,
		  naming_convert *convert, const void *convert_context);

#endif
