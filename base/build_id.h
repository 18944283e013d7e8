/* SPDX-License-Identifier: MIT */
/*
 * The linker's fingerprint of a file, which the kernel reads from its notes and perf writes into
 * captures: what proves that a file is the one that ran.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

/* The shortest one in use is xxhash's of lld --build-id=fast. */
#define BUILD_ID_BYTES_MIN  8
#define BUILD_ID_BYTES_MAX  20
#define BUILD_ID_TEXT_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

struct build_id {
	uint8_t bytes[BUILD_ID_BYTES_MAX];
	uint8_t size_bytes; /* 0: unknown */
};

/* Whether both are known and the same. perf before 5.10 wrote shorter ones with zeros behind. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* In hexadecimal, into buffer (BUILD_ID_TEXT_BYTES), which is returned; "" when unknown. */
const char *build_id_hex(const struct build_id *id, char *buffer);

/* The build-id written in hexadecimal, as in names of folders; false when it is none. */
bool build_id_parse(struct text hex, struct build_id *ret);

#endif
