/* SPDX-License-Identifier: MIT */
#include "unwind/program.h"

#include "base/leb128.h"

/* Maximum nesting depth of DW_CFA_remember_state. Compilers use a depth of one or two. */
#define LIMIT_CFI_REMEMBERED 16u

/*
 * DW_CFA_*: the upper two bits are the instruction, and the lower six bits its operand. If the
 * upper two bits are 0, the lower six bits are the instruction.
 */
enum {
	HIGH_ADVANCE = 0x40,
	HIGH_OFFSET = 0x80,
	HIGH_RESTORE = 0xc0,
	HIGH_MASK = 0xc0,
};

enum instruction {
	CFA_NOP = 0x00,
	CFA_SET_LOCATION = 0x01,
	CFA_ADVANCE_8 = 0x02,
	CFA_ADVANCE_16 = 0x03,
	CFA_ADVANCE_32 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEFINE = 0x0c,
	CFA_DEFINE_REGISTER = 0x0d,
	CFA_DEFINE_OFFSET = 0x0e,
	CFA_DEFINE_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SIGNED = 0x11,
	CFA_DEFINE_SIGNED = 0x12,
	CFA_DEFINE_OFFSET_SIGNED = 0x13,
	CFA_VALUE_OFFSET = 0x14,
	CFA_VALUE_OFFSET_SIGNED = 0x15,
	CFA_VALUE_EXPRESSION = 0x16,
	/*
	 * aarch64: toggle the signing of return addresses. This instruction is ignored, because
	 * signatures are always stripped.
	 */
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGUMENTS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

struct cfi_program {
	const struct cfi_fde *function;
	const struct machine *machine;
	struct rules *rules;
	struct rule_rows *rows;
	size_t first;  /* first row of the function */
	uint64_t from; /* current offset in the function */
	struct cfi_row row, initial;
	VEC(struct cfi_row) remembered;
	uint32_t complex_count;
};

/*
 * Returns where to store the rule of a register. For a register that is not tracked, returns
 * *unused.
 */
static struct register_rule *register_rule_of(struct cfi_program *program, uint64_t number,
					      struct register_rule *unused)
{
	return number < program->machine->register_count ? &program->row.registers[number] : unused;
}

static bool emit(struct cfi_program *program)
{
	bool is_complex;
	rule_id rule = rules_intern(program->rules, program->machine, &program->row, &is_complex);
	struct rule_rows *rows = program->rows;

	program->complex_count += is_complex;
	if (program->complex_count > LIMIT_CFI_COMPLEX_ROWS ||
	    rows->count - program->first >= LIMIT_CFI_ROWS)
		return false;
	if (rows->count > program->first && rows->at[rows->count - 1].rule.i == rule.i)
		return true;
	vec_push(rows, (struct rule_row){ (uint32_t)program->from, rule });
	return true;
}

/* Ends the current row, and starts a row at a later offset. */
static bool advance(struct cfi_program *program, uint64_t units)
{
	uint64_t size_bytes = program->function->end - program->function->begin;
	uint64_t bytes, next;

	if (!units)
		return true;
	if (!emit(program) ||
	    __builtin_mul_overflow(units, program->function->cie.code_alignment, &bytes) ||
	    __builtin_add_overflow(program->from, bytes, &next) || next > size_bytes)
		return false;
	program->from = next;
	return true;
}

static bool advance_by(struct cfi_program *program, unsigned size_bytes, struct span *span)
{
	uint8_t byte;
	uint16_t half;
	uint32_t word;

	switch (size_bytes) {
	case 1:
		return span_u8(span, &byte) && advance(program, byte);
	case 2:
		return span_u16(span, &half) && advance(program, half);
	default:
		return span_u32(span, &word) && advance(program, word);
	}
}

static bool set_register(struct cfi_program *program, uint64_t number, enum register_rule_kind kind,
			 int64_t offset)
{
	struct register_rule unused;

	*register_rule_of(program, number, &unused) =
		(struct register_rule){ .kind = kind, .offset = offset };
	return true;
}

/* The offset is `units` times the data alignment. */
static bool set_offset(struct cfi_program *program, uint64_t number, enum register_rule_kind kind,
		       uint64_t units)
{
	uint64_t alignment = (uint64_t)program->function->cie.data_alignment;

	return set_register(program, number, kind, (int64_t)(units * alignment));
}

static bool read_offset(struct cfi_program *program, enum register_rule_kind kind, bool is_signed,
			struct span *span)
{
	uint64_t number, units;

	return leb128_unsigned(span, &number) && leb128_read(span, is_signed, &units) &&
	       set_offset(program, number, kind, units);
}

static bool restore(struct cfi_program *program, uint64_t number)
{
	if (number < program->machine->register_count)
		program->row.registers[number] = program->initial.registers[number];
	return true;
}

static bool read_block(struct span *span, struct span *ret)
{
	uint64_t length;

	return leb128_unsigned(span, &length) && span_sub(span, length, ret);
}

static bool read_expression(struct cfi_program *program, enum register_rule_kind kind,
			    struct span *span)
{
	struct register_rule saved = { .kind = kind };
	struct register_rule unused;
	uint64_t number;

	if (!leb128_unsigned(span, &number) || !read_block(span, &saved.expression))
		return false;
	*register_rule_of(program, number, &unused) = saved;
	return true;
}

static bool define_offset(struct cfi_program *program, bool is_signed, struct span *span)
{
	uint64_t offset;

	if (!leb128_read(span, is_signed, &offset))
		return false;
	if (is_signed)
		offset *= (uint64_t)program->function->cie.data_alignment;
	program->row.cfa_offset = (int64_t)offset;
	return true;
}

static bool define_register(struct cfi_program *program, struct span *span)
{
	program->row.has_cfa_expression = false;
	return leb128_unsigned(span, &program->row.cfa_register);
}

static bool define_expression(struct cfi_program *program, struct span *span)
{
	program->row.has_cfa_expression = true;
	return read_block(span, &program->row.cfa_expression);
}

static bool remember(struct cfi_program *program)
{
	if (program->remembered.count == LIMIT_CFI_REMEMBERED)
		return false;
	vec_push(&program->remembered, program->row);
	return true;
}

static bool recall(struct cfi_program *program)
{
	if (!program->remembered.count)
		return false;
	program->row = program->remembered.at[--program->remembered.count];
	return true;
}

/* Runs an instruction about one register. */
static bool step_register(struct cfi_program *program, uint8_t instruction, struct span *span)
{
	uint64_t number, other;

	switch (instruction) {
	case CFA_OFFSET_EXTENDED:
		return read_offset(program, REGISTER_AT_OFFSET, false, span);
	case CFA_OFFSET_EXTENDED_SIGNED:
		return read_offset(program, REGISTER_AT_OFFSET, true, span);
	case CFA_VALUE_OFFSET:
		return read_offset(program, REGISTER_IS_OFFSET, false, span);
	case CFA_VALUE_OFFSET_SIGNED:
		return read_offset(program, REGISTER_IS_OFFSET, true, span);
	case CFA_EXPRESSION:
		return read_expression(program, REGISTER_AT_EXPRESSION, span);
	case CFA_VALUE_EXPRESSION:
		return read_expression(program, REGISTER_IS_EXPRESSION, span);
	case CFA_REGISTER:
		return leb128_unsigned(span, &number) && leb128_unsigned(span, &other) &&
		       set_register(program, number, REGISTER_IN_REGISTER, (int64_t)other);
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		return leb128_unsigned(span, &number) && leb128_unsigned(span, &other) &&
		       set_offset(program, number, REGISTER_AT_OFFSET, -other);
	case CFA_RESTORE_EXTENDED:
		return leb128_unsigned(span, &number) && restore(program, number);
	case CFA_UNDEFINED:
		return leb128_unsigned(span, &number) &&
		       set_register(program, number, REGISTER_UNDEFINED, 0);
	case CFA_SAME_VALUE:
		return leb128_unsigned(span, &number) &&
		       set_register(program, number, REGISTER_SAME, 0);
	default:
		return false;
	}
}

static bool step_extended(struct cfi_program *program, uint8_t instruction, struct span *span)
{
	uint64_t ignored;

	switch (instruction) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
	case CFA_NEGATE_RA_STATE_WITH_PC:
		return true;
	case CFA_GNU_ARGUMENTS_SIZE:
		return leb128_unsigned(span, &ignored);
	case CFA_ADVANCE_8:
		return advance_by(program, 1, span);
	case CFA_ADVANCE_16:
		return advance_by(program, 2, span);
	case CFA_ADVANCE_32:
		return advance_by(program, 4, span);
	case CFA_REMEMBER_STATE:
		return remember(program);
	case CFA_RESTORE_STATE:
		return recall(program);
	case CFA_DEFINE:
		return define_register(program, span) && define_offset(program, false, span);
	case CFA_DEFINE_SIGNED:
		return define_register(program, span) && define_offset(program, true, span);
	case CFA_DEFINE_REGISTER:
		return define_register(program, span);
	case CFA_DEFINE_OFFSET:
		return define_offset(program, false, span);
	case CFA_DEFINE_OFFSET_SIGNED:
		return define_offset(program, true, span);
	case CFA_DEFINE_EXPRESSION:
		return define_expression(program, span);
	default: /* includes CFA_SET_LOCATION, which no compiler writes */
		return step_register(program, instruction, span);
	}
}

static bool run_instructions(struct cfi_program *program, struct span span)
{
	uint64_t units;
	uint8_t byte;

	while (span_u8(&span, &byte)) {
		uint8_t operand = byte & (uint8_t)~HIGH_MASK;
		bool is_good;

		switch (byte & HIGH_MASK) {
		case HIGH_ADVANCE:
			is_good = advance(program, operand);
			break;
		case HIGH_OFFSET:
			is_good = leb128_unsigned(&span, &units) &&
				  set_offset(program, operand, REGISTER_AT_OFFSET, units);
			break;
		case HIGH_RESTORE:
			is_good = restore(program, operand);
			break;
		default:
			is_good = step_extended(program, byte, &span);
			break;
		}
		if (!is_good)
			return false;
	}
	return true;
}

void program_run(const struct cfi_fde *function, const struct machine *machine, struct rules *rules,
		 struct rule_rows *rows)
{
	struct cfi_program program = {
		.function = function,
		.machine = machine,
		.rules = rules,
		.rows = rows,
		.first = rows->count,
		/* The register is invalid at first, because the program must define the CFA. */
		.row = { .is_signal = function->cie.is_signal, .cfa_register = UINT64_MAX },
	};
	bool is_good = function->cie.return_column == machine->return_column &&
		       run_instructions(&program, function->cie.program) && !program.from;

	program.initial = program.row;
	is_good = is_good && run_instructions(&program, function->program) && emit(&program);
	if (!is_good)
		vec_push(rows, (struct rule_row){ (uint32_t)program.from, RULE_ID_NO_CFI });
	vec_free(&program.remembered);
}
