/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/snapshots.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "libparse/text.h"

/* The maximum number of tables that are reported by name. */
#define REPORTED_TABLES 16

void snapshots_init(struct snapshots *snapshots)
{
	*snapshots = (struct snapshots){ 0 };
	strings_init(&snapshots->names);
	idtable_init(&snapshots->key_table);
	vec_push(&snapshots->tables, (struct snapshot_table){ 0 });
}

void snapshots_deinit(struct snapshots *snapshots)
{
	strings_deinit(&snapshots->names);
	idtable_deinit(&snapshots->key_table);
	vec_free(&snapshots->tables);
	vec_free(&snapshots->keys);
	vec_free(&snapshots->rows);
}

static struct snapshot_table *current(const struct snapshots *snapshots)
{
	return &snapshots->tables.at[snapshots->rows.at[snapshots->rows.count - 1].table];
}

/* Ends the current snapshot. */
static void end_snapshot(struct snapshots *snapshots)
{
	struct snapshot_table *table;

	if (!snapshots->rows.count)
		return;
	table = current(snapshots);
	table->has_shrunk |= table->kept_key_count < table->key_count_before ||
			     table->total < table->total_before;
}

void snapshots_begin(struct snapshots *snapshots, struct text name, uint64_t offset)
{
	str_id id = strings_intern(&snapshots->names, name.at, name.length);
	struct snapshot_table *table;

	end_snapshot(snapshots);
	while (snapshots->tables.count <= id.i)
		vec_push(&snapshots->tables, (struct snapshot_table){ .name = id });
	table = &snapshots->tables.at[id.i];
	table->snapshot_count++;
	table->total_before = table->total;
	table->key_count_before = table->key_count;
	table->total = table->key_count = table->kept_key_count = 0;
	vec_push(&snapshots->rows, (struct snapshot){
					   .offset = offset,
					   .number = table->snapshot_count,
					   .table = id.i,
				   });
}

bool snapshots_is_of(const struct snapshots *snapshots, struct text name)
{
	return snapshots->rows.count &&
	       text_equal(strings_get(&snapshots->names, current(snapshots)->name), name);
}

static struct snapshot_key *find_key(const struct snapshots *snapshots, uint64_t hash)
{
	uint32_t table = snapshots->rows.at[snapshots->rows.count - 1].table;
	struct idtable_probe probe = idtable_find(&snapshots->key_table, hash);
	uint32_t row;

	while ((row = idtable_next(&snapshots->key_table, &probe)) != IDTABLE_NONE)
		if (snapshots->keys.at[row].hash == hash && snapshots->keys.at[row].table == table)
			return &snapshots->keys.at[row];
	return NULL;
}

bool snapshots_has(const struct snapshots *snapshots, uint64_t key_hash)
{
	const struct snapshot_key *key = find_key(snapshots, key_hash);

	return key && key->number == current(snapshots)->snapshot_count;
}

void snapshots_add(struct snapshots *snapshots, const struct snapshot_entry *entry)
{
	struct snapshot_table *table = current(snapshots);
	struct snapshot_key *key = find_key(snapshots, entry->key);

	snapshots->rows.at[snapshots->rows.count - 1].entry_count++;
	table->has_stacks |= entry->has_stack;
	table->total = saturate_add(table->total, entry->value);
	if (table->snapshot_count == 1 && !table->key_count)
		table->unit = entry->unit;
	if (!key) {
		idtable_add(&snapshots->key_table, entry->key, (uint32_t)snapshots->keys.count);
		vec_push(&snapshots->keys,
			 (struct snapshot_key){
				 .hash = entry->key,
				 .table = (uint32_t)(table - snapshots->tables.at),
			 });
		key = &snapshots->keys.at[snapshots->keys.count - 1];
	}
	if (key->number == table->snapshot_count)
		return;
	table->has_shrunk |= entry->only_grows && entry->value < key->value;
	key->value = entry->value;
	table->kept_key_count += key->number && key->number == table->snapshot_count - 1;
	table->key_count++;
	key->number = table->snapshot_count;
}

static bool is_kept(const struct snapshot *row, const struct snapshot_table *table,
		    const struct snapshot_choice *choice)
{
	switch (choice->kind) {
	case SNAPSHOTS_NUMBER:
		return row->number == choice->number;
	case SNAPSHOTS_LAST:
		return row->number == table->snapshot_count;
	case SNAPSHOTS_SUM:
		return true;
	case SNAPSHOTS_AUTO:
		break;
	}
	return table->has_shrunk || row->number == table->snapshot_count;
}

/* At least one table must have a snapshot with this number; the others may have fewer snapshots. */
static bool has_number(const struct snapshots *snapshots, uint64_t number, struct error *err)
{
	uint64_t most = 0;

	for (size_t i = 0; i < snapshots->tables.count; i++)
		if (snapshots->tables.at[i].snapshot_count > most)
			most = snapshots->tables.at[i].snapshot_count;
	return !most || number <= most ||
	       error_set(err, ERROR_NO_MATCH,
			 "--interval %" PRIu64 ": snapshot %" PRIu64 " does not exist; choose one "
			 "from 1 to %" PRIu64,
			 number, number, most);
}

bool snapshots_finish(struct snapshots *snapshots, const struct snapshot_choice *choice,
		      struct error *err)
{
	static const struct snapshot_choice none = { .kind = SNAPSHOTS_AUTO };

	end_snapshot(snapshots);
	for (size_t i = 0; i < snapshots->rows.count; i++) {
		struct snapshot *row = &snapshots->rows.at[i];
		struct snapshot_table *table = &snapshots->tables.at[row->table];

		row->is_kept = is_kept(row, table, choice ? choice : &none);
		if (row->is_kept && row->entry_count > table->entry_count_max)
			table->entry_count_max = row->entry_count;
	}
	/* The keys were needed only for this decision. */
	vec_free(&snapshots->keys);
	idtable_deinit(&snapshots->key_table);
	idtable_init(&snapshots->key_table);
	return !choice || choice->kind != SNAPSHOTS_NUMBER ||
	       has_number(snapshots, choice->number, err);
}

bool snapshots_keeps(const struct snapshots *snapshots, uint64_t offset)
{
	size_t count = vec_count_first(&snapshots->rows, row, row->offset <= offset);

	return count && snapshots->rows.at[count - 1].is_kept;
}

uint64_t snapshots_count_tables(const struct snapshots *snapshots, uint64_t entry_count)
{
	uint64_t count = 0;

	for (size_t i = 0; i < snapshots->tables.count; i++)
		count += snapshots->tables.at[i].entry_count_max == entry_count;
	return count;
}

/* How many snapshots of a table are used, and the number of the last one used. */
static uint64_t count_kept(const struct snapshots *snapshots, uint32_t table, uint64_t *number_ret)
{
	uint64_t count = 0;

	for (size_t i = 0; i < snapshots->rows.count; i++) {
		const struct snapshot *row = &snapshots->rows.at[i];

		if (row->table != table || !row->is_kept)
			continue;
		count++;
		*number_ret = row->number;
	}
	return count;
}

void snapshots_report(const struct snapshots *snapshots, const struct event_sink *sink)
{
	uint32_t reported = 0;
	struct sink line;

	sink_init_memory(&line);
	for (uint32_t i = 1; i < snapshots->tables.count && reported < REPORTED_TABLES; i++) {
		const struct snapshot_table *table = &snapshots->tables.at[i];
		uint64_t number = 0;
		uint64_t kept;

		if (table->snapshot_count < 2)
			continue;
		kept = count_kept(snapshots, i, &number);
		sink_puts(&line, reported++ ? "; " : "");
		sink_printf(&line, "%" PRIu64 " of ", table->snapshot_count);
		sink_text(&line, strings_get(&snapshots->names, table->name));
		sink_puts(&line, ", ");
		if (kept == table->snapshot_count)
			sink_puts(&line, "added up");
		else if (!kept)
			sink_puts(&line, "none used");
		else if (number == table->snapshot_count)
			sink_puts(&line, "last used");
		else
			sink_printf(&line, "number %" PRIu64 " used", number);
	}
	if (reported)
		text_report_fact(sink, FACT_SNAPSHOTS, sink_memory(&line));
	sink_deinit(&line);
}

bool snapshot_choice_parse(const char *text, struct snapshot_choice *ret, struct error *err)
{
	uint64_t number;

	*ret = (struct snapshot_choice){ .kind = SNAPSHOTS_NUMBER };
	if (strcmp(text, "sum") == 0)
		ret->kind = SNAPSHOTS_SUM;
	else if (strcmp(text, "last") == 0)
		ret->kind = SNAPSHOTS_LAST;
	else if (text_to_u64(text_of(text), &number) && number)
		ret->number = number;
	else
		return error_set(err, ERROR_USAGE,
				 "--interval must be sum, last or a number of 1 or more, not "
				 "\"%s\"",
				 text);
	return true;
}
