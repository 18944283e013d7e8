/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, the text form flame graph tools exchange: one line a stack, root first,
 *
 *     comm;main;parse;read 42
 *
 * sorted by bytes as a whole, which is what stackcollapse-perf.pl prints.
 */
#ifndef RENDER_TEXT_FOLDED_H
#define RENDER_TEXT_FOLDED_H

#include "base/sink.h"
#include "profile/profile.h"

/* Writes every stack with a weight of its own. Failures latch in the sink. */
void folded_write(const struct profile *profile, struct sink *sink);

/* The same in whole multiples of a unit; what has less than one of it is left out. */
void folded_write_in(const struct profile *profile, uint64_t unit, struct sink *sink);

/*
 * The same below comments that say what is counted of which capture and what of it is lost. In names,
 * bytes that would be taken for something else are written as \\xHH, so that they can be read again as
 * they were: semicolons, line ends, backslashes, and blanks before what could be a count.
 */
void folded_write_provenance(const struct profile *profile, struct sink *sink);

#endif
