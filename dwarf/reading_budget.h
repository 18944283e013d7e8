/* SPDX-License-Identifier: MIT */
/*
 * How much work one file's debug information may take. Many entries may share one long list of
 * ranges, and many units one table of abbreviations or lines. The work can therefore grow with the
 * square of the file's size. Readers count steps; each takes about 50 ns.
 *
 *     steps    an entry, a range, a row of a line table, 4 bytes of abbreviations
 *     limit    16384 + 8 for each byte of .debug_* + 64 for each address
 *
 * Files that compilers write need less than one step for each byte. A run's work is therefore
 * proportional to the debug information and the addresses, whatever the number of files.
 */
#ifndef DWARF_READING_BUDGET_H
#define DWARF_READING_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

/* Steps for any file. Starting its process takes as long. */
#define LIMIT_DWARF_STEPS 16384u
/* Steps for each byte of a file's debug information, decompressed. Compilers need less than one. */
#define LIMIT_DWARF_STEPS_PER_BYTE 8u
/* Steps for each byte of compressed debug information, which rarely shrinks to less than an eighth.
 * */
#define LIMIT_DWARF_STEPS_PER_PACKED_BYTE 64u
/* Steps for each address to look up: the address may be in any unit that does not list its ranges.
 * */
#define LIMIT_DWARF_STEPS_PER_ADDRESS 64u

struct reading_budget {
	uint64_t left;
	uint64_t used;
	bool is_exceeded;
};

/* Spends steps. False if fewer are left; later calls then also return false. */
static inline bool reading_budget_spend(struct reading_budget *budget, uint64_t steps)
{
	if (UNLIKELY(steps > budget->left)) {
		budget->left = 0;
		budget->is_exceeded = true;
		return false;
	}
	budget->left -= steps;
	budget->used += steps;
	return true;
}

#endif
