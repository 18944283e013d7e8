/* SPDX-License-Identifier: MIT */
/*
 * Writes folded stacks, the exchange format of flame graph tools: one line per stack, root first,
 *
 *     comm;main;parse;read 42
 *
 * sorted bytewise by the whole line, as stackcollapse-perf.pl prints them.
 */
#ifndef RENDER_TEXT_FOLDED_H
#define RENDER_TEXT_FOLDED_H

#include "base/sink.h"
#include "profile/profile.h"

/* Writes every stack with a self weight. The sink keeps the first write error. */
void folded_write(const struct profile *profile, struct sink *sink);

/* Like folded_write, but in multiples of a unit; smaller weights are omitted. */
void folded_write_in(const struct profile *profile, uint64_t unit, struct sink *sink);

/*
 * Like folded_write, preceded by comments about the capture, the event and the losses. In names,
 * semicolons, backslashes, line ends, a "#" at the beginning, and blanks before a possible count
 * are written as \xHH, so that names can be read back.
 */
void folded_write_provenance(const struct profile *profile, struct sink *sink);

#endif
