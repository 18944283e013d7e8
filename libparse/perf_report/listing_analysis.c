/* SPDX-License-Identifier: MIT */
/*
 * What the call graphs of a report mean. A node has the weight of all samples whose stack begins
 * with its functions. Its own weight is the part that its children do not have:
 *
 *     ---compare            50.56%      own: 12.78%
 *        |--37.78%--sort    37.78%      own: 0.28%
 *        |          |--37.50%--main     own: 37.50%
 *
 * perf omits nodes below its threshold (0.5% by default). The node above then seems to own the
 * weight of the omitted nodes. Such a node is called cut.
 */
#include "base/arithmetic.h"
#include "libparse/perf_report/listing.h"

/*
 * Differences up to this value are due to rounding, and do not count as own weight. The unit is a
 * hundredth of a percent.
 */
#define NOISE_MAX 2u

/*
 * Finds the offset in a page for a symbol that is an address. The address 0 is "0" in call graphs
 * and "0000000000000000" in rows.
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
	uint64_t one, other;

	if (text_equal(frame, symbol))
		return true;
	return page_offset(frame, &one) && page_offset(symbol, &other) && one == other;
}

/* ---- Weights ---- */

/* Rounds to nearest, as perf rounds percentages. */
static uint64_t share_of(const struct listing_section *section, uint64_t hundredths)
{
	struct ratio share = ratio_of(section->total, hundredths, LISTING_WHOLE);

	return share.quotient + (share.remainder >= LISTING_WHOLE / 2);
}

/*
 * Returns the largest error of a sum of `count` rounded percentages. Up to 10000 events, a rounded
 * percentage is exact.
 */
static uint64_t rounding_of(const struct listing_section *section, uint64_t count)
{
	if (!section->is_approximate || section->total <= LISTING_WHOLE)
		return 0;
	return share_of(section, (count + 1) / 2) + count / 2 + 1;
}

uint64_t listing_noise_of(const struct listing_section *section, uint32_t child_count)
{
	uint64_t rounding = rounding_of(section, (uint64_t)child_count + 1);
	uint64_t largest = ratio_of(section->total, NOISE_MAX, LISTING_WHOLE).quotient;

	return rounding < largest ? rounding : largest;
}

/* The kinds of values in the call graphs and rows of a section. */
struct values {
	bool has_percents, has_numbers;
	bool has_samples, has_periods; /* all rows have these columns */
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
		}
	}
	return values;
}

/* Whether a node is one of the first branches of its entry. */
static bool is_first_branch(const struct listing *listing, const struct listing_node *node)
{
	return node->value.kind == LISTING_VALUE_NUMBER &&
	       (node->parent == LISTING_NO_NODE ||
		listing->nodes.at[node->parent].value.kind == LISTING_VALUE_NONE);
}

/*
 * Whether the numbers in call graphs are periods. With -g count, perf prints numbers of samples
 * even if the rows have only periods. Numbers are periods if they exceed the number of samples, or
 * if their sum equals the sum of the rows.
 */
static bool are_periods(const struct listing_section *section, uint64_t branches, uint64_t rows)
{
	return branches == rows || !section->has_sample_count || branches > section->sample_count;
}

/*
 * Whether the numbers in call graphs have the unit of a column of the rows. No number may exceed
 * its row, and the first branches must have at least half the weight of their rows.
 */
static bool fits_column(const struct listing *listing, const struct listing_section *section,
			bool is_period)
{
	uint64_t rows = 0, branches = 0;

	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];
		uint64_t row = is_period ? entry->row.period.number : entry->row.samples.number;
		bool has_branches = false;

		for (uint32_t j = 0; j < entry->node_count; j++) {
			const struct listing_node *node = &listing->nodes.at[entry->node_first + j];

			if (node->value.kind == LISTING_VALUE_NUMBER && node->value.number > row)
				return false;
			if (!is_first_branch(listing, node))
				continue;
			has_branches = true;
			branches = saturate_add(branches, node->value.number);
		}
		if (has_branches)
			rows = saturate_add(rows, row);
	}
	return branches >= rows / 2 + rows % 2 &&
	       (!is_period || are_periods(section, branches, rows));
}

/* Chooses the unit of the numbers in call graphs. */
static bool choose_column(const struct listing *listing, struct listing_section *section,
			  struct values values, struct error *err)
{
	if (section->has_children)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report --children` with numbers in its "
				 "call graphs, whose rows lack the numbers of "
				 "Children; " LISTING_READABLE);
	if (values.has_samples && fits_column(listing, section, false)) {
		section->unit = UNIT_SAMPLES;
		return true;
	}
	if (values.has_periods && fits_column(listing, section, true))
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report` whose call graphs have numbers that no "
			 "column of the rows has; " LISTING_READABLE);
}

/* Chooses the unit in which the section has the most exact weights. */
static bool choose_unit(const struct listing *listing, struct listing_section *section,
			struct error *err)
{
	struct values values = values_of(listing, section);

	if (values.has_percents && values.has_numbers)
		return error_set(err, ERROR_CORRUPT,
				 "has call graphs with percentages, and others with numbers");
	section->unit = section->event.at ? text_unit_of_event(section->event) : UNIT_EVENTS;
	section->total = section->event_count;
	if (values.has_numbers)
		return choose_column(listing, section, values, err);
	if (values.has_percents || section->has_children ||
	    !(values.has_samples || values.has_periods)) {
		section->is_approximate = true;
		if (section->has_event_count)
			return true;
		section->unit = UNIT_MILLIONTHS;
		section->total = 100 * 1000000u;
	} else if (!values.has_periods) {
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

/*
 * Computes the own weight: the whole minus the parts. Returns false if the parts are larger than
 * the whole.
 */
static bool subtract(const struct listing_section *section, uint64_t whole, uint64_t parts,
		     uint32_t part_count, uint64_t *ret)
{
	*ret = saturate_subtract(whole, parts);
	if (part_count && *ret <= listing_noise_of(section, part_count))
		*ret = 0;
	return parts <= saturate_add(whole, rounding_of(section, (uint64_t)part_count + 1));
}

/*
 * Returns the weight of a graph whose root has no value. Such a root has all samples of the entry.
 */
static uint64_t weight_of_root(const struct listing_section *section,
			       const struct listing_entry *entry)
{
	if (section->has_children)
		return share_of(section, entry->row.children.number);
	return entry->weight;
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

/* Returns false if the weights do not add up. */
static bool weigh(struct listing *listing, const struct listing_section *section,
		  struct listing_entry *entry)
{
	uint32_t begin = entry->node_first, end = begin + entry->node_count;
	uint64_t sum = 0, whole;
	uint32_t root_count = 0;

	entry->weight = whole = weight_of(section, entry);
	sum_up(listing, section, entry, &sum, &root_count);
	if (section->has_children)
		whole = share_of(section, entry->row.children.number);
	if (entry->node_count && listing->nodes.at[begin].value.kind == LISTING_VALUE_NONE)
		listing->nodes.at[begin].weight = sum = weight_of_root(section, entry);
	for (uint32_t i = begin; i < end; i++) {
		struct listing_node *node = &listing->nodes.at[i];

		if (!subtract(section, node->weight, node->below, node->child_count, &node->own))
			return false;
	}
	return subtract(section, whole, sum, root_count, &entry->own);
}

/*
 * Whether percentages are relative to the parent, as with -g fractal. Such percentages do not show
 * the parent's own weight.
 */
static bool is_fractal(const struct listing *listing, const struct listing_section *section)
{
	return listing->has_rest && section->is_approximate;
}

static bool weigh_section(struct listing *listing, const struct listing_section *section,
			  struct error *err)
{
	bool adds_up = true;

	if (is_fractal(listing, section))
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report -g fractal`, whose percentages do "
				 "not show which functions samples end in; " LISTING_READABLE);
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
			? "has call graphs whose percentages are larger than those of their rows, "
			  "as with `perf report -g fractal`, or with -F and without "
			  "--no-children; " LISTING_READABLE
			: "has call graphs whose numbers do not add up; " LISTING_READABLE);
}

/* ---- The order ---- */

/* The number of entries whose stacks begin or end in the entry's function. */
struct votes {
	uint32_t callee, caller, either, neither;
	/* the function begins and ends the stack, with other functions in between */
	uint32_t ambiguous;
};

/* Whether all stacks of the entry begin with its function, and whether some end in it. */
static void vote(const struct listing *listing, const struct listing_entry *entry,
		 struct votes *votes)
{
	bool begins = true, ends = false, has_others = false;

	for (uint32_t i = entry->node_first; i < entry->node_first + entry->node_count; i++) {
		const struct listing_node *node = &listing->nodes.at[i];

		if (node->parent == LISTING_NO_NODE)
			begins &= listing_is_same(listing_end_of(listing, node, false),
						  entry->row.symbol);
		if (!node->child_count)
			ends |= listing_is_same(listing_end_of(listing, node, true),
						entry->row.symbol);
		for (uint32_t j = 0; j < node->frame_count && !has_others; j++)
			has_others =
				!listing_is_same(listing_frame_text(listing, node->frame_first + j),
						 entry->row.symbol);
	}
	votes->ambiguous += begins && ends && has_others;
	votes->either += begins && ends;
	votes->callee += begins && !ends;
	votes->caller += !begins && ends;
	votes->neither += !begins && !ends;
}

/*
 * With -g callee, all graphs begin with the function of their entry. With -g caller, stacks end in
 * this function, if perf printed them completely.
 */
static bool order_of(struct listing_section *section, struct votes votes, struct error *err)
{
	section->order = LISTING_ORDER_CALLEE;
	if (section->has_children || votes.caller > votes.callee)
		section->order = LISTING_ORDER_CALLER;
	if (!section->has_children && votes.caller && votes.caller <= votes.callee)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report`, in which some call graphs begin "
				 "and others end in the functions of their "
				 "rows; " LISTING_READABLE);
	if (!section->has_children && votes.ambiguous && !votes.caller && !votes.callee)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is the output of `perf report`, whose call graphs begin and end "
				 "in the functions of their rows, so kiln cannot tell whether they "
				 "are in caller or callee order; " LISTING_READABLE);
	if (votes.neither <= votes.callee + votes.caller + votes.either)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report`, in which call graphs do not contain the "
			 "function of their row, so kiln cannot tell whether they are in caller or "
			 "callee order; " LISTING_READABLE);
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
				"is the output of `perf report` without the Symbol column, "
				"so kiln cannot tell whether its call graphs are in caller "
				"or callee order; " LISTING_READABLE);
		if (entry->node_count)
			vote(listing, entry, &votes);
	}
	return order_of(section, votes, err);
}

/* ---- All sections ---- */

/* Rejects reports that list a sample in several rows. */
static bool check_rows(const struct listing *listing, const struct listing_section *section,
		       struct error *err)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < section->entry_count; i++)
		sum += listing->entries.at[section->entry_first + i].row.overhead.number;
	if (sum <= LISTING_WHOLE + section->entry_count / 2 + 1)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report` whose rows add up to more than 100%%, "
			 "perhaps because the file contains several reports; put each report in a "
			 "file of its own");
}

/* Rejects several sections for one event, which would count its samples twice. */
static bool check_events(const struct listing *listing, struct error *err)
{
	struct strings events;
	size_t count = 0;
	bool good;

	strings_init(&events);
	for (size_t i = 0; i < listing->sections.count; i++) {
		const struct listing_section *section = &listing->sections.at[i];
		struct text event = section->event.length ? section->event : text_of("\n");

		if (!section->entry_count)
			continue;
		count++;
		strings_intern(&events, event.at, event.length);
	}
	good = events.rows.count > count;
	strings_deinit(&events);
	if (good)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "has several outputs of `perf report` for one event, which can count "
			 "samples twice; use one report for each input");
}

static bool analyse_section(struct listing *listing, struct listing_section *section,
			    struct listing_losses *losses, struct error *err)
{
	if (!section->entry_count)
		return true;
	section->has_children = section->heading.columns[0] == LISTING_COLUMN_CHILDREN;
	if (!check_rows(listing, section, err) || !choose_unit(listing, section, err) ||
	    !weigh_section(listing, section, err) || !choose_order(listing, section, err))
		return false;
	section->omits_nodes = listing_omits_nodes(listing, section);
	if (section->has_children && !listing_keep_self(listing, section, err))
		return false;
	return listing_find_losses(listing, section, losses, err);
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
	if (!check_events(listing, err))
		return false;
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
