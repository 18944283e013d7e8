/* SPDX-License-Identifier: MIT */
/*
 * The programs of call frame information, run once for a function and written down as rows:
 *
 *     def_cfa rsp+8, rip at -8          0  rule 17
 *     advance 1, def_cfa_offset 16 ──▶  1  rule 40
 *     advance 9, def_cfa_offset 8      10  rule 17
 *
 * Source: DWARF 5, section 6.4.2; DWARF for the Arm 64-bit Architecture; GNU as for its own ones.
 */
#ifndef UNWIND_PROGRAM_H
#define UNWIND_PROGRAM_H

#include "unwind/cfi.h"
#include "unwind/rule.h"

/* From this many bytes behind the beginning of a function on. */
struct rule_row {
	uint32_t from;
	rule_id rule;
};

struct rule_rows {
	struct rule_row *at;
	size_t count, capacity;
};

/*
 * Appends the rows of a function to rows, its first from 0 on. Where its program is damaged, or asks
 * for more than limits.h allows, the rest of the function has a row of RULE_NO_CFI.
 */
void program_run(const struct cfi_function *function, const struct machine *machine,
		 struct rules *rules, struct rule_rows *rows);

#endif
