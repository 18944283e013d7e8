/* SPDX-License-Identifier: MIT */
#include "profile/tree/resolve_trie.h"

void resolve_trie(struct resolved *resolved, const struct text_samples *all,
		  const struct trie *trie, const struct raw_texts *texts)
{
	resolved->trie = trie;
	for (size_t i = 0; i < texts->rows.count; i++) {
		uint32_t row = raw_texts_find(&all->frames, texts->rows.at[i].number);

		vec_push(&resolved->text_locations, all->of_frames.at[row]);
	}
	for (size_t i = 0; i < trie->roots.count; i++) {
		const struct callchain_key *key = &trie->roots.at[i].key;
		const struct text_head *head = text_samples_head(all, key->head);

		vec_push(&resolved->callers, (struct resolved_callers){
						     .event = head->event,
						     .comm = head->comm,
						     .unnamed_tid = key->unnamed_tid,
						     .pid = key->pid,
						     .tid = key->tid,
						     .cpu = key->cpu,
					     });
	}
}
