/* SPDX-License-Identifier: MIT */
#include "unwind/step.h"

#include "unwind/expression.h"

/* The largest frame size for a guess. Functions with larger frames have call frame information. */
#define GUESS_BYTES_MAX 0x4000

static bool is_known(const struct registers *registers, unsigned number)
{
	return registers->known & MACHINE_REGISTER_BIT(number);
}

/* Returns the result of a step for which this word could not be read. */
static enum step_result missing(const struct stack_dump *copy, uint64_t address)
{
	return address >= copy->base && !copy->is_whole ? STEP_BEYOND_DUMP : STEP_IMPOSSIBLE;
}

static uint64_t narrow(const struct machine *machine, uint64_t value)
{
	return machine->word_bytes == 4 ? (uint32_t)value : value;
}

/*
 * Each step must move up the stack. The number of words in the dump therefore limits the number of
 * steps. The stack pointer may stay the same only if the frame is the innermost one, and its return
 * address is in a register.
 */
static bool is_above(const struct machine *machine, uint64_t cfa, bool is_exact,
		     const struct registers *registers)
{
	uint64_t sp = registers->value[machine->stack_pointer];

	return cfa > sp || (cfa == sp && is_exact);
}

/*
 * Sets the stack pointer and pc of the caller. The other registers are already set. known:
 * registers with a known value; found: registers that the frame saved.
 */
static enum step_result finish(const struct step_context *context, uint64_t cfa, bool is_exact,
			       uint64_t known, uint64_t found, struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t return_bit = MACHINE_REGISTER_BIT(machine->return_column);

	/*
	 * Calls overwrite the link register, so every frame except the innermost must have saved
	 * it.
	 */
	if (!(found & return_bit) &&
	    (!machine->has_link_register || !is_exact || !(registers->known & return_bit)))
		return STEP_IMPOSSIBLE;
	registers->value[machine->stack_pointer] = cfa;
	registers->known = known | return_bit | MACHINE_REGISTER_BIT(machine->stack_pointer);
	registers->pc = registers->value[machine->return_column];
	if (machine->strip)
		registers->pc = machine->strip(registers->pc, context->start);
	return STEP_TAKEN;
}

/*
 * The fast path: reads all saved registers at once. Returns false and changes nothing if some
 * registers are outside the dump. Also returns false if the word size or byte order differs from
 * the host's.
 */
static bool read_all_saved(const struct stack_dump *copy, const struct rule *rule, uint64_t cfa,
			   struct registers *registers)
{
	uint64_t offset = cfa + (uint64_t)rule->lowest_word * sizeof(uint64_t) - copy->base;
	uint64_t size_bytes =
		(uint64_t)(rule->highest_word - rule->lowest_word + 1) * sizeof(uint64_t);
	const unsigned char *lowest;

	if (UNLIKELY(copy->word_bytes != sizeof(uint64_t) || copy->swapped ||
		     offset > copy->size_bytes || copy->size_bytes - offset < size_bytes))
		return false;
	lowest = copy->bytes + offset;
	for (unsigned i = 0; i < rule->saved_count; i += RULE_SAVED_STEP)
#pragma GCC unroll 4
		for (unsigned k = i; k < i + RULE_SAVED_STEP; k++)
			memcpy(&registers->value[rule->saved[k]],
			       lowest + (rule->saved_words[k] - rule->lowest_word) *
						(ptrdiff_t)sizeof(uint64_t),
			       sizeof(uint64_t));
	return true;
}

static enum step_result step_by_words(const struct step_context *context, const struct rule *rule,
				      bool is_exact, uint64_t cfa, struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t found = 0;
	uint64_t lost = 0;

	for (unsigned i = 0; i < rule->saved_count; i++) {
		int64_t offset = (int64_t)rule->saved_words[i] * machine->word_bytes;
		uint64_t address = narrow(machine, cfa + (uint64_t)offset);
		unsigned number = rule->saved[i];

		if (LIKELY(stack_dump_word(context->copy, address, &registers->value[number])))
			found |= MACHINE_REGISTER_BIT(number);
		else if (number == machine->return_column)
			return missing(context->copy, address);
		/*
		 * Compilers do not describe how epilogues restore registers. If the slot is below
		 * the stack pointer, the epilogue has already restored the register. Keep the
		 * register's value.
		 */
		else if (address >= context->copy->base)
			lost |= MACHINE_REGISTER_BIT(number);
	}
	return finish(context, cfa, is_exact,
		      (registers->known & machine->preserved & ~lost) | found, found, registers);
}

enum step_result step_by_rule(const struct step_context *context, const struct rule *rule,
			      bool is_exact, struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t cfa;

	if (!is_known(registers, rule->cfa_register))
		return STEP_IMPOSSIBLE;
	cfa = narrow(machine, registers->value[rule->cfa_register] + (uint64_t)rule->cfa_offset);
	if (!is_above(machine, cfa, is_exact, registers))
		return STEP_IMPOSSIBLE;
	if (UNLIKELY(!read_all_saved(context->copy, rule, cfa, registers)))
		return step_by_words(context, rule, is_exact, cfa, registers);
	return finish(context, cfa, is_exact,
		      (registers->known & machine->preserved) | rule->saved_bits, rule->saved_bits,
		      registers);
}

/*
 * Evaluates the expression for the address or the value of a saved register. The stack of an
 * expression starts with the CFA.
 */
static bool evaluate(const struct step_context *context, const struct register_rule *saved,
		     uint64_t cfa, const struct registers *registers, uint64_t *ret)
{
	*ret = narrow(context->machine, cfa + (uint64_t)saved->offset);
	if (saved->kind != REGISTER_AT_EXPRESSION && saved->kind != REGISTER_IS_EXPRESSION)
		return true;
	return expression_evaluate(saved->expression, context->machine, registers, context->copy,
				   &cfa, ret);
}

/*
 * Finds the caller's value of a register. Returns false if the value is unknown. Sets *address_ret
 * if the value is on the stack.
 */
static bool find_value(const struct step_context *context, const struct cfi_row *row,
		       unsigned number, uint64_t cfa, const struct registers *registers,
		       uint64_t *ret, uint64_t *address_ret)
{
	const struct register_rule *saved = &row->registers[number];
	uint64_t value;

	switch (saved->kind) {
	case REGISTER_UNSPECIFIED:
		*ret = registers->value[number];
		return context->machine->preserved & MACHINE_REGISTER_BIT(number) &&
		       is_known(registers, number);
	case REGISTER_SAME:
		*ret = registers->value[number];
		return is_known(registers, number);
	case REGISTER_UNDEFINED:
		return false;
	case REGISTER_IN_REGISTER:
		if ((uint64_t)saved->offset >= context->machine->register_count ||
		    !is_known(registers, (unsigned)saved->offset))
			return false;
		*ret = registers->value[saved->offset];
		return true;
	case REGISTER_IS_OFFSET:
	case REGISTER_IS_EXPRESSION:
		return evaluate(context, saved, cfa, registers, ret);
	case REGISTER_AT_OFFSET:
	case REGISTER_AT_EXPRESSION:
		if (!evaluate(context, saved, cfa, registers, &value))
			return false;
		*address_ret = value;
		return stack_dump_word(context->copy, value, ret);
	}
	return false;
}

static bool find_cfa(const struct step_context *context, const struct cfi_row *row,
		     const struct registers *registers, uint64_t *ret)
{
	if (row->has_cfa_expression)
		return expression_evaluate(row->cfa_expression, context->machine, registers,
					   context->copy, NULL, ret);
	if (!is_known(registers, (unsigned)row->cfa_register))
		return false;
	*ret = narrow(context->machine,
		      registers->value[row->cfa_register] + (uint64_t)row->cfa_offset);
	return true;
}

enum step_result step_by_row(const struct step_context *context, const struct cfi_row *row,
			     bool is_exact, struct registers *registers)
{
	const struct machine *machine = context->machine;
	struct registers next = *registers;
	uint64_t known = 0;
	uint64_t found = 0;
	uint64_t cfa;

	if (!find_cfa(context, row, registers, &cfa) ||
	    !is_above(machine, cfa, is_exact, registers))
		return STEP_IMPOSSIBLE;
	for (unsigned i = 0; i < machine->register_count; i++) {
		enum register_rule_kind kind = row->registers[i].kind;
		uint64_t address = 0;

		if (find_value(context, row, i, cfa, registers, &next.value[i], &address)) {
			known |= MACHINE_REGISTER_BIT(i);
			if (kind != REGISTER_UNSPECIFIED && kind != REGISTER_SAME)
				found |= MACHINE_REGISTER_BIT(i);
		} else if (i == machine->return_column && address) {
			return missing(context->copy, address);
		}
	}
	next.known = registers->known;
	*registers = next;
	return finish(context, cfa, is_exact, known, found, registers);
}

enum step_result step_by_frame_pointer(const struct step_context *context,
				       struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t frame = registers->value[machine->frame_pointer];
	uint64_t sp = registers->value[machine->stack_pointer];
	uint64_t caller_frame, return_address, known;

	if (!is_known(registers, machine->frame_pointer) || frame < sp ||
	    frame - sp > GUESS_BYTES_MAX)
		return STEP_IMPOSSIBLE;
	if (!stack_dump_word(context->copy, frame, &caller_frame) ||
	    !stack_dump_word(context->copy, frame + machine->word_bytes, &return_address))
		return missing(context->copy, frame + machine->word_bytes);
	registers->value[machine->frame_pointer] = caller_frame;
	registers->value[machine->return_column] = return_address;
	/* All other saved registers become unknown. */
	known = MACHINE_REGISTER_BIT(machine->frame_pointer) |
		MACHINE_REGISTER_BIT(machine->return_column);
	return finish(context, frame + 2u * machine->word_bytes, false, known, known, registers);
}

bool step_from_system_call(const struct step_context *context, struct registers *registers)
{
	const struct machine *machine = context->machine;

	if (!machine->leave_system_call || !machine->leave_system_call(context->copy, registers))
		return false;
	registers->known &= machine->preserved | MACHINE_REGISTER_BIT(machine->stack_pointer);
	return true;
}

enum step_result step_from_signal(const struct step_context *context, struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t sp = registers->value[machine->stack_pointer];
	const struct signal_layout *layout = machine->find_signal_layout(context->copy, sp);
	uint64_t at = sp + (layout ? layout->first_offset : 0);
	struct registers next = { .known = 0 };

	if (!layout)
		return STEP_IMPOSSIBLE;
	for (unsigned i = 0; i < layout->count; i++) {
		if (!stack_dump_word(context->copy, at, &next.value[i]))
			return missing(context->copy, at);
		next.known |= MACHINE_REGISTER_BIT(i);
		at += (uint64_t)((int64_t)layout->words_to_next * machine->word_bytes);
	}
	if (!stack_dump_word(context->copy, sp + layout->pc_offset, &next.pc))
		return missing(context->copy, sp + layout->pc_offset);
	if (next.value[machine->stack_pointer] <= sp)
		return STEP_IMPOSSIBLE;
	*registers = next;
	return STEP_TAKEN;
}
