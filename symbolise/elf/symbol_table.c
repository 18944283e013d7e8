/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include "base/arithmetic.h"
#include "base/key_sort.h"
#include "base/memory.h"
#include "object/elf.h"

void symbol_table_init(struct symbol_table *table)
{
	*table = (struct symbol_table){ .symbols = { .at = NULL } };
}

void symbol_table_deinit(struct symbol_table *table)
{
	vec_free(&table->symbols);
	vec_free(&table->ranges);
}

void symbol_table_add(struct symbol_table *table, const struct symbol *symbol)
{
	struct symbol row = *symbol;

	if (table->symbols.count >= LIMIT_SYMBOLS)
		return;
	row.order = (uint32_t)table->symbols.count;
	vec_push(&table->symbols, row);
}

/* Applies the permutation in place: row keys[i].row moves to i, one cycle at a time. */
static void put_in_order(struct symbol_table *table, struct key_row *keys)
{
	struct symbol *symbols = table->symbols.at;

	for (uint32_t i = 0; i < table->symbols.count; i++) {
		struct symbol first = symbols[i];
		uint32_t at = i;

		while (keys[at].row != i) {
			uint32_t from = keys[at].row;

			symbols[at] = symbols[from];
			keys[at].row = at;
			at = from;
		}
		symbols[at] = first;
		keys[at].row = at;
	}
}

static void sort_symbols(struct symbol_table *table)
{
	size_t count = table->symbols.count;
	struct key_row *keys = memory_alloc(count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct key_row){ table->symbols.at[i].start, (uint32_t)i };
	key_sort(keys, count);
	put_in_order(table, keys);
	memory_free(keys);
}

static uint64_t end_of_page_behind(uint64_t address)
{
	uint64_t end = (address | (PAGE_BYTES - 1)) + 1;

	return end ? end : UINT64_MAX;
}

/*
 * Ends symbols of unknown size at the next symbol, or at the end of their section or kernel module.
 */
static void end_at_next(struct symbol_table *table)
{
	uint64_t next = UINT64_MAX;
	uint32_t next_owner = UINT32_MAX;

	for (size_t i = table->symbols.count; i-- > 0;) {
		struct symbol *symbol = &table->symbols.at[i];

		if (i + 1 < table->symbols.count &&
		    table->symbols.at[i + 1].start > symbol->start) {
			next = table->symbols.at[i + 1].start;
			next_owner = table->symbols.at[i + 1].owner;
		}
		if (symbol->end > symbol->start)
			continue;
		symbol->end = next < symbol->limit ? next : symbol->limit;
		if (symbol->owner != next_owner && symbol->end > end_of_page_behind(symbol->start))
			symbol->end = end_of_page_behind(symbol->start);
	}
}

/*
 * Drops symbols without a size that are inside symbols with a size. Such symbols are labels, not
 * functions.
 */
static void drop_labels_inside(struct symbol_table *table)
{
	uint64_t sized_end = 0;
	size_t kept = 0;

	for (size_t i = 0; i < table->symbols.count; i++) {
		const struct symbol *symbol = &table->symbols.at[i];
		bool is_sized = symbol->end > symbol->start;

		if (!is_sized && symbol->start < sized_end)
			continue;
		if (is_sized && symbol->end > sized_end)
			sized_end = symbol->end;
		table->symbols.at[kept++] = *symbol;
	}
	table->symbols.count = kept;
}

/* Keeps one symbol for each start address. */
static void choose_aliases(struct symbol_table *table,
			   bool (*is_better)(const struct symbol *, const struct symbol *))
{
	size_t kept = 0;

	for (size_t i = 0; i < table->symbols.count; i++) {
		const struct symbol *symbol = &table->symbols.at[i];
		struct symbol *last = kept ? &table->symbols.at[kept - 1] : NULL;

		if (!last || last->start != symbol->start)
			table->symbols.at[kept++] = *symbol;
		else if (is_better(symbol, last))
			*last = *symbol;
	}
	table->symbols.count = kept;
}

/*
 * The end that perf gives to the last symbol of the kernel, of all modules, or of a file. Unlike
 * perf's, it does not wrap.
 */
static uint64_t end_of_last(uint64_t start)
{
	return end_of_page_behind(saturate_add(start, PAGE_BYTES - 1));
}

/*
 * perf sets the ends of symbols before it removes aliases. Therefore, if several aliases have no
 * size, only the last one in the file covers any bytes.
 */
static void end_as_perf_does(struct symbol_table *table)
{
	for (size_t i = 0; i < table->symbols.count; i++) {
		struct symbol *symbol = &table->symbols.at[i];
		const struct symbol *next = symbol + 1;

		if (symbol->end != symbol->start)
			continue;
		if (i + 1 == table->symbols.count || !symbol->owner != !next->owner)
			symbol->end = end_of_last(symbol->start);
		else
			symbol->end = next->start;
	}
}

static void add_range(struct symbol_table *table, uint64_t start, uint64_t end, uint32_t symbol)
{
	struct symbol_range *last =
		table->ranges.count ? &table->ranges.at[table->ranges.count - 1] : NULL;

	if (start >= end)
		return;
	if (last && last->symbol == symbol && last->end == start)
		last->end = end;
	else
		vec_push(&table->ranges, (struct symbol_range){ start, end, symbol });
}

/*
 * The symbols that cover the current position. These symbols form a heap with the winning symbol on
 * top.
 */
struct open_symbols {
	const struct symbol_table *table;
	bool by_order;
	VEC(uint32_t) heap;
};

static bool wins(const struct open_symbols *open, uint32_t a, uint32_t b)
{
	if (open->by_order)
		return open->table->symbols.at[a].order > open->table->symbols.at[b].order;
	return a > b;
}

static void open_push(struct open_symbols *open, uint32_t symbol)
{
	size_t at = open->heap.count;

	vec_push(&open->heap, symbol);
	while (at > 0 && wins(open, symbol, open->heap.at[(at - 1) / 2])) {
		open->heap.at[at] = open->heap.at[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	open->heap.at[at] = symbol;
}

static void open_pop(struct open_symbols *open)
{
	uint32_t last = open->heap.at[--open->heap.count];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= open->heap.count)
			break;
		if (child + 1 < open->heap.count &&
		    wins(open, open->heap.at[child + 1], open->heap.at[child]))
			child++;
		if (!wins(open, open->heap.at[child], last))
			break;
		open->heap.at[at] = open->heap.at[child];
		at = child;
	}
	if (open->heap.count)
		open->heap.at[at] = last;
}

static void pop_ended(struct open_symbols *open, uint64_t position)
{
	while (open->heap.count && open->table->symbols.at[open->heap.at[0]].end <= position)
		open_pop(open);
}

/* Sweeps over all starts and ends. Each step opens or closes a symbol. */
static void make_ranges(struct symbol_table *table, bool by_order)
{
	struct open_symbols open = { .table = table, .by_order = by_order };
	uint64_t position = 0;
	size_t next = 0;

	table->ranges.count = 0;
	while (next < table->symbols.count || open.heap.count) {
		uint64_t end;

		if (!open.heap.count)
			position = table->symbols.at[next].start;
		while (next < table->symbols.count && table->symbols.at[next].start <= position) {
			open_push(&open, (uint32_t)next++);
			pop_ended(&open, position);
		}
		if (!open.heap.count)
			continue;
		end = table->symbols.at[open.heap.at[0]].end;
		if (next < table->symbols.count && table->symbols.at[next].start < end)
			end = table->symbols.at[next].start;
		add_range(table, position, end, open.heap.at[0]);
		position = end;
		pop_ended(&open, position);
	}
	vec_free(&open.heap);
}

void symbol_table_finish(struct symbol_table *table, enum symbol_rules rules)
{
	sort_symbols(table);
	switch (rules) {
	case SYMBOL_RULES_NEAREST:
	case SYMBOL_RULES_DATA:
		function_parts_mark(table);
		drop_labels_inside(table);
		choose_aliases(table, symbol_alias_is_better);
		end_at_next(table);
		break;
	case SYMBOL_RULES_LATEST:
		end_at_next(table);
		break;
	case SYMBOL_RULES_PERF:
		end_as_perf_does(table);
		choose_aliases(table, symbol_alias_is_perf_choice);
		break;
	}
	make_ranges(table, rules == SYMBOL_RULES_LATEST);
}

/*
 * Moves to the first range that ends after the address. This range is usually near, but each kernel
 * module has its own cursor, which begins at the first range.
 */
static void skip_ranges(struct symbol_cursor *cursor, uint64_t address)
{
	const struct symbol_range *ranges = cursor->table->ranges.at;
	size_t count = cursor->table->ranges.count;
	size_t low = cursor->range;
	size_t step = 1;

	while (low + step <= count && ranges[low + step - 1].end <= address) {
		low += step;
		step *= 2;
	}
	while (step /= 2)
		if (low + step <= count && ranges[low + step - 1].end <= address)
			low += step;
	cursor->range = low;
}

const struct symbol *symbol_cursor_find(struct symbol_cursor *cursor, uint64_t address)
{
	const struct symbol_table *table = cursor->table;
	const struct symbol *symbol;

	skip_ranges(cursor, address);
	if (cursor->range == table->ranges.count || table->ranges.at[cursor->range].start > address)
		return NULL;
	symbol = &table->symbols.at[table->ranges.at[cursor->range].symbol];
	return symbol->name.length || symbol->is_stub ? symbol : NULL;
}
