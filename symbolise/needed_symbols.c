/* SPDX-License-Identifier: MIT */
#include "symbolise/needed_symbols.h"

#include "base/key_sort.h"
#include "base/memory.h"
#include "base/vec.h"
#include "symbolise/elf/part_stems.h"

/* The number of distinct symbol starts to keep on each side of an address. */
#define MARGIN_STARTS 2

/* While rows are read in another order, those this far ahead are fetched. */
#define ROWS_AHEAD 16

/* Finishing fewer symbols takes little time. */
#define MANY_SYMBOLS 2048

/* Of fewer symbols for each address, many would be kept: neighbours and their aliases. */
#define KEPT_OF_ADDRESS 16

struct symbol_marking {
	const struct candidate_symbol *rows;
	size_t count;
	bool *keeps;
	struct key_row *by_start;
	uint64_t *ends;       /* of by_start, to read memory in order */
	VEC(uint64_t) points; /* addresses and starts of kept symbols, ascending */
};

static void sort_by_start(struct symbol_marking *marking)
{
	size_t count = marking->count;

	marking->by_start = memory_alloc(count, sizeof(*marking->by_start));
	marking->ends = memory_alloc(count, sizeof(*marking->ends));
	for (size_t i = 0; i < count; i++)
		marking->by_start[i] = (struct key_row){ marking->rows[i].start, (uint32_t)i };
	key_sort(marking->by_start, count);
	for (size_t i = 0; i < count; i++) {
		if (i + ROWS_AHEAD < count)
			__builtin_prefetch(
				&marking->rows[marking->by_start[i + ROWS_AHEAD].row].end);
		marking->ends[i] = marking->rows[marking->by_start[i].row].end;
	}
}

static size_t count_starts_up_to(const struct symbol_marking *marking, uint64_t address)
{
	size_t low = 0;
	size_t high = marking->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (marking->by_start[middle].key <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Keeps MARGIN_STARTS distinct starts, from row `at` upwards; keep_before does the same downwards.
 */
static void keep_behind(const struct symbol_marking *marking, size_t at)
{
	for (unsigned starts = 0; at < marking->count; at++) {
		if (!at || marking->by_start[at].key != marking->by_start[at - 1].key)
			starts++;
		if (starts > MARGIN_STARTS)
			return;
		marking->keeps[marking->by_start[at].row] = true;
	}
}

static void keep_before(const struct symbol_marking *marking, size_t at)
{
	for (unsigned starts = 1; at-- > 0;) {
		marking->keeps[marking->by_start[at].row] = true;
		if (at && marking->by_start[at].key != marking->by_start[at - 1].key &&
		    ++starts > MARGIN_STARTS)
			return;
	}
}

static void list_points(struct symbol_marking *marking, const uint64_t *addresses,
			size_t address_count)
{
	size_t next = 0;

	for (size_t i = 0; i < marking->count; i++) {
		uint64_t start = marking->by_start[i].key;

		if (!marking->keeps[marking->by_start[i].row])
			continue;
		while (next < address_count && addresses[next] <= start)
			vec_push(&marking->points, addresses[next++]);
		vec_push(&marking->points, start);
	}
	while (next < address_count)
		vec_push(&marking->points, addresses[next++]);
}

/*
 * Whether a point is in a row of by_start. *cursor starts at 0, and moves to the first point that
 * is not before the row. Rows must be passed in order.
 */
static bool has_point(const struct symbol_marking *marking, size_t at, size_t *cursor)
{
	uint64_t start = marking->by_start[at].key;

	while (*cursor < marking->points.count && marking->points.at[*cursor] < start)
		++*cursor;
	return *cursor < marking->points.count && marking->points.at[*cursor] < marking->ends[at];
}

/*
 * Keeps all symbols that cover a point, and the aliases of these symbols. What covers only the
 * start of such a symbol is not needed: it could remove or end only symbols of unknown size. These
 * lose to an alias with a size, or end before the neighbours of the address.
 */
static void keep_covering(const struct symbol_marking *marking)
{
	bool keeps_start = false;
	size_t cursor = 0;
	size_t first = 0;

	for (size_t i = 0; i < marking->count; i++) {
		bool is_last = i + 1 == marking->count ||
			       marking->by_start[i + 1].key != marking->by_start[i].key;

		keeps_start |= has_point(marking, i, &cursor);
		if (!is_last)
			continue;
		for (; keeps_start && first <= i; first++)
			marking->keeps[marking->by_start[first].row] = true;
		first = i + 1;
		keeps_start = false;
	}
}

/* For each kept part such as f.cold, also keeps f, because function_parts_mark needs f. */
static void keep_stems(const struct symbol_marking *marking)
{
	struct part_stems stems;

	part_stems_init(&stems);
	for (size_t i = 0; i < marking->count; i++)
		if (marking->keeps[i])
			part_stems_add(&stems, marking->rows[i].name);
	for (size_t i = 0; i < marking->count && stems.rows.count; i++) {
		if (i + ROWS_AHEAD < marking->count)
			__builtin_prefetch(marking->rows[i + ROWS_AHEAD].name.at);
		marking->keeps[i] |= part_stems_find(&stems, marking->rows[i].name) != NULL;
	}
	part_stems_deinit(&stems);
}

void needed_symbols_mark(const struct candidate_symbol *rows, size_t count,
			 const uint64_t *addresses, size_t address_count, bool *keeps)
{
	struct symbol_marking marking = {
		.rows = rows,
		.count = count,
		.keeps = keeps,
	};
	size_t at = 0;

	sort_by_start(&marking);
	for (size_t i = 0; i < address_count; i++) {
		size_t last = at;

		at = count_starts_up_to(&marking, addresses[i]);
		/* Many addresses can be near many aliases. */
		if (i && at == last)
			continue;
		keep_before(&marking, at);
		keep_behind(&marking, at);
	}
	list_points(&marking, addresses, address_count);
	keep_covering(&marking);
	keep_stems(&marking);
	vec_free(&marking.points);
	memory_free(marking.by_start);
	memory_free(marking.ends);
}

void needed_symbols_keep(struct symbol_table *table, const uint64_t *addresses,
			 size_t address_count)
{
	size_t count = table->symbols.count;
	struct candidate_symbol *rows;
	size_t kept = 0;
	bool *keeps;

	if (count < MANY_SYMBOLS || count / KEPT_OF_ADDRESS < address_count)
		return;
	rows = memory_alloc(count, sizeof(*rows));
	keeps = memory_zalloc(count, sizeof(*keeps));
	for (size_t i = 0; i < count; i++) {
		const struct symbol *symbol = &table->symbols.at[i];

		rows[i] = (struct candidate_symbol){ symbol->start, symbol->end, symbol->name };
	}
	needed_symbols_mark(rows, count, addresses, address_count, keeps);
	for (size_t i = 0; i < count; i++)
		if (keeps[i])
			table->symbols.at[kept++] = table->symbols.at[i];
	table->symbols.count = kept;
	memory_free(rows);
	memory_free(keeps);
}
