/* SPDX-License-Identifier: MIT */
/*
 * The lines of a source file around those that samples touch, each with its number. Lines that are not
 * near any touched one are not there:
 *
 *     kiln-source ⇥ 1 ⇥ /usr/src/app/parse.c
 *     31 ⇥ static int next(struct reader *reader)
 *     32 ⇥ {
 *     208 ⇥ 	return next(reader) ? read_word(reader) : 0;
 */
#ifndef SESSION_SOURCE_LINES_H
#define SESSION_SOURCE_LINES_H

#include "base/sink.h"

/* Lines before and behind a touched one. */
#define SOURCE_LINES_MARGIN 20u

enum source_match {
	SOURCE_MATCHES,       /* as far as the lines tell */
	SOURCE_OTHER_VERSION, /* a touched line is behind its end */
	SOURCE_NOT_TEXT,      /* a NUL is in it */
};

/* Appends the lines of a file around those touched, which ascend, each once and none 0. */
enum source_match source_lines_write(struct text file, const uint32_t *touched, size_t count,
				     struct sink *sink, uint32_t *ret_line_count);

#endif
