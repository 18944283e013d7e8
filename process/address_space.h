/* SPDX-License-Identifier: MIT */
/*
 * What was mapped where, in every state a process has been in. A state is the root of a balanced
 * tree that never changes; a new mapping makes a new root that shares all but O(log n) nodes with
 * the old one. So fork is a copied number, exec is the empty root, and "what did this address
 * mean at that time" is a walk down the root of that time.
 *
 *     root 7 ──▶ (m2)          root 8 = root 7 + m4 ──▶ (m2')
 *               /    \                                  /    \
 *            (m1)    (m3)                            (m1)    (m4)
 *
 * A new mapping cuts away what it overlaps, as the kernel does. But code that a process has told of
 * lies above its anonymous memory: making that writable and executable again, which the kernel tells as
 * a new mapping, takes no code away. A state with such code is a pair of roots.
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

enum mapping_layer {
	MAPPING_SOLID, /* nothing of what was there before is left */
	MAPPING_BELOW, /* anonymous memory: code that is told of stays above it */
	MAPPING_ABOVE, /* code in such memory */
};

struct mapping {
	uint64_t start, end;  /* end is one past the last byte */
	uint64_t file_offset; /* of start */
	module_id module;
	enum mapping_layer layer;
};

struct space_node {
	struct mapping mapping;
	uint32_t left, right; /* 0: none; node 0 is not used */
	uint32_t height;
};

/* Roots of two trees, of which the first counts where both have a mapping. */
struct space_pair {
	uint32_t above, below;
};

struct address_spaces {
	VEC(struct space_node) nodes;
	VEC(struct space_pair) pairs; /* by number without SPACE_IS_PAIR */
};

void address_spaces_init(struct address_spaces *spaces);
void address_spaces_deinit(struct address_spaces *spaces);

/* The state that follows when mapping is added to space. An empty mapping changes nothing. */
space_id address_spaces_map(struct address_spaces *spaces, space_id space,
			    const struct mapping *mapping);

/* The state that follows when what a mapping of this layer would replace in [start, end) is unmapped;
 * the same state when that is nothing. */
space_id address_spaces_unmap(struct address_spaces *spaces, space_id space,
			      enum mapping_layer layer, uint64_t start, uint64_t end);

/* The mapping that covers address, or NULL; valid until the next change. */
const struct mapping *address_spaces_find(const struct address_spaces *spaces, space_id space,
					  uint64_t address);

/* The last mapping that starts at or below address, whether or not it reaches it, or NULL. Of a
 * pair, only the mappings below are looked at. */
const struct mapping *address_spaces_find_below(const struct address_spaces *spaces, space_id space,
						uint64_t address);

#endif
