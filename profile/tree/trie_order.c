/* SPDX-License-Identifier: MIT */
#include "profile/tree/trie_order.h"

/* Below this many, insertion is faster; above, it is only tried where there is nothing to do. */
#define SMALL_COUNT 16

/* Frames are told by the root a node is on; where all roots have the same names, by nothing more. */
static void find_frames(struct trie_order *order, const struct frames *frames,
			const uint32_t *locations)
{
	const struct trie *trie = order->trie;
	size_t count = trie->nodes.count;
	uint32_t *roots = memory_alloc(count, sizeof(*roots));

	order->places = memory_zalloc(count + 1, sizeof(*order->places));
	for (size_t i = 0; i < count; i++) {
		const struct trie_node *node = &trie->nodes.at[i];
		const struct frame_run *of_location;

		if (node->parent == TRIE_NONE) {
			roots[i] = node->text;
			continue;
		}
		roots[i] = roots[node->parent];
		of_location = order->roots.at[roots[i]].of_location;
		order->places[i].frame =
			frames->in_runs.at[of_location[locations[node->text]].first];
	}
	memory_free(roots);
}

/* Brings children together, those of each parent in the order they were first seen in. */
static void gather_children(struct trie_order *order, const uint32_t *rank)
{
	const struct trie *trie = order->trie;
	size_t count = trie->nodes.count;
	uint32_t sum = 0;

	order->children = memory_alloc(count, sizeof(*order->children));
	for (size_t i = 0; i < count; i++)
		if (trie->nodes.at[i].parent != TRIE_NONE)
			order->places[trie->nodes.at[i].parent].begin++;
	for (size_t i = 0; i <= count; i++) {
		sum += order->places[i].begin;
		order->places[i].begin = sum;
	}
	/* From behind, which moves each begin from the end of its children to their beginning. */
	for (size_t i = count; i-- > 0;) {
		uint32_t parent = trie->nodes.at[i].parent;

		if (parent != TRIE_NONE)
			order->children[--order->places[parent].begin] =
				(uint64_t)rank[order->places[i].frame] << 32 | i;
	}
}

static int compare_children(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static bool is_sorted(const uint64_t *children, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (children[i - 1] > children[i])
			return false;
	return true;
}

static void insertion_sort(uint64_t *children, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t moving = children[i];
		size_t to = i;

		for (; to && children[to - 1] > moving; to--)
			children[to] = children[to - 1];
		children[to] = moving;
	}
}

void trie_order_make(struct trie_order *order, const struct frames *frames,
		     const uint32_t *locations)
{
	find_frames(order, frames, locations);
	gather_children(order, frames->rank);
	for (size_t i = 0; i < order->trie->nodes.count; i++) {
		uint64_t *children = order->children + order->places[i].begin;
		size_t count = order->places[i + 1].begin - order->places[i].begin;

		if (count <= SMALL_COUNT)
			insertion_sort(children, count);
		else if (!is_sorted(children, count))
			qsort(children, count, sizeof(*children), compare_children);
	}
}

void trie_order_deinit(struct trie_order *order)
{
	vec_free(&order->roots);
	memory_free(order->places);
	memory_free(order->children);
}
