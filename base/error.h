/* SPDX-License-Identifier: MIT */
/*
 * Why something could not be done. A plain value in the caller's frame: nothing to free, one per
 * thread, usable when memory is gone. Who finds the fault sets the text, who knows the file
 * prefixes it, and only tools/ prints it:
 *
 *     kiln: FILE: attr 3: size 12 is below 64 (at byte 280)
 *           ^prefix ^------- set --------------^  ^offset
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

enum error_code {
	ERROR_NONE,
	ERROR_IO,          /* the system refused: open, read, write */
	ERROR_DENIED,      /* the same, because of who asked */
	ERROR_FORMAT,      /* not a format we know */
	ERROR_CORRUPT,     /* a format we know, but broken */
	ERROR_LIMIT,       /* the input exceeds one of the limits, LIMIT_... */
	ERROR_UNSUPPORTED, /* known, and not read by this build */
	ERROR_USAGE,       /* the command line */
	ERROR_NO_MATCH,    /* nothing of the input is what was asked for */
};

struct error {
	enum error_code code;
	bool has_offset;
	uint64_t offset; /* byte of the input the fault was found at */
	char text[480];
};

/* Sets code and text. Always returns false, so that a failing function can end in it. */
bool error_set(struct error *err, enum error_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same, with the byte of the input at which it went wrong. */
bool error_set_at(struct error *err, enum error_code code, uint64_t offset, const char *format, ...)
	PRINTF_LIKE(4, 5);

/* Sets ERROR_IO, or ERROR_DENIED, with the text of errno behind the given one: "TEXT: No space left on device". */
bool error_set_errno(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "FORMAT: " before the text. Always returns false. */
bool error_prefix(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* The whole message, offset included, into buffer (cut to size). Returns buffer. */
const char *error_text(const struct error *err, char *buffer, size_t size);

#endif
