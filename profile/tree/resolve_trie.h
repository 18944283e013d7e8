/* SPDX-License-Identifier: MIT */
/*
 * A worker's trie in the terms of the whole capture: its roots become callers without frames of their own,
 * its texts locations.
 *
 *     texts of this worker   0 main   1 parse        resolved.text_locations   0 ─▶ 7   1 ─▶ 2
 *     those of all workers   2 parse  7 main  ...
 */
#ifndef PROFILE_TREE_RESOLVE_TRIE_H
#define PROFILE_TREE_RESOLVE_TRIE_H

#include "profile/resolve.h"

/* all: what the worker's texts were merged into, finished. The trie is borrowed. */
void resolve_trie(struct resolved *resolved, const struct text_samples *all,
		  const struct trie *trie, const struct raw_texts *texts);

#endif
