/* SPDX-License-Identifier: MIT */
/*
 * Captures of which one has inlined functions and the other has none, as an SVG of the old pipeline:
 *
 *     before                         after
 *      main 1                         main 6
 *       parse (inlined) 5              scan 4
 *        scan 4
 *
 * They are one program: what is inlined is folded into its caller, on the side that has it. Where the other side
 * has functions of these names in these places, it has them under no mark, and they are compared.
 */
#ifndef DIFF_ALIGN_DIFF_INLINES_H
#define DIFF_ALIGN_DIFF_INLINES_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_graph.h"

/* Fills in to, by frame, what frames become: diff_remap.h. False when all stay. folds: unless inlined functions are
 * to be compared whatever the other side has. */
bool diff_inlines_map(const struct diff_graph *graph, bool folds, struct diff_aligned *aligned,
		      uint32_t *to);

#endif
