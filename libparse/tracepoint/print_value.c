/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_value.h"

#include <inttypes.h>

/*
 * Evaluates operators whose result differs for unsigned numbers. Returns false for other operators.
 */
static bool calculate_unsigned(enum print_operator operator, uint64_t a, uint64_t b, uint64_t *ret)
{
	switch (operator) {
	case PRINT_DIVIDE:
		*ret = b ? a / b : 0;
		return true;
	case PRINT_REMAINDER:
		*ret = b ? a % b : 0;
		return true;
	case PRINT_SHIFT_RIGHT:
		*ret = b < 64 ? a >> b : 0;
		return true;
	case PRINT_LESS:
		*ret = a < b;
		return true;
	case PRINT_LESS_EQUAL:
		*ret = a <= b;
		return true;
	case PRINT_GREATER:
		*ret = a > b;
		return true;
	case PRINT_GREATER_EQUAL:
		*ret = a >= b;
		return true;
	default:
		return false;
	}
}

/* 64-bit signed arithmetic. If C leaves a result undefined, the result is 0. */
static uint64_t calculate(enum print_operator operator, uint64_t a, uint64_t b)
{
	int64_t left = (int64_t)a;
	int64_t right = (int64_t)b;

	switch (operator) {
	case PRINT_MULTIPLY:
		return a * b;
	case PRINT_DIVIDE:
		return !right ? 0 : right == -1 ? -a : (uint64_t)(left / right);
	case PRINT_REMAINDER:
		return !right || right == -1 ? 0 : (uint64_t)(left % right);
	case PRINT_ADD:
		return a + b;
	case PRINT_SUBTRACT:
		return a - b;
	case PRINT_SHIFT_LEFT:
		return b < 64 ? a << b : 0;
	case PRINT_SHIFT_RIGHT:
		return b < 64 ? (uint64_t)(left >> b) : 0;
	case PRINT_LESS:
		return left < right;
	case PRINT_LESS_EQUAL:
		return left <= right;
	case PRINT_GREATER:
		return left > right;
	case PRINT_GREATER_EQUAL:
		return left >= right;
	case PRINT_EQUAL:
		return a == b;
	case PRINT_NOT_EQUAL:
		return a != b;
	case PRINT_BIT_AND:
		return a & b;
	case PRINT_BIT_XOR:
		return a ^ b;
	case PRINT_BIT_OR:
		return a | b;
	case PRINT_AND:
		return a && b;
	case PRINT_OR:
		return a || b;
	case PRINT_NOT:
		return !a;
	case PRINT_COMPLEMENT:
		return ~a;
	case PRINT_NEGATE:
		return -a;
	}
	return 0;
}

static uint64_t cut(uint64_t value, uint32_t size_bytes, bool is_signed)
{
	switch (size_bytes) {
	case 1:
		return is_signed ? (uint64_t)(int8_t)value : (uint8_t)value;
	case 2:
		return is_signed ? (uint64_t)(int16_t)value : (uint16_t)value;
	case 4:
		return is_signed ? (uint64_t)(int32_t)value : (uint32_t)value;
	default:
		return value;
	}
}

static bool element(const struct print_node *node, struct span raw, uint64_t *ret)
{
	const struct field *field = node->field;
	uint32_t size_bytes = field->element_bytes;
	struct span bytes;
	uint64_t index;

	return print_value_number(node->a, raw, &index) && field_bytes(field, raw, &bytes) &&
	       size_bytes && index < span_left(&bytes) / size_bytes &&
	       field_load(bytes.at + index * size_bytes, size_bytes, bytes.swapped,
			  field->is_signed, ret);
}

static bool combine(const struct print_node *node, struct span raw, uint64_t *ret)
{
	uint64_t a;
	uint64_t b = 0;

	if (!print_value_number(node->a, raw, &a) ||
	    (node->b && !print_value_number(node->b, raw, &b)))
		return false;
	if (!node->is_unsigned || !calculate_unsigned(node->operator, a, b, ret))
		*ret = calculate(node->operator, a, b);
	return true;
}

bool print_value_number(const struct print_node *node, struct span raw, uint64_t *ret)
{
	struct span bytes;
	uint64_t value;

	switch (node->kind) {
	case PRINT_NUMBER:
		*ret = node->number;
		return true;
	case PRINT_FIELD:
		return field_number(node->field, &raw, ret);
	case PRINT_ELEMENT:
		return element(node, raw, ret);
	case PRINT_LENGTH:
		if (!field_bytes(node->field, raw, &bytes))
			return false;
		*ret = span_left(&bytes);
		return true;
	case PRINT_CAST:
		if (!print_value_number(node->a, raw, ret))
			return false;
		*ret = cut(*ret, node->size_bytes, node->is_signed);
		return true;
	case PRINT_UNARY:
	case PRINT_BINARY:
		return combine(node, raw, ret);
	case PRINT_CHOICE:
		return print_value_number(node->a, raw, &value) &&
		       print_value_number(value ? node->b : node->c, raw, ret);
	case PRINT_STRING:
	case PRINT_FLAGS:
	case PRINT_SYMBOL:
	case PRINT_HEX:
	case PRINT_ARRAY:
	case PRINT_MASK:
	case PRINT_CPUS:
		break;
	}
	return false;
}

bool print_value_bytes(const struct print_node *node, struct span raw, struct span *ret)
{
	return (node->kind == PRINT_FIELD || node->kind == PRINT_MASK ||
		node->kind == PRINT_CPUS) &&
	       field_bytes(node->field, raw, ret);
}

void print_value_write_text(struct text text, struct sink *sink)
{
	for (uint32_t i = 0; i < text.length; i++) {
		char c = text.at[i];

		if (c == '\\' && i + 1 < text.length) {
			c = text.at[++i];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
		}
		sink_char(sink, c);
	}
}

static void write_flags(const struct print_node *node, uint64_t value, struct sink *sink)
{
	bool is_first = true;

	for (const struct print_name *name = node->names; name; name = name->next) {
		if (!name->is_known || !name->value || (value & name->value) != name->value)
			continue;
		if (!is_first)
			print_value_write_text(node->text, sink);
		print_value_write_text(name->name, sink);
		is_first = false;
		value &= ~name->value;
	}
	if (!value)
		return;
	if (!is_first)
		print_value_write_text(node->text, sink);
	sink_printf(sink, "0x%" PRIx64, value);
}

static void write_symbol(const struct print_node *node, uint64_t value, struct sink *sink)
{
	for (const struct print_name *name = node->names; name; name = name->next) {
		if (!name->is_known || name->value != value)
			continue;
		print_value_write_text(name->name, sink);
		return;
	}
	sink_printf(sink, "0x%" PRIx64, value);
}

static void write_hex(const struct print_node *node, struct span bytes, uint64_t count,
		      struct sink *sink)
{
	if (count > span_left(&bytes))
		count = span_left(&bytes);
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			sink_text(sink, node->text);
		sink_printf(sink, "%02x", bytes.at[i]);
	}
}

static void write_array(struct span bytes, uint64_t count, uint64_t size_bytes, struct sink *sink)
{
	struct span one;
	uint64_t value;

	sink_char(sink, '{');
	for (uint64_t i = 0; i < count && size_bytes && span_sub(&bytes, size_bytes, &one); i++)
		if (field_load(one.at, size_bytes, bytes.swapped, false, &value))
			sink_printf(sink, "%s0x%" PRIx64, i ? "," : "", value);
	sink_char(sink, '}');
}

/*
 * A 32-bit word of a bit mask. Masks are arrays of longs, so the order of the halves depends on the
 * byte order.
 */
static uint32_t bits_at(struct span bytes, size_t index)
{
	bool is_big_endian = span_is_big_endian(&bytes);
	size_t place = is_big_endian ? index ^ 1 : index;

	if (place >= span_left(&bytes) / 4)
		return 0;
	return span_load_u32(bytes.at + place * 4, bytes.swapped);
}

/* Writes a mask as 32-bit words, the highest first. */
static void write_mask(struct span bytes, struct sink *sink)
{
	size_t count = span_left(&bytes) / 4;

	for (size_t i = count; i-- > 0;)
		sink_printf(sink, "%08" PRIx32 "%s", bits_at(bytes, i), i ? "," : "");
}

void print_value_write_bits(struct span bytes, struct sink *sink)
{
	size_t count = span_left(&bytes) / 4 * 32;
	const char *separator = "";

	for (size_t i = 0; i < count; i++) {
		size_t first = i;

		while (i < count && bits_at(bytes, i / 32) >> i % 32 & 1)
			i++;
		if (i == first)
			continue;
		sink_printf(sink, "%s%zu", separator, first);
		if (i - first > 1)
			sink_printf(sink, "-%zu", i - 1);
		separator = ",";
	}
}

static void write_field(const struct print_node *node, struct span raw, struct sink *sink)
{
	const struct field *field = node->field;
	struct span bytes;
	struct text text;
	uint64_t value;

	/* The field may be a pointer to a kernel string. */
	if (field_number(field, &raw, &value)) {
		text = node->texts ? kernel_texts_find(node->texts, value) : (struct text){ 0 };
		if (text.at)
			print_value_write_text(text, sink);
		else
			sink_printf(sink, "%" PRIx64, value);
		return;
	}
	if (!field_bytes(field, raw, &bytes) || !span_left(&bytes))
		return;
	sink_bytes(sink, bytes.at, strnlen((const char *)bytes.at, span_left(&bytes)));
}

void print_value_write(const struct print_node *node, struct span raw, struct sink *sink)
{
	struct span bytes;
	uint64_t value = 0;
	uint64_t count = 0;

	switch (node->kind) {
	case PRINT_STRING:
		print_value_write_text(node->text, sink);
		return;
	case PRINT_FIELD:
		write_field(node, raw, sink);
		return;
	case PRINT_CHOICE:
		if (print_value_number(node->a, raw, &value))
			print_value_write(value ? node->b : node->c, raw, sink);
		return;
	case PRINT_FLAGS:
		if (print_value_number(node->a, raw, &value))
			write_flags(node, value, sink);
		return;
	case PRINT_SYMBOL:
		if (print_value_number(node->a, raw, &value))
			write_symbol(node, value, sink);
		return;
	case PRINT_HEX:
		if (print_value_bytes(node->a, raw, &bytes) &&
		    print_value_number(node->b, raw, &count))
			write_hex(node, bytes, count, sink);
		return;
	case PRINT_ARRAY:
		if (print_value_bytes(node->a, raw, &bytes) &&
		    print_value_number(node->b, raw, &count) &&
		    print_value_number(node->c, raw, &value))
			write_array(bytes, count, value, sink);
		return;
	case PRINT_MASK:
		if (print_value_bytes(node, raw, &bytes))
			write_mask(bytes, sink);
		return;
	case PRINT_CPUS:
		if (print_value_bytes(node, raw, &bytes))
			print_value_write_bits(bytes, sink);
		return;
	case PRINT_NUMBER:
	case PRINT_ELEMENT:
	case PRINT_LENGTH:
	case PRINT_CAST:
	case PRINT_UNARY:
	case PRINT_BINARY:
		if (print_value_number(node, raw, &value))
			sink_u64(sink, value);
		return;
	}
}
