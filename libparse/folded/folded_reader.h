/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, as every tool around flame graphs writes them: a line for each stack, frames from
 * the outermost inwards, then what it counts, once or, when two captures are compared, twice.
 *
 *     # event: cpu-clock            comments: those of kiln and austin say what is counted
 *     app;main;parse 42             the first name is the process's, if the writer had one
 *     app;main;parse_[j] 1.5 42     suffixes say what a frame is: _[k] _[i] _[j] _[0] _[1]
 *
 * Two counts are two events, "after" and "before". Where the comments say that there are escapes,
 * \xHH in a name is a byte: docs/formats.md.
 */
#ifndef LIBPARSE_FOLDED_FOLDED_READER_H
#define LIBPARSE_FOLDED_FOLDED_READER_H

#include "libparse/formats.h"

extern const struct input_format folded_format;

/* The first line of what `kiln fold --provenance` writes. */
#define FOLDED_PROVENANCE "# kiln folded 1"

#endif
