/* SPDX-License-Identifier: MIT */
/*
 * One line of folded stacks: the stack and the count or counts that end it.
 *
 *     app;main;ioctl 3 7       a name may end in a number too: how many of them are counts is a
 *                              property of the file
 */
#ifndef LIBPARSE_FOLDED_FOLDED_LINE_H
#define LIBPARSE_FOLDED_FOLDED_LINE_H

#include "base/strings.h"
#include "base/vec.h"

/* Decimals that are kept if any count of the file has some: UNIT_MILLIONTHS. */
#define FOLDED_DECIMALS 6

struct folded_number {
	uint64_t value;    /* in units of 10^-decimals, of the decimals that were asked for */
	uint32_t decimals; /* as written */
	uint32_t length;   /* of the whole number, in bytes */
	bool is_rounded;
};

/* Removes the number at the end of a line, and the blanks before it. False: there is none, or it
 * does not fit. */
bool folded_line_take_number(struct text *line, uint32_t decimals, struct folded_number *ret);

/* The three numbers of austin's full mode. */
struct folded_metrics {
	uint64_t time_us;
	bool is_idle;
	uint64_t allocated_bytes; /* 0 if memory was freed */
};

/* Removes "300,0,-1024" from the end of a line, and the blanks before it. False: it is missing. */
bool folded_line_take_metrics(struct text *line, struct folded_metrics *ret);

/* An empty line or "# ...", as kiln and austin write. */
bool folded_line_is_comment(struct text line);

/* The first ";" that joins two frames, or NULL. */
const char *folded_line_find_join(struct text text);

/* Whether a line is a row of a table rather than a stack. name is the line without its count;
 * blank_count blanks separated them. */
bool folded_line_is_table_row(struct text name, uint32_t blank_count);

/*
 * The frames of the current stack. Files are mostly sorted, so a stack begins like the one before;
 * only the rest is split.
 *
 *     app;main;parse;scan       frames: app, main, parse, scan
 *     app;main;parse;read       shares the first three; one frame is new
 */
struct folded_stack {
	VEC(struct text) frames; /* the bytes of shared frames are in earlier lines */
	VEC(uint32_t) ends;      /* of each frame, as an offset in its line */
	struct text last;        /* the line that was split last; at NULL: none to compare with */
};

void folded_stack_deinit(struct folded_stack *stack);

/* To be called before the bytes of earlier lines change. */
void folded_stack_forget(struct folded_stack *stack);

/* Splits a stack, whose bytes must stay until folded_stack_forget. Returns how many of its frames,
 * outermost first, it shares with the stack before. */
uint32_t folded_stack_split(struct folded_stack *stack, struct text text);

#endif
