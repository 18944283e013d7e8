/* SPDX-License-Identifier: MIT */
#include "unwind/program.h"

#include "base/leb128.h"
#include "base/limits.h"

/* The upper two bits of an instruction, whose operand are the other six; or 0, and those say which. */
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
	/* aarch64: signing of return addresses begins or ends; they are stripped in any case. */
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGUMENTS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

struct run {
	const struct cfi_function *function;
	const struct machine *machine;
	struct rules *rules;
	struct rule_rows *rows;
	size_t first;  /* of the function's rows */
	uint64_t from; /* bytes behind the function's beginning */
	struct row row, initial;
	VEC(struct row) remembered;
	uint32_t complex_count;
};

/* A register beyond those that are followed is a place all the same, which nobody looks at. */
static struct place *place_of(struct run *run, uint64_t number, struct place *unused)
{
	return number < run->machine->register_count ? &run->row.places[number] : unused;
}

static bool emit(struct run *run)
{
	bool is_complex;
	rule_id rule = rules_intern(run->rules, run->machine, &run->row, &is_complex);
	struct rule_rows *rows = run->rows;

	run->complex_count += is_complex;
	if (run->complex_count > LIMIT_CFI_COMPLEX_ROWS ||
	    rows->count - run->first >= LIMIT_CFI_ROWS)
		return false;
	if (rows->count > run->first && rows->at[rows->count - 1].rule.i == rule.i)
		return true;
	vec_push(rows, (struct rule_row){ (uint32_t)run->from, rule });
	return true;
}

/* The row so far holds up to there. */
static bool advance(struct run *run, uint64_t units)
{
	uint64_t size_bytes = run->function->end - run->function->begin;
	uint64_t bytes, next;

	if (!units)
		return true;
	if (!emit(run) ||
	    __builtin_mul_overflow(units, run->function->common.code_alignment, &bytes) ||
	    __builtin_add_overflow(run->from, bytes, &next) || next > size_bytes)
		return false;
	run->from = next;
	return true;
}

static bool advance_by(struct run *run, unsigned size_bytes, struct span *span)
{
	uint8_t byte;
	uint16_t half;
	uint32_t word;

	switch (size_bytes) {
	case 1:
		return span_u8(span, &byte) && advance(run, byte);
	case 2:
		return span_u16(span, &half) && advance(run, half);
	default:
		return span_u32(span, &word) && advance(run, word);
	}
}

static bool set_place(struct run *run, uint64_t number, enum place_kind kind, int64_t offset)
{
	struct place unused;

	*place_of(run, number, &unused) = (struct place){ .kind = kind, .offset = offset };
	return true;
}

/* An offset in units of the data alignment. */
static bool set_offset(struct run *run, uint64_t number, enum place_kind kind, uint64_t units)
{
	uint64_t alignment = (uint64_t)run->function->common.data_alignment;

	return set_place(run, number, kind, (int64_t)(units * alignment));
}

static bool read_offset(struct run *run, enum place_kind kind, bool is_signed, struct span *span)
{
	uint64_t number, units;

	return leb128_unsigned(span, &number) && leb128_read(span, is_signed, &units) &&
	       set_offset(run, number, kind, units);
}

static bool restore(struct run *run, uint64_t number)
{
	if (number < run->machine->register_count)
		run->row.places[number] = run->initial.places[number];
	return true;
}

static bool read_block(struct span *span, struct span *ret)
{
	uint64_t length;

	return leb128_unsigned(span, &length) && span_sub(span, length, ret);
}

static bool read_expression(struct run *run, enum place_kind kind, struct span *span)
{
	struct place place = { .kind = kind };
	struct place unused;
	uint64_t number;

	if (!leb128_unsigned(span, &number) || !read_block(span, &place.expression))
		return false;
	*place_of(run, number, &unused) = place;
	return true;
}

static bool define_offset(struct run *run, bool is_signed, struct span *span)
{
	uint64_t offset;

	if (!leb128_read(span, is_signed, &offset))
		return false;
	if (is_signed)
		offset *= (uint64_t)run->function->common.data_alignment;
	run->row.cfa_offset = (int64_t)offset;
	return true;
}

static bool define_register(struct run *run, struct span *span)
{
	run->row.has_cfa_expression = false;
	return leb128_unsigned(span, &run->row.cfa_register);
}

static bool define_expression(struct run *run, struct span *span)
{
	run->row.has_cfa_expression = true;
	return read_block(span, &run->row.cfa_expression);
}

static bool remember(struct run *run)
{
	if (run->remembered.count == LIMIT_CFI_REMEMBERED)
		return false;
	vec_push(&run->remembered, run->row);
	return true;
}

static bool recall(struct run *run)
{
	if (!run->remembered.count)
		return false;
	run->row = run->remembered.at[--run->remembered.count];
	return true;
}

/* Instructions with two operands, a register and what is to be known of it. */
static bool step_register(struct run *run, uint8_t instruction, struct span *span)
{
	uint64_t number, other;

	switch (instruction) {
	case CFA_OFFSET_EXTENDED:
		return read_offset(run, PLACE_OFFSET, false, span);
	case CFA_OFFSET_EXTENDED_SIGNED:
		return read_offset(run, PLACE_OFFSET, true, span);
	case CFA_VALUE_OFFSET:
		return read_offset(run, PLACE_VALUE_OFFSET, false, span);
	case CFA_VALUE_OFFSET_SIGNED:
		return read_offset(run, PLACE_VALUE_OFFSET, true, span);
	case CFA_EXPRESSION:
		return read_expression(run, PLACE_EXPRESSION, span);
	case CFA_VALUE_EXPRESSION:
		return read_expression(run, PLACE_VALUE_EXPRESSION, span);
	case CFA_REGISTER:
		return leb128_unsigned(span, &number) && leb128_unsigned(span, &other) &&
		       set_place(run, number, PLACE_REGISTER, (int64_t)other);
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		return leb128_unsigned(span, &number) && leb128_unsigned(span, &other) &&
		       set_offset(run, number, PLACE_OFFSET, -other);
	case CFA_RESTORE_EXTENDED:
		return leb128_unsigned(span, &number) && restore(run, number);
	case CFA_UNDEFINED:
		return leb128_unsigned(span, &number) && set_place(run, number, PLACE_UNDEFINED, 0);
	case CFA_SAME_VALUE:
		return leb128_unsigned(span, &number) && set_place(run, number, PLACE_SAME, 0);
	default:
		return false;
	}
}

static bool step_extended(struct run *run, uint8_t instruction, struct span *span)
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
		return advance_by(run, 1, span);
	case CFA_ADVANCE_16:
		return advance_by(run, 2, span);
	case CFA_ADVANCE_32:
		return advance_by(run, 4, span);
	case CFA_REMEMBER_STATE:
		return remember(run);
	case CFA_RESTORE_STATE:
		return recall(run);
	case CFA_DEFINE:
		return define_register(run, span) && define_offset(run, false, span);
	case CFA_DEFINE_SIGNED:
		return define_register(run, span) && define_offset(run, true, span);
	case CFA_DEFINE_REGISTER:
		return define_register(run, span);
	case CFA_DEFINE_OFFSET:
		return define_offset(run, false, span);
	case CFA_DEFINE_OFFSET_SIGNED:
		return define_offset(run, true, span);
	case CFA_DEFINE_EXPRESSION:
		return define_expression(run, span);
	default: /* CFA_SET_LOCATION too, which no compiler writes */
		return step_register(run, instruction, span);
	}
}

static bool run_instructions(struct run *run, struct span span)
{
	uint64_t units;
	uint8_t byte;

	while (span_u8(&span, &byte)) {
		uint8_t operand = byte & (uint8_t)~HIGH_MASK;
		bool is_good;

		switch (byte & HIGH_MASK) {
		case HIGH_ADVANCE:
			is_good = advance(run, operand);
			break;
		case HIGH_OFFSET:
			is_good = leb128_unsigned(&span, &units) &&
				  set_offset(run, operand, PLACE_OFFSET, units);
			break;
		case HIGH_RESTORE:
			is_good = restore(run, operand);
			break;
		default:
			is_good = step_extended(run, byte, &span);
			break;
		}
		if (!is_good)
			return false;
	}
	return true;
}

void program_run(const struct cfi_function *function, const struct machine *machine,
		 struct rules *rules, struct rule_rows *rows)
{
	struct run run = {
		.function = function,
		.machine = machine,
		.rules = rules,
		.rows = rows,
		.first = rows->count,
		/* A register there is none of: a program has to define the CFA. */
		.row = { .is_signal = function->common.is_signal, .cfa_register = UINT64_MAX },
	};
	bool is_good = function->common.return_column == machine->return_column &&
		       run_instructions(&run, function->common.program) && !run.from;

	run.initial = run.row;
	is_good = is_good && run_instructions(&run, function->program) && emit(&run);
	if (!is_good)
		vec_push(rows, (struct rule_row){ (uint32_t)run.from, RULE_ID_NO_CFI });
	vec_free(&run.remembered);
}
