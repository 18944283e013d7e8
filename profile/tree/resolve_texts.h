/* SPDX-License-Identifier: MIT */
/*
 * Replaces the raw texts in resolved stacks with their frames. The texts of a capture are parsed
 * only once all of them are known, and a text can have several frames, or none that the view
 * selects:
 *
 *     raw texts    "run" ── "Map.get<-Set.add"           numbers of places
 *     locations    run ── Set.add ── Map.get             locations of the finished texts
 */
#ifndef PROFILE_TREE_RESOLVE_TEXTS_H
#define PROFILE_TREE_RESOLVE_TEXTS_H

#include "profile/text_samples.h"
#include "profile/tree/resolved.h"
#include "profile/view.h"

/*
 * Makes the stacks, which consist of raw texts, refer to the locations, events and comms of `text`,
 * which must be finished. Removes the places.
 */
void resolve_texts(struct resolved *resolved, const struct text_samples *text,
		   const struct view *view);

#endif
