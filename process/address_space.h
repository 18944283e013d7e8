/* SPDX-License-Identifier: MIT */
/*
 * The mappings of processes over time. A state is the root of an immutable balanced tree. Adding a
 * mapping makes a new root, which shares all but O(log n) nodes with the old one. A fork therefore
 * only copies a number, and an exec starts with the empty root. A lookup searches the tree of the
 * requested time.
 *
 *     root 7 ──▶ (m2)          root 8: m4 replaces m3 ──▶ (m2')
 *               /    \                                    /    \
 *            (m1)    (m3)                              (m1)    (m4)
 *
 * A new mapping replaces those that it overlaps, as in the kernel. JIT code is different: it is in
 * a layer above anonymous memory. If a process makes this memory writable and executable again, the
 * kernel records a new mapping, but the JIT code is still there. A state with JIT code is a pair of
 * roots.
 */
#ifndef PROCESS_ADDRESS_SPACE_H
#define PROCESS_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "process/module.h"

/* A state; equal numbers mean the same mappings. */
typedef struct {
	uint32_t i;
} space_id;

#define SPACE_EMPTY   ((space_id){ 0 })
#define SPACE_IS_PAIR (1u << 31)

#define SPACE_MAPPING_BITS 26

enum mapping_layer {
	MAPPING_SOLID, /* a mapping that replaces all mappings in its range */
	MAPPING_BELOW, /* anonymous memory, which leaves JIT code in its range */
	MAPPING_ABOVE, /* JIT code in anonymous memory */
};

struct mapping {
	uint64_t start, end;  /* end is one past the last byte */
	uint64_t file_offset; /* file offset of start */
	module_id module;
	enum mapping_layer layer;
};

/*
 * Nodes are small, because a new state copies a path of nodes. All copies of a node share its
 * mapping.
 */
struct space_node {
	uint32_t mapping : SPACE_MAPPING_BITS; /* row of mappings */
	uint32_t height : 32 - SPACE_MAPPING_BITS;
	uint32_t left, right; /* 0 if none; node 0 is unused */
};

/*
 * Roots of two trees. If both trees have a mapping for an address, the mapping of the upper tree is
 * used.
 */
struct space_pair {
	uint32_t above, below;
};

struct address_spaces {
	VEC(struct mapping) mappings;
	VEC(struct space_node) nodes;
	VEC(uint32_t) renumbered;     /* scratch: new numbers of nodes made by one change */
	VEC(struct space_pair) pairs; /* pairs, indexed by space_id without SPACE_IS_PAIR */
};

void address_spaces_init(struct address_spaces *spaces);
void address_spaces_deinit(struct address_spaces *spaces);

/* The memory that all states take, in bytes. */
static inline uint64_t address_spaces_bytes(const struct address_spaces *spaces)
{
	return (uint64_t)spaces->mappings.count * sizeof(*spaces->mappings.at) +
	       (uint64_t)spaces->nodes.count * sizeof(*spaces->nodes.at) +
	       (uint64_t)spaces->pairs.count * sizeof(*spaces->pairs.at);
}

/* Whether the numbers for mappings or states may be used up. */
bool address_spaces_are_full(const struct address_spaces *spaces);

/* Returns the state `space` with a mapping added. An empty mapping changes nothing. */
space_id address_spaces_map(struct address_spaces *spaces, space_id space,
			    const struct mapping *mapping);

/*
 * Removes the part of [start, end) that a mapping of this layer would replace, and returns the new
 * state. If nothing was mapped there, returns the unchanged state.
 */
space_id address_spaces_unmap(struct address_spaces *spaces, space_id space,
			      enum mapping_layer layer, uint64_t start, uint64_t end);

/* The mapping that covers address, or NULL; valid until the next change. */
const struct mapping *address_spaces_find(const struct address_spaces *spaces, space_id space,
					  uint64_t address);

/*
 * Returns the last mapping that starts at or below address, or NULL. The mapping may end before
 * address. If the state has two layers, only the lower one is searched.
 */
const struct mapping *address_spaces_find_below(const struct address_spaces *spaces, space_id space,
						uint64_t address);

#endif
