/* SPDX-License-Identifier: MIT */
/*
 * Parses lines of `perf script` text by the regular expressions of stackcollapse-perf.pl, quirks
 * included:
 *
 *     comm  NUMBER[/NUMBER]  ...: [PERIOD] EVENT:     an event line
 *         WORD  SYMBOL (MODULE)                       a frame
 *
 * kiln's own rules are in libparse/script/perf_script_header.h.
 */
#ifndef COMPAT_PERL_LINE_H
#define COMPAT_PERL_LINE_H

#include "compat/collapse.h"

struct perl_event {
	struct text comm;
	struct text first, second; /* the two numbers after the comm; second can be empty */
	struct text event, period; /* at the end of the line; event.at is NULL if missing */
};

struct perl_frame {
	struct text word, symbol, module;
};

/*
 * Parses an event line, which never begins with a blank. Returns false if the line is something
 * else.
 */
bool perl_line_event(struct text line, struct perl_event *ret);

/* Parses a line that is not an event line as a frame. */
bool perl_line_frame(struct text line, struct perl_frame *ret);

/* A quick test that nearly all frames pass. Returns false if perl_line_frame must decide. */
bool perl_line_is_plain_frame(struct text line);

/* The number of source lines that follow a frame: one for each of its names. */
uint32_t perl_line_source_count(const struct perl_frame *frame);

/*
 * Passes the names of a frame to the callback, outermost first: "a->b" is a function, and a
 * function inlined into it.
 */
void perl_line_name(const struct perl_frame *frame, const struct collapse_naming *naming,
		    event_frame_callback *take, void *context);

#endif
