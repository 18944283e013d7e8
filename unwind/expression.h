/* SPDX-License-Identifier: MIT */
/*
 * Expressions of DWARF, as call frame information uses them: for the stubs of a PLT, for frames
 * that were aligned, for what the kernel leaves on the stack of a signal handler. Every one ends:
 * operations are counted, whichever way they branch.
 *
 * Source: DWARF 5, section 2.5.
 */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include "unwind/machine.h"
#include "unwind/stack_copy.h"

/* first: what is on the stack of the expression at first; NULL: nothing. False where it reads what
 * is not known or was not copied, or is damaged. */
bool expression_evaluate(struct span expression, const struct machine *machine,
			 const struct registers *registers, const struct stack_copy *copy,
			 const uint64_t *first, uint64_t *ret);

#endif
