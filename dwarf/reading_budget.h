/* SPDX-License-Identifier: MIT */
/*
 * Limits the work of reading debug information. Many entries can share one long list of ranges, and
 * many units can share one table. The work can therefore grow with the square of the file's size.
 * Readers count steps; each takes about 50 ns.
 *
 *     steps    an entry, a range, a row of a line table, 4 bytes of abbreviations, 32 bytes of a
 *              name, 64 bytes that are copied
 *     limit    of a file: 1 for each byte of .debug_*, 64 for each address
 *              of all files together: 2 million more, for files that need more than their limit
 *
 * Files that compilers write need less than half a step for each byte, even if all addresses are
 * looked up. All files of a capture share the reserve (symbolise/reading_reserve.h). The work is
 * therefore proportional to the bytes and addresses, regardless of the number of files.
 */
#ifndef DWARF_READING_BUDGET_H
#define DWARF_READING_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

/* Steps for each byte of a file's debug information, decompressed. Debug information from compilers
 * needs less than half as many steps. */
#define LIMIT_DWARF_STEPS_PER_BYTE 1u
/*
 * Steps for each byte of compressed debug information. Decompression rarely makes debug information
 * more than eight times as large.
 */
#define LIMIT_DWARF_STEPS_PER_PACKED_BYTE 8u
/* Steps for each address to look up. Any unit without a list of ranges can contain the address. */
#define LIMIT_DWARF_STEPS_PER_ADDRESS 64u

/*
 * The number of bytes of a name that can be hashed, or of any data that can be copied, in the time
 * of one step.
 */
#define DWARF_NAME_BYTES_PER_STEP 32u
#define DWARF_COPY_BYTES_PER_STEP 64u

struct reading_budget {
	uint64_t left;    /* the file's own steps */
	uint64_t reserve; /* steps that may be drawn when `left` is spent */
	uint64_t drawn;   /* steps drawn from the reserve */
	bool is_exceeded;
};

/* Spends steps. Returns false if fewer steps are left; later calls then also return false. */
static inline bool reading_budget_spend(struct reading_budget *budget, uint64_t steps)
{
	if (LIKELY(steps <= budget->left)) {
		budget->left -= steps;
		return true;
	}
	steps -= budget->left;
	budget->left = 0;
	if (steps > budget->reserve) {
		budget->reserve = 0;
		budget->is_exceeded = true;
		return false;
	}
	budget->reserve -= steps;
	budget->drawn += steps;
	return true;
}

#endif
