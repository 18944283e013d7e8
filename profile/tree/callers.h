/* SPDX-License-Identifier: MIT */
/*
 * Callers of stacks as a tree: each node is a location and its parent, the node that called it. The
 * nodes of a path are usually added one after another, so only other parents are stored:
 *
 *     node        0   1      2       3      4
 *     location        main   parse   read   skip
 *     parent          0      1       2      2, stored because it is not 3
 *
 * Nodes can be equal.
 */
#ifndef PROFILE_TREE_CALLERS_H
#define PROFILE_TREE_CALLERS_H

#include "base/bit_rank.h"
#include "base/hash.h"
#include "profile/location.h"

/* The node of no callers. */
#define CALLERS_NONE 0u

struct callers {
	struct location_list locations;       /* by node */
	VEC(struct bit_rank_word) has_parent; /* by node */
	VEC(uint32_t) parents;                /* of the nodes that have one */
};

void callers_init(struct callers *callers);
void callers_deinit(struct callers *callers);

/* The memory that the nodes take. */
size_t callers_size_bytes(const struct callers *callers);

/* Returns the number of a new node. */
uint32_t callers_add(struct callers *callers, uint32_t parent, location_id location);

static inline uint32_t callers_parent(const struct callers *callers, uint32_t node)
{
	if (!bit_rank_is_set(callers->has_parent.at, node))
		return node - 1;
	return callers->parents.at[bit_rank(callers->has_parent.at, node)];
}

/* A node, by the hash of the entries of callchains that it stands for. */
struct known_node {
	uint64_t first; /* of the hash, as is the next; the index is also from the hash */
	uint32_t second;
	uint32_t node; /* KNOWN_NODE_NONE if there is none */
};

struct known_child {
	uint32_t parent;
	location_id location;
	uint32_t node; /* CALLERS_NONE if there is none */
};

/*
 * Remembers recent nodes, so that few nodes are equal, and few entries are looked up again. A node
 * that is forgotten only costs time and memory.
 */
struct known_callers {
	struct known_node *nodes;
	struct known_child *children;
	size_t count; /* of each; a power of 2 */
};

#define KNOWN_NODE_NONE UINT32_MAX

/* Remembers up to `count` nodes in each way; count is a power of 2. */
void known_callers_init(struct known_callers *known, size_t count);
void known_callers_deinit(struct known_callers *known);

/* Must be called when nodes are removed or renumbered. */
void known_callers_forget(struct known_callers *known);

static inline struct known_node *known_node_of(const struct known_callers *known,
					       const struct sequence_hash *hash)
{
	return &known->nodes[(hash->second >> 32) & (known->count - 1)];
}

/* Returns the node that was remembered for this hash, or KNOWN_NODE_NONE. */
static inline uint32_t known_callers_find(const struct known_callers *known,
					  const struct sequence_hash *hash)
{
	const struct known_node *row = known_node_of(known, hash);

	return row->first == hash->first && row->second == (uint32_t)hash->second ? row->node
										  : KNOWN_NODE_NONE;
}

static inline void known_callers_put(struct known_callers *known, const struct sequence_hash *hash,
				     uint32_t node)
{
	*known_node_of(known, hash) =
		(struct known_node){ hash->first, (uint32_t)hash->second, node };
}

static inline struct known_child *known_child_of(const struct known_callers *known, uint32_t parent,
						 location_id location)
{
	return &known->children[hash_u64((uint64_t)parent << 32 | location.i) & (known->count - 1)];
}

/* Returns a recent child of a node, or CALLERS_NONE. */
static inline uint32_t known_callers_child(const struct known_callers *known, uint32_t parent,
					   location_id location)
{
	const struct known_child *row = known_child_of(known, parent, location);

	return row->parent == parent && row->location.i == location.i ? row->node : CALLERS_NONE;
}

/* Adds a child of a node, and remembers it. Returns its number. */
uint32_t known_callers_add(struct known_callers *known, struct callers *callers, uint32_t parent,
			   location_id location);

#endif
