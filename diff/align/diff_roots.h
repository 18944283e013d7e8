/* SPDX-License-Identifier: MIT */
/*
 * Threads of one role whose names differ, so that stacks are compared with each other and not all gone and all new:
 *
 *     before               after
 *      svc_before 90 %      svc_after 91 %      the executable of another build
 *      worker-1             worker-17           a pool, whose names differ in numbers
 *
 * Paired are groups at the root that only one side has: those that are equal but for digits, and those that do the
 * same work, the more alike the names are or the heavier the groups, the less of it.
 */
#ifndef DIFF_ALIGN_DIFF_ROOTS_H
#define DIFF_ALIGN_DIFF_ROOTS_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_graph.h"

/* Fills in to, by frame, what frames become, and lists what becomes another. False when all stay. */
bool diff_roots_map(const struct diff_graph *graph, struct diff_aligned *aligned, uint32_t *to);

#endif
