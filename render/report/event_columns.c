/* SPDX-License-Identifier: MIT */
#include "render/report/event_columns.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "diff/counter_ratio.h"
#include "render/number.h"

#define NO_SLOT SIZE_MAX

/* A column for an event, or for several events with the same name. */
struct event_slot {
	uint32_t event; /* the first with this name */
	str_id name;
	enum weight_unit unit;
	uint64_t sample_count, total;
};

enum quotient_kind {
	INSTRUCTIONS_PER_CYCLE,
	CYCLES_PER_INSTRUCTION,
	MISS_RATE,
	MISSES_PER_INSTRUCTIONS,
};

static const struct {
	const char *ratio; /* of counters; NULL if none */
	const char *title, *key;
	double scale;
	bool is_of_event; /* each event has a column of this kind */
} quotient_kinds[] = {
	[INSTRUCTIONS_PER_CYCLE] = { "instructions-per-cycle", "IPC", "instructions_per_cycle", 1,
				     false },
	[CYCLES_PER_INSTRUCTION] = { "cycles-per-instruction", "CPI", "cycles_per_instruction", 1,
				     false },
	[MISS_RATE] = { "miss-rate", "rate%", "miss_percent", 100, true },
	[MISSES_PER_INSTRUCTIONS] = { NULL, "MPKI", "misses_per_1000_instructions", 1000, true },
};

/* The quotient of two events. */
struct quotient {
	enum quotient_kind kind;
	size_t above, below; /* slots */
};

/* The values of one event in a row. */
struct event_value {
	uint64_t self, total, self_samples, total_samples;
};

/* Combines report rows that differ only in the event. */
struct merged_row {
	size_t first;       /* the report row that contains the cells */
	size_t value_first; /* of slots.count values */
};

struct event_columns {
	struct report_rows *rows;
	const struct profile *profile;
	const struct report_options *options;
	uint32_t event_column;
	size_t key_count; /* columns before the values */
	VEC(struct event_slot) slots;
	VEC(struct quotient) quotients;
	VEC(struct merged_row) merged;
	VEC(struct event_value) values;
	struct table *table;
};

static size_t find_slot(const struct event_columns *columns, str_id name)
{
	for (size_t i = 0; i < columns->slots.count; i++)
		if (columns->slots.at[i].name.i == name.i)
			return i;
	return NO_SLOT;
}

static void find_slots(struct event_columns *columns)
{
	const struct profile *profile = columns->profile;

	for (uint32_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->is_shown && event->sample_count &&
		    find_slot(columns, event->name) == NO_SLOT)
			vec_push(&columns->slots,
				 (struct event_slot){ .event = i,
						      .name = event->name,
						      .unit = profile_event_unit(profile, event) });
	}
}

bool event_columns_check(const struct profile *profile, struct error *err)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->events.count; i++)
		count += profile->events.at[i].is_shown && profile->events.at[i].sample_count;
	return count <= LIMIT_EVENT_COLUMNS ||
	       error_set(err, ERROR_LIMIT,
			 "--event-columns would print %u events, more than the limit of %u; "
			 "select events with --event",
			 count, LIMIT_EVENT_COLUMNS);
}

static const char *joined(struct event_columns *columns, str_id name, const char *separator,
			  const char *suffix)
{
	struct sink sink;
	struct text text;

	sink_init_memory(&sink);
	sink_text(&sink, strings_get(columns->profile->strings, name));
	sink_puts(&sink, separator);
	sink_puts(&sink, suffix);
	text = table_copy(columns->table, sink_memory(&sink));
	sink_deinit(&sink);
	return text.at;
}

static void add_quotient(struct event_columns *columns, enum quotient_kind kind, uint32_t above,
			 uint32_t below)
{
	const struct profile_event *events = columns->profile->events.at;
	struct quotient quotient = {
		.kind = kind,
		.above = find_slot(columns, events[above].name),
		.below = find_slot(columns, events[below].name),
	};

	if (quotient.above != NO_SLOT && quotient.below != NO_SLOT)
		vec_push(&columns->quotients, quotient);
}

static bool counts_misses(const struct profile *profile, uint32_t event)
{
	struct text name = strings_get(profile->strings, profile->events.at[event].name);

	return text_has_suffix(event_name_parse(name).base, "-misses");
}

/* If weights are numbers of samples, there are no ratios. */
static void find_quotients(struct event_columns *columns)
{
	const struct profile *profile = columns->profile;

	for (size_t i = 0; profile->unit != UNIT_SAMPLES && i < columns->slots.count; i++) {
		uint32_t event = columns->slots.at[i].event;
		uint32_t instructions = counter_instructions_beside(profile, event);
		struct counter_pair pairs[COUNTER_RATIOS_MAX];

		counter_pairs_find(profile, event, pairs);
		for (size_t k = 0; k < COUNTER_RATIOS_MAX && pairs[k].name; k++)
			for (int kind = 0; kind <= MISS_RATE; kind++)
				if (strcmp(pairs[k].name, quotient_kinds[kind].ratio) == 0)
					add_quotient(columns, (enum quotient_kind)kind,
						     pairs[k].above, pairs[k].below);
		if (instructions != COUNTER_NONE && counts_misses(profile, event))
			add_quotient(columns, MISSES_PER_INSTRUCTIONS, event, instructions);
	}
}

/* Returns the slot of a row's event. */
static size_t slot_of(const struct event_columns *columns, const struct report_row *row)
{
	struct text name = report_rows_cell(columns->rows, row, columns->event_column)->text;

	for (size_t i = 0; i < columns->slots.count; i++)
		if (text_equal(strings_get(columns->profile->strings, columns->slots.at[i].name),
			       name))
			return i;
	return NO_SLOT;
}

static uint64_t hash_cells(const struct event_columns *columns, const struct report_row *row)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < columns->rows->columns->count; i++)
		if (i != columns->event_column)
			hash = hash_pair(hash, report_rows_cell(columns->rows, row, i)->id);
	return hash;
}

static bool are_equal(const struct event_columns *columns, const struct report_row *left,
		      const struct report_row *right)
{
	for (uint32_t i = 0; i < columns->rows->columns->count; i++)
		if (i != columns->event_column &&
		    report_rows_cell(columns->rows, left, i)->id !=
			    report_rows_cell(columns->rows, right, i)->id)
			return false;
	return true;
}

static size_t find_merged(struct event_columns *columns, struct idtable *ids, size_t row)
{
	const struct report_row *rows = columns->rows->at.at;
	uint64_t hash = hash_cells(columns, &rows[row]);
	struct idtable_probe probe = idtable_find(ids, hash);
	uint32_t id;

	while ((id = idtable_next(ids, &probe)) != IDTABLE_NONE)
		if (are_equal(columns, &rows[columns->merged.at[id].first], &rows[row]))
			return id;
	id = (uint32_t)columns->merged.count;
	idtable_add(ids, hash, id);
	vec_push(&columns->merged,
		 (struct merged_row){ .first = row, .value_first = columns->values.count });
	for (size_t i = 0; i < columns->slots.count; i++)
		vec_push(&columns->values, (struct event_value){ 0 });
	return id;
}

static void merge_rows(struct event_columns *columns)
{
	struct idtable ids;

	idtable_init(&ids);
	for (size_t i = 0; i < columns->rows->at.count; i++) {
		const struct report_row *row = &columns->rows->at.at[i];
		size_t slot = slot_of(columns, row);
		size_t merged;

		if (slot == NO_SLOT)
			continue;
		merged = find_merged(columns, &ids, i);
		columns->values.at[columns->merged.at[merged].value_first + slot] =
			(struct event_value){ row->self, row->total, row->self_samples,
					      row->total_samples };
		columns->slots.at[slot].total =
			saturate_add(columns->slots.at[slot].total, row->self);
		columns->slots.at[slot].sample_count += row->self_samples;
	}
	idtable_deinit(&ids);
}

static const struct event_value *values_of(const struct event_columns *columns,
					   const struct merged_row *row)
{
	return columns->values.at + row->value_first;
}

static uint64_t weight_of(const struct event_columns *columns, const struct event_value *value)
{
	return columns->options->order == REPORT_TOTAL_FIRST ? value->total : value->self;
}

/*
 * Compares the values of the first event, then of the next. Equal rows keep the order of the
 * report's rows, which are sorted by name.
 */
static int compare_merged(const void *a, const void *b, void *context)
{
	const struct event_columns *columns = context;
	const struct merged_row *left = a;
	const struct merged_row *right = b;
	enum report_order order = columns->options->order;

	for (size_t i = 0; order != REPORT_NAMES_FIRST && i < columns->slots.count; i++) {
		const struct event_value *l = &values_of(columns, left)[i];
		const struct event_value *r = &values_of(columns, right)[i];
		bool by_samples = order == REPORT_SAMPLES_FIRST;
		uint64_t of_left = by_samples ? l->self_samples : weight_of(columns, l);
		uint64_t of_right = by_samples ? r->self_samples : weight_of(columns, r);

		if (of_left != of_right)
			return of_left > of_right ? -1 : 1;
	}
	return (left->first > right->first) - (left->first < right->first);
}

static void add_event_columns(struct event_columns *columns, const struct event_slot *slot)
{
	const struct report_shown *shown = &columns->options->shown;
	bool by_total = columns->options->order == REPORT_TOTAL_FIRST;
	const struct {
		const char *title, *key;
		enum table_kind kind;
		bool is_shown;
	} parts[] = {
		{ "self", "self_percent", TABLE_SHARE, true },
		{ "total", "total_percent", TABLE_SHARE, by_total },
		{ "weight", "self", TABLE_WEIGHT, shown->weights },
		{ "weight of total", "total", TABLE_WEIGHT, shown->weights && by_total },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		table_add_column(columns->table,
				 (struct table_column){
					 .title = joined(columns, slot->name, i ? " " : "",
							 i ? parts[i].title : ""),
					 .key = joined(columns, slot->name, ".", parts[i].key),
					 .kind = parts[i].kind,
					 .unit = slot->unit,
					 .is_for_programs_only = !parts[i].is_shown,
				 });
	if (shown->samples)
		table_add_column(columns->table,
				 (struct table_column){
					 .title = joined(columns, slot->name, " ", "samples"),
					 .key = joined(columns, slot->name, ".", "samples"),
					 .kind = TABLE_COUNT,
				 });
}

static void add_quotient_column(struct event_columns *columns, const struct quotient *quotient)
{
	str_id event = columns->slots.at[quotient->above].name;
	const char *title = quotient_kinds[quotient->kind].title;
	const char *key = quotient_kinds[quotient->kind].key;
	bool is_of_event = quotient_kinds[quotient->kind].is_of_event;

	table_add_column(columns->table,
			 (struct table_column){
				 .title = is_of_event ? joined(columns, event, " ", title) : title,
				 .key = is_of_event ? joined(columns, event, ".", key) : key,
				 .kind = TABLE_REAL,
				 .decimals = 2,
			 });
}

static void add_event_cells(struct event_columns *columns, const struct event_slot *slot,
			    const struct event_value *value)
{
	table_add_share(columns->table, value->self, slot->total);
	table_add_share(columns->table, value->total, slot->total);
	table_add_number(columns->table, value->self);
	table_add_number(columns->table, value->total);
	if (columns->options->shown.samples)
		table_add_number(columns->table, value->self_samples);
}

static void add_quotient_cells(struct event_columns *columns, const struct event_value *values)
{
	for (size_t i = 0; i < columns->quotients.count; i++) {
		const struct quotient *quotient = &columns->quotients.at[i];
		uint64_t below = weight_of(columns, &values[quotient->below]);

		if (below)
			table_add_real(
				columns->table,
				quotient_kinds[quotient->kind].scale *
					(double)weight_of(columns, &values[quotient->above]) /
					(double)below);
		else
			table_add_empty(columns->table);
	}
}

static void add_key_columns(struct event_columns *columns)
{
	const struct grouping *keys = columns->rows->columns;

	for (uint32_t i = 0; i < keys->count; i++) {
		const char *name;

		if (i == columns->event_column)
			continue;
		name = table_copy(columns->table, grouping_column_name(keys, i)).at;
		table_add_column(columns->table,
				 (struct table_column){ .title = name,
							.key = name,
							.kind = grouping_is_number(keys->by[i])
									? TABLE_ID
									: TABLE_TEXT });
		if (keys->by[i] == GROUP_SYMBOL && !grouping_has(keys, GROUP_DSO))
			table_add_column(columns->table,
					 (struct table_column){ .title = "dso",
								.key = "dso",
								.kind = TABLE_TEXT });
	}
}

static void add_keys(struct event_columns *columns, const struct merged_row *merged)
{
	const struct grouping *keys = columns->rows->columns;
	const struct report_row *row = &columns->rows->at.at[merged->first];

	for (uint32_t i = 0; i < keys->count; i++) {
		const struct report_cell *cell = report_rows_cell(columns->rows, row, i);

		if (i == columns->event_column)
			continue;
		table_add_text(columns->table, cell->text);
		if (keys->by[i] != GROUP_SYMBOL || grouping_has(keys, GROUP_DSO))
			continue;
		if (cell->dso.at)
			table_add_text(columns->table, cell->dso);
		else
			table_add_empty(columns->table);
	}
}

static void set_heading(struct event_columns *columns)
{
	const struct profile *profile = columns->profile;
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < columns->slots.count; i++) {
		const struct event_slot *slot = &columns->slots.at[i];

		sink_puts(&sink, i ? "; " : "");
		sink_text(&sink, strings_get(profile->strings, slot->name));
		sink_puts(&sink, " ");
		number_weight(&sink, slot->total, slot->unit);
		table_add_fact_weight(columns->table, joined(columns, slot->name, ".", "total"),
				      slot->total, slot->unit);
	}
	sink_puts(&sink, ", ");
	number_grouped(&sink, profile->view_sample_count);
	sink_puts(&sink, profile->view_sample_count == 1 ? " sample" : " samples");
	table_add_fact_number(columns->table, "samples", profile->view_sample_count);
	table_set_heading(columns->table, table_copy(columns->table, sink_memory(&sink)));
	sink_deinit(&sink);
}

/* Whether an event has a large enough share in the row. */
static bool is_large(const struct event_columns *columns, const struct merged_row *row)
{
	for (size_t i = 0; i < columns->slots.count; i++)
		if ((double)weight_of(columns, &values_of(columns, row)[i]) >=
		    columns->options->least_percent / 100 * (double)columns->slots.at[i].total)
			return true;
	return false;
}

static void add_columns(struct event_columns *columns, bool keys_are_first)
{
	if (keys_are_first)
		add_key_columns(columns);
	columns->key_count = columns->table->columns.count;
	for (size_t i = 0; i < columns->slots.count; i++)
		add_event_columns(columns, &columns->slots.at[i]);
	for (size_t i = 0; i < columns->quotients.count; i++)
		add_quotient_column(columns, &columns->quotients.at[i]);
	if (!keys_are_first)
		add_key_columns(columns);
}

static void add_value_cells(struct event_columns *columns, const struct event_value *values)
{
	for (size_t i = 0; i < columns->slots.count; i++)
		add_event_cells(columns, &columns->slots.at[i], &values[i]);
	add_quotient_cells(columns, values);
}

static void add_row(struct event_columns *columns, const struct merged_row *row,
		    bool keys_are_first)
{
	const struct event_value *values = values_of(columns, row);

	if (keys_are_first)
		add_keys(columns, row);
	add_value_cells(columns, values);
	if (!keys_are_first)
		add_keys(columns, row);
	if (columns->options->names_rows)
		report_rows_name(columns->rows, &columns->rows->at.at[row->first],
				 columns->event_column, columns->table);
}

/* The sum of all rows, including those that are not shown. */
static void add_totals(struct event_columns *columns, bool keys_are_first)
{
	VEC(struct event_value) values = { 0 };

	for (size_t i = 0; i < columns->slots.count; i++) {
		const struct event_slot *slot = &columns->slots.at[i];

		vec_push(&values, (struct event_value){ slot->total, slot->total,
							slot->sample_count, slot->sample_count });
	}
	for (size_t k = 0; keys_are_first && k < columns->key_count; k++)
		table_add_empty(columns->table);
	add_value_cells(columns, values.at);
	if (!keys_are_first)
		table_add_text(columns->table, text_of("(all)"));
	table_end_totals(columns->table);
	vec_free(&values);
}

static void fill_table(struct event_columns *columns)
{
	const struct report_options *options = columns->options;
	/* As in other reports, the keys of a row come first in machine-readable output. */
	bool keys_are_first =
		options->format == TABLE_FORMAT_JSON || options->format == TABLE_FORMAT_CSV;
	uint64_t shown_count = 0;

	columns->table->title = "Report";
	set_heading(columns);
	add_columns(columns, keys_are_first);
	for (size_t i = 0; i < columns->merged.count; i++) {
		if (!is_large(columns, &columns->merged.at[i]))
			continue;
		if (options->limit && shown_count++ == options->limit)
			break;
		add_row(columns, &columns->merged.at[i], keys_are_first);
	}
	add_totals(columns, keys_are_first);
}

void event_columns_make(const struct profile *profile, const struct report_options *options,
			struct report_rows *rows, struct table *ret)
{
	struct event_columns columns = {
		.rows = rows, .profile = profile, .options = options, .table = ret
	};

	while (options->columns->by[columns.event_column] != GROUP_EVENT)
		columns.event_column++;
	table_init(ret);
	report_rows_init(rows, profile, options->columns);
	report_rows_sort(rows, REPORT_NAMES_FIRST);
	find_slots(&columns);
	find_quotients(&columns);
	merge_rows(&columns);
	if (columns.merged.count > 1)
		qsort_r(columns.merged.at, columns.merged.count, sizeof(*columns.merged.at),
			compare_merged, &columns);
	fill_table(&columns);
	vec_free(&columns.values);
	vec_free(&columns.merged);
	vec_free(&columns.quotients);
	vec_free(&columns.slots);
}
