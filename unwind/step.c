/* SPDX-License-Identifier: MIT */
#include "unwind/step.h"

#include "unwind/expression.h"

/* A frame further up than this is none: functions with larger ones have call frame information. */
#define GUESS_BYTES_MAX 0x4000

static bool is_known(const struct registers *registers, unsigned number)
{
	return registers->known & MACHINE_REGISTER_BIT(number);
}

/* Why a word could not be read. */
static enum step_result missing(const struct stack_copy *copy, uint64_t address)
{
	return address >= copy->base && !copy->is_whole ? STEP_BEYOND_COPY : STEP_IMPOSSIBLE;
}

static uint64_t narrow(const struct machine *machine, uint64_t value)
{
	return machine->word_bytes == 4 ? (uint32_t)value : value;
}

/* Every step goes up the stack, so there can be no more of them than words in the copy. Only where
 * the return address is in a register, as before anything is pushed, the stack is the caller's. */
static bool is_above(const struct machine *machine, uint64_t cfa, bool is_exact,
		     const struct registers *registers)
{
	uint64_t sp = registers->value[machine->stack_pointer];

	return cfa > sp || (cfa == sp && is_exact);
}

/*
 * Makes registers, in which the caller's values are but for its stack pointer and pc, the caller's.
 * known: which of them are values; found: those of them that the frame had saved.
 */
static enum step_result finish(const struct step_context *context, uint64_t cfa, bool is_exact,
			       uint64_t known, uint64_t found, struct registers *registers)
{
	const struct machine *machine = context->machine;
	uint64_t return_bit = MACHINE_REGISTER_BIT(machine->return_column);

	/* Behind a call the link register has the address the call itself returned to. */
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
 * Reads all that was saved, if it was copied, and is words of this machine's: which is nearly always so.
 * Otherwise nothing has been done.
 */
static bool read_all_saved(const struct stack_copy *copy, const struct rule *rule, uint64_t cfa,
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

/* Word by word. */
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

		if (LIKELY(stack_copy_word(context->copy, address, &registers->value[number])))
			found |= MACHINE_REGISTER_BIT(number);
		else if (number == machine->return_column)
			return missing(context->copy, address);
		/* At the end of a function compilers do not say that registers have been restored. What
		 * is below the stack pointer was: the value it had there, it has again. */
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

/* The address or value of a place, which the CFA is the beginning of every expression for. */
static bool evaluate(const struct step_context *context, const struct place *place, uint64_t cfa,
		     const struct registers *registers, uint64_t *ret)
{
	*ret = narrow(context->machine, cfa + (uint64_t)place->offset);
	if (place->kind != PLACE_EXPRESSION && place->kind != PLACE_VALUE_EXPRESSION)
		return true;
	return expression_evaluate(place->expression, context->machine, registers, context->copy,
				   &cfa, ret);
}

/* What a register has in the caller; false: that is not known. *address_ret is changed when it was
 * to be read from the stack. */
static bool find_value(const struct step_context *context, const struct row *row, unsigned number,
		       uint64_t cfa, const struct registers *registers, uint64_t *ret,
		       uint64_t *address_ret)
{
	const struct place *place = &row->places[number];
	uint64_t value;

	switch (place->kind) {
	case PLACE_UNSAID:
		*ret = registers->value[number];
		return context->machine->preserved & MACHINE_REGISTER_BIT(number) &&
		       is_known(registers, number);
	case PLACE_SAME:
		*ret = registers->value[number];
		return is_known(registers, number);
	case PLACE_UNDEFINED:
		return false;
	case PLACE_REGISTER:
		if ((uint64_t)place->offset >= context->machine->register_count ||
		    !is_known(registers, (unsigned)place->offset))
			return false;
		*ret = registers->value[place->offset];
		return true;
	case PLACE_VALUE_OFFSET:
	case PLACE_VALUE_EXPRESSION:
		return evaluate(context, place, cfa, registers, ret);
	case PLACE_OFFSET:
	case PLACE_EXPRESSION:
		if (!evaluate(context, place, cfa, registers, &value))
			return false;
		*address_ret = value;
		return stack_copy_word(context->copy, value, ret);
	}
	return false;
}

static bool find_cfa(const struct step_context *context, const struct row *row,
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

enum step_result step_by_row(const struct step_context *context, const struct row *row,
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
		enum place_kind kind = row->places[i].kind;
		uint64_t address = 0;

		if (find_value(context, row, i, cfa, registers, &next.value[i], &address)) {
			known |= MACHINE_REGISTER_BIT(i);
			if (kind != PLACE_UNSAID && kind != PLACE_SAME)
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
	if (!stack_copy_word(context->copy, frame, &caller_frame) ||
	    !stack_copy_word(context->copy, frame + machine->word_bytes, &return_address))
		return missing(context->copy, frame + machine->word_bytes);
	registers->value[machine->frame_pointer] = caller_frame;
	registers->value[machine->return_column] = return_address;
	/* What else the function saved, and where, nobody knows. */
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
		if (!stack_copy_word(context->copy, at, &next.value[i]))
			return missing(context->copy, at);
		next.known |= MACHINE_REGISTER_BIT(i);
		at += (uint64_t)((int64_t)layout->words_to_next * machine->word_bytes);
	}
	if (!stack_copy_word(context->copy, sp + layout->pc_offset, &next.pc))
		return missing(context->copy, sp + layout->pc_offset);
	if (next.value[machine->stack_pointer] <= sp)
		return STEP_IMPOSSIBLE;
	*registers = next;
	return STEP_TAKEN;
}
