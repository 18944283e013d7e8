/* SPDX-License-Identifier: MIT */
/*
 * An error is a value in the caller's stack frame, so errors need no heap memory. The function that
 * finds the error sets the text. The function that knows the file adds the prefix. Only commands
 * print the error:
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
	ERROR_IO,          /* a system call failed: open, read, write */
	ERROR_DENIED,      /* a system call failed for lack of permission */
	ERROR_RESOURCE,    /* this machine has run out of memory, disk space or descriptors */
	ERROR_FORMAT,      /* the input does not have a known format */
	ERROR_CORRUPT,     /* a known format, but with corrupt contents */
	ERROR_LINK,        /* a symbolic link where only a file may be opened */
	ERROR_LIMIT,       /* the input exceeds one of the limits, LIMIT_... */
	ERROR_UNSUPPORTED, /* a known format, but not supported by this build */
	ERROR_USAGE,       /* the command line is wrong */
	ERROR_NO_MATCH,    /* no part of the input is selected */
};

struct error {
	enum error_code code;
	bool has_offset;
	uint64_t offset; /* offset of the error in the input */
	char text[480];
};

/*
 * Sets the code and the text. Always returns false, so that a function can fail with `return
 * error_set(...)`.
 */
bool error_set(struct error *err, enum error_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Like error_set, with the offset of the error in the input. */
bool error_set_at(struct error *err, enum error_code code, uint64_t offset, const char *format, ...)
	PRINTF_LIKE(4, 5);

/*
 * Sets ERROR_IO, ERROR_DENIED or ERROR_RESOURCE, and appends the text of errno: "TEXT: No space
 * left on device".
 */
bool error_set_errno(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "FORMAT: " before the text. Always returns false. */
bool error_prefix(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes the whole message, with the offset, to buffer, truncated to size. Returns buffer. */
const char *error_text(const struct error *err, char *buffer, size_t size);

#endif
