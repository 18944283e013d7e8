/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/field.h"

#include <ctype.h>
#include <inttypes.h>

#define LOCATION_BYTES 4

static bool cut(struct span raw, uint64_t offset, uint64_t size_bytes, struct span *ret)
{
	return span_skip(&raw, offset) && span_sub(&raw, size_bytes, ret);
}

bool field_bytes(const struct field *field, struct span raw, struct span *ret)
{
	struct span place;
	uint32_t location;
	uint64_t offset;

	if (!field->is_located)
		return cut(raw, field->offset, field->size_bytes, ret);
	if (field->size_bytes != LOCATION_BYTES ||
	    !cut(raw, field->offset, LOCATION_BYTES, &place) || !span_u32(&place, &location))
		return false;
	offset = location & 0xffff;
	if (field->is_relative)
		offset += (uint64_t)field->offset + LOCATION_BYTES;
	return cut(raw, offset, location >> 16, ret);
}

bool field_load_small(const unsigned char *at, size_t size_bytes, bool swapped, bool is_signed,
		      uint64_t *ret)
{
	if (size_bytes == 1) {
		*ret = is_signed ? (uint64_t)(int8_t)*at : *at;
		return true;
	}
	if (size_bytes != 2)
		return false;
	*ret = span_load_u16(at, swapped);
	if (is_signed)
		*ret = (uint64_t)(int16_t)*ret;
	return true;
}

bool field_number_located(const struct field *field, const struct span *raw, uint64_t *ret)
{
	struct span bytes;

	return !field->is_array && field_bytes(field, *raw, &bytes) &&
	       field_load(bytes.at, span_left(&bytes), bytes.swapped, field->is_signed, ret);
}

/* Writes a text up to its NUL. Bytes that are not text are written as a list of numbers. */
static void field_write_bytes(struct span bytes, struct sink *sink)
{
	size_t size_bytes = span_left(&bytes);
	const unsigned char *nul = size_bytes ? memchr(bytes.at, 0, size_bytes) : NULL;
	size_t length = nul ? (size_t)(nul - bytes.at) : size_bytes;

	for (size_t i = 0; i < length; i++) {
		if (isprint(bytes.at[i]) || isspace(bytes.at[i]))
			continue;
		sink_puts(sink, "ARRAY[");
		for (size_t k = 0; k < size_bytes; k++)
			sink_printf(sink, "%s%02x", k ? ", " : "", bytes.at[k]);
		sink_char(sink, ']');
		return;
	}
	sink_bytes(sink, bytes.at, length);
}

static void write_number(const struct field *field, uint64_t value, struct sink *sink)
{
	if (field->is_hex && field->size_bytes == 4)
		sink_printf(sink, "0x%" PRIx32, (uint32_t)value);
	else if (field->is_hex)
		sink_printf(sink, "0x%" PRIx64, value);
	else if (field->is_signed)
		sink_printf(sink, "%" PRId64, (int64_t)value);
	else
		sink_u64(sink, value);
}

static void write_array(const struct field *field, struct span bytes, struct sink *sink)
{
	uint32_t element_bytes = field->element_bytes ? field->element_bytes : 1;
	const char *separator = "";
	struct span element;
	uint64_t value;

	sink_puts(sink, "ARRAY[");
	while (span_sub(&bytes, element_bytes, &element)) {
		if (!field_load(element.at, element_bytes, bytes.swapped, false, &value))
			break;
		sink_printf(sink, "%s%0*" PRIx64, separator, (int)element_bytes * 2, value);
		separator = ", ";
	}
	sink_char(sink, ']');
}

void field_write(const struct field *field, struct span raw, struct sink *sink)
{
	struct span bytes;
	uint64_t value;

	if (!field_bytes(field, raw, &bytes))
		sink_char(sink, '?');
	else if (field->is_text)
		field_write_bytes(bytes, sink);
	else if (!field->is_array &&
		 field_load(bytes.at, span_left(&bytes), bytes.swapped, field->is_signed, &value))
		write_number(field, value, sink);
	else
		write_array(field, bytes, sink);
}
