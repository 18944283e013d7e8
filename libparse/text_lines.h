/* SPDX-License-Identifier: MIT */
/*
 * Splits a block of lines that begin with the same character, such as the frames of a stack:
 *
 *     \t20 parse+0x9 (app)
 *     \t10 main+0x40 (app)     2 lines that begin with a tab
 *                              ◀── the first line that does not
 */
#ifndef LIBPARSE_TEXT_LINES_H
#define LIBPARSE_TEXT_LINES_H

#include "base/strings.h"

typedef VEC(struct text) text_lines;

/*
 * Appends the lines that begin with a character, without their LF or CRLF. Stops at the first line
 * that does not, or that does not end before `end`, and returns its beginning. at: the beginning of
 * a line.
 */
const char *text_lines_split(text_lines *lines, const char *at, const char *end, char first);

#endif
