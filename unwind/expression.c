/* SPDX-License-Identifier: MIT */
#include "unwind/expression.h"

#include "base/leb128.h"

/* Maximum number of operations of a DWARF expression. A PLT needs 7. */
#define LIMIT_EXPRESSION_STEPS 256u

enum operation {
	OP_ADDRESS = 0x03,
	OP_DEREFERENCE = 0x06,
	OP_CONSTANT_U8 = 0x08,
	OP_CONSTANT_S8 = 0x09,
	OP_CONSTANT_U16 = 0x0a,
	OP_CONSTANT_S16 = 0x0b,
	OP_CONSTANT_U32 = 0x0c,
	OP_CONSTANT_S32 = 0x0d,
	OP_CONSTANT_U64 = 0x0e,
	OP_CONSTANT_S64 = 0x0f,
	OP_CONSTANT_ULEB128 = 0x10,
	OP_CONSTANT_SLEB128 = 0x11,
	OP_DUPLICATE = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_ROTATE = 0x17,
	OP_ABSOLUTE = 0x19,
	OP_AND = 0x1a,
	OP_DIVIDE = 0x1b,
	OP_MINUS = 0x1c,
	OP_MODULO = 0x1d,
	OP_MULTIPLY = 0x1e,
	OP_NEGATE = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_CONSTANT = 0x23,
	OP_SHIFT_LEFT = 0x24,
	OP_SHIFT_RIGHT = 0x25,
	OP_SHIFT_RIGHT_SIGNED = 0x26,
	OP_XOR = 0x27,
	OP_BRANCH = 0x28,
	OP_EQUAL = 0x29,
	OP_GREATER_OR_EQUAL = 0x2a,
	OP_GREATER = 0x2b,
	OP_LESS_OR_EQUAL = 0x2c,
	OP_LESS = 0x2d,
	OP_NOT_EQUAL = 0x2e,
	OP_SKIP = 0x2f,
	OP_LITERAL_0 = 0x30,
	OP_LITERAL_31 = 0x4f,
	OP_REGISTER_PLUS_0 = 0x70,
	OP_REGISTER_PLUS_31 = 0x8f,
	OP_REGISTER_PLUS = 0x92,
	OP_DEREFERENCE_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct evaluation {
	struct span code;
	const struct machine *machine;
	const struct registers *registers;
	const struct stack_dump *copy;
	uint64_t values[LIMIT_EXPRESSION_STACK];
	unsigned count;
};

static bool push(struct evaluation *evaluation, uint64_t value)
{
	if (evaluation->count == LIMIT_EXPRESSION_STACK)
		return false;
	evaluation->values[evaluation->count++] = value;
	return true;
}

static bool pop(struct evaluation *evaluation, uint64_t *ret)
{
	if (!evaluation->count)
		return false;
	*ret = evaluation->values[--evaluation->count];
	return true;
}

static bool push_picked(struct evaluation *evaluation, unsigned depth)
{
	return depth < evaluation->count &&
	       push(evaluation, evaluation->values[evaluation->count - 1 - depth]);
}

static bool push_register(struct evaluation *evaluation, uint64_t number)
{
	int64_t offset;

	return leb128_signed(&evaluation->code, &offset) &&
	       number < evaluation->machine->register_count &&
	       evaluation->registers->known & MACHINE_REGISTER_BIT(number) &&
	       push(evaluation, evaluation->registers->value[number] + (uint64_t)offset);
}

static bool dereference(struct evaluation *evaluation, unsigned size_bytes)
{
	uint64_t address, value;

	if (!size_bytes || size_bytes > evaluation->copy->word_bytes ||
	    !pop(evaluation, &address) || !stack_dump_word(evaluation->copy, address, &value))
		return false;
	if (size_bytes < evaluation->copy->word_bytes) {
		if (span_is_big_endian(&evaluation->code))
			value >>= 8 * (evaluation->copy->word_bytes - size_bytes);
		value &= ((uint64_t)1 << (8 * size_bytes)) - 1;
	}
	return push(evaluation, value);
}

static bool push_constant(struct evaluation *evaluation, uint8_t operation)
{
	struct span *code = &evaluation->code;
	uint64_t value;
	uint32_t word;
	uint16_t half;
	uint8_t byte;

	switch (operation) {
	case OP_CONSTANT_U8:
		return span_u8(code, &byte) && push(evaluation, byte);
	case OP_CONSTANT_S8:
		return span_u8(code, &byte) && push(evaluation, (uint64_t)(int8_t)byte);
	case OP_CONSTANT_U16:
		return span_u16(code, &half) && push(evaluation, half);
	case OP_CONSTANT_S16:
		return span_u16(code, &half) && push(evaluation, (uint64_t)(int16_t)half);
	case OP_CONSTANT_U32:
		return span_u32(code, &word) && push(evaluation, word);
	case OP_CONSTANT_S32:
		return span_u32(code, &word) && push(evaluation, (uint64_t)(int32_t)word);
	case OP_CONSTANT_U64:
	case OP_CONSTANT_S64:
		return span_u64(code, &value) && push(evaluation, value);
	case OP_CONSTANT_ULEB128:
		return leb128_unsigned(code, &value) && push(evaluation, value);
	default:
		return leb128_read(code, true, &value) && push(evaluation, value);
	}
}

static bool shuffle(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t *top = evaluation->values + evaluation->count;
	uint64_t value;
	uint8_t depth;

	switch (operation) {
	case OP_DUPLICATE:
		return push_picked(evaluation, 0);
	case OP_OVER:
		return push_picked(evaluation, 1);
	case OP_PICK:
		return span_u8(&evaluation->code, &depth) && push_picked(evaluation, depth);
	case OP_DROP:
		return pop(evaluation, &value);
	case OP_SWAP:
		if (evaluation->count < 2)
			return false;
		value = top[-1];
		top[-1] = top[-2];
		top[-2] = value;
		return true;
	default: /* OP_ROTATE */
		if (evaluation->count < 3)
			return false;
		value = top[-1];
		top[-1] = top[-2];
		top[-2] = top[-3];
		top[-3] = value;
		return true;
	}
}

static bool change_top(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t value, added;

	if (!pop(evaluation, &value))
		return false;
	switch (operation) {
	case OP_ABSOLUTE:
		return push(evaluation, (int64_t)value < 0 ? -value : value);
	case OP_NEGATE:
		return push(evaluation, -value);
	case OP_NOT:
		return push(evaluation, ~value);
	default: /* OP_PLUS_CONSTANT */
		return leb128_unsigned(&evaluation->code, &added) &&
		       push(evaluation, value + added);
	}
}

static uint64_t shift_right_signed(uint64_t value, uint64_t by)
{
	uint64_t sign = (int64_t)value < 0 ? UINT64_MAX : 0;

	if (by >= 64)
		return sign;
	return by ? value >> by | sign << (64 - by) : value;
}

static bool divide(uint64_t left, uint64_t right, uint64_t *ret)
{
	/* The only signed division that overflows. */
	bool overflows = left == (uint64_t)INT64_MIN && right == UINT64_MAX;

	if (!right || overflows)
		return false;
	*ret = (uint64_t)((int64_t)left / (int64_t)right);
	return true;
}

static bool combine_bits(uint8_t operation, uint64_t left, uint64_t right, uint64_t *ret)
{
	switch (operation) {
	case OP_AND:
		*ret = left & right;
		return true;
	case OP_OR:
		*ret = left | right;
		return true;
	case OP_XOR:
		*ret = left ^ right;
		return true;
	case OP_SHIFT_LEFT:
		*ret = right < 64 ? left << right : 0;
		return true;
	case OP_SHIFT_RIGHT:
		*ret = right < 64 ? left >> right : 0;
		return true;
	case OP_SHIFT_RIGHT_SIGNED:
		*ret = shift_right_signed(left, right);
		return true;
	default:
		return false;
	}
}

static bool compare(uint8_t operation, int64_t left, int64_t right, uint64_t *ret)
{
	switch (operation) {
	case OP_EQUAL:
		*ret = left == right;
		return true;
	case OP_NOT_EQUAL:
		*ret = left != right;
		return true;
	case OP_GREATER_OR_EQUAL:
		*ret = left >= right;
		return true;
	case OP_GREATER:
		*ret = left > right;
		return true;
	case OP_LESS_OR_EQUAL:
		*ret = left <= right;
		return true;
	case OP_LESS:
		*ret = left < right;
		return true;
	default:
		return false;
	}
}

static bool combine(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t left, right, result;

	if (!pop(evaluation, &right) || !pop(evaluation, &left))
		return false;
	switch (operation) {
	case OP_PLUS:
		return push(evaluation, left + right);
	case OP_MINUS:
		return push(evaluation, left - right);
	case OP_MULTIPLY:
		return push(evaluation, left * right);
	case OP_MODULO:
		return right && push(evaluation, left % right);
	case OP_DIVIDE:
		return divide(left, right, &result) && push(evaluation, result);
	default:
		return (combine_bits(operation, left, right, &result) ||
			compare(operation, (int64_t)left, (int64_t)right, &result)) &&
		       push(evaluation, result);
	}
}

/* The distance is relative to the end of the operation. */
static bool jump(struct evaluation *evaluation, bool is_conditional)
{
	struct span *code = &evaluation->code;
	uint64_t condition = 1;
	uint16_t distance;

	if (!span_u16(code, &distance) || (is_conditional && !pop(evaluation, &condition)))
		return false;
	if (!condition)
		return true;
	if ((int16_t)distance > code->end - code->at || (int16_t)distance < code->begin - code->at)
		return false;
	code->at += (int16_t)distance;
	return true;
}

static bool push_address(struct evaluation *evaluation)
{
	uint64_t address;
	uint32_t narrow;

	if (evaluation->machine->word_bytes == 8)
		return span_u64(&evaluation->code, &address) && push(evaluation, address);
	return span_u32(&evaluation->code, &narrow) && push(evaluation, narrow);
}

static bool step(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t number;
	uint8_t size_bytes;

	if (operation >= OP_LITERAL_0 && operation <= OP_LITERAL_31)
		return push(evaluation, operation - OP_LITERAL_0);
	if (operation >= OP_REGISTER_PLUS_0 && operation <= OP_REGISTER_PLUS_31)
		return push_register(evaluation, operation - OP_REGISTER_PLUS_0);
	if (operation >= OP_CONSTANT_U8 && operation <= OP_CONSTANT_SLEB128)
		return push_constant(evaluation, operation);
	if (operation >= OP_DUPLICATE && operation <= OP_ROTATE)
		return shuffle(evaluation, operation);
	switch (operation) {
	case OP_NOP:
		return true;
	case OP_ADDRESS:
		return push_address(evaluation);
	case OP_REGISTER_PLUS:
		return leb128_unsigned(&evaluation->code, &number) &&
		       push_register(evaluation, number);
	case OP_DEREFERENCE:
		return dereference(evaluation, evaluation->machine->word_bytes);
	case OP_DEREFERENCE_SIZE:
		return span_u8(&evaluation->code, &size_bytes) &&
		       dereference(evaluation, size_bytes);
	case OP_ABSOLUTE:
	case OP_NEGATE:
	case OP_NOT:
	case OP_PLUS_CONSTANT:
		return change_top(evaluation, operation);
	case OP_SKIP:
		return jump(evaluation, false);
	case OP_BRANCH:
		return jump(evaluation, true);
	default:
		return combine(evaluation, operation);
	}
}

bool expression_evaluate(struct span expression, const struct machine *machine,
			 const struct registers *registers, const struct stack_dump *copy,
			 const uint64_t *first, uint64_t *ret)
{
	struct evaluation evaluation = {
		.code = expression,
		.machine = machine,
		.registers = registers,
		.copy = copy,
	};
	uint8_t operation;

	if (first)
		push(&evaluation, *first);
	for (unsigned i = 0; span_u8(&evaluation.code, &operation); i++)
		if (i == LIMIT_EXPRESSION_STEPS || !step(&evaluation, operation))
			return false;
	if (!pop(&evaluation, ret))
		return false;
	if (machine->word_bytes == 4)
		*ret = (uint32_t)*ret;
	return true;
}
