/* SPDX-License-Identifier: MIT */
#include "render/report/memory_table.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/quantile.h"
#include "render/number.h"

/* The number of threads and variables of a cache line that are named. */
#define THREADS_NAMED 3
#define PLACES_NAMED  3

static const char *const by_names[] = {
	[MEMORY_BY_LEVEL] = "level", [MEMORY_BY_SNOOP] = "snoop",
	[MEMORY_BY_TLB] = "tlb",     [MEMORY_BY_FUNCTION] = "function",
	[MEMORY_BY_DSO] = "dso",     [MEMORY_BY_ADDRESS] = "address",
	[MEMORY_BY_LINE] = "line",   [MEMORY_BY_ACCESS] = "access",
};

static const char *const level_titles[DATA_LEVEL_COUNT] = {
	"N/A", "L1", "LFB", "L2", "L3", "RAM", "remote", "other",
};
static const char *const level_keys[DATA_LEVEL_COUNT] = {
	"unknown_percent", "l1_percent",  "lfb_percent",    "l2_percent",
	"l3_percent",      "ram_percent", "remote_percent", "other_percent",
};

bool memory_by_parse(const char *name, enum memory_by *ret, struct error *err)
{
	*ret = MEMORY_BY_LEVEL;
	if (!*name)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(by_names); i++)
		if (strcmp(name, by_names[i]) == 0) {
			*ret = (enum memory_by)i;
			return true;
		}
	return error_set(err, ERROR_USAGE,
			 "--mem must be level, snoop, tlb, function, dso, address, line or access, "
			 "not \"%s\"",
			 name);
}

/* A row of the table. Several rows of the statistics may have the same text. */
struct merged_access {
	const struct memory_row *first;
	str_id text; /* the function, the DSO, or the part of the source */
	struct memory_sums sums;
};

struct memory_writer {
	const struct memory_stats *stats;
	const struct profile *profile;
	const struct locations *locations;
	const struct locations *data;
	const struct memory_table_options *options;
	struct strings strings;
	VEC(struct merged_access) rows;
	struct idtable row_table;
	struct memory_sums total;
	struct table *table;
};

static bool by_line(const struct memory_writer *writer)
{
	return writer->stats->by == MEMORY_BY_LINE || writer->stats->by == MEMORY_BY_ACCESS;
}

static str_id intern(struct memory_writer *writer, struct text text)
{
	return strings_intern(&writer->strings, text.length ? text.at : "", text.length);
}

static str_id source_text(struct memory_writer *writer, uint64_t source, enum data_source_part part)
{
	struct sink sink;
	str_id ret;

	sink_init_memory(&sink);
	data_source_write(source, part, &sink);
	ret = intern(writer, sink_memory(&sink));
	sink_deinit(&sink);
	return ret;
}

static str_id code_text(struct memory_writer *writer, location_id id)
{
	const struct profile *profile = writer->profile;
	struct text path;
	str_id name;

	if (id.i == LOCATION_NONE.i)
		return intern(writer, text_of("[none]"));
	if (writer->stats->by != MEMORY_BY_DSO) {
		name = frame_name_innermost(profile->strings, profile->modules, writer->locations,
					    id, writer->options->naming);
		return intern(writer, strings_get(profile->strings, name));
	}
	path = strings_get(
		profile->strings,
		modules_get(profile->modules, writer->locations->rows.at[id.i].module)->path);
	return intern(writer, path.length ? path : text_of("[unknown]"));
}

static str_id text_of_row(struct memory_writer *writer, const struct memory_row *row)
{
	switch (writer->stats->by) {
	case MEMORY_BY_LEVEL:
		return source_text(writer, row->key.place, DATA_SOURCE_LEVEL);
	case MEMORY_BY_SNOOP:
		return source_text(writer, row->key.place, DATA_SOURCE_SNOOP);
	case MEMORY_BY_TLB:
		return source_text(writer, row->key.place, DATA_SOURCE_TLB);
	case MEMORY_BY_FUNCTION:
	case MEMORY_BY_DSO:
	case MEMORY_BY_ACCESS:
		return code_text(writer, row->key.location);
	case MEMORY_BY_ADDRESS:
	case MEMORY_BY_LINE:
		break;
	}
	return STR_EMPTY;
}

/* Rows with addresses stay apart even if their texts are equal. */
static bool are_one(const struct memory_writer *writer, const struct merged_access *merged,
		    const struct memory_row *row, str_id text)
{
	const struct memory_key *left = &merged->first->key;
	const struct memory_key *right = &row->key;

	return merged->text.i == text.i &&
	       (!memory_by_has_address(writer->stats->by) ||
		(left->place == right->place && left->owner == right->owner &&
		 left->tid == right->tid));
}

static struct merged_access *merged_of(struct memory_writer *writer, const struct memory_row *row)
{
	bool has_address = memory_by_has_address(writer->stats->by);
	str_id text = text_of_row(writer, row);
	uint64_t hash = hash_pair(text.i, has_address ? row->key.place : 0);
	struct idtable_probe probe = idtable_find(&writer->row_table, hash);
	uint32_t id;

	while ((id = idtable_next(&writer->row_table, &probe)) != IDTABLE_NONE)
		if (are_one(writer, &writer->rows.at[id], row, text))
			return &writer->rows.at[id];
	idtable_add(&writer->row_table, hash, (uint32_t)writer->rows.count);
	vec_push(&writer->rows, (struct merged_access){ .first = row, .text = text });
	return &writer->rows.at[writer->rows.count - 1];
}

static void merge_rows(struct memory_writer *writer)
{
	for (size_t i = 0; i < writer->stats->rows.count; i++) {
		const struct memory_row *row = &writer->stats->rows.at[i];

		memory_sums_add(&merged_of(writer, row)->sums, &row->sums);
		memory_sums_add(&writer->total, &row->sums);
	}
	for (size_t i = 0; i < writer->rows.count; i++)
		quantile_sort(writer->rows.at[i].sums.weights.at,
			      writer->rows.at[i].sums.weights.count);
}

static int compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/*
 * Compares cache lines by how often another core had the line, and other rows by cost; then
 * compares by text and address.
 */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct memory_writer *writer = context;
	const struct merged_access *left = a;
	const struct merged_access *right = b;
	const struct memory_key *l = &left->first->key;
	const struct memory_key *r = &right->first->key;
	int order = 0;

	if (by_line(writer))
		order = compare_numbers(right->sums.shared_count, left->sums.shared_count);
	if (!order)
		order = compare_numbers(right->sums.cost, left->sums.cost);
	if (!order)
		order = text_compare(strings_get(&writer->strings, left->text),
				     strings_get(&writer->strings, right->text));
	if (!order)
		order = compare_numbers(l->place, r->place);
	if (!order)
		order = compare_numbers(l->owner, r->owner);
	return order ? order : compare_numbers(l->tid, r->tid);
}

static void add_column(struct memory_writer *writer, const char *title, const char *key,
		       enum table_kind kind)
{
	table_add_column(writer->table,
			 (struct table_column){ .title = title, .key = key, .kind = kind });
}

static void add_key_columns(struct memory_writer *writer)
{
	static const char *const names[] = {
		[MEMORY_BY_LEVEL] = "level", [MEMORY_BY_SNOOP] = "snoop",
		[MEMORY_BY_TLB] = "tlb",     [MEMORY_BY_FUNCTION] = "function",
		[MEMORY_BY_DSO] = "dso",
	};
	enum memory_by by = writer->stats->by;

	if (!memory_by_has_address(by)) {
		add_column(writer, names[by], names[by], TABLE_TEXT);
		return;
	}
	add_column(writer, "pid", "pid", TABLE_ID);
	if (by == MEMORY_BY_ACCESS) {
		add_column(writer, "tid", "tid", TABLE_ID);
		add_column(writer, "comm", "comm", TABLE_TEXT);
		add_column(writer, "function", "function", TABLE_TEXT);
		add_column(writer, "line", "line", TABLE_CODE);
		add_column(writer, "offset", "offset", TABLE_COUNT);
		add_column(writer, "data", "data", TABLE_TEXT);
		return;
	}
	add_column(writer, by == MEMORY_BY_LINE ? "line" : "address",
		   by == MEMORY_BY_LINE ? "line" : "address", TABLE_CODE);
	if (by == MEMORY_BY_LINE)
		add_column(writer, "used by", "used_by", TABLE_TEXT);
	add_column(writer, "data", "data", TABLE_TEXT);
}

/* Latencies are computed only from the samples that have one. */
static void add_latency_columns(struct memory_writer *writer)
{
	if (!writer->stats->has_weights)
		return;
	add_column(writer, "p50", "latency_p50", TABLE_COUNT);
	add_column(writer, "p99", "latency_p99", TABLE_COUNT);
	add_column(writer, "max", "latency_max", TABLE_COUNT);
}

static bool shows_level(const struct memory_writer *writer, size_t level)
{
	return writer->stats->by != MEMORY_BY_LEVEL && !by_line(writer) &&
	       writer->total.level_counts[level];
}

static void add_columns(struct memory_writer *writer)
{
	add_column(writer, "share", "share", TABLE_SHARE);
	add_column(writer, "samples", "samples", TABLE_COUNT);
	add_column(writer, "loads", "loads", TABLE_COUNT);
	add_column(writer, "stores", "stores", TABLE_COUNT);
	if (by_line(writer)) {
		add_column(writer, "shared", "shared", TABLE_COUNT);
		add_column(writer, "remote", "remote_shared", TABLE_COUNT);
	}
	if (writer->total.locked_count)
		add_column(writer, "locked", "locked", TABLE_COUNT);
	add_latency_columns(writer);
	for (size_t i = 0; i < DATA_LEVEL_COUNT; i++)
		if (shows_level(writer, i))
			add_column(writer, level_titles[i], level_keys[i], TABLE_SHARE);
	if (writer->stats->by != MEMORY_BY_TLB && writer->total.tlb_miss_count)
		add_column(writer, "TLB miss", "tlb_miss_percent", TABLE_SHARE);
	add_key_columns(writer);
}

static void add_address(struct memory_writer *writer, uint64_t address)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "0x%" PRIx64, address);

	table_add_text(writer->table,
		       table_copy(writer->table, (struct text){ text, (uint32_t)length }));
}

/* Ranks threads by how often they use the line, then in the order of their first use. */
static void rank_threads(const struct memory_row *row, struct table_rank *ranks)
{
	for (size_t i = 0; i < row->threads.count; i++)
		ranks[i] = (struct table_rank){
			row->threads.at[i].load_count + row->threads.at[i].store_count, i
		};
	table_ranks_sort(ranks, row->threads.count);
}

static void write_count(struct sink *sink, uint64_t count, const char *what)
{
	sink_printf(sink, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

/* "writer 12 (3 loads, 40 stores), reader 13 (51 loads)" */
static void add_threads(struct memory_writer *writer, const struct memory_row *row)
{
	struct table_rank ranks[LIMIT_LINE_THREADS];
	struct sink sink;

	rank_threads(row, ranks);
	sink_init_memory(&sink);
	for (size_t i = 0; i < row->threads.count && i < THREADS_NAMED; i++) {
		const struct memory_thread *thread = &row->threads.at[ranks[i].index];
		bool has_both = thread->load_count && thread->store_count;

		sink_puts(&sink, i ? ", " : "");
		sink_text(&sink, strings_get(&writer->stats->strings, thread->comm));
		sink_printf(&sink, " %" PRId32 " (", (int32_t)thread->tid);
		if (thread->load_count)
			write_count(&sink, thread->load_count, "load");
		sink_puts(&sink, has_both ? ", " : "");
		if (thread->store_count)
			write_count(&sink, thread->store_count, "store");
		sink_char(&sink, ')');
	}
	if (row->threads.count > THREADS_NAMED)
		sink_printf(&sink, " and %zu more", row->threads.count - THREADS_NAMED);
	table_add_text(writer->table, table_copy(writer->table, sink_memory(&sink)));
	sink_deinit(&sink);
}

/*
 * Finds the place of an access: a symbol, a file or memory without a symbol, or nothing. Kernel
 * addresses without a symbol are unknown, because the kernel's mapping does not show where its data
 * ends.
 */
static const struct location *place_location(const struct memory_writer *writer,
					     const struct memory_place *place, location_id *id_ret)
{
	const struct locations *data = writer->data;
	const struct location *location;

	*id_ret = place->bss.i != LOCATION_NONE.i && data->rows.at[place->bss.i].is_named
			  ? place->bss
			  : place->mapped;
	location = &data->rows.at[id_ret->i];
	if (!location->is_named &&
	    modules_get(writer->profile->modules, location->module)->kind == MODULE_KERNEL)
		return NULL;
	return location;
}

/* "counters", or "[libc.so.6]" if no symbol covers the address. */
static struct text place_name(struct memory_writer *writer, const struct memory_place *place)
{
	const struct profile *profile = writer->profile;
	location_id id;
	const struct location *location = place_location(writer, place, &id);
	const struct module *module;

	if (!location)
		return text_of("[unknown]");
	module = modules_get(profile->modules, location->module);
	if (module->kind == MODULE_SPECIAL) {
		struct text path = strings_get(profile->strings, module->path);

		return text_has_prefix(path, "//anon") ? text_of("[anon]") : path;
	}
	return strings_get(profile->strings,
			   frame_name_innermost(profile->strings, profile->modules, writer->data,
						id, writer->options->naming));
}

/* An address has only one place: "counters+0x40". */
static void write_place(struct memory_writer *writer, const struct memory_place *place,
			struct sink *sink)
{
	location_id id;
	const struct location *location = place_location(writer, place, &id);

	sink_text(sink, place_name(writer, place));
	if (location && location->is_named && location->address > location->symbol_start)
		sink_printf(sink, "+0x%" PRIx64, location->address - location->symbol_start);
}

/* Writes the variables of a line, without offsets, those with the most accesses first. */
static void write_places(struct memory_writer *writer, const struct memory_row *row,
			 struct sink *sink)
{
	str_id names[LIMIT_LINE_PLACES];
	struct table_rank ranks[LIMIT_LINE_PLACES];
	size_t count = 0;

	for (size_t i = 0; i < row->places.count; i++) {
		size_t k = 0;

		names[count] = intern(writer, place_name(writer, &row->places.at[i]));
		while (names[k].i != names[count].i)
			k++;
		if (k == count)
			ranks[count++] = (struct table_rank){ 0, k };
		ranks[k].value += row->places.at[i].count;
	}
	table_ranks_sort(ranks, count);
	for (size_t i = 0; i < count && i < PLACES_NAMED; i++) {
		sink_puts(sink, i ? ", " : "");
		sink_text(sink, strings_get(&writer->strings, names[ranks[i].index]));
	}
	if (count > PLACES_NAMED)
		sink_printf(sink, " and %zu more", count - PLACES_NAMED);
}

static void add_places(struct memory_writer *writer, const struct memory_row *row)
{
	struct sink sink;

	sink_init_memory(&sink);
	if (!row->places.count)
		sink_puts(&sink, "[unknown]");
	else if (writer->stats->by == MEMORY_BY_LINE)
		write_places(writer, row, &sink);
	else
		write_place(writer, &row->places.at[0], &sink);
	table_add_text(writer->table, table_copy(writer->table, sink_memory(&sink)));
	sink_deinit(&sink);
}

static void add_keys(struct memory_writer *writer, const struct merged_access *row)
{
	const struct memory_key *key = &row->first->key;
	enum memory_by by = writer->stats->by;
	struct table *table = writer->table;

	if (!memory_by_has_address(by)) {
		table_add_text(table, table_copy(table, strings_get(&writer->strings, row->text)));
		return;
	}
	if (key->owner < MEMORY_OWNER_PHYSICAL)
		table_add_id(table, key->owner);
	else
		table_add_empty(table);
	if (by == MEMORY_BY_ACCESS) {
		table_add_id(table, key->tid);
		table_add_text(table, strings_get(&writer->stats->strings, row->first->comm));
		table_add_text(table, table_copy(table, strings_get(&writer->strings, row->text)));
		add_address(writer, key->place & ~(uint64_t)(MEMORY_LINE_BYTES - 1));
		table_add_number(table, key->place % MEMORY_LINE_BYTES);
		return;
	}
	add_address(writer, key->place);
}

static void add_latencies(struct memory_writer *writer, const struct memory_sums *sums)
{
	static const double shares[] = { 0.5, 0.99, 1 };

	for (size_t i = 0; writer->stats->has_weights && i < ARRAY_SIZE(shares); i++) {
		if (sums->weights.count)
			table_add_number(
				writer->table,
				quantile_of(sums->weights.at, sums->weights.count, shares[i]));
		else
			table_add_empty(writer->table);
	}
}

static void add_values(struct memory_writer *writer, const struct memory_sums *sums)
{
	struct table *table = writer->table;

	table_add_share(table, sums->cost, writer->total.cost);
	table_add_number(table, sums->sample_count);
	table_add_number(table, sums->load_count);
	table_add_number(table, sums->store_count);
	if (by_line(writer)) {
		table_add_number(table, sums->shared_count);
		table_add_number(table, sums->remote_shared_count);
	}
	if (writer->total.locked_count)
		table_add_number(table, sums->locked_count);
	add_latencies(writer, sums);
	for (size_t i = 0; i < DATA_LEVEL_COUNT; i++)
		if (shows_level(writer, i))
			table_add_share(table, sums->level_counts[i], sums->sample_count);
	if (writer->stats->by != MEMORY_BY_TLB && writer->total.tlb_miss_count)
		table_add_share(table, sums->tlb_miss_count, sums->sample_count);
}

static void add_row(struct memory_writer *writer, const struct merged_access *row)
{
	size_t value_count;

	add_values(writer, &row->sums);
	value_count = writer->table->cells.count;
	add_keys(writer, row);
	if (writer->options->names_rows)
		table_name_row_by_cells(writer->table, writer->table->cells.count - value_count);
	if (writer->stats->by == MEMORY_BY_LINE)
		add_threads(writer, row->first);
	if (memory_by_has_address(writer->stats->by))
		add_places(writer, row->first);
}

static void add_notes(struct memory_writer *writer)
{
	const struct memory_stats *stats = writer->stats;
	struct table *table = writer->table;

	table_add_count_note(table, stats->other_count,
			     "sample does not access memory and is not counted",
			     "samples do not access memory and are not counted");
	table_add_count_note(table, stats->addressless_count,
			     "access has no address and is not counted",
			     "accesses have no address and are not counted");
	if (!stats->has_weights)
		table_add_note(table, text_of("no latencies were recorded (perf record -W), so "
					      "shares are shares of samples"));
	if (memory_by_has_address(stats->by) && stats->sample_count && !stats->has_places)
		table_add_note(table, text_of("no data mappings were recorded (perf record -d), so "
					      "the data has no names"));
	if (by_line(writer) && !stats->has_physical)
		table_add_note(table,
			       text_of("no physical addresses were recorded, so a cache line that "
				       "several processes share has a row for each process; record "
				       "with perf mem record --phys-data"));
}

static void add_facts(struct memory_writer *writer)
{
	struct table *table = writer->table;
	struct sink sink;

	sink_init_memory(&sink);
	number_grouped(&sink, writer->total.sample_count);
	sink_puts(&sink,
		  writer->total.sample_count == 1 ? " memory access, " : " memory accesses, ");
	number_grouped(&sink, writer->total.load_count);
	sink_puts(&sink, writer->total.load_count == 1 ? " load, " : " loads, ");
	number_grouped(&sink, writer->total.store_count);
	sink_puts(&sink, writer->total.store_count == 1 ? " store, " : " stores, ");
	number_grouped(&sink, writer->total.shared_count);
	sink_puts(&sink, " to lines that another core held");
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_number(table, "accesses", writer->total.sample_count);
	table_add_fact_number(table, "cost", writer->total.cost);
	table_add_fact_number(table, "shared", writer->total.shared_count);
}

static bool is_shown(const struct memory_writer *writer, size_t row)
{
	return (!writer->options->limit || row < writer->options->limit) &&
	       100 * (double)writer->rows.at[row].sums.cost >=
		       writer->options->least_percent * (double)writer->total.cost;
}

void memory_table_make(const struct memory_stats *stats, const struct profile *profile,
		       const struct locations *locations, const struct locations *data,
		       const struct memory_table_options *options, struct table *ret)
{
	struct memory_writer writer = {
		.stats = stats,
		.profile = profile,
		.locations = locations,
		.data = data,
		.options = options,
		.table = ret,
	};

	strings_init(&writer.strings);
	idtable_init(&writer.row_table);
	table_init(ret);
	ret->title = "Memory accesses";
	merge_rows(&writer);
	if (writer.rows.count > 1)
		qsort_r(writer.rows.at, writer.rows.count, sizeof(*writer.rows.at), compare_rows,
			&writer);
	add_columns(&writer);
	add_facts(&writer);
	add_notes(&writer);
	for (size_t i = 0; i < writer.rows.count; i++)
		if (is_shown(&writer, i))
			add_row(&writer, &writer.rows.at[i]);
	if (options->names_rows) {
		quantile_sort(writer.total.weights.at, writer.total.weights.count);
		add_values(&writer, &writer.total);
		table_end_totals(ret);
	}
	for (size_t i = 0; i < writer.rows.count; i++)
		memory_sums_deinit(&writer.rows.at[i].sums);
	memory_sums_deinit(&writer.total);
	idtable_deinit(&writer.row_table);
	vec_free(&writer.rows);
	strings_deinit(&writer.strings);
}
