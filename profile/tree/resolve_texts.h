/* SPDX-License-Identifier: MIT */
/*
 * Replaces the raw texts in resolved stacks and tries with their frames. The texts of a capture are
 * parsed only once all of them are known, and a text can have several frames, or none that the view
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
 * which must be finished. Removes the places, and keys can become equal: no stack may be added.
 */
void resolve_texts(struct resolved *resolved, const struct text_samples *text,
		   const struct view *view);

/*
 * Resolves the trie of one worker. all: the finished texts of all workers. texts: the worker's own
 * texts. first_offset: the input offset of the worker's first sample, or any number that sorts in
 * the same order. The roots of the trie become keys, and its texts become locations:
 *
 *     texts of this worker   0 main   1 parse        resolved.text_locations   0 ─▶ 7   1 ─▶ 2
 *     texts of all workers   2 parse  7 main  ...
 */
void resolve_trie(struct resolved *resolved, const struct text_samples *all,
		  const struct trie *trie, const struct raw_texts *texts, uint64_t first_offset);

#endif
