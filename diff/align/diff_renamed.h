/* SPDX-License-Identifier: MIT */
/*
 * Functions that look renamed: one that only before has and one that only after has, whose callers and callees are the
 * same and weigh as much:
 *
 *     before                          after
 *      main                            main
 *       parse_header 19.7 %             decode_head 19.4 %      score 0.94
 *        scan 18 %, hash 1.7 %           scan 18 %, hash 1.4 %
 *
 * The score is of the distribution of what they call, and themselves, and of who calls them (each the sum of the smaller
 * shares over that of the larger), of how much they weigh, and of the bytes their names have in common. Only functions
 * of a common caller are held against each other. What is accepted makes their callees comparable, in rounds.
 */
#ifndef DIFF_ALIGN_DIFF_RENAMED_H
#define DIFF_ALIGN_DIFF_RENAMED_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_graph.h"

/*
 * Fills in to, by frame, what frames become, and lists what becomes another, and what may be renamed though it is not
 * sure enough. applies: else the former are listed as likely, too, and the caller leaves frames as they are. False
 * when all stay.
 */
bool diff_renamed_map(const struct diff_graph *graph, bool applies, struct diff_aligned *aligned,
		      uint32_t *to);

#endif
