/* SPDX-License-Identifier: MIT */
/*
 * Stores distinct stacks as a trie, for folded stacks, which are mostly sorted. Only the part of a
 * stack that differs from the previous stack is looked up.
 *
 *     app;main;parse 3                       (app) ─ main ─┬─ parse 3
 *     app;main;write 5     the root ──────▶                └─ write 5
 *                          is a callchain_key
 *
 * Frames are rows of raw_texts. Parents precede their children. As long as stacks are sorted, all
 * frames after the shared ones are new and need no lookup:
 *
 *     app;main;parse 3        "write" is after "parse", so main does not have a child "write" yet
 *     app;main;write 5
 *
 * Some stacks may be out of order, as in files that are sorted by bytes (where "f::g" is between
 * "f" and "f;h"). A frame can then have two nodes with the same parent, which share a row of the
 * stack tree. Nodes that might have been there before are counted. If they are many, all frames are
 * looked up from then on.
 *
 * Lookups miss the cache, so stacks are added in batches whose misses overlap. Batches are possible
 * because the hash of a step depends only on the texts up to this step, not on nodes.
 */
#ifndef PROFILE_TREE_TRIE_H
#define PROFILE_TREE_TRIE_H

#include "profile/callchains.h"
#include "profile/raw_texts.h"

#define TRIE_NONE UINT32_MAX

struct trie_node {
	uint32_t parent; /* TRIE_NONE means a root */
	uint32_t text;   /* a row of raw_texts; for a root, of roots */
	/* Sums over the stacks with this leaf. */
	uint64_t sample_count;
	uint64_t period_sum;
};

struct trie_root {
	struct callchain_key key;
	uint32_t node;
};

/* A node of the last stack. */
struct trie_visit {
	uint32_t node;
	uint32_t last_text; /* the text of the last child in sorting order; TRIE_NONE: no child */
	bool is_doubtful;   /* the node, or its parent, might have been there before */
};

struct trie_step {
	uint64_t hash;
	uint32_t text;
};

/* A stack that is not in the trie yet. */
struct trie_pending {
	uint32_t shared_count; /* steps shared with the previous stack, including the root */
	uint32_t root;
	uint32_t step_count; /* its own steps in trie.steps */
	uint64_t sample_count, period;
};

#define TRIE_PENDING_COUNT 16

struct trie {
	struct idtable node_ids, root_ids;
	VEC(struct trie_node) nodes;
	VEC(struct trie_root) roots; /* in order of first appearance */
	uint32_t last_root;
	uint32_t depth; /* steps that the next stack can share with the last one, and the root */
	VEC(struct trie_visit) path; /* of the last stack in the trie */
	size_t doubtful_count;       /* nodes that might have been there before */
	bool has_lookups;            /* all frames are looked up; the members below are in use */
	VEC(uint64_t) hashes;        /* hashes of the steps of the last stack, root first */
	VEC(struct trie_step) steps; /* steps of all pending stacks */
	struct trie_pending pending[TRIE_PENDING_COUNT];
	size_t pending_count;
};

void trie_init(struct trie *trie);
void trie_deinit(struct trie *trie);

/*
 * Begins a stack that shares its first frames with the last one. The caller does not pass these
 * frames to trie_add. Returns the number of these frames, which is at most shared_count, and 0 if
 * the key differs.
 */
uint32_t trie_begin(struct trie *trie, const struct callchain_key *key, uint32_t shared_count);

/*
 * Completes the stack with these frames, which are rows of `texts`. Counts its samples immediately
 * or in a later call.
 */
void trie_add(struct trie *trie, const struct raw_texts *texts, const uint32_t *rows,
	      uint32_t count, uint64_t sample_count, uint64_t period);

/*
 * Skips a stack. Must be called for each skipped stack, because the shared count of the next stack
 * refers to it.
 */
void trie_leave_out(struct trie *trie, uint32_t shared_count);

/* Counts all pending stacks. Must be called before nodes are read. */
void trie_flush(struct trie *trie);

/* Frees the memory that only adding stacks requires. */
void trie_finish(struct trie *trie);

#endif
