/* SPDX-License-Identifier: MIT */
/*
 * What stackcollapse-perf.pl sees in a line of `perf script` text: its rules, quirks included, so that
 * the drop-in for it writes the same. libparse/script/perf_script_header.h has better ones.
 *
 *     comm blanks NUMBER[/NUMBER] blanks ...: [PERIOD] EVENT:
 *     blanks WORD blanks SYMBOL (MODULE)
 */
#ifndef COMPAT_PERL_LINE_H
#define COMPAT_PERL_LINE_H

#include "compat/collapse_frame.h"

struct perl_event {
	struct text comm, first, second; /* the numbers; second is empty where there is one */
	struct text event, period; /* where the line ends in them; event.at NULL: it does not */
};

struct perl_frame {
	struct text word, symbol, module;
};

/* Whether a line is one of an event; it never begins with a blank. */
bool perl_line_event(struct text line, struct perl_event *ret);

/* Whether a line, which is none of an event, is a frame. */
bool perl_line_frame(struct text line, struct perl_frame *ret);

/* Whether it is one at first sight, as nearly all are; false: perl_line_frame knows. */
bool perl_line_is_plain_frame(struct text line);

/* How many lines after a frame belong to it, where the places in the source were printed. */
uint32_t perl_line_source_count(const struct perl_frame *frame);

/* Tells the frames that one is taken apart into, outermost first. */
void perl_line_name(const struct perl_frame *frame, const struct collapse_naming *naming,
		    event_frame_callback *take, void *context);

#endif
