/* SPDX-License-Identifier: MIT */
/*
 * The stacks of -g flat. The value of a stack includes the values of all longer stacks that begin
 * with it:
 *
 *     50.00%          50.00%  main           own: 20.00%
 *       main
 *       work    ->            30.00%  work
 *     30.00%
 *       main
 *       work
 */
#include "libparse/perf_report/listing.h"

struct listing_stack {
	const struct listing *listing;
	const struct listing_node *node;
};

static int compare(const void *a, const void *b)
{
	const struct listing_stack *left = a, *right = b;
	const struct listing_node *one = left->node, *other = right->node;

	for (uint32_t i = 0; i < one->frame_count && i < other->frame_count; i++) {
		int order = text_compare(listing_frame_text(left->listing, one->frame_first + i),
					 listing_frame_text(left->listing, other->frame_first + i));

		if (order)
			return order;
	}
	if (one->frame_count != other->frame_count)
		return one->frame_count < other->frame_count ? -1 : 1;
	return (one > other) - (one < other);
}

/* Whether the first `count` frames of both stacks are equal. */
static bool shares(const struct listing *listing, const struct listing_node *one,
		   const struct listing_node *other, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!text_equal(listing_frame_text(listing, one->frame_first + i),
				listing_frame_text(listing, other->frame_first + i)))
			return false;
	return true;
}

/*
 * Sets the parent of each stack: the longest other stack with which it begins. The stacks are
 * sorted.
 */
static void find_parents(const struct listing *listing, const struct listing_stack *stacks,
			 uint32_t count, uint32_t *parents)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct listing_node *node = stacks[i].node;
		uint32_t at = i ? i - 1 : LISTING_NO_NODE;

		while (at != LISTING_NO_NODE &&
		       (stacks[at].node->frame_count >= node->frame_count ||
			!shares(listing, stacks[at].node, node, stacks[at].node->frame_count)))
			at = parents[at];
		parents[i] = at;
	}
}

void listing_nest_stacks(struct listing *listing, const struct listing_entry *entry)
{
	uint32_t count = entry->node_count;
	struct listing_node *nodes = listing->nodes.at + entry->node_first;
	struct listing_stack *stacks = memory_alloc(count, sizeof(*stacks));
	uint32_t *parents = memory_alloc(count, sizeof(*parents));
	struct listing_node *nested = memory_alloc(count, sizeof(*nested));

	for (uint32_t i = 0; i < count; i++)
		stacks[i] = (struct listing_stack){ listing, &nodes[i] };
	qsort(stacks, count, sizeof(*stacks), compare);
	find_parents(listing, stacks, count, parents);
	for (uint32_t i = 0; i < count; i++) {
		nested[i] = *stacks[i].node;
		if (parents[i] == LISTING_NO_NODE)
			continue;
		nested[i].parent = entry->node_first + parents[i];
		nested[i].frame_first += stacks[parents[i]].node->frame_count;
		nested[i].frame_count -= stacks[parents[i]].node->frame_count;
	}
	if (count)
		memcpy(nodes, nested, count * sizeof(*nodes));
	memory_free(nested);
	memory_free(parents);
	memory_free(stacks);
}
