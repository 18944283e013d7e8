/* SPDX-License-Identifier: MIT */
/*
 * The wire format of protocol buffers ("Encoding" in their documentation). A message is a list of
 * fields, each with a number and a type.
 *
 *     | number << 3 | type | value |    type 0: a varint (LEB128); 1, 5: 8 or 4 bytes
 *                                       type 2: a length, and as many bytes
 */
#ifndef LIBPARSE_PPROF_WIRE_H
#define LIBPARSE_PPROF_WIRE_H

#include "base/span.h"

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_FIXED32 = 5,
};

struct wire_field {
	uint64_t number;
	enum wire_type type;
	uint64_t value;    /* value of a number; 0 for WIRE_BYTES */
	struct span bytes; /* content of WIRE_BYTES; otherwise empty */
};

/*
 * Reads the next field of a message. Returns false at the end of the message, or if the field is
 * corrupt. After a corrupt field, bytes are left.
 */
bool wire_next(struct span *message, struct wire_field *ret);

/*
 * Reads the next number of a repeated field. The field may be one number, or several numbers packed
 * in bytes. Returns false at the end, or if the number is corrupt. After a corrupt number, bytes
 * are left.
 */
bool wire_next_number(struct wire_field *field, uint64_t *ret);

#endif
