/* SPDX-License-Identifier: MIT */
/*
 * The build-id: the linker's fingerprint of a file, stored in its notes. perf writes build-ids into
 * captures, so an equal build-id proves that a file is the one that ran.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

/* The shortest build-id in use is that of lld --build-id=fast (xxhash). */
#define BUILD_ID_BYTES_MIN  8
#define BUILD_ID_BYTES_MAX  20
#define BUILD_ID_TEXT_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

struct build_id {
	uint8_t bytes[BUILD_ID_BYTES_MAX];
	uint8_t size_bytes; /* 0 if the build-id is unknown */
};

/*
 * Whether both build-ids are known and equal. Zeros at the end are ignored, because perf before
 * 5.10 padded short build-ids with them.
 */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/*
 * Writes the build-id in hexadecimal to buffer (BUILD_ID_TEXT_BYTES), and returns buffer. If the
 * build-id is unknown, the text is empty.
 */
const char *build_id_hex(const struct build_id *id, char *buffer);

/*
 * Parses a hexadecimal build-id, as in directory names. Returns false if the text is not a
 * build-id.
 */
bool build_id_parse(struct text hex, struct build_id *ret);

#endif
