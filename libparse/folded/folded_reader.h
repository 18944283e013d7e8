/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, the exchange format of flame graph tools: each line is a stack from the root to
 * the leaf, then one count, or two counts in the output of difffolded.pl.
 *
 *     # event: cpu-clock            kiln and austin describe the counts in comments
 *     app;main;parse 42             the first frame is usually the comm
 *     app;main;parse_[j] 1.5 42     suffixes mark kinds of frames: _[k] _[i] _[j] _[0] _[1]
 *
 * The two counts are read as two events, "before" and "after". If a comment declares escapes, \xHH
 * in a name stands for one byte: see docs/formats.md.
 */
#ifndef LIBPARSE_FOLDED_FOLDED_READER_H
#define LIBPARSE_FOLDED_FOLDED_READER_H

#include "libparse/evidence.h"
#include "libparse/formats.h"

extern const struct input_format folded_format;

struct evidence folded_probe(struct span head);

/* The first lines that `kiln fold --provenance` and austin write. */
#define FOLDED_PROVENANCE "# kiln folded 1"
#define FOLDED_AUSTIN     "# austin: "

#endif
