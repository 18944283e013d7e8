/* SPDX-License-Identifier: MIT */
/*
 * Resolved stacks: stacks of locations with their counts. Callers are nodes of a tree, because most
 * stacks differ only in a few inner frames. Stacks can be equal.
 *
 *     callers   a node and its parents       main ── parse ─┬─ read
 *                                                           └─ skip
 *     stack     key, node, leaf              (event, comm, …), read, memcpy
 */
#ifndef PROFILE_TREE_RESOLVED_H
#define PROFILE_TREE_RESOLVED_H

#include "base/idtable.h"
#include "profile/tree/callers.h"
#include "profile/tree/trie.h"

/* What distinguishes stacks, apart from their locations. */
struct stack_key {
	uint64_t head; /* of a text capture, until its texts are resolved; otherwise 0 */
	uint32_t event;
	uint32_t comm; /* as in callchain_key */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu;
	uint32_t values;
	uint32_t time_bin;
	/* Does not distinguish stacks: the offset of the first sample in the input. */
	uint64_t first_offset;
};

struct resolved_stack {
	uint32_t key;     /* a row of keys */
	uint32_t callers; /* a node */
	location_id leaf; /* LOCATION_NONE if the callers are the whole stack */
	uint64_t sample_count;
	uint64_t period_sum;
};

struct resolved {
	struct places places;
	struct callers callers;
	VEC(struct stack_key) keys;
	struct idtable key_ids;
	uint32_t last_key; /* the row that was looked up last */
	VEC(struct resolved_stack) stacks;
	/* Used instead of callers and stacks if samples are kept as a trie. */
	const struct trie *trie;      /* NULL if there is none; otherwise, keys are its roots */
	VEC(uint32_t) text_locations; /* by text of the trie */
};

/* Hashes and compares the members that distinguish stacks. */
uint64_t stack_key_hash(const struct stack_key *key);
bool stack_key_equal(const struct stack_key *a, const struct stack_key *b);

void resolved_init(struct resolved *resolved);
void resolved_deinit(struct resolved *resolved);

/* Removes everything, including places. */
void resolved_clear(struct resolved *resolved);

/* The memory that the stacks take. */
size_t resolved_size_bytes(const struct resolved *resolved);

/* Returns the row of a key; adds it if it is new. Keeps the lowest first_offset. */
uint32_t resolved_key(struct resolved *resolved, const struct stack_key *wanted);

/* Replaces all locations with locations[old id]. */
void resolved_renumber(struct resolved *resolved, const location_id *locations);

/* Returns the location of the innermost frame, or LOCATION_NONE if the stack has no frames. */
location_id resolved_innermost(const struct resolved *resolved, const struct resolved_stack *stack);

#endif
