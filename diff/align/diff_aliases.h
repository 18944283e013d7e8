/* SPDX-License-Identifier: MIT */
/*
 * Functions that only one side has, by what the other side spells otherwise:
 *
 *     before                            after
 *      __memcpy_avx512_unaligned 5       __memmove_avx512_unaligned 6     one key: diff/align/diff_alias.h
 *      mix<long> 3                       mix 3                            one side has no arguments
 *      push<int> 2, push<long> 1         push<int> 4                      push<long> is gone
 */
#ifndef DIFF_ALIGN_DIFF_ALIASES_H
#define DIFF_ALIGN_DIFF_ALIASES_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_graph.h"

/* Fills in to, by frame, what frames become, and lists what becomes another. False when all stay. */
bool diff_aliases_map(const struct diff_graph *graph, struct diff_aligned *aligned, uint32_t *to);

#endif
