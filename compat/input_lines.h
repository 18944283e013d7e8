/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines of several inputs as one text, as scripts read the files in their arguments:
 *
 *     input_lines_init, input_lines_read(file) ..., input_lines_deinit
 *
 * A last line without a newline does not continue in the next input. Lines longer than
 * LIMIT_TEXT_RECORD_BYTES are skipped and counted.
 */
#ifndef COMPAT_INPUT_LINES_H
#define COMPAT_INPUT_LINES_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"

/* Receives a line without its end; the text is valid during the call. */
typedef void input_line_callback(void *context, struct text line);

struct input_lines {
	input_line_callback *on_line;
	void *context;
	VEC(char) line; /* the current line, if it spans chunks */
	bool is_too_long;
	uint64_t number; /* number of the current line, counted from 1 through all inputs */
	uint64_t skipped_count, first_skipped_number;
};

void input_lines_init(struct input_lines *lines, input_line_callback *on_line, void *context);
void input_lines_deinit(struct input_lines *lines);

/* Reads all lines of a file; "-" is standard input. */
bool input_lines_read(struct input_lines *lines, const char *path, struct error *err) WARN_UNUSED;

#endif
