/* SPDX-License-Identifier: MIT */
/*
 * What a report lacks: perf omits the nodes of call graphs with less than 0.5% of the samples, unless
 * -g sets another threshold. Their weight is left in the node above them:
 *
 *     ---read             5.00%
 *        |--3.00%--load             the callers of the other 2.00% are unknown
 *                  main
 */
#include "base/arithmetic.h"
#include "libparse/perf_report/listing.h"

/* perf's default threshold, in hundredths of a percent. */
#define THRESHOLD 50u

/* With fewer samples, each of them is above the threshold. */
#define SAMPLES_MIN 200u

/* Functions that are known to have a caller. */
struct called_functions {
	struct strings names;
	VEC(bool) set; /* by the id of the name */
};

static void add_called(struct called_functions *called, struct text raw)
{
	bool ignored;
	struct text name = listing_function_name(raw, &ignored);
	str_id id = strings_intern(&called->names, name.at, name.length);

	while (called->set.count <= id.i)
		vec_push(&called->set, false);
	called->set.at[id.i] = true;
}

static bool is_called(const struct called_functions *called, struct text raw)
{
	bool ignored;
	str_id id = strings_find(&called->names, listing_function_name(raw, &ignored));

	return id.i < called->set.count && called->set.at[id.i];
}

static uint64_t percent_of(const struct listing_entry *entry)
{
	return entry->row.children.kind == LISTING_VALUE_PERCENT ? entry->row.children.number
								 : entry->row.overhead.number;
}

/* The share of a node that perf printed. */
static uint64_t share_of(const struct listing_entry *entry, const struct listing_node *node)
{
	if (node->value.kind == LISTING_VALUE_PERCENT)
		return node->value.number;
	if (node->value.kind == LISTING_VALUE_NONE || !entry->weight)
		return percent_of(entry);
	return ratio_of(percent_of(entry), node->value.number, entry->weight).quotient;
}

/* Whether perf may have omitted nodes: none of those that it printed is below its threshold. */
static bool omits_nodes(const struct listing *listing, const struct listing_section *section)
{
	if (section->has_sample_count && section->is_sample_count_exact &&
	    section->sample_count < SAMPLES_MIN)
		return false;
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++)
			if (share_of(entry, &listing->nodes.at[entry->node_first + j]) < THRESHOLD)
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

static bool is_cut(const struct listing *listing, const struct listing_section *section,
		   const struct listing_entry *entry, const struct listing_node *node,
		   const struct called_functions *called)
{
	struct text last = listing_end_of(listing, node, true);

	if (section->order == LISTING_ORDER_CALLER)
		return !listing_is_same(last, entry->row.symbol);
	return is_called(called, last);
}

static void note(uint64_t *share, uint64_t part, uint64_t whole)
{
	uint64_t own =
		whole ? ratio_of(part < whole ? part : whole, LISTING_WHOLE, whole).quotient : 0;

	/* A small share is not none. */
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

/* Entries that perf did not list, because of --percent-limit, or because the text was shortened. */
static void find_unlisted(const struct listing *listing, const struct listing_section *section,
			  struct listing_losses *losses)
{
	uint64_t sum = section->entry_count / 2 + 1;

	for (uint32_t i = 0; i < section->entry_count; i++)
		sum += listing->entries.at[section->entry_first + i].row.overhead.number;
	if (sum < LISTING_WHOLE && LISTING_WHOLE - sum > losses->unlisted)
		losses->unlisted = LISTING_WHOLE - sum;
}

void listing_find_losses(struct listing *listing, const struct listing_section *section,
			 struct listing_losses *losses)
{
	struct called_functions called = { .set = { 0 } };

	find_unlisted(listing, section, losses);
	if (!omits_nodes(listing, section))
		return;
	strings_init(&called.names);
	find_called(listing, section, &called);
	find_cuts(listing, section, &called, losses);
	strings_deinit(&called.names);
	vec_free(&called.set);
}
