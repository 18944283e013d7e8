/* SPDX-License-Identifier: MIT */
/*
 * Which symbols of a large table name certain addresses: those that cover them, a margin of neighbours on
 * both sides, so that gaps and symbols without a size end where they did, and the functions that parts of
 * functions (f.cold) are parts of. The rest can be left out, and the addresses have the same names.
 */
#ifndef SYMBOLISE_NEEDED_SYMBOLS_H
#define SYMBOLISE_NEEDED_SYMBOLS_H

#include "base/strings.h"

struct candidate_symbol {
	uint64_t start, end; /* end: start, where the size is not known */
	struct text name;
};

/* Sets keeps[row] for the rows that are needed; addresses ascend. */
void needed_symbols_mark(const struct candidate_symbol *rows, size_t count,
			 const uint64_t *addresses, size_t address_count, bool *keeps);

#endif
