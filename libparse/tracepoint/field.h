/* SPDX-License-Identifier: MIT */
/*
 * A field of a tracepoint and its value in a sample's raw data. The description and the data of a
 * field both come from the capture, and may contradict each other. This header is part of
 * libparse/event.h.
 *
 *     raw     | common_type ... | id | __data_loc filename |   ...   | "/etc/passwd\0" |
 *     number                      ▲      length, offset ──────────────────▲
 */
#ifndef LIBPARSE_TRACEPOINT_FIELD_H
#define LIBPARSE_TRACEPOINT_FIELD_H

#include "base/sink.h"
#include "base/span.h"
#include "base/strings.h"

struct field {
	struct text name;
	uint32_t offset, size_bytes; /* position in the raw data */
	uint32_t element_bytes;      /* size of an element of an array */
	bool is_array;
	bool is_located;  /* __data_loc: the field contains length << 16 | offset of its data */
	bool is_relative; /* __rel_loc: the offset counts from the end of the field */
	bool is_text;     /* char[] */
	bool is_signed;
	bool is_hex;  /* a pointer or a bit mask */
	bool is_code; /* a code address, printed as a function */
};

/*
 * Returns the bytes of a field, or the data that the field locates. Returns false if raw is too
 * short.
 */
bool field_bytes(const struct field *field, struct span raw, struct span *ret);

/* field_load for 1 or 2 bytes. */
bool field_load_small(const unsigned char *at, size_t size_bytes, bool swapped, bool is_signed,
		      uint64_t *ret);

/* Loads a number of 1, 2, 4 or 8 bytes. Returns false for other sizes. */
static inline bool field_load(const unsigned char *at, size_t size_bytes, bool swapped,
			      bool is_signed, uint64_t *ret)
{
	if (LIKELY(size_bytes == 4)) {
		uint32_t value = span_load_u32(at, swapped);

		*ret = is_signed ? (uint64_t)(int32_t)value : value;
		return true;
	}
	if (LIKELY(size_bytes == 8)) {
		*ret = span_load_u64(at, swapped);
		return true;
	}
	return field_load_small(at, size_bytes, swapped, is_signed, ret);
}

/* field_number for a field that is an array, or locates its data. */
bool field_number_located(const struct field *field, const struct span *raw, uint64_t *ret);

/*
 * Returns the value of a numeric field, sign-extended if the field is signed. Returns false if the
 * field is not numeric.
 */
static inline bool field_number(const struct field *field, const struct span *raw, uint64_t *ret)
{
	size_t left = span_left(raw);

	if (UNLIKELY(field->is_array || field->is_located))
		return field_number_located(field, raw, ret);
	return field->offset <= left && field->size_bytes <= left - field->offset &&
	       field_load(raw->at + field->offset, field->size_bytes, raw->swapped,
			  field->is_signed, ret);
}

/* Writes the value as perf script does: text unquoted, numeric arrays in hexadecimal. */
void field_write(const struct field *field, struct span raw, struct sink *sink);

#endif
