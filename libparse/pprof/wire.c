/* SPDX-License-Identifier: MIT */
#include "libparse/pprof/wire.h"

#include "base/leb128.h"

static bool read_value(struct span *rest, struct wire_field *field)
{
	uint64_t size_bytes;
	uint32_t word;

	switch (field->type) {
	case WIRE_VARINT:
		return leb128_unsigned(rest, &field->value);
	case WIRE_FIXED64:
		return span_u64(rest, &field->value);
	case WIRE_FIXED32:
		if (!span_u32(rest, &word))
			return false;
		field->value = word;
		return true;
	case WIRE_BYTES:
		return leb128_unsigned(rest, &size_bytes) &&
		       span_sub(rest, size_bytes, &field->bytes);
	}
	return false;
}

bool wire_next(struct span *message, struct wire_field *ret)
{
	struct span rest = *message;
	uint64_t tag;

	*ret = (struct wire_field){ .number = 0 };
	if (!leb128_unsigned(&rest, &tag))
		return false;
	ret->number = tag >> 3;
	ret->type = (enum wire_type)(tag & 7);
	if (!ret->number || !read_value(&rest, ret))
		return false;
	*message = rest;
	return true;
}

bool wire_next_number(struct wire_field *field, uint64_t *ret)
{
	if (field->type == WIRE_BYTES)
		return leb128_unsigned(&field->bytes, ret);
	*ret = field->value;
	/* Marks the end: no further number follows. */
	field->type = WIRE_BYTES;
	return true;
}
