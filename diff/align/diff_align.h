/* SPDX-License-Identifier: MIT */
/*
 * Decides what is compared with what, beyond equal names, when all captures are in the union tree:
 *
 *     inlined functions that one side lacks   folded into callers     diff_inlines.h
 *     spellings of a name                     joined                  diff_aliases.h
 *     threads of one role                     paired                  diff_roots.h
 *     functions of another name               suggested, or paired    diff_renamed.h
 *     other ways of unwinding                 noted                   diff_unwinding.h
 */
#ifndef DIFF_ALIGN_DIFF_ALIGN_H
#define DIFF_ALIGN_DIFF_ALIGN_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_scale.h"
#include "diff/diff_tree.h"

/* runs: one of each column; both sides have weight. A run that has functions in all their stacks has not any more when
 * some are folded. ret is the caller's, who frees its pairs. */
void diff_align(struct diff_tree *tree, struct diff_run *runs, struct diff_aligned *ret);

#endif
