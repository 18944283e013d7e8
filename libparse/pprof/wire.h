/* SPDX-License-Identifier: MIT */
/*
 * The wire format of protocol buffers, as their documentation describes it ("Encoding"): a message is a
 * list of fields, each with a number and a type.
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
	uint64_t value;    /* of a number; 0 for WIRE_BYTES */
	struct span bytes; /* of WIRE_BYTES; otherwise empty */
};

/*
 * Reads the next field of a message. False at the end of the message, or if the field is corrupt;
 * in the latter case, bytes are left.
 */
bool wire_next(struct span *message, struct wire_field *ret);

/*
 * The next number of a repeated field, which may be one number, or several packed in bytes. False
 * at the end, or if the number is corrupt; in the latter case, bytes are left.
 */
bool wire_next_number(struct wire_field *field, uint64_t *ret);

#endif
