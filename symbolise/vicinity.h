/* SPDX-License-Identifier: MIT */
/*
 * Which symbols of a large table name certain addresses: those that cover them, a margin of neighbours on
 * both sides, so that gaps and symbols without a size end where they did, and the functions that parts of
 * functions (f.cold) are parts of. The rest can be left out, and the addresses have the same names.
 */
#ifndef SYMBOLISE_VICINITY_H
#define SYMBOLISE_VICINITY_H

#include "base/strings.h"

struct vicinity_row {
	uint64_t start, end; /* end: start, where the size is not known */
	struct text name;
};

/* Sets keeps[row] for the rows that are needed; addresses ascend. */
void vicinity_mark(const struct vicinity_row *rows, size_t count, const uint64_t *addresses,
		   size_t address_count, bool *keeps);

#endif
