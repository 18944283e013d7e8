/* SPDX-License-Identifier: MIT */
/*
 * What inferno-collapse-perf (0.12.8) sees in a line of `perf script` text: its rules, quirks included, so that
 * the drop-in for it writes the same. libparse/script/perf_script_header.h has better ones.
 *
 *     comm NUMBER[/NUMBER] ...: [PERIOD] EVENT:[MODIFIERS:][ FRAME]     the first number behind a blank ends the comm
 *     WORD SYMBOL (MODULE)                                              the last blank ends the symbol
 */
#ifndef COMPAT_INFERNO_LINE_H
#define COMPAT_INFERNO_LINE_H

#include "compat/collapse_frame.h"

struct inferno_event {
	struct text comm, pid, tid;
	struct text event; /* at NULL: the line has none, and belongs to whatever is taken */
	uint64_t period;   /* 1 where there is none */
	struct text frame; /* of a sample that is a single line; empty: frames follow */
};

struct inferno_frame {
	struct text word, symbol, module; /* the symbol without its offset */
};

/* A line without the blanks at its end. */
struct text inferno_line_trim(struct text line);

/* Whether a line that begins a sample is understood. */
bool inferno_line_event(struct text line, struct inferno_event *ret);

/* Whether a line inside of a sample is a frame. */
bool inferno_line_frame(struct text line, struct inferno_frame *ret);

/* Whether it is one of those that are passed over. */
static inline bool inferno_line_is_no_function(const struct inferno_frame *frame)
{
	return frame->symbol.length && frame->symbol.at[0] == '(';
}

/* Writes the symbol, a mangled name of Rust as what it stands for. */
void inferno_line_write_symbol(const struct inferno_frame *frame, struct sink *sink);

/* Tells the frames that one is taken apart into, outermost first. */
void inferno_line_name(const struct inferno_frame *frame, const struct collapse_naming *naming,
		       event_frame_callback *take, void *context);

#endif
