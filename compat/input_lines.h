/* SPDX-License-Identifier: MIT */
/*
 * Lines of inputs one behind another, as scripts read the files they are given:
 *
 *     input_lines_init ─ input_lines_read(file) ... ─ input_lines_deinit
 *
 * A last line without an end is one of its own. Lines longer than LIMIT_TEXT_RECORD_BYTES are left out
 * and counted.
 */
#ifndef COMPAT_INPUT_LINES_H
#define COMPAT_INPUT_LINES_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"

/* What takes a line, without its end; it is valid during the call. */
typedef void input_line_taker(void *context, struct text line);

struct input_lines {
	input_line_taker *take;
	void *context;
	VEC(char) line; /* what there is of the line under way */
	bool is_too_long;
	uint64_t number; /* of the line under way, over all inputs, from 1 on */
	uint64_t skipped_count, first_skipped_number;
};

void input_lines_init(struct input_lines *lines, input_line_taker *take, void *context);
void input_lines_deinit(struct input_lines *lines);

/* Has all lines of a file taken; "-" is standard input. */
bool input_lines_read(struct input_lines *lines, const char *path, struct error *err) WARN_UNUSED;

#endif
