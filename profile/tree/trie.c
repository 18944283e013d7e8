/* SPDX-License-Identifier: MIT */
#include "profile/tree/trie.h"

#include "base/arithmetic.h"
#include "base/hash.h"

void trie_init(struct trie *trie)
{
	*trie = (struct trie){ 0 };
	idtable_init(&trie->node_ids);
	idtable_init(&trie->root_ids);
}

void trie_finish(struct trie *trie)
{
	idtable_deinit(&trie->node_ids);
	idtable_deinit(&trie->root_ids);
	vec_free(&trie->hashes);
	vec_free(&trie->path);
	vec_free(&trie->steps);
}

void trie_deinit(struct trie *trie)
{
	trie_finish(trie);
	vec_free(&trie->nodes);
	vec_free(&trie->roots);
}

static uint32_t add_node(struct trie *trie, uint32_t parent, uint32_t text)
{
	uint32_t node = (uint32_t)trie->nodes.count;

	vec_push(&trie->nodes, (struct trie_node){ .parent = parent, .text = text });
	return node;
}

static bool has_key(const struct trie *trie, uint32_t root, const struct callchain_key *key)
{
	return memcmp(&trie->roots.at[root].key, key, sizeof(*key)) == 0;
}

static uint32_t find_root(struct trie *trie, const struct callchain_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof(*key), 0);
	struct idtable_probe probe = idtable_find(&trie->root_ids, hash);
	uint32_t root;

	while ((root = idtable_next(&trie->root_ids, &probe)) != IDTABLE_NONE)
		if (has_key(trie, root, key))
			return root;
	root = (uint32_t)trie->roots.count;
	vec_push(&trie->roots, (struct trie_root){ *key, add_node(trie, TRIE_NONE, root) });
	idtable_add(&trie->root_ids, hash, root);
	return root;
}

void trie_leave_out(struct trie *trie, uint32_t shared_count)
{
	if (trie->hashes.count > (size_t)shared_count + 1)
		trie->hashes.count = (size_t)shared_count + 1;
}

uint32_t trie_begin(struct trie *trie, const struct callchain_key *key, uint32_t shared_count)
{
	struct trie_pending *pending = &trie->pending[trie->pending_count];

	*pending = (struct trie_pending){ 0 };
	if (trie->hashes.count && has_key(trie, trie->last_root, key)) {
		trie_leave_out(trie, shared_count);
		pending->shared_count = (uint32_t)trie->hashes.count;
	} else {
		trie->last_root = find_root(trie, key);
		trie->hashes.count = 0;
		vec_push(&trie->hashes, hash_u64(trie->last_root));
	}
	pending->root = trie->last_root;
	return (uint32_t)trie->hashes.count - 1;
}

void trie_add(struct trie *trie, const uint32_t *texts, uint32_t count, uint64_t sample_count,
	      uint64_t period)
{
	struct trie_pending *pending = &trie->pending[trie->pending_count];
	uint64_t hash = trie->hashes.at[trie->hashes.count - 1];

	vec_reserve(&trie->hashes, trie->hashes.count + count);
	vec_reserve(&trie->steps, trie->steps.count + count);
	for (uint32_t i = 0; i < count; i++) {
		hash = hash_u64(hash + texts[i] + 1);
		trie->hashes.at[trie->hashes.count++] = hash;
		trie->steps.at[trie->steps.count++] = (struct trie_step){ hash, texts[i] };
		idtable_prefetch(&trie->node_ids, hash);
	}
	pending->step_count = count;
	pending->sample_count = sample_count;
	pending->period = period;
	if (++trie->pending_count == TRIE_PENDING_COUNT)
		trie_flush(trie);
}

/* Prefetches the nodes that the pending steps read first. */
static void prefetch_nodes(const struct trie *trie)
{
	for (size_t i = 0; i < trie->steps.count; i++) {
		struct idtable_probe probe = idtable_find(&trie->node_ids, trie->steps.at[i].hash);
		uint32_t node = idtable_next(&trie->node_ids, &probe);

		if (node != IDTABLE_NONE)
			__builtin_prefetch(&trie->nodes.at[node]);
	}
}

/* Returns the child of a parent with this text; adds it if it is new. */
static uint32_t find_node(struct trie *trie, uint32_t parent, const struct trie_step *step)
{
	struct idtable_probe probe = idtable_find(&trie->node_ids, step->hash);
	uint32_t node;

	while ((node = idtable_next(&trie->node_ids, &probe)) != IDTABLE_NONE)
		if (trie->nodes.at[node].parent == parent &&
		    trie->nodes.at[node].text == step->text)
			return node;
	node = add_node(trie, parent, step->text);
	idtable_add(&trie->node_ids, step->hash, node);
	return node;
}

static void walk(struct trie *trie, const struct trie_pending *pending,
		 const struct trie_step *steps)
{
	struct trie_node *node;
	uint32_t at;

	trie->path.count = pending->shared_count;
	if (!trie->path.count)
		vec_push(&trie->path, trie->roots.at[pending->root].node);
	at = trie->path.at[trie->path.count - 1];
	for (uint32_t i = 0; i < pending->step_count; i++) {
		at = find_node(trie, at, &steps[i]);
		vec_push(&trie->path, at);
	}
	node = &trie->nodes.at[at];
	node->sample_count = saturate_add(node->sample_count, pending->sample_count);
	node->period_sum = saturate_add(node->period_sum, pending->period);
}

void trie_flush(struct trie *trie)
{
	const struct trie_step *steps = trie->steps.at;

	prefetch_nodes(trie);
	for (size_t i = 0; i < trie->pending_count; i++) {
		walk(trie, &trie->pending[i], steps);
		/* steps may be NULL, and adding to NULL is undefined. */
		if (trie->pending[i].step_count)
			steps += trie->pending[i].step_count;
	}
	trie->pending_count = 0;
	trie->steps.count = 0;
}
