/* SPDX-License-Identifier: MIT */
/*
 * Both sides as folded stacks with two columns, as difffolded.pl writes them and flamegraph.pl reads
 * them, in order of names:
 *
 *     comm;main;parse 41 52
 *
 * A stack that one side does not have counts 0 there.
 */
#ifndef RENDER_DIFF_DIFF_FOLDED_H
#define RENDER_DIFF_DIFF_FOLDED_H

#include "base/sink.h"
#include "diff/diff.h"

/* Writes every stack with a weight of its own on either side; before's is scaled and cut to a
 * whole number. */
void diff_folded_write(const struct diff *diff, struct sink *sink);

#endif
