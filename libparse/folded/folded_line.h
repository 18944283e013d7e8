/* SPDX-License-Identifier: MIT */
/*
 * One line of folded stacks: the stack, and the count or counts that end the line.
 *
 *     app;main;ioctl 3 7       a name may end in a number, too: all lines of a file have the same
 *                              number of counts
 */
#ifndef LIBPARSE_FOLDED_FOLDED_LINE_H
#define LIBPARSE_FOLDED_FOLDED_LINE_H

#include "base/strings.h"
#include "base/vec.h"

/*
 * The number of decimals that are kept if a count at the beginning of the file has decimals
 * (UNIT_MILLIONTHS).
 */
#define FOLDED_DECIMALS 6

struct folded_number {
	uint64_t value;    /* in units of 10^-N, where N is the number of decimals requested */
	uint32_t decimals; /* as written */
	uint32_t length;   /* of the number's text, in bytes */
	bool is_rounded;
};

/*
 * Removes the number at the end of a line, and the blanks before it. Returns false if there is no
 * number, or if it overflows.
 */
bool folded_line_take_number(struct text *line, uint32_t decimals, struct folded_number *ret);

/* The three numbers of austin's full mode. */
struct folded_metrics {
	uint64_t time_us;
	bool is_idle;
	uint64_t allocated_bytes; /* 0 if memory was freed */
};

/*
 * Removes "300,0,-1024" from the end of a line, and the blanks before it. Returns false if it is
 * missing.
 */
bool folded_line_take_metrics(struct text *line, struct folded_metrics *ret);

/* Whether a line is a comment: "# ..." as kiln and austin write it, or an empty line. */
bool folded_line_is_comment(struct text line);

/* The first ";" that joins two frames, or NULL. */
const char *folded_line_find_join(struct text text);

/*
 * Whether a line is a row of a table rather than a stack. name: the line without its count;
 * blank_count: the number of blanks between the name and the count.
 */
bool folded_line_is_table_row(struct text name, uint32_t blank_count);

/*
 * The frames of the current stack. Most files are sorted, so most stacks begin with frames of the
 * previous stack. Only the rest of a stack is split.
 *
 *     app;main;parse;scan       frames: app, main, parse, scan
 *     app;main;parse;read       shares the first three; one frame is new
 */
struct folded_stack {
	VEC(struct text) frames; /* the bytes of shared frames are in earlier lines */
	VEC(uint32_t) ends;      /* where each frame ends, as an offset in the line */
	struct text last; /* the previous line; .at is NULL if there is none to compare with */
};

void folded_stack_deinit(struct folded_stack *stack);

/* Must be called before the bytes of earlier lines change. */
void folded_stack_forget(struct folded_stack *stack);

/*
 * Splits a stack, whose bytes must remain valid until folded_stack_forget. Returns how many
 * outermost frames the stack shares with the previous one.
 */
uint32_t folded_stack_split(struct folded_stack *stack, struct text text);

#endif
