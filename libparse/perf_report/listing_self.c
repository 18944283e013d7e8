/* SPDX-License-Identifier: MIT */
/*
 * Reports with the columns Children and Self, which perf prints by default. An entry has graphs of
 * two kinds. The graphs of Self are whole stacks, from the outermost function to the entry's
 * function. The other graphs begin at the entry's function, and show its callees. The samples of
 * these other graphs belong to other entries:
 *
 *     75.56%    36.67%  sort
 *               |--38.89%--sort            calls compare; the samples are in the Self of compare
 *               |          compare
 *                --36.67%--main            Self
 *                          sort
 *
 * The graphs of Self in all entries together therefore have each sample exactly once. With -g
 * callee, both kinds begin at the entry's function, and cannot be distinguished.
 */
#include "base/arithmetic.h"
#include "libparse/perf_report/listing.h"

static bool is_own(const struct listing *listing, const struct listing_entry *entry,
		   const struct listing_node *node, bool is_last)
{
	return listing_is_same(listing_end_of(listing, node, is_last), entry->row.symbol);
}

/*
 * Returns the own weight of a stack that begins at the function of the entry. The weight belongs to
 * the entry only if the stack also ends in this function.
 */
static uint64_t take_own(struct listing_node *node, bool ends_in_entry, uint64_t *left)
{
	uint64_t own = ends_in_entry ? node->own : 0;

	if (own > *left)
		own = *left;
	*left -= own;
	return own;
}

/* Returns the weight of Self that has no stack. */
static uint64_t keep_self(struct listing *listing, const struct listing_section *section,
			  const struct listing_entry *entry, uint64_t *uncertain_ret)
{
	uint32_t end = entry->node_first + entry->node_count;
	bool begins_in_entry = false;
	uint64_t left = entry->weight;

	/* First handle the stacks that are certain. */
	for (uint32_t i = entry->node_first; i < end; i++) {
		struct listing_node *node = &listing->nodes.at[i];

		if (node->parent == LISTING_NO_NODE)
			begins_in_entry = is_own(listing, entry, node, false);
		node->is_below_entry = begins_in_entry;
		if (!begins_in_entry)
			left = saturate_subtract(left, node->own);
	}
	if (entry->node_count && left <= listing_noise_of(section, entry->node_count))
		left = 0;
	for (uint32_t i = entry->node_first; i < end; i++) {
		struct listing_node *node = &listing->nodes.at[i];

		if (!node->is_below_entry)
			continue;
		node->own = take_own(node, is_own(listing, entry, node, true), &left);
		if (!section->omits_nodes || !node->child_count)
			continue;
		/* perf may have omitted the callers or the callees of this node. */
		*uncertain_ret += node->own;
		node->own = 0;
	}
	return left;
}

/*
 * The largest weight that can lack a stack. Rounding of all percentages contributes. If perf
 * omitted stacks, a stack below the threshold or half of Self also contributes.
 */
static uint64_t most_omitted(const struct listing_section *section,
			     const struct listing_entry *entry)
{
	uint64_t hundredths = ((uint64_t)entry->node_count + 1) / 2;
	uint64_t stack;

	if (section->omits_nodes && hundredths < LISTING_THRESHOLD)
		hundredths = LISTING_THRESHOLD;
	stack = ratio_of(section->total, hundredths, LISTING_WHOLE).quotient;
	if (section->omits_nodes && stack < entry->weight / 2)
		stack = entry->weight / 2;
	return stack;
}

bool listing_keep_self(struct listing *listing, const struct listing_section *section,
		       struct error *err)
{
	for (uint32_t i = 0; i < section->entry_count; i++) {
		struct listing_entry *entry = &listing->entries.at[section->entry_first + i];
		uint64_t most = most_omitted(section, entry);
		uint64_t uncertain = 0;

		entry->own = keep_self(listing, section, entry, &uncertain);
		if (entry->node_count && entry->own > most)
			return error_set(
				err, ERROR_UNSUPPORTED,
				"is the output of `perf report --children` in which samples have no "
				"stack of their own, as with -g callee; " LISTING_READABLE);
		entry->own += uncertain;
	}
	return true;
}
