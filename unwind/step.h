/* SPDX-License-Identifier: MIT */
/*
 * Takes one step of unwinding by a rule: from the registers of a frame to the registers of its
 * caller.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "unwind/rule.h"
#include "unwind/stack_dump.h"

enum step_result {
	STEP_TAKEN,
	STEP_BEYOND_DUMP, /* needs stack memory beyond the dump */
	STEP_IMPOSSIBLE,  /* needs an unknown value, or results in an impossible value */
};

struct step_context {
	const struct machine *machine;
	const struct stack_dump *copy;
	/* registers of the innermost frame, which machine->strip needs */
	const struct registers *start;
};

/*
 * Steps by a rule, and replaces the registers with those of the caller. is_exact: pc is the next
 * instruction, not a return address. Unless the result is STEP_TAKEN, the contents of registers are
 * undefined afterwards.
 */
enum step_result step_by_rule(const struct step_context *context, const struct rule *rule,
			      bool is_exact, struct registers *registers);
enum step_result step_by_row(const struct step_context *context, const struct cfi_row *row,
			     bool is_exact, struct registers *registers);

/* Guesses the caller of code without call frame information, assuming a frame pointer. */
enum step_result step_by_frame_pointer(const struct step_context *context,
				       struct registers *registers);

/* Steps from the signal trampoline in the vdso to the interrupted function. */
enum step_result step_from_signal(const struct step_context *context, struct registers *registers);

/*
 * Steps out of the vdso function that enters the kernel. Returns false if the stack does not match
 * this function.
 */
bool step_from_system_call(const struct step_context *context, struct registers *registers);

#endif
