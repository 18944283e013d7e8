/* SPDX-License-Identifier: MIT */
/*
 * One field of what a tracepoint recorded, and its value in a sample: part of the first neck. The
 * description and the bytes come from the capture and need not fit each other.
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
	uint32_t offset, size_bytes; /* in the raw data */
	uint32_t element_bytes;      /* of an array */
	bool is_array;
	bool is_located;  /* what is at its place says where it is: length << 16 | offset */
	bool is_relative; /* that offset counts from behind the place */
	bool is_text;     /* an array of characters */
	bool is_signed;
	bool is_hex;  /* a pointer or a word of bits */
	bool is_code; /* an address, and the function there is what matters */
};

/* The bytes of a field in raw, from wherever they are. False when they are not all there. */
bool field_bytes(const struct field *field, struct span raw, struct span *ret);

/* The value of a field that is a number, its sign extended. False when it is none. */
bool field_number(const struct field *field, struct span raw, uint64_t *ret);

/* Writes the value as perf script does: text bare, arrays of numbers in hexadecimal. */
void field_write(const struct field *field, struct span raw, struct sink *sink);

/* Numbers of 1, 2, 4 or 8 bytes; false for other sizes. */
bool field_load(const unsigned char *at, size_t size_bytes, bool swapped, bool is_signed,
		uint64_t *ret);

/* Writes text up to a NUL; bytes that are none as a list of numbers. */
void field_write_bytes(struct span bytes, struct sink *sink);

#endif
