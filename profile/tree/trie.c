/* SPDX-License-Identifier: MIT */
#include "profile/tree/trie.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "profile/frame_table.h"

/*
 * Frames are looked up if more nodes than this number and this share of all nodes might have been
 * there before. The number is large enough for a subtree that is out of order, and takes 100 KB.
 */
#define DOUBTFUL_MIN   4096
#define DOUBTFUL_SHARE 16

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
	if (trie->depth > shared_count + 1)
		trie->depth = shared_count + 1;
}

uint32_t trie_begin(struct trie *trie, const struct callchain_key *key, uint32_t shared_count)
{
	struct trie_pending *pending = &trie->pending[trie->pending_count];

	*pending = (struct trie_pending){ 0 };
	if (trie->depth && has_key(trie, trie->last_root, key)) {
		trie_leave_out(trie, shared_count);
		pending->shared_count = trie->depth;
	} else {
		trie->last_root = find_root(trie, key);
		trie->depth = 1;
	}
	pending->root = trie->last_root;
	return trie->depth - 1;
}

static uint64_t hash_of_root(uint32_t root)
{
	return hash_u64(root);
}

static uint64_t hash_of_step(uint64_t hash, uint32_t text)
{
	return hash_u64(hash + text + 1);
}

static void count_stack(struct trie *trie, uint32_t leaf, uint64_t sample_count, uint64_t period)
{
	struct trie_node *node = &trie->nodes.at[leaf];

	node->sample_count = saturate_add(node->sample_count, sample_count);
	node->period_sum = saturate_add(node->period_sum, period);
}

/* Adds all nodes to the table. */
static void begin_lookups(struct trie *trie)
{
	size_t count = trie->nodes.count;
	uint64_t *hashes = memory_alloc(count, sizeof(*hashes));

	for (uint32_t i = 0; i < count; i++) {
		const struct trie_node *node = &trie->nodes.at[i];

		if (node->parent == TRIE_NONE) {
			hashes[i] = hash_of_root(node->text);
			continue;
		}
		hashes[i] = hash_of_step(hashes[node->parent], node->text);
		idtable_add(&trie->node_ids, hashes[i], i);
	}
	for (size_t i = 0; i < trie->path.count; i++)
		vec_push(&trie->hashes, hashes[trie->path.at[i].node]);
	memory_free(hashes);
	trie->has_lookups = true;
}

/* Enters a child of the last visited node, which had no such child in this visit. */
static void visit_child(struct trie *trie, const struct raw_texts *texts, uint32_t text)
{
	struct trie_visit *parent = &trie->path.at[trie->path.count - 1];
	struct trie_visit child = {
		.node = add_node(trie, parent->node, text),
		.last_text = TRIE_NONE,
		.is_doubtful = parent->is_doubtful,
	};

	if (parent->last_text == TRIE_NONE ||
	    frame_name_compare(texts->rows.at[parent->last_text].text, texts->rows.at[text].text) <
		    0)
		parent->last_text = text;
	else
		child.is_doubtful = true;
	trie->doubtful_count += child.is_doubtful;
	vec_push(&trie->path, child);
}

/* Adds nodes for all frames that the stack does not share with the last one. */
static void visit(struct trie *trie, const struct raw_texts *texts, const uint32_t *rows,
		  uint32_t count)
{
	const struct trie_pending *pending = &trie->pending[0];
	uint32_t root = trie->roots.at[pending->root].node;
	size_t depth = pending->shared_count;

	if (!depth) {
		trie->path.count = 0;
		/* A root that was there before is not the last node, and may have children. */
		vec_push(&trie->path, (struct trie_visit){
					      .node = root,
					      .last_text = TRIE_NONE,
					      .is_doubtful = root + 1 < trie->nodes.count,
				      });
		depth = 1;
	}
	/* Readers do not compare stacks of different slices. */
	for (; count && depth < trie->path.count; depth++, rows++, count--)
		if (trie->nodes.at[trie->path.at[depth].node].text != rows[0])
			break;
	trie->path.count = depth;
	for (uint32_t i = 0; i < count; i++)
		visit_child(trie, texts, rows[i]);
	trie->depth = (uint32_t)trie->path.count;
}

/* Adds a stack to the pending ones. */
static void add_pending(struct trie *trie, const uint32_t *rows, uint32_t count,
			uint64_t sample_count, uint64_t period)
{
	struct trie_pending *pending = &trie->pending[trie->pending_count];
	uint64_t hash;

	trie->hashes.count = pending->shared_count;
	if (!trie->hashes.count)
		vec_push(&trie->hashes, hash_of_root(pending->root));
	hash = trie->hashes.at[trie->hashes.count - 1];
	vec_reserve(&trie->hashes, trie->hashes.count + count);
	vec_reserve(&trie->steps, trie->steps.count + count);
	for (uint32_t i = 0; i < count; i++) {
		hash = hash_of_step(hash, rows[i]);
		trie->hashes.at[trie->hashes.count++] = hash;
		trie->steps.at[trie->steps.count++] = (struct trie_step){ hash, rows[i] };
		idtable_prefetch(&trie->node_ids, hash);
	}
	trie->depth = (uint32_t)trie->hashes.count;
	pending->step_count = count;
	pending->sample_count = sample_count;
	pending->period = period;
	if (++trie->pending_count == TRIE_PENDING_COUNT)
		trie_flush(trie);
}

void trie_add(struct trie *trie, const struct raw_texts *texts, const uint32_t *rows,
	      uint32_t count, uint64_t sample_count, uint64_t period)
{
	if (trie->has_lookups) {
		add_pending(trie, rows, count, sample_count, period);
		return;
	}
	visit(trie, texts, rows, count);
	count_stack(trie, trie->path.at[trie->path.count - 1].node, sample_count, period);
	if (trie->doubtful_count > DOUBTFUL_MIN + trie->nodes.count / DOUBTFUL_SHARE)
		begin_lookups(trie);
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
	uint32_t at;

	trie->path.count = pending->shared_count;
	if (!trie->path.count)
		vec_push(&trie->path,
			 (struct trie_visit){ .node = trie->roots.at[pending->root].node });
	at = trie->path.at[trie->path.count - 1].node;
	for (uint32_t i = 0; i < pending->step_count; i++) {
		at = find_node(trie, at, &steps[i]);
		vec_push(&trie->path, (struct trie_visit){ .node = at });
	}
	count_stack(trie, at, pending->sample_count, pending->period);
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
