/* SPDX-License-Identifier: MIT */
/*
 * One step: from the registers of a frame to those of its caller, by a rule.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "unwind/rule.h"
#include "unwind/stack_copy.h"

enum step_result {
	STEP_TAKEN,
	STEP_BEYOND_COPY, /* what it takes lies behind the end of the copied stack */
	STEP_IMPOSSIBLE,  /* it is not known, or cannot be right */
};

struct step_context {
	const struct machine *machine;
	const struct stack_copy *copy;
	const struct registers
		*start; /* of the innermost frame, for a machine that strips addresses */
};

/* is_exact: the frame's pc is an instruction that was to run, not a return address. When the step is
 * not taken, what is in registers is no frame's. */
enum step_result step_by_rule(const struct step_context *context, const struct rule *rule,
			      bool is_exact, struct registers *registers);
enum step_result step_by_row(const struct step_context *context, const struct row *row,
			     bool is_exact, struct registers *registers);

/* By the frame pointer, in code that tells nothing: a guess. */
enum step_result step_by_frame_pointer(const struct step_context *context,
				       struct registers *registers);

/* Out of a signal handler's return into the kernel, for machines whose vdso has that. */
enum step_result step_from_signal(const struct step_context *context, struct registers *registers);

/* Out of a system call made in the vdso, by how it leaves the stack; false: it does not look like one. */
bool step_from_system_call(const struct step_context *context, struct registers *registers);

#endif
