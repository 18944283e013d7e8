/* SPDX-License-Identifier: MIT */
/*
 * Finds what a report lacks. perf omits nodes with less than 0.5% of the samples, unless -g sets
 * another threshold. The weight of an omitted node stays in the node above:
 *
 *     ---read             5.00%
 *        |--3.00%--load             the callers of the other 2.00% are unknown
 *                  main
 */
#include "base/arithmetic.h"
#include "libparse/perf_report/listing.h"

/* With fewer than 200 samples of a clock event, each sample is above the threshold. */
#define SAMPLES_MIN 200u

/*
 * The kernel records at most 127 functions (kernel.perf_event_max_stack). Stacks of this length
 * have no callers that perf report could print.
 */
#define RECORDED_MAX 127u

/* Functions that are known to have a caller. */
struct called_functions {
	struct strings names;
	VEC(bool) set;    /* indexed by the id of the name */
	uint32_t longest; /* the number of functions in the longest stack */
};

static void add_called(struct called_functions *called, struct text raw)
{
	str_id id = strings_intern(&called->names, raw.at, raw.length);

	while (called->set.count <= id.i)
		vec_push(&called->set, false);
	called->set.at[id.i] = true;
}

static bool is_called(const struct called_functions *called, struct text raw)
{
	str_id id = strings_find(&called->names, raw);

	return id.i < called->set.count && called->set.at[id.i];
}

static uint64_t percent_of(const struct listing_entry *entry)
{
	return entry->row.children.kind == LISTING_VALUE_PERCENT ? entry->row.children.number
								 : entry->row.overhead.number;
}

/* Returns the share of a node as perf printed it. */
static uint64_t share_of(const struct listing_entry *entry, const struct listing_node *node)
{
	if (node->value.kind == LISTING_VALUE_PERCENT)
		return node->value.number;
	if (node->value.kind == LISTING_VALUE_NONE || !entry->weight)
		return percent_of(entry);
	return ratio_of(percent_of(entry), node->value.number, entry->weight).quotient;
}

bool listing_omits_nodes(const struct listing *listing, const struct listing_section *section)
{
	if (section->event.at && text_unit_of_event(section->event) == UNIT_NANOSECONDS &&
	    section->has_sample_count && section->is_sample_count_exact &&
	    section->sample_count < SAMPLES_MIN)
		return false;
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++)
			if (share_of(entry, &listing->nodes.at[entry->node_first + j]) <
			    LISTING_THRESHOLD)
				return false;
	}
	return true;
}

static void find_called(const struct listing *listing, const struct listing_section *section,
			struct called_functions *called)
{
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++) {
			const struct listing_node *node = &listing->nodes.at[entry->node_first + j];
			uint32_t count =
				node->frame_count - (!node->child_count && node->frame_count);

			for (uint32_t k = 0; k < count; k++)
				add_called(called,
					   listing_frame_text(listing, node->frame_first + k));
		}
	}
}

/*
 * Returns the length of the longest stack of a section. perf report --max-stack omits the functions
 * beyond its limit.
 */
static uint32_t longest_stack(const struct listing *listing, const struct listing_section *section)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++) {
			const struct listing_node *node = &listing->nodes.at[entry->node_first + j];

			if (node->own && node->path_count > longest)
				longest = node->path_count;
		}
	}
	return longest;
}

/*
 * Whether the text ends in a call graph that can lack callers, because no blank line follows the
 * graph.
 */
static bool is_truncated(const struct listing *listing, const struct listing_entry *entry,
			 const struct listing_node *node)
{
	return listing->ends_in_graph &&
	       entry == &listing->entries.at[listing->entries.count - 1] &&
	       (node->child_count || node == &listing->nodes.at[listing->nodes.count - 1]);
}

/*
 * With -g callee, callers can be missing in three places: where perf omits nodes, in the longest
 * stacks, and at the end of the text.
 */
static bool is_cut(const struct listing *listing, const struct listing_section *section,
		   const struct listing_entry *entry, const struct listing_node *node,
		   const struct called_functions *called)
{
	struct text last = listing_end_of(listing, node, true);

	if (section->order == LISTING_ORDER_CALLER)
		return !listing_is_same(last, entry->row.symbol);
	return (section->omits_nodes || is_truncated(listing, entry, node) ||
		(node->path_count == called->longest && node->path_count < RECORDED_MAX)) &&
	       is_called(called, last);
}

/*
 * Returns the largest number of branches below one node. Branches without a parent count as
 * branches of the entry.
 */
static uint32_t most_branches(const struct listing *listing, const struct listing_section *section)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++) {
			uint32_t count = listing->nodes.at[entry->node_first + j].child_count;

			most = count > most ? count : most;
		}
	}
	return most;
}

/* Whether a graph begins with as many functions as perf can print with a limit of `count`. */
static bool has_full_root(const struct listing *listing, const struct listing_entry *entry,
			  uint32_t count)
{
	const struct listing_node *root = listing->nodes.at + entry->node_first;

	return entry->node_count && root->value.kind == LISTING_VALUE_NONE &&
	       root->frame_count == count;
}

/* Whether the longest first nodes end in several functions, and no node has more branches. */
static bool are_roots_limited(const struct listing *listing, const struct listing_section *section,
			      uint32_t most)
{
	struct text end = { NULL, 0 };
	uint32_t longest = most;

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];
		const struct listing_node *root = listing->nodes.at + entry->node_first;

		if (entry->node_count && root->value.kind == LISTING_VALUE_NONE &&
		    root->frame_count > longest)
			longest = root->frame_count;
	}
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];
		struct text last;

		if (!has_full_root(listing, entry, longest))
			continue;
		last = listing_end_of(listing, &listing->nodes.at[entry->node_first], true);
		if (end.at && !text_equal(end, last))
			return true;
		end = last;
	}
	return false;
}

/*
 * Whether a limit on entries (-g graph,0,N) can have hidden callers, with -g callee. The limit N
 * applies to the functions of the first node, and to the branches of each node.
 */
static bool may_be_limited(const struct listing *listing, const struct listing_section *section)
{
	uint32_t most = most_branches(listing, section);

	for (uint32_t i = 0; i < section->entry_count && !section->omits_nodes; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++) {
			const struct listing_node *node = &listing->nodes.at[entry->node_first + j];

			if (node->own && node->child_count == most)
				return true;
		}
	}
	return are_roots_limited(listing, section, most);
}

static void note(uint64_t *share, uint64_t part, uint64_t whole)
{
	uint64_t own =
		whole ? ratio_of(part < whole ? part : whole, LISTING_WHOLE, whole).quotient : 0;

	/* Round a small share up, because 0 would mean that nothing is lost. */
	if (part && !own)
		own = 1;
	if (own > *share)
		*share = own;
}

static void find_cuts(struct listing *listing, const struct listing_section *section,
		      const struct called_functions *called, struct listing_losses *losses)
{
	uint64_t cut = 0, all = 0;

	for (uint32_t i = 0; i < section->entry_count; i++) {
		struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		all = saturate_add(all, entry->weight);
		entry->is_cut = entry->own > 0;
		cut = saturate_add(cut, entry->own);
		for (uint32_t j = 0; j < entry->node_count; j++) {
			struct listing_node *node = &listing->nodes.at[entry->node_first + j];

			node->is_cut = node->own && is_cut(listing, section, entry, node, called);
			if (node->is_cut)
				cut = saturate_add(cut, node->own);
		}
	}
	note(&losses->cut, cut, all);
}

/*
 * Finds the weight of entries that perf did not list, because of --percent-limit or because someone
 * shortened the text.
 */
static void find_unlisted(const struct listing *listing, const struct listing_section *section,
			  struct listing_losses *losses)
{
	uint64_t sum = section->entry_count / 2 + 1;

	for (uint32_t i = 0; i < section->entry_count; i++)
		sum += listing->entries.at[section->entry_first + i].row.overhead.number;
	if (sum < LISTING_WHOLE && LISTING_WHOLE - sum > losses->unlisted)
		losses->unlisted = LISTING_WHOLE - sum;
}

bool listing_find_losses(struct listing *listing, const struct listing_section *section,
			 struct listing_losses *losses, struct error *err)
{
	struct called_functions called = { .set = { 0 } };
	bool is_limited;

	find_unlisted(listing, section, losses);
	strings_init(&called.names);
	find_called(listing, section, &called);
	called.longest = longest_stack(listing, section);
	find_cuts(listing, section, &called, losses);
	is_limited = section->order == LISTING_ORDER_CALLEE && may_be_limited(listing, section);
	strings_deinit(&called.names);
	vec_free(&called.set);
	if (!is_limited)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report -g callee`, which does not show whether "
			 "stacks end or perf omitted their callers; " LISTING_READABLE);
}
