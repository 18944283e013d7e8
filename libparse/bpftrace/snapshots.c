/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/snapshots.h"

#include <inttypes.h>

#include "base/saturate.h"
#include "libparse/text.h"

/* Tables that are told of one by one. */
#define TOLD_TABLES 16

void printings_init(struct printings *printings)
{
	*printings = (struct printings){ 0 };
	strings_init(&printings->names);
	idtable_init(&printings->key_table);
	vec_push(&printings->tables, (struct printed_table){ 0 });
}

void printings_deinit(struct printings *printings)
{
	strings_deinit(&printings->names);
	idtable_deinit(&printings->key_table);
	vec_free(&printings->tables);
	vec_free(&printings->keys);
	vec_free(&printings->rows);
}

static struct printed_table *current(const struct printings *printings)
{
	return &printings->tables.at[printings->rows.at[printings->rows.count - 1].table];
}

/* The printing under way is whole. */
static void end_printing(struct printings *printings)
{
	struct printed_table *table;

	if (!printings->rows.count)
		return;
	table = current(printings);
	table->has_shrunk |= table->kept_key_count < table->key_count_before ||
			     table->total < table->total_before;
}

void printings_begin(struct printings *printings, struct text name, uint64_t offset)
{
	str_id id = strings_intern(&printings->names, name.at, name.length);
	struct printed_table *table;

	end_printing(printings);
	while (printings->tables.count <= id.i)
		vec_push(&printings->tables, (struct printed_table){ .name = id });
	table = &printings->tables.at[id.i];
	table->printing_count++;
	table->total_before = table->total;
	table->key_count_before = table->key_count;
	table->total = table->key_count = table->kept_key_count = 0;
	vec_push(&printings->rows, (struct printing){
					   .offset = offset,
					   .number = table->printing_count,
					   .table = id.i,
				   });
}

bool printings_is_of(const struct printings *printings, struct text name)
{
	return printings->rows.count &&
	       text_equal(strings_get(&printings->names, current(printings)->name), name);
}

static struct printed_key *find_key(const struct printings *printings, uint64_t hash)
{
	uint32_t table = printings->rows.at[printings->rows.count - 1].table;
	struct idtable_probe probe = idtable_find(&printings->key_table, hash);
	uint32_t row;

	while ((row = idtable_next(&printings->key_table, &probe)) != IDTABLE_NONE)
		if (printings->keys.at[row].hash == hash && printings->keys.at[row].table == table)
			return &printings->keys.at[row];
	return NULL;
}

bool printings_has(const struct printings *printings, uint64_t key_hash)
{
	const struct printed_key *key = find_key(printings, key_hash);

	return key && key->number == current(printings)->printing_count;
}

void printings_add(struct printings *printings, const struct printed_entry *entry)
{
	struct printed_table *table = current(printings);
	struct printed_key *key = find_key(printings, entry->key);

	table->has_stacks |= entry->has_stack;
	table->total = saturate_add(table->total, entry->value);
	if (table->printing_count == 1 && !table->key_count)
		table->unit = entry->unit;
	if (!key) {
		idtable_add(&printings->key_table, entry->key, (uint32_t)printings->keys.count);
		vec_push(&printings->keys,
			 (struct printed_key){
				 .hash = entry->key,
				 .table = (uint32_t)(table - printings->tables.at),
			 });
		key = &printings->keys.at[printings->keys.count - 1];
	}
	if (key->number == table->printing_count)
		return;
	table->has_shrunk |= entry->only_grows && entry->value < key->value;
	key->value = entry->value;
	table->kept_key_count += key->number && key->number == table->printing_count - 1;
	table->key_count++;
	key->number = table->printing_count;
}

static bool is_kept(const struct printing *row, const struct printed_table *table,
		    const struct printing_choice *choice)
{
	switch (choice->kind) {
	case PRINTINGS_NUMBER:
		return row->number == choice->number;
	case PRINTINGS_LAST:
		return row->number == table->printing_count;
	case PRINTINGS_SUM:
		return true;
	case PRINTINGS_AS_IT_SHOWS:
		break;
	}
	return table->has_shrunk || row->number == table->printing_count;
}

/* A table alone may have been printed less often than others. */
static bool has_number(const struct printings *printings, uint64_t number, struct error *err)
{
	uint64_t most = 0;

	for (size_t i = 0; i < printings->tables.count; i++)
		if (printings->tables.at[i].printing_count > most)
			most = printings->tables.at[i].printing_count;
	return !most || number <= most ||
	       error_set(err, ERROR_NO_MATCH,
			 "--interval %" PRIu64 ": there is no snapshot %" PRIu64
			 ", only 1 to %" PRIu64,
			 number, number, most);
}

bool printings_finish(struct printings *printings, const struct printing_choice *choice,
		      struct error *err)
{
	static const struct printing_choice none = { .kind = PRINTINGS_AS_IT_SHOWS };

	end_printing(printings);
	for (size_t i = 0; i < printings->rows.count; i++) {
		struct printing *row = &printings->rows.at[i];

		row->is_kept =
			is_kept(row, &printings->tables.at[row->table], choice ? choice : &none);
	}
	/* They were for deciding that. */
	vec_free(&printings->keys);
	idtable_deinit(&printings->key_table);
	idtable_init(&printings->key_table);
	return !choice || choice->kind != PRINTINGS_NUMBER ||
	       has_number(printings, choice->number, err);
}

bool printings_keeps(const struct printings *printings, uint64_t offset)
{
	size_t low = 0;
	size_t high = printings->rows.count;

	/* The last that begins at or before offset. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (printings->rows.at[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && printings->rows.at[low - 1].is_kept;
}

/* How many printings of a table are kept, and the number of one that is. */
static uint64_t count_kept(const struct printings *printings, uint32_t table, uint64_t *number_ret)
{
	uint64_t count = 0;

	for (size_t i = 0; i < printings->rows.count; i++) {
		const struct printing *row = &printings->rows.at[i];

		if (row->table != table || !row->is_kept)
			continue;
		count++;
		*number_ret = row->number;
	}
	return count;
}

void printings_tell(const struct printings *printings, const struct event_sink *sink)
{
	uint32_t told = 0;
	struct sink line;

	sink_init_memory(&line);
	for (uint32_t i = 1; i < printings->tables.count && told < TOLD_TABLES; i++) {
		const struct printed_table *table = &printings->tables.at[i];
		uint64_t number = 0;
		uint64_t kept;

		if (table->printing_count < 2)
			continue;
		kept = count_kept(printings, i, &number);
		sink_puts(&line, told++ ? ", " : "");
		sink_text(&line, strings_get(&printings->names, table->name));
		sink_printf(&line, " %" PRIu64 " times, ", table->printing_count);
		if (kept == table->printing_count)
			sink_puts(&line, "added up");
		else if (!kept)
			sink_puts(&line, "none taken");
		else if (number == table->printing_count)
			sink_puts(&line, "the last taken");
		else
			sink_printf(&line, "number %" PRIu64 " taken", number);
	}
	if (told)
		text_tell_fact(sink, FACT_SNAPSHOTS, sink_memory(&line));
	sink_deinit(&line);
}

bool printing_choice_parse(const char *text, struct printing_choice *ret, struct error *err)
{
	uint64_t number;

	*ret = (struct printing_choice){ .kind = PRINTINGS_NUMBER };
	if (strcmp(text, "sum") == 0)
		ret->kind = PRINTINGS_SUM;
	else if (strcmp(text, "last") == 0)
		ret->kind = PRINTINGS_LAST;
	else if (text_to_u64(text_of(text), &number) && number)
		ret->number = number;
	else
		return error_set(err, ERROR_USAGE,
				 "--interval takes sum, last or a number from 1 on, not %s", text);
	return true;
}
