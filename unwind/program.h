/* SPDX-License-Identifier: MIT */
/*
 * Runs the program of an FDE once, and records the rules of the function as rows:
 *
 *     def_cfa rsp+8, rip at -8          0  rule 17
 *     advance 1, def_cfa_offset 16 ──▶  1  rule 40
 *     advance 9, def_cfa_offset 8      10  rule 17
 *
 * Source: DWARF 5, section 6.4.2; DWARF for the Arm 64-bit Architecture; binutils for DW_CFA_GNU_*.
 */
#ifndef UNWIND_PROGRAM_H
#define UNWIND_PROGRAM_H

#include "unwind/cfi.h"
#include "unwind/rule.h"

/*
 * Maximum number of rows of call frame information for one function. The largest functions have
 * thousands of rows.
 */
#define LIMIT_CFI_ROWS 65536u
/*
 * Maximum number of rows of one function that have rules other than offsets. Compilers make only a
 * few such rows.
 */
#define LIMIT_CFI_COMPLEX_ROWS 256u

/* A rule, and the offset in the function from which it applies. */
struct rule_row {
	uint32_t from;
	rule_id rule;
};

struct rule_rows {
	struct rule_row *at;
	size_t count, capacity;
};

/*
 * Appends the rows of a function. The first row has offset 0. If the program is corrupt or exceeds
 * a limit, RULE_NO_CFI applies to the rest of the function.
 */
void program_run(const struct cfi_fde *function, const struct machine *machine, struct rules *rules,
		 struct rule_rows *rows);

#endif
