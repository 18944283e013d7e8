/* SPDX-License-Identifier: MIT */
/*
 * Evaluates DWARF expressions in call frame information. Such expressions describe PLT stubs,
 * realigned frames and signal frames. The number of operations is limited, so that every evaluation
 * ends.
 *
 * Source: DWARF 5, section 2.5.
 */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include "unwind/machine.h"
#include "unwind/stack_dump.h"

/* Maximum number of values on the stack of a DWARF expression. A PLT needs 3. */
#define LIMIT_EXPRESSION_STACK 64u

/*
 * first: the initial value on the stack; NULL for an empty stack. Returns false if the expression
 * is corrupt, or needs memory outside the dump or the value of an unknown register.
 */
bool expression_evaluate(struct span expression, const struct machine *machine,
			 const struct registers *registers, const struct stack_dump *copy,
			 const uint64_t *first, uint64_t *ret);

#endif
