/* SPDX-License-Identifier: MIT */
#include "render/text/log_table.h"

#include "base/quantile.h"
#include "render/number.h"
#include "render/text/histogram_text.h"

#define PER_MILLION 1e-6

struct log_writer {
	const struct log_stats *stats;
	struct table *table;
};

static const char *copy_name(struct log_writer *writer, struct text name)
{
	return arena_text(&writer->table->arena, name.at, name.length);
}

static const struct log_column *column_at(const struct log_writer *writer, uint32_t index)
{
	return &writer->stats->heading->columns[index];
}

/* Returns the key of a statistic in JSON, which includes the unit, if there is one. */
static const char *key_of(struct log_writer *writer, const char *name)
{
	struct sink sink;
	const char *key;

	sink_init_memory(&sink);
	sink_puts(&sink, name);
	sink_puts(&sink, log_stats_are_durations(writer->stats) ? "_ns" : "");
	key = copy_name(writer, sink_memory(&sink));
	sink_deinit(&sink);
	return key;
}

static void add_value_column(struct log_writer *writer, const char *name)
{
	bool is_duration = log_stats_are_durations(writer->stats);

	table_add_column(writer->table,
			 (struct table_column){
				 .title = name,
				 .key = key_of(writer, name),
				 .kind = is_duration ? TABLE_DURATION : TABLE_WEIGHT,
				 .unit = is_duration ? UNIT_NANOSECONDS : UNIT_MILLIONTHS,
			 });
}

static void add_name_column(struct log_writer *writer, uint32_t index)
{
	const char *name = copy_name(writer, column_at(writer, index)->name);

	table_add_column(
		writer->table,
		(struct table_column){
			.title = name,
			.key = name,
			.kind = column_at(writer, index)->is_number ? TABLE_ID : TABLE_TEXT,
		});
}

static void add_string(struct log_writer *writer, uint32_t id)
{
	table_add_text(writer->table, strings_get(writer->stats->strings, (str_id){ id }));
}

static void add_group_columns(struct log_writer *writer)
{
	static const char *const names[] = { "total", "mean", "p50", "p99", "max" };
	const struct log_choice *choice = &writer->stats->choice;

	table_add_column(
		writer->table,
		(struct table_column){ .title = "events", .key = "events", .kind = TABLE_COUNT });
	for (size_t i = 0; choice->has_value && i < ARRAY_SIZE(names); i++)
		add_value_column(writer, names[i]);
	if (choice->has_value && choice->has_time)
		table_add_column(writer->table,
				 log_stats_has_plain_times(writer->stats)
					 ? (struct table_column){ .title = "max at",
								  .key = "max_at",
								  .kind = TABLE_TEXT }
					 : (struct table_column){ .title = "max at",
								  .key = "max_at_ns",
								  .kind = TABLE_TIME });
	for (uint32_t i = 0; i < choice->key_count; i++)
		add_name_column(writer, choice->keys[i]);
}

static void add_values(struct log_writer *writer, const struct log_row *row)
{
	struct table *table = writer->table;
	const uint64_t *values = row->values.at;
	size_t count = row->values.count;

	if (!count) {
		for (int i = 0; i < 5; i++)
			table_add_empty(table);
		return;
	}
	table_add_number(table, row->total);
	table_add_number(table, row->total / count);
	table_add_number(table, quantile_of(values, count, 0.5));
	table_add_number(table, quantile_of(values, count, 0.99));
	table_add_number(table, row->largest);
}

static void add_time(struct log_writer *writer, const struct log_row *row)
{
	if (!row->has_largest_time)
		table_add_empty(writer->table);
	else if (log_stats_has_plain_times(writer->stats))
		add_string(writer, row->largest_time);
	else
		table_add_number(writer->table, row->largest_time_ns);
}

static void add_group(struct log_writer *writer, const struct log_row *row)
{
	const struct log_choice *choice = &writer->stats->choice;

	table_add_number(writer->table, row->event_count);
	if (choice->has_value)
		add_values(writer, row);
	if (choice->has_value && choice->has_time)
		add_time(writer, row);
	for (uint32_t i = 0; i < choice->key_count; i++)
		add_string(writer, row->keys[i]);
}

static uint64_t value_of(const struct log_row *row, enum log_order order)
{
	size_t count = row->values.count;

	switch (order) {
	case LOG_ORDER_TOTAL:
		return row->total;
	case LOG_ORDER_EVENTS:
		return row->event_count;
	case LOG_ORDER_MEAN:
		return count ? row->total / count : 0;
	case LOG_ORDER_P99:
		return quantile_of(row->values.at, count, 0.99);
	case LOG_ORDER_MAX:
		return row->largest;
	}
	return 0;
}

/* Joins the texts of a row with semicolons. */
static void write_name(const struct log_stats *stats, const struct log_row *row, struct sink *sink)
{
	for (uint32_t i = 0; i < stats->choice.key_count; i++) {
		sink_puts(sink, i ? ";" : "");
		sink_text(sink, strings_get(stats->strings, (str_id){ row->keys[i] }));
	}
}

static void name_row(struct log_writer *writer, const struct log_row *row)
{
	struct sink name;

	sink_init_memory(&name);
	write_name(writer->stats, row, &name);
	table_name_row(writer->table, sink_memory(&name));
	sink_deinit(&name);
}

/* Adds the sum of all rows, without percentiles and maximum. */
static void add_totals(struct log_writer *writer)
{
	const struct log_stats *stats = writer->stats;
	struct table *table = writer->table;
	uint64_t count = stats->value_count;

	table_add_number(table, stats->event_count);
	if (stats->choice.has_value && count) {
		table_add_number(table, stats->total);
		table_add_number(table, stats->total / count);
	}
	table_end_totals(table);
}

/* Rows of log_stats are already sorted; equal rows keep this order. */
static void add_groups(struct log_writer *writer, const struct log_table_options *options)
{
	const struct log_stats *stats = writer->stats;
	size_t count = stats->rows.count;
	struct table_rank *order = memory_alloc(count, sizeof(*order));

	add_group_columns(writer);
	for (size_t i = 0; i < count; i++)
		order[i] = (struct table_rank){ value_of(&stats->rows.at[i], options->order), i };
	table_ranks_sort(order, count);
	for (size_t i = 0; i < count && (!options->limit || i < options->limit); i++) {
		add_group(writer, &stats->rows.at[order[i].index]);
		if (options->names_rows)
			name_row(writer, &stats->rows.at[order[i].index]);
	}
	if (options->names_rows)
		add_totals(writer);
	memory_free(order);
}

static void add_top(struct log_writer *writer)
{
	const struct log_stats *stats = writer->stats;

	for (uint32_t i = 0; i < stats->heading->count; i++)
		add_name_column(writer, i);
	for (size_t i = 0; i < stats->top.count; i++)
		for (uint32_t k = 0; k < stats->heading->count; k++)
			add_string(writer, stats->cells.at[stats->top.at[i].cells + k]);
}

static void write_value(const struct log_stats *stats, uint64_t value, struct sink *sink)
{
	if (log_stats_are_durations(stats))
		number_duration(sink, value);
	else
		number_decimal(sink, value);
}

static void set_heading(struct log_writer *writer)
{
	const struct log_stats *stats = writer->stats;
	struct table *table = writer->table;
	struct sink sink;

	sink_init_memory(&sink);
	number_grouped(&sink, stats->event_count);
	sink_puts(&sink, stats->event_count == 1 ? " event" : " events");
	if (stats->first_ns < stats->last_ns) {
		sink_puts(&sink, " in ");
		number_duration(&sink, stats->last_ns - stats->first_ns);
	}
	if (stats->choice.has_value) {
		struct text name = column_at(writer, stats->choice.value)->name;

		sink_puts(&sink, "; total of ");
		sink_text(&sink, name);
		sink_puts(&sink, ": ");
		write_value(stats, stats->total, &sink);
		table_add_fact_text(table, "value", name);
		table_add_fact_weight(table, key_of(writer, "total"), stats->total,
				      log_stats_are_durations(stats) ? UNIT_NANOSECONDS
								     : UNIT_MILLIONTHS);
	}
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_number(table, "events", stats->event_count);
}

static void add_notes(struct log_writer *writer)
{
	const struct log_stats *stats = writer->stats;

	if (stats->choice.has_value)
		table_add_count_note(writer->table, stats->event_count - stats->value_count,
				     "event has no number in the value column",
				     "events have no number in the value column");
}

void log_table_make(const struct log_stats *stats, const struct log_table_options *options,
		    struct table *ret)
{
	struct log_writer writer = { .stats = stats, .table = ret };

	table_init(ret);
	ret->title = "Events";
	set_heading(&writer);
	if (options->shows_top)
		add_top(&writer);
	else
		add_groups(&writer, options);
	add_notes(&writer);
}

void log_table_write(const struct log_stats *stats, const struct log_table_options *options,
		     struct sink *sink)
{
	struct table table;

	log_table_make(stats, options, &table);
	table_write(&table, options->format, sink);
	table_deinit(&table);
}

void log_table_make_histograms(const struct log_stats *stats, struct histogram_set *ret)
{
	bool are_durations = log_stats_are_durations(stats);
	struct text what = stats->choice.has_value
				   ? stats->heading->columns[stats->choice.value].name
				   : text_of("");
	struct sink name;

	sink_init_memory(&name);
	histogram_set_begin(ret, what, are_durations ? 1 : 0);
	for (size_t i = 0; i < stats->rows.count; i++) {
		const struct log_row *row = &stats->rows.at[i];

		name.used = 0;
		write_name(stats, row, &name);
		if (row->values.count)
			histogram_set_add(ret, sink_memory(&name), row->values.at,
					  row->values.count, are_durations ? 1 : PER_MILLION);
	}
	histogram_set_end(ret);
	sink_deinit(&name);
}

void log_table_write_distribution(const struct log_stats *stats, bool is_json, uint64_t limit,
				  struct sink *sink)
{
	const struct histogram_text_options options = { .is_json = is_json, .limit = limit };
	struct histogram_set set;

	log_table_make_histograms(stats, &set);
	histogram_text_write(&set, &options, sink);
	histogram_set_deinit(&set);
}
