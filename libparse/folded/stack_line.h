/* SPDX-License-Identifier: MIT */
/*
 * Stacks of a line each, frames between semicolons. Such files are mostly sorted, so that a line begins
 * as the one before does: only behind that it is split.
 *
 *     app;main;parse;scan       frames: app  main  parse  scan
 *     app;main;parse;take       the first three are those of the line before; one is new
 */
#ifndef LIBPARSE_FOLDED_STACK_LINE_H
#define LIBPARSE_FOLDED_STACK_LINE_H

#include "base/strings.h"
#include "base/vec.h"

struct stack_line {
	VEC(struct text) frames; /* of the last line; of some the bytes are in lines before it */
	VEC(uint32_t) ends;      /* of each frame, from where its line begins */
	struct text last;        /* that line; at NULL: there is none to compare with */
};

void stack_line_free(struct stack_line *line);

/* The bytes of all lines so far are no longer what they were. */
void stack_line_forget(struct stack_line *line);

/* Splits a line that stays where it is until stack_line_forget. How many of its frames, from the outermost on, are
 * those of the line before. */
uint32_t stack_line_split(struct stack_line *line, struct text stack);

#endif
