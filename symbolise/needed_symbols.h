/* SPDX-License-Identifier: MIT */
/*
 * Finds the symbols of a large table that are needed to name certain addresses. It needs the
 * symbols that cover the addresses, some neighbours on both sides, and the functions from which
 * needed parts were split off (f for f.cold). The neighbours preserve the ends of gaps and of
 * symbols of unknown size. Omitting all other symbols does not change the names of the addresses.
 */
#ifndef SYMBOLISE_NEEDED_SYMBOLS_H
#define SYMBOLISE_NEEDED_SYMBOLS_H

#include "base/strings.h"
#include "symbolise/elf/symbol_table.h"

struct candidate_symbol {
	uint64_t start, end; /* end equals start if the size is unknown */
	struct text name;
};

/* Sets keeps[row] for the needed rows. addresses must be ascending. */
void needed_symbols_mark(const struct candidate_symbol *rows, size_t count,
			 const uint64_t *addresses, size_t address_count, bool *keeps);

/*
 * Removes symbols that are not needed from a large table that is not finished, if they are most of
 * them. The table then finishes much faster. addresses must be ascending.
 */
void needed_symbols_keep(struct symbol_table *table, const uint64_t *addresses,
			 size_t address_count);

#endif
