/* SPDX-License-Identifier: MIT */
/*
 * Join-based AVL trees (Blelloch, Ferizovic, Sun: "Just Join for Parallel Ordered Sets", 2016). A
 * change removes its own temporary nodes again. Recursion follows one path. A tree of n nodes has a
 * height of at most 1.44 log2 n. For 32-bit node numbers, the depth of recursion is therefore at
 * most 46.
 */
#include "process/address_space.h"

#define MAPPINGS_MAX (1u << SPACE_MAPPING_BITS)
/* In each of two trees, a change adds at most one mapping, and the two parts of a split mapping. */
#define CHANGE_MAPPINGS_MAX 8
/* A change copies at most a few paths of two trees. */
#define CHANGE_NODES_MAX 4096

void address_spaces_init(struct address_spaces *spaces)
{
	*spaces = (struct address_spaces){ 0 };
	vec_push(&spaces->nodes, (struct space_node){ 0 });
}

void address_spaces_deinit(struct address_spaces *spaces)
{
	vec_free(&spaces->mappings);
	vec_free(&spaces->nodes);
	vec_free(&spaces->renumbered);
	vec_free(&spaces->pairs);
}

bool address_spaces_are_full(const struct address_spaces *spaces)
{
	return spaces->mappings.count > MAPPINGS_MAX - CHANGE_MAPPINGS_MAX ||
	       spaces->nodes.count > SPACE_IS_PAIR - CHANGE_NODES_MAX ||
	       spaces->pairs.count == SPACE_IS_PAIR;
}

static uint32_t height(const struct address_spaces *spaces, uint32_t node)
{
	return spaces->nodes.at[node].height;
}

static uint32_t make(struct address_spaces *spaces, uint32_t left, uint32_t mapping, uint32_t right)
{
	uint32_t left_height = height(spaces, left);
	uint32_t right_height = height(spaces, right);
	struct space_node node = {
		.mapping = mapping,
		.left = left,
		.right = right,
		.height = 1 + (left_height > right_height ? left_height : right_height),
	};

	if (UNLIKELY(spaces->nodes.count == SPACE_IS_PAIR))
		memory_exhausted(spaces->nodes.count * sizeof(node));
	vec_push(&spaces->nodes, node);
	return (uint32_t)spaces->nodes.count - 1;
}

/* Returns a copy, because nodes move when the array grows. */
static struct space_node row(const struct address_spaces *spaces, uint32_t node)
{
	return spaces->nodes.at[node];
}

static uint32_t rotate_left(struct address_spaces *spaces, uint32_t node)
{
	struct space_node top = row(spaces, node);
	struct space_node right = row(spaces, top.right);

	return make(spaces, make(spaces, top.left, top.mapping, right.left), right.mapping,
		    right.right);
}

static uint32_t rotate_right(struct address_spaces *spaces, uint32_t node)
{
	struct space_node top = row(spaces, node);
	struct space_node left = row(spaces, top.left);

	return make(spaces, left.left, left.mapping,
		    make(spaces, left.right, top.mapping, top.right));
}

static uint32_t join(struct address_spaces *spaces, uint32_t left, uint32_t middle, uint32_t right);

/* `left` is higher by more than one: descend its right edge to the place where `right` fits. */
static uint32_t join_right(struct address_spaces *spaces, uint32_t left, uint32_t middle,
			   uint32_t right)
{
	struct space_node top = row(spaces, left);
	uint32_t joined;

	if (height(spaces, top.right) <= height(spaces, right) + 1) {
		joined = make(spaces, top.right, middle, right);
		if (height(spaces, joined) > height(spaces, top.left) + 1)
			return rotate_left(spaces, make(spaces, top.left, top.mapping,
							rotate_right(spaces, joined)));
		return make(spaces, top.left, top.mapping, joined);
	}
	joined = join_right(spaces, top.right, middle, right);
	if (height(spaces, joined) > height(spaces, top.left) + 1)
		return rotate_left(spaces, make(spaces, top.left, top.mapping, joined));
	return make(spaces, top.left, top.mapping, joined);
}

static uint32_t join_left(struct address_spaces *spaces, uint32_t left, uint32_t middle,
			  uint32_t right)
{
	struct space_node top = row(spaces, right);
	uint32_t joined;

	if (height(spaces, top.left) <= height(spaces, left) + 1) {
		joined = make(spaces, left, middle, top.left);
		if (height(spaces, joined) > height(spaces, top.right) + 1)
			return rotate_right(spaces, make(spaces, rotate_left(spaces, joined),
							 top.mapping, top.right));
		return make(spaces, joined, top.mapping, top.right);
	}
	joined = join_left(spaces, left, middle, top.left);
	if (height(spaces, joined) > height(spaces, top.right) + 1)
		return rotate_right(spaces, make(spaces, joined, top.mapping, top.right));
	return make(spaces, joined, top.mapping, top.right);
}

static uint32_t join(struct address_spaces *spaces, uint32_t left, uint32_t middle, uint32_t right)
{
	uint32_t left_height = height(spaces, left);
	uint32_t right_height = height(spaces, right);

	if (left_height > right_height + 1)
		return join_right(spaces, left, middle, right);
	if (right_height > left_height + 1)
		return join_left(spaces, left, middle, right);
	return make(spaces, left, middle, right);
}

static uint32_t add_mapping(struct address_spaces *spaces, const struct mapping *mapping)
{
	if (UNLIKELY(spaces->mappings.count == MAPPINGS_MAX))
		memory_exhausted(spaces->mappings.count * sizeof(*mapping));
	vec_push(&spaces->mappings, *mapping);
	return (uint32_t)spaces->mappings.count - 1;
}

/* Returns a copy, because mappings move when the array grows. */
static struct mapping mapping_of(const struct address_spaces *spaces, struct space_node node)
{
	return spaces->mappings.at[node.mapping];
}

/* Returns the part of the tree below limit. A mapping that contains limit is split. */
static uint32_t before(struct address_spaces *spaces, uint32_t node, uint64_t limit)
{
	struct space_node top;
	struct mapping mapping;

	if (!node)
		return 0;
	top = row(spaces, node);
	mapping = mapping_of(spaces, top);
	if (mapping.start >= limit)
		return before(spaces, top.left, limit);
	if (mapping.end > limit) {
		mapping.end = limit;
		top.mapping = add_mapping(spaces, &mapping);
	}
	return join(spaces, top.left, top.mapping, before(spaces, top.right, limit));
}

/* Returns the part of the tree from limit on. A mapping that contains limit is split. */
static uint32_t from(struct address_spaces *spaces, uint32_t node, uint64_t limit)
{
	struct space_node top;
	struct mapping mapping;

	if (!node)
		return 0;
	top = row(spaces, node);
	mapping = mapping_of(spaces, top);
	if (mapping.end <= limit)
		return from(spaces, top.right, limit);
	if (mapping.start < limit) {
		mapping.file_offset += limit - mapping.start;
		mapping.start = limit;
		top.mapping = add_mapping(spaces, &mapping);
	}
	return join(spaces, from(spaces, top.left, limit), top.mapping, top.right);
}

/* Joins two trees. All mappings of left must be before those of right. */
static uint32_t concatenate(struct address_spaces *spaces, uint32_t left, uint32_t right)
{
	uint32_t at = right;
	uint32_t first;

	if (!right)
		return left;
	while (row(spaces, at).left)
		at = row(spaces, at).left;
	first = row(spaces, at).mapping;
	return join(spaces, left, first, from(spaces, right, spaces->mappings.at[first].end));
}

static struct space_pair split(const struct address_spaces *spaces, space_id space)
{
	if (space.i & SPACE_IS_PAIR)
		return spaces->pairs.at[space.i & ~SPACE_IS_PAIR];
	return (struct space_pair){ .below = space.i };
}

static space_id unite(struct address_spaces *spaces, struct space_pair pair)
{
	if (!pair.above)
		return (space_id){ pair.below };
	if (UNLIKELY(spaces->pairs.count == SPACE_IS_PAIR))
		memory_exhausted(spaces->pairs.count * sizeof(pair));
	vec_push(&spaces->pairs, pair);
	return (space_id){ (uint32_t)(spaces->pairs.count - 1) | SPACE_IS_PAIR };
}

static const struct mapping *find_at_or_before(const struct address_spaces *spaces, uint32_t at,
					       uint64_t address)
{
	const struct mapping *found = NULL;

	while (at) {
		const struct space_node *node = &spaces->nodes.at[at];
		const struct mapping *mapping = &spaces->mappings.at[node->mapping];

		if (address < mapping->start) {
			at = node->left;
		} else {
			found = mapping;
			at = node->right;
		}
	}
	return found;
}

/* Adds a mapping that does not overlap others. Makes one new node for each level of the path. */
static uint32_t insert(struct address_spaces *spaces, uint32_t node, uint32_t mapping)
{
	struct space_node top;

	if (!node)
		return make(spaces, 0, mapping, 0);
	top = row(spaces, node);
	if (spaces->mappings.at[mapping].start < mapping_of(spaces, top).start)
		return join(spaces, insert(spaces, top.left, mapping), top.mapping, top.right);
	return join(spaces, top.left, top.mapping, insert(spaces, top.right, mapping));
}

/*
 * Removes the nodes from `first` on that the tree does not use, such as temporary nodes made by
 * joining. Returns the root's new number. Children have lower numbers than their parents.
 */
static uint32_t drop_unused(struct address_spaces *spaces, uint32_t root, uint32_t first)
{
	struct space_node *nodes = spaces->nodes.at;
	uint32_t *renumbered;
	uint32_t kept = first;

	if (root < first) {
		spaces->nodes.count = first;
		return root;
	}
	vec_reserve(&spaces->renumbered, spaces->nodes.count - first);
	renumbered = spaces->renumbered.at;
	memset(renumbered, 0, (spaces->nodes.count - first) * sizeof(*renumbered));
	renumbered[root - first] = root;
	for (uint32_t i = root; i >= first; i--) {
		if (!renumbered[i - first])
			continue;
		if (nodes[i].left >= first)
			renumbered[nodes[i].left - first] = i;
		if (nodes[i].right >= first)
			renumbered[nodes[i].right - first] = i;
	}
	for (uint32_t i = first; i <= root; i++) {
		if (!renumbered[i - first])
			continue;
		nodes[kept] = nodes[i];
		if (nodes[i].left >= first)
			nodes[kept].left = renumbered[nodes[i].left - first];
		if (nodes[i].right >= first)
			nodes[kept].right = renumbered[nodes[i].right - first];
		renumbered[i - first] = kept++;
	}
	spaces->nodes.count = kept;
	return kept - 1;
}

static uint32_t map(struct address_spaces *spaces, uint32_t root, const struct mapping *mapping)
{
	const struct mapping *below = find_at_or_before(spaces, root, mapping->end - 1);
	bool is_free = !below || below->end <= mapping->start;
	uint32_t first = (uint32_t)spaces->nodes.count;
	uint32_t added = add_mapping(spaces, mapping);
	uint32_t left;

	if (is_free)
		return drop_unused(spaces, insert(spaces, root, added), first);
	left = before(spaces, root, mapping->start);
	left = join(spaces, left, added, from(spaces, root, mapping->end));
	return drop_unused(spaces, left, first);
}

static uint32_t unmap(struct address_spaces *spaces, uint32_t root, uint64_t start, uint64_t end)
{
	const struct mapping *below = find_at_or_before(spaces, root, end - 1);
	uint32_t first = (uint32_t)spaces->nodes.count;
	uint32_t left;

	if (!below || below->end <= start)
		return root;
	left = before(spaces, root, start);
	return drop_unused(spaces, concatenate(spaces, left, from(spaces, root, end)), first);
}

space_id address_spaces_map(struct address_spaces *spaces, space_id space,
			    const struct mapping *mapping)
{
	struct space_pair pair = split(spaces, space);

	if (mapping->start >= mapping->end)
		return space;
	switch (mapping->layer) {
	case MAPPING_ABOVE:
		pair.above = map(spaces, pair.above, mapping);
		break;
	case MAPPING_SOLID:
		pair.above = unmap(spaces, pair.above, mapping->start, mapping->end);
		pair.below = map(spaces, pair.below, mapping);
		break;
	case MAPPING_BELOW:
		pair.below = map(spaces, pair.below, mapping);
		break;
	}
	return unite(spaces, pair);
}

space_id address_spaces_unmap(struct address_spaces *spaces, space_id space,
			      enum mapping_layer layer, uint64_t start, uint64_t end)
{
	struct space_pair old = split(spaces, space);
	struct space_pair pair = old;

	if (start >= end)
		return space;
	if (layer != MAPPING_BELOW)
		pair.above = unmap(spaces, pair.above, start, end);
	if (layer != MAPPING_ABOVE)
		pair.below = unmap(spaces, pair.below, start, end);
	return pair.above == old.above && pair.below == old.below ? space : unite(spaces, pair);
}

const struct mapping *address_spaces_find_below(const struct address_spaces *spaces, space_id space,
						uint64_t address)
{
	return find_at_or_before(spaces, split(spaces, space).below, address);
}

const struct mapping *address_spaces_find(const struct address_spaces *spaces, space_id space,
					  uint64_t address)
{
	struct space_pair pair = split(spaces, space);
	const struct mapping *found = find_at_or_before(spaces, pair.above, address);

	if (!found || address >= found->end)
		found = find_at_or_before(spaces, pair.below, address);
	return found && address < found->end ? found : NULL;
}
