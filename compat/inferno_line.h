/* SPDX-License-Identifier: MIT */
/*
 * Parses lines of `perf script` text by the rules of inferno-collapse-perf 0.12.8, quirks included:
 *
 *     comm NUMBER[/NUMBER] ...: [PERIOD] EVENT:[MODIFIERS:][ FRAME]   the comm ends at a number
 *         WORD SYMBOL (MODULE)                                        the symbol at the last blank
 *
 * kiln's own rules are in libparse/script/perf_script_header.h.
 */
#ifndef COMPAT_INFERNO_LINE_H
#define COMPAT_INFERNO_LINE_H

#include "compat/collapse.h"

struct inferno_event {
	struct text comm, pid, tid;
	struct text event; /* .at NULL: the line has no event, and every event filter accepts it */
	uint64_t period;   /* 1 if the line has none */
	struct text frame; /* the frame of a sample on a single line; empty: frames follow */
};

struct inferno_frame {
	struct text word;   /* the address */
	struct text symbol; /* without its offset */
	struct text module;
};

/* Removes trailing blanks. */
struct text inferno_line_trim(struct text line);

/* Parses the line that begins a sample. False if it is malformed. */
bool inferno_line_event(struct text line, struct inferno_event *ret);

/* Parses a frame. False if it is malformed. */
bool inferno_line_frame(struct text line, struct inferno_frame *ret);

/* Whether a frame is skipped: its symbol begins with a bracket. */
static inline bool inferno_line_is_no_function(const struct inferno_frame *frame)
{
	return frame->symbol.length && frame->symbol.at[0] == '(';
}

/*
 * Writes the symbol. Completes the demangling of a legacy Rust name that a C++ demangler has partly
 * demangled: _$LT$core..fmt..Error$u20$as$u20$X$GT$::fmt::h0123456789abcdef becomes
 * <core::fmt::Error as X>::fmt
 */
void inferno_line_write_symbol(const struct inferno_frame *frame, struct sink *sink);

/*
 * Passes the names of a frame to the callback, outermost first: "a->b" is a function, and a
 * function inlined into it.
 */
void inferno_line_name(const struct inferno_frame *frame, const struct collapse_naming *naming,
		       event_frame_callback *take, void *context);

#endif
