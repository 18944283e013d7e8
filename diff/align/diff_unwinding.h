/* SPDX-License-Identifier: MIT */
/*
 * Sides whose stacks were recorded in different ways: with and without the kernel, or by frame pointers that some code
 * does not keep and by unwinding that sees all. What functions weigh themselves is compared all the same; what they
 * weigh with what they call is not, and outputs say so.
 */
#ifndef DIFF_ALIGN_DIFF_UNWINDING_H
#define DIFF_ALIGN_DIFF_UNWINDING_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_graph.h"

/* Notes what differs. */
void diff_unwinding_compare(const struct diff_graph *graph, struct diff_aligned *aligned);

#endif
