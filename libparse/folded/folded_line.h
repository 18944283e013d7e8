/* SPDX-License-Identifier: MIT */
/*
 * One line of folded stacks: the stack and the numbers behind it.
 *
 *     app;main;ioctl 3 7
 *     |--- stack ----| |count      a name can end in a number: how many there are the file decides
 */
#ifndef LIBPARSE_FOLDED_FOLDED_LINE_H
#define LIBPARSE_FOLDED_FOLDED_LINE_H

#include "base/strings.h"

/* Places behind the decimal point that are kept where there is one: UNIT_MILLIONTHS. */
#define FOLDED_DECIMALS 6

struct folded_number {
	uint64_t value;    /* in units of 10 to the power of -decimals; what is more is rounded */
	uint32_t decimals; /* that were written */
	uint32_t length;   /* of all that was written, in bytes */
	bool is_rounded;
};

/*
 * Takes the number at the end of a line off it, and the blanks before it. False: there is none, or it
 * does not fit.
 */
bool folded_line_take_number(struct text *line, uint32_t decimals, struct folded_number *ret);

/* The three numbers of austin's full mode. */
struct folded_metrics {
	uint64_t time_us;
	bool is_idle;
	uint64_t allocated_bytes; /* 0 also where memory was freed */
};

/* Takes "300,0,-1024" off the end of a line, and the blanks before it. False: it is not there. */
bool folded_line_take_metrics(struct text *line, struct folded_metrics *ret);

#endif
