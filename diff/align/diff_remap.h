/* SPDX-License-Identifier: MIT */
/*
 * Gives the nodes of a union tree other frames, when all captures are in it:
 *
 *     to                         app;old;x 3             app;new;x 7
 *     old -> new                 app;new;x 4      ->
 *     inlined -> DIFF_FRAME_NONE app;inlined;y 1         app;y 1
 */
#ifndef DIFF_ALIGN_DIFF_REMAP_H
#define DIFF_ALIGN_DIFF_REMAP_H

#include "diff/diff_tree.h"

/*
 * to: by frame, the frame it becomes, which becomes itself, or DIFF_FRAME_NONE: what it calls is called by its caller.
 * Frames that no node has any more are removed, so that all frames have other numbers. Nothing can be added to
 * the tree any more.
 */
void diff_tree_remap(struct diff_tree *tree, const uint32_t *to);

#endif
