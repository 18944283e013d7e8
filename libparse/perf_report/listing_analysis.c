/* SPDX-License-Identifier: MIT */
/*
 * What the call graphs of a report mean. A node has the weight of all samples whose stack begins with
 * its functions; what its children do not have is its own:
 *
 *     ---compare            50.56%      own: 12.78%
 *        |--37.78%--sort    37.78%      own: 0.28%
 *        |          |--37.50%--main     own: 37.50%
 *
 * perf omits nodes below its threshold (0.5% by default). Their weight seems to be the own weight of
 * the node above them, which is then "cut".
 */
#include "base/arithmetic.h"
#include "libparse/perf_report/listing.h"

/* Percentages whose rounding is not taken for own weight: 0.02% at most. */
#define NOISE_MAX 4u

struct text listing_function_name(struct text raw, bool *is_inlined_ret)
{
	static const char mark[] = " (inlined)";
	const char *zero = raw.length ? memchr(raw.at, '\0', raw.length) : NULL;
	const char *blank;

	/* Names are interned, so they end before a zero byte. */
	if (zero)
		raw = text_between(raw.at, zero);
	*is_inlined_ret = text_has_suffix(raw, mark);
	if (*is_inlined_ret)
		raw.length -= sizeof(mark) - 1;
	blank = raw.length ? memrchr(raw.at, ' ', raw.length) : NULL;
	if (blank && blank > raw.at) {
		struct text last = text_between(blank + 1, raw.at + raw.length);
		uint32_t digits = scan_last_digits(last);

		if (digits > 1 && digits < last.length && last.at[digits - 1] == ':')
			raw = text_trim(text_between(raw.at, blank));
	}
	return raw;
}

/*
 * The offset in a page of a symbol that is an address. The address 0 is "0" in call graphs and
 * "0000000000000000" in rows.
 */
static bool page_offset(struct text name, uint64_t *ret)
{
	bool has_prefix = scan_prefix(&name, "0x");

	if (!scan_hex(&name, ret) || name.length || !(has_prefix || !*ret))
		return false;
	*ret %= PAGE_BYTES;
	return true;
}

bool listing_is_same(struct text frame, struct text symbol)
{
	bool ignored;
	uint64_t one, other;

	frame = listing_function_name(frame, &ignored);
	if (text_equal(frame, listing_function_name(symbol, &ignored)))
		return true;
	return page_offset(frame, &one) && page_offset(symbol, &other) && one == other;
}

/* ---- Weights ---- */

static uint64_t share_of(const struct listing_section *section, uint64_t hundredths)
{
	return ratio_of(section->total, hundredths, LISTING_WHOLE).quotient;
}

/* By how much a sum of so many rounded percentages may differ. */
static uint64_t rounding_of(const struct listing_section *section, uint64_t count)
{
	return section->is_approximate ? share_of(section, (count + 1) / 2) + 1 : 0;
}

uint64_t listing_noise_of(const struct listing_section *section, uint32_t child_count)
{
	return rounding_of(section, child_count < NOISE_MAX ? child_count + 1 : NOISE_MAX);
}

/* Whether all samples of the entry end in its function. With Children, Samples are those of Self. */
static bool has_only_self(const struct listing_row *row)
{
	return row->children.kind == LISTING_VALUE_NONE ||
	       row->children.number == row->overhead.number;
}

/* The kinds of values that a section has. */
struct values {
	bool has_percents, has_numbers;
	bool has_samples, has_periods; /* in all rows */
	bool has_larger;               /* a number that is larger than the samples of its entry */
};

static struct values values_of(const struct listing *listing, const struct listing_section *section)
{
	struct values values = { .has_samples = true, .has_periods = true };

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		values.has_samples &= entry->row.samples.kind == LISTING_VALUE_NUMBER;
		values.has_periods &= entry->row.period.kind == LISTING_VALUE_NUMBER;
		for (uint32_t j = 0; j < entry->node_count; j++) {
			struct listing_value value = listing->nodes.at[entry->node_first + j].value;

			values.has_percents |= value.kind == LISTING_VALUE_PERCENT;
			values.has_numbers |= value.kind == LISTING_VALUE_NUMBER;
			values.has_larger |= value.kind == LISTING_VALUE_NUMBER &&
					     has_only_self(&entry->row) &&
					     value.number > entry->row.samples.number;
		}
	}
	return values;
}

/* Chooses the unit in which the section has the most exact weights. */
static bool choose_unit(const struct listing *listing, struct listing_section *section,
			struct error *err)
{
	struct values values = values_of(listing, section);
	bool counts_samples = values.has_samples && !values.has_larger;

	if (values.has_percents && values.has_numbers)
		return error_set(err, ERROR_CORRUPT,
				 "has call graphs with percentages, and others with numbers");
	if (values.has_numbers && !counts_samples && !values.has_periods)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report` with numbers in its call graphs, "
				 "but without the same numbers of its rows; " LISTING_READABLE);
	section->unit = section->event.at ? text_unit_of_event(section->event) : UNIT_EVENTS;
	section->total = section->event_count;
	if (values.has_percents || !(counts_samples || values.has_periods)) {
		section->is_approximate = true;
		if (section->has_event_count)
			return true;
		section->unit = UNIT_MILLIONTHS;
		section->total = 100 * 1000000u;
	} else if (counts_samples && (values.has_numbers || !values.has_periods)) {
		section->unit = UNIT_SAMPLES;
	}
	return true;
}

static uint64_t weight_of(const struct listing_section *section, const struct listing_entry *entry)
{
	if (section->is_approximate)
		return share_of(section, entry->row.overhead.number);
	return section->unit == UNIT_SAMPLES ? entry->row.samples.number : entry->row.period.number;
}

/* The own weight: what the parts lack of the whole. False: the parts are larger than the whole. */
static bool subtract(const struct listing_section *section, uint64_t whole, uint64_t parts,
		     uint32_t part_count, uint64_t *ret)
{
	*ret = saturate_subtract(whole, parts);
	if (part_count && *ret <= listing_noise_of(section, part_count))
		*ret = 0;
	return parts <= saturate_add(whole, rounding_of(section, (uint64_t)part_count + 1));
}

/*
 * The weight of a graph whose root has no value, because it has all samples of the entry. With
 * Children, perf prints their number only as a percentage: if what the root calls and Self are more
 * than that, these are not two parts of a whole.
 */
static uint64_t weight_of_root(const struct listing *listing, const struct listing_section *section,
			       const struct listing_entry *entry)
{
	const struct listing_node *root = &listing->nodes.at[entry->node_first];
	const struct listing_row *row = &entry->row;
	uint64_t self = entry->weight, all;

	if (row->children.kind == LISTING_VALUE_NONE)
		return self;
	if (section->is_approximate)
		return share_of(section, row->children.number);
	if (!listing_is_same(listing_end_of(listing, root, false), row->symbol))
		return self;
	if (!row->overhead.number)
		return root->below;
	/* Twice what the two percentages can be wrong by. */
	all = ratio_of(self, row->children.number + 1, row->overhead.number).quotient;
	all = saturate_add(all, all / row->overhead.number + 1);
	self = saturate_add(root->below, self);
	return self <= all ? self : root->below;
}

static void sum_up(struct listing *listing, const struct listing_section *section,
		   const struct listing_entry *entry, uint64_t *sum_ret, uint32_t *count_ret)
{
	struct listing_node *nodes = listing->nodes.at;

	for (uint32_t i = entry->node_first; i < entry->node_first + entry->node_count; i++) {
		struct listing_node *node = &nodes[i];

		node->path_count = node->frame_count;
		node->weight = node->value.kind == LISTING_VALUE_PERCENT
				       ? share_of(section, node->value.number)
				       : node->value.number;
		if (node->parent == LISTING_NO_NODE) {
			*sum_ret = saturate_add(*sum_ret, node->weight);
			++*count_ret;
			continue;
		}
		nodes[node->parent].child_count++;
		nodes[node->parent].below = saturate_add(nodes[node->parent].below, node->weight);
		node->path_count += nodes[node->parent].path_count;
	}
}

/* False: the weights do not add up. */
static bool weigh(struct listing *listing, const struct listing_section *section,
		  struct listing_entry *entry)
{
	uint32_t begin = entry->node_first, end = begin + entry->node_count;
	uint64_t sum = 0, whole;
	uint32_t root_count = 0;

	entry->weight = whole = weight_of(section, entry);
	sum_up(listing, section, entry, &sum, &root_count);
	if (entry->row.children.kind == LISTING_VALUE_PERCENT)
		whole = section->is_approximate ? share_of(section, entry->row.children.number)
						: UINT64_MAX;
	if (entry->node_count && listing->nodes.at[begin].value.kind == LISTING_VALUE_NONE)
		listing->nodes.at[begin].weight = sum = weight_of_root(listing, section, entry);
	for (uint32_t i = begin; i < end; i++) {
		struct listing_node *node = &listing->nodes.at[i];

		if (!subtract(section, node->weight, node->below, node->child_count, &node->own))
			return false;
	}
	return subtract(section, whole, sum, root_count, &entry->own);
}

/* Percentages of -g fractal are those of the parent, and do not show the parent's own weight. */
static bool weigh_section(struct listing *listing, const struct listing_section *section,
			  struct error *err)
{
	bool adds_up = !(listing->has_rest && section->is_approximate);

	for (uint32_t i = 0; i < section->entry_count && adds_up; i++) {
		struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		if (entry->style == LISTING_STYLE_FLAT)
			listing_nest_stacks(listing, entry);
		adds_up = weigh(listing, section, entry);
	}
	if (adds_up)
		return true;
	return error_set(
		err, ERROR_UNSUPPORTED,
		section->is_approximate
			? "is the output of `perf report -g fractal`, whose percentages do "
			  "not show which functions samples end in; " LISTING_READABLE
			: "has call graphs whose numbers do not add up; " LISTING_READABLE);
}

/* ---- The order ---- */

/* How many entries have stacks that begin or end in their function. */
struct votes {
	uint32_t callee, caller, either, neither;
};

/* Whether all stacks of the entry begin with its function, and whether some end in it. */
static void vote(const struct listing *listing, const struct listing_entry *entry,
		 struct votes *votes)
{
	bool begins = true, ends = false;

	for (uint32_t i = entry->node_first; i < entry->node_first + entry->node_count; i++) {
		const struct listing_node *node = &listing->nodes.at[i];

		if (node->parent == LISTING_NO_NODE)
			begins &= listing_is_same(listing_end_of(listing, node, false),
						  entry->row.symbol);
		if (!node->child_count)
			ends |= listing_is_same(listing_end_of(listing, node, true),
						entry->row.symbol);
	}
	votes->either += begins && ends;
	votes->callee += begins && !ends;
	votes->caller += !begins && ends;
	votes->neither += !begins && !ends;
}

/*
 * With `-s symbol`, perf omits the first function of graphs with one root. With -g callee and with
 * Children, it is the function of the entry; with -g caller, it is lost.
 */
static bool order_of(struct listing_section *section, struct votes votes, struct error *err)
{
	bool has_children = section->has_children;
	uint32_t others = votes.caller + votes.neither;

	section->omits_first = listing_heading_is_symbol_first(&section->heading) && others;
	section->order = has_children ? LISTING_ORDER_CALLER : LISTING_ORDER_CALLEE;
	if (section->omits_first) {
		if (has_children || votes.caller <= votes.neither + votes.callee)
			return true;
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report -s symbol -g caller`, which lacks "
				 "the outermost functions; " LISTING_READABLE);
	}
	if (!has_children && votes.caller > votes.callee)
		section->order = LISTING_ORDER_CALLER;
	if (votes.neither <= votes.callee + votes.caller + votes.either)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report`, but the functions of its rows are not in "
			 "its call graphs, so it is not known which end of them is the "
			 "leaf; " LISTING_READABLE);
}

static bool choose_order(const struct listing *listing, struct listing_section *section,
			 struct error *err)
{
	struct votes votes = { .callee = 0 };

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		if (!entry->row.symbol.at)
			return error_set(
				err, ERROR_UNSUPPORTED,
				"is the output of `perf report` without the column Symbol, "
				"so it is not known which end of its call graphs is the "
				"leaf; " LISTING_READABLE);
		if (entry->node_count)
			vote(listing, entry, &votes);
	}
	return order_of(section, votes, err);
}

/* ---- All sections ---- */

static bool analyse_section(struct listing *listing, struct listing_section *section,
			    struct listing_losses *losses, struct error *err)
{
	if (!section->entry_count)
		return true;
	/* Without a heading, the number of percentages shows which columns there are. */
	for (uint32_t i = 0; i < section->entry_count; i++)
		section->has_children |=
			listing->entries.at[section->entry_first + i].row.children.kind ==
			LISTING_VALUE_PERCENT;
	if (!choose_unit(listing, section, err) || !weigh_section(listing, section, err) ||
	    !choose_order(listing, section, err))
		return false;
	if (section->has_children && !listing_keep_self(listing, section, err))
		return false;
	listing_find_losses(listing, section, losses);
	return true;
}

static bool has_weight(const struct listing *listing)
{
	uint64_t all = 0;

	for (size_t i = 0; i < listing->entries.count; i++)
		all |= listing->entries.at[i].own;
	for (size_t i = 0; i < listing->nodes.count; i++)
		all |= listing->nodes.at[i].own;
	return all;
}

bool listing_analyse(struct listing *listing, struct listing_losses *losses, struct error *err)
{
	*losses = (struct listing_losses){ .cut = 0 };
	if (!listing->entries.count)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"is the output of `perf report`, without rows that kiln can read; " LISTING_READABLE);
	if (!listing->nodes.count)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report` without call graphs; record with "
				 "`perf record -g`, and " LISTING_READABLE);
	for (size_t i = 0; i < listing->sections.count; i++)
		if (!analyse_section(listing, &listing->sections.at[i], losses, err))
			return false;
	if (has_weight(listing))
		return true;
	return error_set(
		err, ERROR_UNSUPPORTED,
		"is a part of the output of `perf report` in which no row has samples of its "
		"own; use all of it, or " LISTING_READABLE);
}
