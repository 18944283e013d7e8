/* SPDX-License-Identifier: MIT */
#include "unwind/step.h"

#include <criterion/criterion.h>

#define BASE 0x7000

/* x86-64: rbx 3, rbp 6, rsp 7, r12 to r15, return address 16. */
struct frame {
	unsigned char stack[64];
	struct stack_dump dump;
	struct registers registers;
	struct step_context context;
	struct cfi_row row;
};

/* A frame of 32 bytes with the return address above it. */
static void begin(struct frame *frame, const struct machine *machine)
{
	*frame = (struct frame){
		.dump = { .bytes = frame->stack,
			  .base = BASE,
			  .size_bytes = sizeof(frame->stack),
			  .word_bytes = machine->word_bytes },
		.registers = { .known = ~(uint64_t)0, .pc = 0x400000 },
		.row = { .cfa_register = 7, .cfa_offset = 40 },
	};
	for (unsigned i = 0; i < MACHINE_REGISTERS_MAX; i++)
		frame->registers.value[i] = 100 + i;
	frame->registers.value[7] = BASE;
	for (size_t i = 0; i < sizeof(frame->stack) / 8; i++) {
		uint64_t word = 0x400100 + i;

		memcpy(frame->stack + 8 * i, &word, 8);
	}
	frame->row.registers[16] =
		(struct register_rule){ .kind = REGISTER_AT_OFFSET, .offset = -8 };
	frame->context = (struct step_context){ machine, &frame->dump, &frame->registers };
}

static bool knows(const struct frame *frame, unsigned number)
{
	return frame->registers.known >> number & 1;
}

/* Each kind of rule for a register. */
Test(unwind_step, by_all_kinds_of_rules)
{
	/* DW_OP_plus_uconst 3, added to the CFA that is on the expression's stack. */
	static const uint8_t code[] = { 0x23, 3 };
	struct frame frame;

	begin(&frame, &machine_x86_64);
	frame.row.registers[1].kind = REGISTER_SAME;
	frame.row.registers[3].kind = REGISTER_UNDEFINED;
	frame.row.registers[12] =
		(struct register_rule){ .kind = REGISTER_IN_REGISTER, .offset = 3 };
	frame.row.registers[13] =
		(struct register_rule){ .kind = REGISTER_IN_REGISTER, .offset = 99 };
	frame.row.registers[14] =
		(struct register_rule){ .kind = REGISTER_IS_OFFSET, .offset = -16 };
	frame.row.registers[15] = (struct register_rule){
		.kind = REGISTER_IS_EXPRESSION,
		.expression = span_of(code, sizeof(code), 0, false),
	};
	cr_assert_eq(step_by_row(&frame.context, &frame.row, true, &frame.registers), STEP_TAKEN);
	cr_expect_eq(frame.registers.pc, 0x400104);
	cr_expect_eq(frame.registers.value[7], BASE + 40);
	cr_expect(knows(&frame, 1));
	cr_expect_eq(frame.registers.value[1], 101);
	cr_expect_not(knows(&frame, 3));
	cr_expect_eq(frame.registers.value[12], 103);
	cr_expect_not(knows(&frame, 13));
	cr_expect_eq(frame.registers.value[14], BASE + 24);
	cr_expect_eq(frame.registers.value[15], BASE + 43);
	/* Callee-saved registers stay, others are lost. */
	cr_expect(knows(&frame, 6));
	cr_expect_not(knows(&frame, 2));
}

Test(unwind_step, to_nowhere)
{
	struct frame frame;

	begin(&frame, &machine_x86_64);
	frame.registers.known = ~(uint64_t)0 & ~MACHINE_REGISTER_BIT(7);
	cr_expect_eq(step_by_row(&frame.context, &frame.row, true, &frame.registers),
		     STEP_IMPOSSIBLE, "the CFA is unknown");
	begin(&frame, &machine_x86_64);
	frame.row.cfa_offset = -8;
	cr_expect_eq(step_by_row(&frame.context, &frame.row, true, &frame.registers),
		     STEP_IMPOSSIBLE, "the caller's stack pointer is lower");
	begin(&frame, &machine_x86_64);
	frame.row.registers[16].kind = REGISTER_UNDEFINED;
	cr_expect_eq(step_by_row(&frame.context, &frame.row, true, &frame.registers),
		     STEP_IMPOSSIBLE, "the return address is unknown");
	begin(&frame, &machine_x86_64);
	frame.row.cfa_offset = 4096;
	cr_expect_eq(step_by_row(&frame.context, &frame.row, true, &frame.registers),
		     STEP_BEYOND_DUMP);
}

/* Without call frame information: by rbp, which must be above rsp and in the dump. */
Test(unwind_step, by_frame_pointer)
{
	static const struct {
		uint64_t frame_pointer;
		enum step_result result;
	} rows[] = {
		{ BASE + 16, STEP_TAKEN },
		{ BASE - 8, STEP_IMPOSSIBLE },
		{ BASE + 56, STEP_BEYOND_DUMP },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct frame frame;

		begin(&frame, &machine_x86_64);
		frame.registers.value[6] = rows[i].frame_pointer;
		cr_expect_eq(step_by_frame_pointer(&frame.context, &frame.registers),
			     rows[i].result, "%zu", i);
		if (rows[i].result != STEP_TAKEN)
			continue;
		cr_expect_eq(frame.registers.pc, 0x400103);
		cr_expect_eq(frame.registers.value[6], 0x400102);
		cr_expect_eq(frame.registers.value[7], BASE + 32);
		cr_expect_not(knows(&frame, 3));
	}
}
