/* SPDX-License-Identifier: MIT */
/*
 * Distinct stacks by their beginnings, for captures whose samples come in an order that makes neighbours
 * begin alike. A node is a frame on a node; what the last stack walked over is remembered, so that
 * the next is looked up only behind what both have in common.
 *
 *     app;main;parse 3                       (app) ─ main ─┬─ parse 3
 *     app;main;write 5     the root ──────▶                └─ write 5
 *                          is a callchain_key
 *
 * Frames are rows of raw_texts. Parents come before their children. Every lookup waits for memory, so
 * stacks are put by until there are some whose waits can overlap: a step's hash is made of the texts up
 * to it, for which no node has to be known.
 */
#ifndef PROFILE_TREE_TRIE_H
#define PROFILE_TREE_TRIE_H

#include "profile/callchains.h"

#define TRIE_NONE UINT32_MAX

struct trie_node {
	uint32_t parent; /* TRIE_NONE: it is a root */
	uint32_t text;   /* a row of raw_texts; of a root the row of roots */
	/* Of the stacks that end here. */
	uint64_t sample_count;
	uint64_t period_sum;
};

struct trie_root {
	struct callchain_key key;
	uint32_t node;
};

struct trie_step {
	uint64_t hash;
	uint32_t text;
};

/* A stack that has not been walked over yet. */
struct trie_pending {
	uint32_t
		shared_count; /* steps of the one before, its root among them, that it begins with; 0: none */
	uint32_t root;
	uint32_t step_count; /* that are its own, behind those of the pending ones before it */
	uint64_t sample_count, period;
};

#define TRIE_PENDING_COUNT 16

struct trie {
	struct idtable node_ids, root_ids;
	VEC(struct trie_node) nodes;
	VEC(struct trie_root) roots; /* in the order of first appearance */
	uint32_t last_root;
	VEC(uint64_t) hashes;        /* of the steps of the stack begun last, its root first */
	VEC(uint32_t) path;          /* the nodes of the stack walked over last */
	VEC(struct trie_step) steps; /* of those pending */
	struct trie_pending pending[TRIE_PENDING_COUNT];
	size_t pending_count;
};

void trie_init(struct trie *trie);
void trie_deinit(struct trie *trie);

/*
 * Begins a stack that has this many frames in common with the one begun last. How many of them are still
 * known: all, or none when that one had another key.
 */
uint32_t trie_begin(struct trie *trie, const struct callchain_key *key, uint32_t shared_count);

/* Ends the stack that was begun with these frames, and counts samples of it, now or at a later call. */
void trie_add(struct trie *trie, const uint32_t *texts, uint32_t count, uint64_t sample_count,
	      uint64_t period);

/* A stack was left out: the next will tell only what it has in common with that one. */
void trie_leave_out(struct trie *trie, uint32_t shared_count);

/* Counts all that was added. To be called before nodes are looked at. */
void trie_flush(struct trie *trie);

/* Frees what only adding stacks takes. */
void trie_finish(struct trie *trie);

#endif
